"""Questions in the characters that the knowledge base does not use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from answerer.asking.command import ask
from answerer.nlpcc.kbqa import scripts
from answerer.nlpcc.kbqa.linking import Link, Linker
from answerer.nlpcc.kbqa.scripts import linked_in_either
from answerer.nlpcc.kbqa.task import linker_of
from indexer.address import open_index
from tests.answerer.nlpcc.kbqa.knowledge import build

KNOWN = """中国人民银行 ||| 行长 ||| 潘功胜
人民 ||| 类别 ||| 词语
头发 ||| 英文名 ||| hair
臺灣大學 ||| 校長 ||| 陳文章
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "a.kb").write_text(KNOWN, "utf-8")
    build(str(folder / "index"), kb=folder / "a.kb")
    return str(folder / "index")


@pytest.mark.parametrize(
    ("question", "read", "named"),
    [
        ("中國人民銀行的行長是誰", "中国人民银行的行长是谁", "中国人民银行"),  # 人民 alone is the same in both
        ("頭髮的英文名是什麼", "头发的英文名是什么", "头发"),
        ("台湾大学的校长是谁", "臺灣大學的校長是誰", "臺灣大學"),
        ("臺灣大學的校長是誰", "臺灣大學的校長是誰", "臺灣大學"),
        ("中国人民银行的行长是谁", "中国人民银行的行长是谁", "中国人民银行"),
    ],
)
def test_the_characters_that_find_the_longest_name(address: str, question: str, read: str, named: str) -> None:
    texts, (links,) = linked_in_either([question], linker_of(open_index(address), fuzzy=True))
    assert texts == [read]
    assert links[0].mention.name == named


def test_an_object_that_the_question_names_keeps_its_characters(tmp_path: Path) -> None:
    (tmp_path / "a.kb").write_text("冈田准一 ||| 原文名 ||| 岡田准一・おかだ\n", "utf-8")
    build(str(tmp_path / "index"), "--objects", kb=tmp_path / "a.kb")
    linker = linker_of(open_index(str(tmp_path / "index")), fuzzy=True)
    assert linked_in_either(["谁的原文名是岡田准一・おかだ"], linker)[0] == ["谁的原文名是岡田准一・おかだ"]
    assert linked_in_either(["岡田准一的原文名是什么"], linker)[0] == ["冈田准一的原文名是什么"]


def test_what_names_nothing_stays_as_it_is(address: str) -> None:
    questions = ["火星的半徑是多少", "火星的半径是多少", "What is it?", ""]
    assert linked_in_either(questions, linker_of(open_index(address), fuzzy=True)) == (questions, [[], [], [], []])


def test_a_question_that_names_something_is_looked_up_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    link = Linker.link

    def noted(linker: Linker, questions: Sequence[str]) -> list[list[Link]]:
        asked.append(questions)
        return link(linker, questions)

    monkeypatch.setattr(Linker, "link", noted)
    linked_in_either(["人民的类别", "火星的半径"], linker_of(open_index(address), fuzzy=False))
    assert asked == [["人民的类别", "火星的半径"], ["火星的半徑"]]


def test_without_the_package_nothing_is_tried_and_ask_says_so(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask("頭髮的英文名是什麼？", index=open_index(address)).answers[0].text == "hair"
    monkeypatch.setattr(scripts, "has_other_characters", lambda: False)
    monkeypatch.setattr("answerer.asking.triples.has_other_characters", lambda: False)
    reply = ask("頭髮是什麼？", index=open_index(address))
    assert reply.answers == ()
    assert reply.doubt.endswith("; the extra opencc finds them in simplified and in traditional characters")
