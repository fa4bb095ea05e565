"""Rivals over a small book: which names they are, that they have the signals of their place, and
contrast by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from answerer.ntcir.multiple_choice.names.judgement import (
    Claims,
    Compared,
    compare_with_rivals,
    contrast,
    read_claims,
)
from answerer.ntcir.multiple_choice.names.signals import NAMES
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.engines.contract import Index

BOOK = """King Philip of Macedon crossed the river in 1492. King Darius of Persia and King Cyrus crossed the river too.

In 1789 King Ashoka of India spread the faith. King Devan of Ceylon heard of the faith.

In 1453 a long war ended. The 15th century ended the old empire.
"""


@pytest.fixture(scope="module")
def book(indexed: Callable[[str], Index]) -> Index:
    return indexed(BOOK)


def found(book: Index, *texts: str) -> tuple[Claims, Compared]:
    claims = read_claims([ChoiceStatement(text) for text in texts], book)
    return claims, compare_with_rivals(claims, book.part("names"))


def rivals_of(name: str, claims: Claims, of: Compared) -> list[str]:
    place = [label for labels in claims.labels for label in labels].index(name)
    return [of.counts.keys[row] for row in of.rivals[of.of == place]]


def test_rivals_are_of_the_kind_and_stand_where_the_rest_leads_but_not_in_the_statement(
    book: Index,
) -> None:
    claims, of = found(book, "King Darius crossed the river with King Philip.")
    assert claims.labels[0][:2] == ["darius", "philip"]
    # first who stands where king and river do, then those of the kings elsewhere; not Philip, nor
    # Macedon, a place
    assert rivals_of("darius", claims, of) == ["cyrus", "ashoka", "devan"]


def test_rivals_of_a_date_are_dates_of_as_many_years(book: Index) -> None:
    claims, of = found(book, "In 1789 a long war ended the old empire.")
    assert rivals_of("y:1789", claims, of) == ["y:1453"]


def test_a_word_and_the_whole_statement_have_no_rivals(book: Index) -> None:
    claims, of = found(book, "The old war ended, a long war.")
    assert len(of.of) == 0
    assert len(of.rows) == len(claims.labels[0])


def test_a_rival_has_the_signals_that_it_would_have_in_the_place_of_the_name(book: Index) -> None:
    """Where the rival itself is in the place of the name, and none of its own words leads anywhere
    else."""
    claims, of = found(
        book,
        "King Darius crossed the river with Philip.",
        "King Cyrus crossed the river with Philip.",
    )
    labels = [label for each in claims.labels for label in each]
    rival = int(np.searchsorted(of.of, labels.index("darius")))
    assert of.counts.keys[of.rivals[rival]] == "cyrus"
    there = of.rows[labels.index("cyrus")]
    assert there.any()
    assert of.rival_rows[rival] == pytest.approx(there)
    assert of.rival_rows.shape[1] == len(NAMES)


def test_rivals_do_not_depend_on_the_other_statements(book: Index) -> None:
    text = "King Darius crossed the river with Philip."
    _, alone = found(book, text)
    _, among = found(book, text, "King Devan of India heard of the faith in 1789.")
    number = len(alone.of)
    assert among.of[:number].tolist() == alone.of.tolist()
    assert np.allclose(among.rival_rows[:number], alone.rival_rows, atol=1e-12)


def test_contrast_is_the_distance_to_the_soft_mean_of_the_rivals() -> None:
    columns = contrast(np.array([1.0, 5.0, -2.0]), np.array([0, 0, 2]), np.array([2.0, 3.0, -2.0]))
    assert columns[:, 0] == pytest.approx([1 - math.log((math.exp(2) + math.exp(3)) / 2), 0.0, 0.0])
    assert columns[:, 1].tolist() == [1.0, 0.0, 1.0]


def test_a_statement_without_names_has_no_rivals(book: Index) -> None:
    _, of = found(book)
    assert of.rows.shape == of.rival_rows.shape == (0, len(NAMES))
    assert contrast(np.zeros(0), of.of, np.zeros(0)).shape == (0, 2)
