"""Whether a question asks for the wrong choice."""

from __future__ import annotations

import pytest

from answerer.formats.exam.parts import asked_for
from indexer.languages.registry import detect_language


@pytest.mark.parametrize(
    ("instruction", "asks"),
    [
        ("最も適当なものを，次の①～④のうちから一つ選べ。", "T"),
        ("誤っているものを，次の①～④のうちから一つ選べ。", "F"),
        ("誤りを含むものを選べ。", "F"),
        ("適当でないものを，一つ選べ。", "F"),
        ("適切ではないものを選びなさい。", "F"),
        ("正しくないものを一つ選べ。", "F"),
        ("波線部の誤っているものを一つ選べ。", "F"),
        ("次の文aとbの正誤の組合せとして正しいものを選べ。", "T"),
        ("「正」「誤」の組合せとして適当なものを選べ。", "T"),
        ("誤った政策について述べた文として正しいものを選べ。", "T"),
        ("正しい暦について述べた文として誤っているものを選べ。", "F"),
        ("ユグノーに誤りを認めさせた王がいた。その王として適当なものを選べ。", "T"),
        ("From (1)-(4) below, choose the most appropriate sentence.", "T"),
        ("Choose the one sentence that contains a mistake.", "F"),
        (
            "choose the one sentence that contains an error in regard to the underlined portion.",
            "F",
        ),
        ("choose the one sentence that incorrectly describes events.", "F"),
        ("choose the one sentence in which the wavy line is incorrect.", "F"),
        ("Choose the one that is not correct.", "F"),
        ("choose the one country that was not a colony.", "F"),
        ("choose the inappropriate sentence", "F"),
        ("choose the correct name of the state that was not a colony.", "T"),
        ('choose the correct combination of "correct" and "incorrect" in regard to a and b.', "T"),
        ("choose the correct combination of correct and incorrect.", "T"),
        ("The error of Pope Leo was grave. Choose the correct name.", "T"),
        ("Which of them was wrongly accused? Choose the correct name.", "T"),
        ("Which sentence is incorrect?", "F"),
        ("One of the sentences below is incorrect. Choose it.", "F"),
        ("Which of these countries did not sign the treaty?", "F"),
        ("Which king was not only a general but a poet?", "T"),
        ("Choose the king who was not only a general but a poet.", "T"),
        ("誤文を一つ選べ。", "F"),
        ("All of the following are true of Rome EXCEPT which one?", "F"),
        ("Which of these is true of all of the states except Athens?", "T"),
        ("All of these raise prices except ____.", "F"),
        ("A relay where all signals, except for smell, arrive is the ____.", "T"),
        ("Which of the following did the miller not need?", "F"),
        ("Under the charter, which town did not pay?", "F"),
        ("Which of these guests is least likely to stay?", "F"),
        ("Which of the following statements about salt is false?", "F"),
        ("Which test was made for recruits who were not fluent?", "T"),
        ("Why did the war not raise wages?", "T"),
        ("A bell that does not ring is a ____.", "T"),
        ("She believes that her teacher doesn’t like her. Her belief is called ____.", "T"),
        ("Which bias relies on a false belief?", "T"),
        ("史実と異なるものを選べ。", "F"),
        ("不適切なものを一つ選べ。", "F"),
        ("最も不適当なものを選べ。", "F"),
        ("まちがっている記述を選べ。", "F"),
        ("下線部と関係のないものを選べ。", "F"),
        ("植民地としなかった国を一つ選べ。", "F"),
        ("年代の古いものから順に正しく配列されているものを選べ。", "T"),
        ("正しいとはいえないものを選べ。", "F"),
        ("国際連盟に加盟していない国を選べ。", "F"),
        ("国際連盟に加盟していない国として正しいものを選べ。", "T"),
        ("次の文には誤っているものがある。一つ選べ。", "F"),
        ("", "T"),
    ],
)
def test_what_is_asked_for(instruction: str, asks: str) -> None:
    assert asked_for(instruction, detect_language(instruction)) == asks
