"""The order of hits: rounded score, then doc_id."""

from __future__ import annotations

from indexer.engines.scoring import best, round_score, tie_is_open


def test_scores_are_compared_on_five_significant_digits() -> None:
    assert round_score(12.34564) == round_score(12.34561) == 12.346
    assert round_score(0.000123456) == 0.00012346
    assert round_score(0.0) == 0.0


def test_equal_scores_are_ordered_by_doc_id() -> None:
    scored = [(1.00001, "c"), (2.0, "d"), (1.000011, "b"), (1.000012, "a")]
    assert best(scored, 3) == [(2.0, "d"), (1.000012, "a"), (1.000011, "b")]
    assert best(scored, 0) == []


def test_a_tie_is_open_when_the_last_score_could_take_the_place_of_the_kth() -> None:
    assert tie_is_open([3.0, 2.0, 2.0000001], 2)
    assert not tie_is_open([3.0, 2.0, 1.9], 2)
    assert tie_is_open([2.0, 2.0], 2)
    assert not tie_is_open([2.0], 2)
    assert not tie_is_open([], 0)
