"""Scores of a TREC run fall, so that trec_eval (through ir_measures) ranks as we wrote, ties
too."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures.ranking import average_precision, reciprocal_rank
from evaluation.tasks.results import ReportedQuestion
from evaluation.trec import qrels_lines, scored_run
from indexer.formats.trec_run import falling, run_lines

ir_measures = pytest.importorskip("ir_measures")
SCORES = st.floats(-1e30, 1e30) | st.sampled_from([0.0, -0.0, 1.0, 1.0000001, 1e-300, -1e-300])


def order_of_trec_eval(lines: list[str]) -> list[str]:
    """The doc_ids of a run of one query, as trec_eval ranks them: where RR finds each."""
    run = list(ir_measures.read_trec_run(io.StringIO("".join(lines))))
    place = {}
    for one in run:
        qrels = [ir_measures.Qrel(one.query_id, one.doc_id, 1)]
        place[one.doc_id] = ir_measures.pytrec_eval.calc_aggregate([ir_measures.RR], qrels, run)[
            ir_measures.RR
        ]
    return sorted(place, key=lambda doc_id: -place[doc_id])


def test_what_does_not_tie_stands_as_it_is() -> None:
    assert list(run_lines("q", [("a", 2.5), ("b", -1.0)], "t")) == [
        "q Q0 a 1 2.5 t\n",
        "q Q0 b 2 -1 t\n",
    ]


def test_a_tie_is_the_next_lower_number_of_single_precision() -> None:
    assert falling([2.0, 1.0, 1.0]) == [2.0, 1.0, 1.0 - 2.0**-24]


def test_scores_that_single_precision_makes_equal_are_told_apart() -> None:
    scores = falling([1.00000001, 1.0])
    assert [float(np.float32(score)) for score in scores] == [1.0, 1.0 - 2.0**-24]


def test_below_single_precision_ties_stay_and_no_score_is_infinite() -> None:
    """Its greatest number is (2 - 2^-23) * 2^127: a score above it stands as that, one below its
    negative as it is."""
    greatest = (2 - 2.0**-23) * 2.0**127
    assert falling([1e300, 0.0, -1e300, -1e300]) == [greatest, 0.0, -1e300, -1e300]
    assert falling([-greatest, -greatest]) == [-greatest, -greatest]


def test_no_scores_give_none() -> None:
    assert falling([]) == []


def test_ties_keep_their_order_in_trec_eval() -> None:
    lines = list(
        run_lines(
            "q", [("a", 2.0), ("b", 1.0), ("c", 1.0), ("d", 1.0), ("e", 0.0), ("f", 0.0)], "t"
        )
    )
    assert order_of_trec_eval(lines) == ["a", "b", "c", "d", "e", "f"]


@given(st.lists(SCORES, max_size=8))
def test_any_ranking_keeps_its_order_in_single_precision(scores: list[float]) -> None:
    ranked = [(str(number), score) for number, score in enumerate(sorted(scores, reverse=True))]
    single = [float(np.float32(line.split()[4])) for line in run_lines("q", ranked, "t")]
    assert all(first > second for first, second in itertools.pairwise(single))


def test_an_exported_run_with_ties_has_our_figures_by_file_order() -> None:
    scores, gold = [0.5, 0.5, 0.5, 0.75, 0.5], [False, True, False, False, True]
    ranked = [ReportedQuestion("1", scores=scores, labels=gold)]
    run = list(ir_measures.read_trec_run(io.StringIO("".join(scored_run(ranked)))))
    qrels = list(ir_measures.read_trec_qrels(io.StringIO("".join(qrels_lines(ranked)))))
    measured = ir_measures.pytrec_eval.calc_aggregate([ir_measures.RR, ir_measures.AP], qrels, run)
    assert measured[ir_measures.RR] == pytest.approx(reciprocal_rank(scores, gold, "file")) == 1 / 3
    assert measured[ir_measures.AP] == pytest.approx(average_precision(scores, gold, "file"))
