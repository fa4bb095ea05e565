"""What an exam reads of a book of four sentences in two paragraphs, with every number from the
book."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.ntcir.multiple_choice.names.judgement import era_shares
from indexer.statistics.forms import IdRun
from indexer.statistics.part import NeighbourCounts
from retriever.association.counts import (
    EntityCounts,
    PassageUnit,
    entity_counts,
    highest,
    holds,
    passage_scores,
    passages_with,
    passages_with_both,
    phrase_row,
    unit_of,
)
from retriever.bm25 import idf, term_score
from tests.books import EMPTY_BOOK, incidence

# Paragraph 0: sentences 0 and 1, paragraph 1: sentence 2, paragraph 2: sentence 3; the first two
# are a section.
PARAGRAPHS, SECTIONS = np.array([2, 1, 1]), np.array([2, 1])
DATES = np.array([[0, 1492, 1492], [1, 1400, 1499], [1, 1492, 1492], [3, -44, -44]])


@pytest.fixture
def counts() -> EntityCounts:
    names, terms = incidence([0, 1], [3]), incidence([0, 2], [1])
    book = EMPTY_BOOK._replace(
        names=["cyrus", "darius"],
        kinds=["person", "person"],
        name_row={"cyrus": 0, "darius": 1},
        at_names=names,
        beside=[
            NeighbourCounts(2, {"king": 2}, {"rose": 1, "fell": 1}),
            NeighbourCounts(1, {"king": 1}, {"fell": 1}),
        ],
        term_row={"river": 0, "war": 1},
        at_terms=terms,
        paragraphs=PARAGRAPHS,
        sections=SECTIONS,
        dates=DATES,
        size=12,
        vectors=np.zeros((3, 1)),
        doc_ids=[IdRun("p-", 1, 1, 2), IdRun("q-", 1, 1, 1)],
    )
    return entity_counts(book)


def held(unit: PassageUnit) -> tuple[list[list[float]], list[list[float]]]:
    return unit.names.toarray().tolist(), unit.terms.incidence.toarray().tolist()


def test_units_hold_names_and_terms(counts: EntityCounts) -> None:
    assert held(unit_of(counts, "sentence")) == (
        [[1, 1, 0, 0], [0, 0, 0, 1]],
        [[1, 0, 1, 0], [0, 1, 0, 0]],
    )
    assert held(unit_of(counts, "window")) == (
        [[1, 1, 0, 0], [0, 0, 0, 1]],
        [[1, 1, 1, 0], [1, 1, 0, 0]],
    )
    assert held(unit_of(counts, "paragraph")) == ([[1, 0, 0], [0, 0, 1]], [[1, 1, 0], [1, 0, 0]])
    assert held(unit_of(counts, "section")) == ([[1, 0], [0, 1]], [[1, 0], [1, 0]])


def test_a_name_holds_its_passages(counts: EntityCounts) -> None:
    assert passages_with(unit_of(counts, "sentence"), 0).tolist() == [0, 1]
    assert holds(unit_of(counts, "sentence"), 0, np.array([3, 1, 0, 2])).tolist() == [0, 1, 1, 0]
    assert holds(unit_of(counts, "paragraph"), 1, np.array([0, 2])).tolist() == [0, 1]


def test_passages_with_both_of_two_names(counts: EntityCounts) -> None:
    river = phrase_row(counts, frozenset([0]))  # sentences 0 and 2, as an entity
    assert passages_with_both(unit_of(counts, "sentence"), 0, river).tolist() == [0]
    assert passages_with_both(unit_of(counts, "window"), 0, 1).tolist() == []
    assert passages_with_both(unit_of(counts, "paragraph"), river, 0).tolist() == [0]


def test_terms_score_passages_as_bm25_does_and_ties_are_in_order(counts: EntityCounts) -> None:
    """12 terms in 4 sentences are 3 each: the paragraphs have 6, 3 and 3, in the middle 4."""
    river, war = idf(3.0, 2.0), idf(3.0, 1.0)
    long, short = (term_score(river, 1.0, length, 4.0) for length in (6.0, 3.0))
    scores = passage_scores(unit_of(counts, "paragraph").terms, np.array([0, 1]))
    assert scores.tolist() == pytest.approx([long + term_score(war, 1.0, 6.0, 4.0), short, 0.0])
    river_scores = passage_scores(unit_of(counts, "paragraph").terms, np.array([0]))
    assert river_scores.tolist() == pytest.approx([long, short, 0.0])
    assert highest(river_scores, 2).tolist() == [1, 0]  # the shorter one first
    equal = passage_scores(unit_of(counts, "section").terms, np.array([], np.int64))
    assert highest(equal, 2).tolist() == [0, 1]


@given(st.lists(st.integers(-2, 9), min_size=1, max_size=40), st.integers(1, 40))
def test_of_equal_scores_the_first_are_among_the_highest(scores: list[int], depth: int) -> None:
    depth = min(depth, len(scores))
    by_score_then_place = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert highest(np.array(scores, np.float32), depth).tolist() == by_score_then_place[:depth]


def test_the_years_of_paragraphs_are_those_of_their_dates(counts: EntityCounts) -> None:
    columbus, century, caesar = era_shares(
        np.array([1492.0, 1400.0, -44.0]), np.array([1492.0, 1499.0, -44.0])
    )
    dates, which = counts.different_dates
    shares = counts.dates_of[[2, 1, 0]] @ era_shares(*dates.T)[which]
    assert shares == pytest.approx(
        np.array([caesar, np.zeros(len(caesar)), 2 * columbus + century])
    )
    assert dates.tolist() == [[-44, -44], [1400, 1499], [1492, 1492]]
    assert which.tolist() == [2, 1, 2, 0]
