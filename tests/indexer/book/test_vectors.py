"""The paragraphs' vectors, where they can be told without computing them: of equal paragraphs, of words in all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_array

from indexer.book import vectors
from indexer.book.counts import Standing
from indexer.book.vectors import paragraph_vectors


def book(terms: np.ndarray) -> Standing:
    """A book without names whose paragraphs, a sentence each, are the rows."""
    size, width = terms.shape
    return Standing(
        [],
        csc_array((size, 0), dtype=np.int8),
        [f"t{column:03}" for column in range(width)],
        csc_array(terms.astype(np.int8)),
        {},
        {},
        np.zeros((0, 3), np.int32),
        [1] * size,
        [1] * size,
        int(terms.sum()),
        [],
    )


def test_equal_paragraphs_have_one_vector_and_those_without_a_common_term_are_at_right_angles() -> None:
    kinds = np.zeros((3, 90), np.int8)
    for kind in range(3):
        kinds[kind, 30 * kind : 30 * kind + 30] = 1
    found = paragraph_vectors(book(np.tile(kinds, (3000, 1)))).astype(np.float64)
    found /= np.linalg.norm(found, axis=1)[:, None]
    assert found.shape == (9000, 60)
    np.testing.assert_allclose(found @ found[:3].T, np.tile(np.eye(3), (3000, 1)), atol=1e-4)


def test_vectors_of_a_long_book_are_learned_from_some_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second one is: those of the first 20 terms, and of the last. One of all terms stands between, at 45°."""
    kinds = np.ones((4, 40), np.int8)
    kinds[0, 20:] = kinds[2, :20] = 0
    monkeypatch.setattr(vectors, "_LEARNT", 200)
    found = paragraph_vectors(book(np.tile(kinds, (100, 1)))).astype(np.float64)[:4]
    found /= np.linalg.norm(found, axis=1)[:, None]
    half = 0.5**0.5
    between = [[1, half, 0, half], [half, 1, half, 1], [0, half, 1, half], [half, 1, half, 1]]
    np.testing.assert_allclose(found @ found.T, between, atol=1e-4)


def test_terms_that_stand_in_every_paragraph_tell_nothing() -> None:
    assert not paragraph_vectors(book(np.ones((100, 90)))).any()


def test_a_book_without_names_and_terms_has_vectors_without_columns() -> None:
    assert paragraph_vectors(book(np.zeros((4, 0)))).shape == (4, 0)
