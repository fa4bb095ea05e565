"""FactFeatures of a candidate fact and the rankers over them, against sums done by hand."""

from __future__ import annotations

import gc
import math
import weakref

import numpy as np
import pytest

from answerer.nlpcc.kbqa.linking import Fact, FactCandidate, Subject, SubjectMention
from answerer.nlpcc.kbqa.ranker import CharacterStatistics, FactFeatures, default_ranker, overlap_ranker, rank, relative

STATISTICS = CharacterStatistics(10, {"作": 2, "者": 1, "国": 4, "籍": 1})
QUESTION = "你知道《岳阳楼记》的作者是谁吗?"
WHOLE = SubjectMention(4, 8, "岳阳楼记", True, 1.0)
PART = SubjectMention(4, 7, "岳阳楼", True, 1.0)


def candidate(mention: SubjectMention, predicate: str, *objects: str, detail: str = "") -> FactCandidate:
    return FactCandidate(mention, Subject(mention.name, detail, ("1",), ()), Fact(predicate, objects))


def signals_of(*candidates: FactCandidate, question: str = QUESTION) -> list[dict[str, float]]:
    signals = FactFeatures(STATISTICS)
    return [dict(zip(signals.names, row, strict=True)) for row in signals.rows(question, candidates)]


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


COUPLE = "姚明的妻子叶莉有多高"
HUSBAND, WIFE = SubjectMention(0, 2, "姚明", True, 1.0), SubjectMention(5, 7, "叶莉", True, 1.0)


def test_an_object_that_the_question_says_is_a_name_of_it_or_not() -> None:
    named, said, offered = (
        signals_of(candidate(HUSBAND, "妻子", "叶莉"), candidate(mention, "身高", "x"), question=question)[0]
        for question, mention in ((COUPLE, WIFE), (COUPLE, HUSBAND), (f"{COUPLE}还是矮", HUSBAND))
    )
    assert (named["object named"], named["object in question"], named["object offered"]) == (1, 0, 0)
    assert (said["object named"], said["object in question"], said["object offered"]) == (0, 1, 0)
    assert (offered["object named"], offered["object in question"], offered["object offered"]) == (0, 0, 1)


def test_an_object_that_repeats_its_predicate_is_not_said() -> None:
    (found,) = signals_of(candidate(HUSBAND, "妻子", "妻子"), question=COUPLE)
    assert found["object in question"] == 0


def test_a_foreign_name_is_said_without_its_dot() -> None:
    (found,) = signals_of(candidate(HUSBAND, "师傅", "比尔·盖茨"), question="姚明的师傅比尔盖茨多高")
    assert found["object in question"] == 1


def test_what_the_question_says_of_a_homonym_tells_it_from_the_other() -> None:
    mention = SubjectMention(3, 5, "李明", True, 1.0)
    singer, chemist = (Subject(f"李明({detail})", detail, ("1",), ()) for detail in ("歌手", "化学家"))
    offered = [
        FactCandidate(mention, singer, Fact("作品", ("大海",))),
        FactCandidate(mention, singer, Fact("身高", ("1.7米",))),
        FactCandidate(mention, chemist, Fact("身高", ("1.8米",))),
    ]
    both = signals_of(*offered, question="唱大海李明多高")
    assert [row["homonym described"] for row in both] == [0, 1, 0]
    assert [row["homonym described"] for row in signals_of(*offered[:2], question="唱大海李明多高")] == [0, 0]


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
    assert [offered[row].answer for row in np.argsort(-scores)] == [("right",), ("other",), ("shorter",), ("fuzzy",)]


def test_relative_signals_are_standard_scores_and_constant_ones_are_zero() -> None:
    assert relative(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist() == [[-1, 0], [1, 0]]


def test_a_trained_ranker_adds_its_relative_weights() -> None:
    hand = default_ranker(STATISTICS)
    signals = hand.features
    weights = hand.weights[signals.compared]
    both = hand._replace(weights=np.concatenate((np.zeros(len(hand.weights)), weights)))
    offered = [candidate(WHOLE, "作者", "a"), candidate(WHOLE, "国籍", "b")]
    scores, rows = both.score(QUESTION, offered)
    assert scores == pytest.approx(relative(rows[:, signals.compared]) @ weights)


def test_a_rare_flag_is_not_held_against_the_other_candidates() -> None:
    names = FactFeatures(STATISTICS).columns
    assert "jaccard (relative)" in names
    assert "object in question" in names
    assert "object in question (relative)" not in names


def test_candidates_with_one_answer_add_up() -> None:
    offered = [candidate(WHOLE, "a", "X"), candidate(WHOLE, "b", "y"), candidate(PART, "c", "x")]
    ranked = rank(offered, np.log(np.array([0.3, 0.4, 0.3])))
    assert [(one.answers, one.row) for one in ranked] == [(("X",), 0), (("y",), 1)]
    assert [one.probability for one in ranked] == pytest.approx([0.6, 0.4])


def test_equal_answers_are_ordered_by_their_text() -> None:
    offered = [candidate(WHOLE, "a", "b"), candidate(WHOLE, "a", "a")]
    assert [one.answers for one in rank(offered, np.zeros(2))] == [("a",), ("b",)]
