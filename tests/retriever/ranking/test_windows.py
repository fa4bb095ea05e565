"""Arithmetic along the words of a row, against slow plain versions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retriever.ranking.features.windows import common_subsequence, first_in_row, row_max, window_sums
from retriever.ranking.overlap import Tokens


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


def longest_common_subsequence(first: list[int], second: list[int]) -> int:
    lengths = [0] * (len(second) + 1)
    for one in first:
        diagonal = 0
        for place, other in enumerate(second, 1):
            diagonal, lengths[place] = (
                lengths[place],
                (diagonal + 1 if one == other else max(lengths[place], lengths[place - 1])),
            )
    return lengths[-1]


@given(
    st.lists(st.integers(0, 4), max_size=8), st.lists(st.lists(st.integers(0, 5), max_size=9), min_size=1, max_size=4)
)
def test_common_subsequence_equals_the_table_method(question: list[int], rows: list[list[int]]) -> None:
    bits = [sum(1 << place for place, term in enumerate(question) if term == one) for row in rows for one in row]
    found = common_subsequence(np.array(bits, np.int64), tokens([len(row) for row in rows]))
    assert found.tolist() == [longest_common_subsequence(row, question) for row in rows]
