"""Packed arrays: what was encoded is decoded, and small numbers take few bytes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from indexer.statistics.forms import (
    decode_halves,
    decode_numbers,
    decode_rising,
    encode_halves,
    encode_numbers,
    encode_rising,
)

EVERY = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(EVERY))
def test_numbers_are_decoded_as_they_were_encoded(numbers: list[int]) -> None:
    assert decode_numbers(encode_numbers(np.array(numbers, np.int64))).tolist() == numbers


@given(st.sets(st.integers(0, 2**31 - 1)))
def test_rising_numbers_are_decoded_as_they_were_encoded(numbers: set[int]) -> None:
    rising = sorted(numbers)
    assert decode_rising(encode_rising(np.array(rising, np.int32))).tolist() == rising


@given(
    arrays(
        np.float16,
        st.tuples(st.integers(0, 5), st.integers(1, 4)),
        elements=st.floats(-1, 1, width=16),
    )
)
def test_halves_are_decoded_as_they_were_encoded(rows: np.ndarray) -> None:
    assert np.array_equal(decode_halves(encode_halves(rows.astype(np.float32))), rows)


def test_a_table_without_columns_has_no_rows() -> None:
    assert decode_halves(encode_halves(np.zeros((3, 0), np.float32))).shape == (0, 0)


def test_numbers_take_the_bytes_that_the_greatest_needs() -> None:
    assert encode_numbers(np.array([0, 127])) == "1AH8="
    assert encode_numbers(np.array([128])) == "2gAA="
    assert encode_numbers(np.array([-129])) == "2f/8="


def test_rising_numbers_are_steps() -> None:
    assert encode_rising(np.array([1000, 1001])) == encode_numbers(np.array([1000, 1]))
