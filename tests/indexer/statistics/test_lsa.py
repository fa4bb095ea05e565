"""The paragraphs' vectors, where they can be told without computing them: of equal paragraphs, of
words in all."""

from __future__ import annotations

import numpy as np
import pytest

from indexer.files.arrays import Float64Array
from indexer.statistics import lsa
from indexer.statistics.lsa import dimensions
from indexer.statistics.ragged import Occurrences, add_occurrences


def vectors_of(terms: np.ndarray) -> Float64Array:
    """The vectors of paragraphs of one sentence, which are the rows, by the terms in them."""
    table = Occurrences(np.zeros(terms.shape[1], np.int64))
    columns = np.flatnonzero(terms) % max(terms.shape[1], 1)
    in_sentence = (terms != 0).sum(axis=1)
    add_occurrences(table, columns.astype(np.int32), in_sentence.astype(np.int32), [1] * len(terms))
    return np.concatenate(list(lsa.vectors_of([table]))).astype(np.float64)


def test_equal_paragraphs_have_one_vector_and_those_without_a_common_term_are_at_right_angles() -> (
    None
):
    kinds = np.zeros((3, 90), np.int8)
    for kind in range(3):
        kinds[kind, 30 * kind : 30 * kind + 30] = 1
    found = vectors_of(np.tile(kinds, (3000, 1)))
    found /= np.linalg.norm(found, axis=1)[:, None]
    assert found.shape == (9000, 75)  # 9,000 / 120
    np.testing.assert_allclose(found @ found[:3].T, np.tile(np.eye(3), (3000, 1)), atol=1e-4)


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (0, 60),
        (7_200, 60),
        (24_000, 200),
        (30_000, 250),
        (30_001, 60),
    ],  # 24,000 / 120; 30,000 / 120
)
def test_more_paragraphs_have_more_dimensions_so_long_as_all_are_learned_from(
    paragraphs: int, expected: int
) -> None:
    assert dimensions(paragraphs) == expected


def test_vectors_of_a_long_book_are_learned_from_some_paragraphs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every second one is: those of the first 20 terms, and of the last. One of all terms stands
    between, at 45°."""
    kinds = np.ones((4, 40), np.int8)
    kinds[0, 20:] = kinds[2, :20] = 0
    monkeypatch.setattr(lsa, "_LEARNT", 200)
    found = vectors_of(np.tile(kinds, (100, 1)))[:4]
    found /= np.linalg.norm(found, axis=1)[:, None]
    half = 0.5**0.5
    between = [[1, half, 0, half], [half, 1, half, 1], [0, half, 1, half], [half, 1, half, 1]]
    np.testing.assert_allclose(found @ found.T, between, atol=1e-4)


def test_dimensions_computed_some_at_a_time_are_those_computed_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = np.random.default_rng(1).integers(0, 2, (50, 40))
    together = vectors_of(table)
    monkeypatch.setattr(lsa, "_TOGETHER", 15)
    apart = vectors_of(table)
    np.testing.assert_allclose(apart @ apart.T, together @ together.T, atol=1e-2)


def test_terms_that_stand_in_every_paragraph_tell_nothing() -> None:
    assert not vectors_of(np.ones((100, 90))).any()


def test_a_book_without_names_and_terms_has_vectors_without_columns() -> None:
    assert vectors_of(np.zeros((4, 0))).shape == (4, 0)
