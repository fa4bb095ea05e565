"""What stands around a question's slot, compared with what stands around a candidate."""

from __future__ import annotations

import math

import pytest

from answerer.ntcir.term.candidates import AnswerContext, distance, proximity
from answerer.ntcir.term.japanese import interrogative_spans
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import analyse
from indexer.analysis.glossary import Glossary
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE

_EN, _JA = TermLanguage(ENGLISH, Glossary(())), TermLanguage(JAPANESE, Glossary(()))


@pytest.mark.parametrize(
    ("asked", "focus", "slot"),
    [
        ("大会は何年に一度開催されるか", "年", "何年"),
        ("何という城壁か", "城壁", "何という城壁"),
        ("どこの民謡か", "民謡", "どこ"),
        ("どのような宗派があるか", "宗派", "どのような宗派"),
        ("クジラは何を食べるか", "", "何"),
        ("法隆寺を建てたのは誰か", "", "誰"),
        ("ドイツの首都は", "首都", ""),
    ],
)
def test_the_slot_is_the_interrogative_with_what_it_asks_for(
    asked: str, focus: str, slot: str
) -> None:
    spans = interrogative_spans(asked, focus)
    assert [asked[start:end] for start, end in spans] == ([slot] if slot else [])


def test_context_counts_characters_that_agree_on_both_sides() -> None:
    slots = AnswerContext("大会は何年に一度開かれるか", "年", {}, _JA)
    # before: は is the same, 会 is not 度: 1 of 6; after: に一度開かれ: 6 of 6; the sentence covers all
    assert slots.agreement("毎度は", "に一度開かれる。", 1.0) == pytest.approx((1 + 6) / 12)
    assert slots.agreement("毎度は", "に一度開かれる。", 0.0) == pytest.approx((1 + 6) / 12 * 0.2)
    assert slots.agreement("第", "回", 1.0) == 0.0


def test_terms_near_the_gap_count_most() -> None:
    slots = AnswerContext("trade of ____ with rome", "", {"trade": 1.0, "rome": 1.0}, _EN)
    # trade ends 4 characters before the gap (" of "), rome begins 6 after it (" with "); a step is
    # 5 characters
    trade, rome = 1 / math.log2(2 + 4 / 5), 1 / math.log2(2 + 6 / 5)
    # a candidate at 10-15 with trade at 0-5 (5 between) and without rome
    expected = trade / (trade + rome) / math.log2(2 + 5 / 5)
    assert proximity((10, 15), {"trade": [(0, 5)]}, slots.weights, 5.0) == pytest.approx(expected)


def test_without_a_slot_nothing_agrees() -> None:
    slots = AnswerContext("ドイツの首都は", "首都", {"ドイツ": 1.0}, _JA)
    assert slots.agreement("ドイツの首都は", "である", 1.0) == 0.0
    assert slots.weights == {}


def test_the_sentence_with_the_gap_does_not_say_what_is_asked_for() -> None:
    question = analyse(
        "q", ENGLISH, (("Write the name that belongs in the gap. Which city did ____ build?", 1.0),)
    )
    assert (question.focus, question.has_gap) == ("", True)
    assert not analyse("q", ENGLISH, (("Which city did he build?", 1.0),)).has_gap


@pytest.mark.parametrize(
    ("one", "other", "expected"), [((0, 3), (5, 8), 2), ((5, 8), (0, 3), 2), ((0, 5), (3, 4), 0)]
)
def test_distance_is_what_lies_between(
    one: tuple[int, int], other: tuple[int, int], expected: int
) -> None:
    assert distance(one, other) == expected
