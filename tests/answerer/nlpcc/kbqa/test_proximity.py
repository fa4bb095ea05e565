"""Which of several names in a question a predicate belongs to."""

from __future__ import annotations

import pytest

from answerer.nlpcc.kbqa.features import CompetingNames, is_contrasted, spans_of
from answerer.nlpcc.kbqa.linking import Fact, FactCandidate, Subject, SubjectMention


def mention_of(question: str, name: str) -> SubjectMention:
    start = question.index(name)
    return SubjectMention(start, start + len(name), name, True, 1.0)


def nearer(question: str, predicate: str, *names: str) -> list[float]:
    """For each name how much another of them, all with the predicate, is nearer."""
    mentions = [mention_of(question, name) for name in names]
    offered = [
        FactCandidate(mention, Subject(mention.name, "", ("1",), ()), Fact(predicate, ("x",))) for mention in mentions
    ]
    rivals = CompetingNames(question, offered, mentions)
    return [rivals.nearer(mention, predicate) for mention in mentions]


@pytest.mark.parametrize(
    ("question", "predicate", "names", "expected"),
    [
        ("姚明的妻子叶莉有多高", "身高", ("姚明", "叶莉"), [1, 0]),
        ("叶莉的丈夫姚明的身高是多少", "身高", ("叶莉", "姚明"), [1, 0]),
        ("甲山的海拔是多少,乙山不问", "海拔", ("甲山", "乙山"), [0, 1]),
        ("甲山和乙山,甲山的海拔是多少", "海拔", ("甲山", "乙山"), [0, 1]),
        ("甲山比乙山低,它的海拔是多少", "海拔", ("甲山", "乙山"), [0, 0]),
        ("甲山的海拔和乙山的海拔", "海拔", ("甲山", "乙山"), [0, 0]),
        ("岳阳楼记的作者", "作者", ("岳阳楼记", "岳阳楼"), [0, 0]),
        ("偶尔有阳光是谁写的词", "填词", ("偶尔有阳光", "是谁"), [0, 0]),
        ("偶尔有阳光这歌写的词", "填词", ("偶尔有阳光", "这歌"), [2 / 5, 0]),
        ("甲山和乙山", "海拔", ("甲山", "乙山"), [0, 0]),
    ],
)
def test_the_name_nearest_before_the_words(
    question: str, predicate: str, names: tuple[str, ...], expected: list[float]
) -> None:
    assert nearer(question, predicate, *names) == pytest.approx(expected)


def test_only_names_that_have_the_predicate_are_rivals() -> None:
    question = "姚明的妻子叶莉有多高"
    husband, wife = mention_of(question, "姚明"), mention_of(question, "叶莉")
    offered = [
        FactCandidate(mention, Subject(mention.name, "", ("1",), ()), Fact(predicate, ("x",)))
        for mention, predicate in ((husband, "身高"), (wife, "国籍"))
    ]
    assert CompetingNames(question, offered, [husband, wife]).nearer(husband, "身高") == 0


@pytest.mark.parametrize(
    ("question", "expected"),
    [("比乙山高", True), ("而不是《乙山》的", True), ("除了乙山", True), ("它是不是乙山的", False), ("乙山", False)],
)
def test_a_name_that_the_subject_is_held_against(question: str, expected: bool) -> None:
    assert is_contrasted(question, mention_of(question, "乙山")) is expected


def test_words_for_a_predicate_are_its_longest_piece_or_else_a_cue() -> None:
    assert list(spans_of("成立时间", "它的成立日期")) == [(2, 4)]
    assert list(spans_of("身高", "它有多高")) == [(1, 4)]
    assert list(spans_of("国籍", "它有多高")) == []
