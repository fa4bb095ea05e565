"""Blocks of values as text: what was encoded is decoded, and small numbers take few bytes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from indexer.statistics.forms import decode_block, encode_block

WIDE = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(WIDE), st.lists(st.text()))
def test_numbers_and_texts_are_decoded_as_they_were_encoded(
    numbers: list[int], texts: list[str]
) -> None:
    block = decode_block(encode_block(numbers=np.array(numbers, np.int64), texts=texts))
    assert block["numbers"].tolist() == numbers
    assert block["texts"] == texts


@given(
    arrays(
        np.int32, st.tuples(st.integers(0, 5), st.integers(1, 4)), elements=st.integers(0, 70_000)
    )
)
def test_sparse_tables_are_decoded_as_they_were_encoded(rows: np.ndarray) -> None:
    table = decode_block(encode_block(table=csr_array(rows)))["table"]
    assert np.array_equal(table.toarray(), rows)


def test_a_table_keeps_its_shape_and_half_precision() -> None:
    rows = np.array([[0.5, -1.0]], "<f2")
    block = decode_block(encode_block(rows=rows, none=np.zeros((3, 0), "<f2")))
    assert (block["rows"].tolist(), block["rows"].dtype) == ([[0.5, -1.0]], np.dtype("<f2"))
    assert block["none"].shape == (3, 0)


def test_numbers_take_the_bytes_that_they_need() -> None:
    assert encode_block(n=np.array([0, 255])) == '{"n":{"array":"AP8=","type":"|u1","shape":[2]}}'
    assert encode_block(n=np.array([-129])) == '{"n":{"array":"f/8=","type":"<i2","shape":[1]}}'
