"""FactFeatures of a candidate fact and the rankers over them, against sums done by hand."""

from __future__ import annotations

import gc
import math
import weakref

import numpy as np
import pytest

from answerer.nlpcc.kbqa.linking import Fact, FactCandidate, Subject, SubjectMention
from answerer.nlpcc.kbqa.ranker import (
    CharacterStatistics,
    FactFeatures,
    fact_ranker,
    overlap_ranker,
    rank,
    relative,
)

STATISTICS = CharacterStatistics(10, {"作": 2, "者": 1, "国": 4, "籍": 1})
QUESTION = "你知道《岳阳楼记》的作者是谁吗?"
WHOLE = SubjectMention(4, 8, "岳阳楼记", True, 1.0)
PART = SubjectMention(4, 7, "岳阳楼", True, 1.0)


def candidate(
    mention: SubjectMention, predicate: str, *objects: str, detail: str = ""
) -> FactCandidate:
    return FactCandidate(
        mention, Subject(mention.name, detail, ("1",), ()), Fact(predicate, objects)
    )


def signals_of(*candidates: FactCandidate, question: str = QUESTION) -> list[dict[str, float]]:
    signals = FactFeatures(STATISTICS)
    return [
        dict(zip(signals.names, row, strict=True)) for row in signals.rows(question, candidates)
    ]


def test_idf_counts_predicates() -> None:
    assert STATISTICS.idf("作") == math.log(11 / 2.5)
    assert STATISTICS.idf("新") == math.log(11 / 0.5)


def test_used_signals_go_with_their_last_user() -> None:
    signals = FactFeatures(STATISTICS)
    gc.disable()
    try:
        assert len(signals.rows(QUESTION, [candidate(WHOLE, "作者", "x")])) == 1
        left = weakref.ref(signals)
        del signals
        assert left() is None
    finally:
        gc.enable()


def test_mentions_are_measured_by_the_longest() -> None:
    whole, part = signals_of(candidate(WHOLE, "作者", "x"), candidate(PART, "作者", "x"))
    assert (whole["mention length"], part["mention length"]) == (1, 3 / 4)
    assert (whole["mention covered"], part["mention covered"]) == (0, 1)
    assert (whole["mention quoted"], whole["mention opens"]) == (1, 0)


def test_overlap_of_request_and_predicate() -> None:
    both = signals_of(candidate(WHOLE, "作者国", "x"))[0]
    weight = {c: STATISTICS.idf(c) for c in "作者国的是谁"}
    shared, predicate = weight["作"] + weight["者"], weight["作"] + weight["者"] + weight["国"]
    request = sum(weight[c] for c in "的作者是谁")
    assert both["predicate coverage"] == pytest.approx(shared / predicate)
    assert both["request coverage"] == pytest.approx(shared / request)
    assert both["jaccard"] == pytest.approx(shared / (predicate + request - shared))
    assert (both["bigram coverage"], both["longest run"]) == (1 / 2, 2 / 3)
    assert (both["first character"], both["last character"], both["literal"]) == (1, 0, 0)


def test_a_predicate_without_overlap() -> None:
    (none,) = signals_of(candidate(WHOLE, "国籍", "x"))
    assert (none["no overlap"], none["jaccard"], none["longest run"]) == (1, 0, 0)


def test_the_parentheses_of_a_subject_are_held_against_the_request() -> None:
    (found,) = signals_of(candidate(WHOLE, "国籍", "x", detail="作国"))
    assert found["detail overlap"] == pytest.approx(
        STATISTICS.idf("作") / (STATISTICS.idf("作") + STATISTICS.idf("国"))
    )


def test_the_kind_of_an_object_fits_what_is_asked_for() -> None:
    rows = signals_of(candidate(WHOLE, "作者", "范仲淹"), candidate(WHOLE, "年代", "1046年"))
    assert [(row["object kind fits"], row["object kind differs"]) for row in rows] == [
        (1, 0),
        (0, 1),
    ]


def test_relative_signals_are_standard_scores_and_constant_ones_are_zero() -> None:
    assert relative(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist() == [[-1, 0], [1, 0]]


def test_signals_of_the_predicate_alone_are_compared() -> None:
    written, other = signals_of(candidate(WHOLE, "作者", "x"), candidate(PART, "国籍", "x"))
    assert (written["jaccard (relative)"], other["jaccard (relative)"]) == (1, -1)
    assert "mention length (relative)" not in written


def test_relative_signals_weigh_nothing_by_hand() -> None:
    hand = fact_ranker(None, STATISTICS)
    relatives = [
        w
        for name, w in zip(hand.features.names, hand.weights, strict=True)
        if name.endswith("(relative)")
    ]
    assert relatives == [0.0] * 14


def test_no_candidates_give_no_rows() -> None:
    signals = FactFeatures(STATISTICS)
    assert signals.rows(QUESTION, []).shape == (0, len(signals.names))


def test_the_baseline_takes_the_longest_exact_name_then_the_overlap() -> None:
    near = SubjectMention(4, 8, "岳阳楼纪", False, 0.75)
    offered = [
        candidate(near, "作者", "fuzzy"),
        candidate(PART, "作者", "shorter"),
        candidate(WHOLE, "国籍", "other"),
        candidate(WHOLE, "作者", "right"),
    ]
    scores, _ = overlap_ranker(STATISTICS).score(QUESTION, offered)
    assert [offered[row].answer for row in np.argsort(-scores)] == [
        ("right",),
        ("other",),
        ("shorter",),
        ("fuzzy",),
    ]


def test_candidates_with_one_answer_add_up() -> None:
    offered = [candidate(WHOLE, "a", "X"), candidate(WHOLE, "b", "y"), candidate(PART, "c", "x")]
    ranked = rank(offered, np.log(np.array([0.3, 0.4, 0.3])))
    assert [(one.answers, one.row) for one in ranked] == [(("X",), 0), (("y",), 1)]
    assert [one.probability for one in ranked] == pytest.approx([0.6, 0.4])


def test_equal_answers_are_ordered_by_their_text() -> None:
    offered = [candidate(WHOLE, "a", "b"), candidate(WHOLE, "a", "a")]
    assert [one.answers for one in rank(offered, np.zeros(2))] == [("a",), ("b",)]
