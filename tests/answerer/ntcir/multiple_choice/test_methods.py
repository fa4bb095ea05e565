"""Several sources' scores of choices made one."""

from __future__ import annotations

from answerer.ntcir.multiple_choice.methods import shares


def test_the_highest_score_counts_and_the_first_sources_where_they_are_equal() -> None:
    two = [[4.0, 1.0, 2.0], [3.0, 3.0, 2.0]]  # a row a source, a column a choice
    assert shares(two) == [[4.0, 0.0, 2.0], [0.0, 3.0, 0.0]]


def test_scores_that_differ_after_five_digits_are_equal() -> None:
    assert shares([[1.0], [1.000001]]) == [[1.0], [0.0]]
