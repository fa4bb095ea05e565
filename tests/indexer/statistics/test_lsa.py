"""The paragraphs' vectors, where they can be told without computing them: of equal paragraphs, of words in all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from indexer.statistics import lsa
from indexer.statistics.lsa import dimensions, vectors_of
from indexer.statistics.ragged import OnesTable


def held(terms: np.ndarray) -> list[OnesTable]:
    """The terms of paragraphs, which are the rows."""
    table = OnesTable(terms.shape[1])
    table.append(csr_array(terms.astype(np.int8)))
    return [table]


def test_equal_paragraphs_have_one_vector_and_those_without_a_common_term_are_at_right_angles() -> None:
    kinds = np.zeros((3, 90), np.int8)
    for kind in range(3):
        kinds[kind, 30 * kind : 30 * kind + 30] = 1
    found = vectors_of(held(np.tile(kinds, (3000, 1))))[:].astype(np.float64)
    found /= np.linalg.norm(found, axis=1)[:, None]
    assert found.shape == (9000, 75)  # 9,000 / 120
    np.testing.assert_allclose(found @ found[:3].T, np.tile(np.eye(3), (3000, 1)), atol=1e-4)


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [(0, 60), (7_200, 60), (24_000, 200), (30_000, 250), (30_001, 60)],  # 24,000 / 120; 30,000 / 120
)
def test_more_paragraphs_have_more_dimensions_so_long_as_all_are_learned_from(paragraphs: int, expected: int) -> None:
    assert dimensions(paragraphs) == expected


def test_vectors_of_a_long_book_are_learned_from_some_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second one is: those of the first 20 terms, and of the last. One of all terms stands between, at 45°."""
    kinds = np.ones((4, 40), np.int8)
    kinds[0, 20:] = kinds[2, :20] = 0
    monkeypatch.setattr(lsa, "_LEARNT", 200)
    found = vectors_of(held(np.tile(kinds, (100, 1))))[:4].astype(np.float64)
    found /= np.linalg.norm(found, axis=1)[:, None]
    half = 0.5**0.5
    between = [[1, half, 0, half], [half, 1, half, 1], [0, half, 1, half], [half, 1, half, 1]]
    np.testing.assert_allclose(found @ found.T, between, atol=1e-4)


def test_dimensions_computed_some_at_a_time_are_those_computed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    table = held(np.random.default_rng(1).integers(0, 2, (50, 40)))
    together = vectors_of(table)[:].astype(np.float64)
    monkeypatch.setattr(lsa, "_TOGETHER", 15)
    apart = vectors_of(table)[:].astype(np.float64)
    np.testing.assert_allclose(apart @ apart.T, together @ together.T, atol=1e-2)


def test_terms_that_stand_in_every_paragraph_tell_nothing() -> None:
    assert not vectors_of(held(np.ones((100, 90))))[:].any()


def test_a_book_without_names_and_terms_has_vectors_without_columns() -> None:
    assert vectors_of(held(np.zeros((4, 0))))[:].shape == (4, 0)
