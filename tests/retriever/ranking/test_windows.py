"""Arithmetic along the words of a row, worked out by hand."""

from __future__ import annotations

import numpy as np

from retriever.ranking.overlap import Tokens, first_in_row, row_max, window_sums


def tokens(lengths: list[int]) -> Tokens:
    rows = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    return Tokens(np.zeros(len(rows), np.int64), rows, len(lengths))


def test_windows_end_where_their_row_ends() -> None:
    sums = window_sums(tokens([3, 2]), np.array([1.0, 2.0, 4.0, 8.0, 16.0]), 1, 1)
    assert sums.tolist() == [1 + 2, 1 + 2 + 4, 2 + 4, 8 + 16, 8 + 16]


def test_the_greatest_of_a_row_without_tokens_is_0() -> None:
    assert row_max(tokens([2, 0, 1]), np.array([1.0, 3.0, 2.0])).tolist() == [3, 0, 2]


def test_only_the_first_match_of_a_term_in_a_row_is_marked() -> None:
    rows, terms = np.array([0, 0, 0, 1]), np.array([5, -1, 5, 5])
    assert first_in_row(rows, terms).tolist() == [True, False, False, True]
