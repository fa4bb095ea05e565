"""A Japanese answer to 誰 is a name that the question does not have, and one to 何歳 has 歳."""

from __future__ import annotations

import pytest

from answerer.asking.japanese_answers import fitting_answers, misfit
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Shape, Span
from retriever.passages import Passage


def candidate(text: str, speech: str, sentence: str = "", shape: Shape = "noun") -> TermCandidate:
    start = max(0, sentence.find(text))
    passage = Passage("b-1-1", "b-1", "", sentence, 1.0, 1.0)
    return TermCandidate(text, Span(text, start, start + len(text), shape, speech), passage)


@pytest.mark.parametrize(
    ("question", "text", "speech", "fits"),
    [
        ("花子から賞を受けたのは誰ですか", "努力", "サ変接続", False),
        ("花子から賞を受けたのは誰ですか", "花子", "人名", False),
        ("花子から賞を受けたのは誰ですか", "太郎", "人名", True),
        ("花子から賞を受けたのは誰ですか", "画家", "一般", True),
        ("花子から賞を受けたのは誰ですか", "ミレイ", "一般", True),
        ("ミレイ法典を定めたのはだれですか", "ミレイ", "一般", True),
        ("花子は何を受けましたか", "賞", "一般", True),
        ("花子が訪れたのはどこですか", "同市", "一般", False),
    ],
)
def test_who_is_answered_by_a_name(question: str, text: str, speech: str, fits: bool) -> None:
    answer = candidate(text, speech)
    assert fitting_answers(question, [answer]) == [answer] * fits


def test_a_number_has_the_counter_of_the_question() -> None:
    crowd = candidate("約二千人", "数", "約二千人が見た。", "number")
    age = candidate("九才", "数", "太郎は九才で勝った。", "number")
    assert fitting_answers("太郎は何歳で勝ちましたか", [crowd, age]) == [age]
    assert (
        misfit("太郎は何歳で勝ちましたか", crowd) == "this asks 何歳, and “約二千人” is not in 歳"
    )
    assert not misfit("太郎は何人に勝ちましたか", crowd)
