"""What an exam reads of a book of four sentences in two paragraphs, with every number from the book."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.judgement import era_shares, years_of
from indexer.statistics.forms import IdRun
from indexer.statistics.part import CountedBook, NeighbourCounts
from retriever.association import counts as module
from retriever.association.counts import EntityCounts, PassageUnit, highest
from retriever.bm25 import idf, term_score

# Paragraph 0: sentences 0 and 1, paragraph 1: sentence 2, paragraph 2: sentence 3; the first two are a section.
PARAGRAPHS, SECTIONS = np.array([2, 1, 1]), np.array([2, 1])
DATES = np.array([[0, 1492, 1492], [1, 1400, 1499], [1, 1492, 1492], [3, -44, -44]])


def table(*rows: list[int]) -> csr_array:
    ends = np.cumsum([0, *map(len, rows)])
    return csr_array((np.ones(ends[-1]), np.concatenate(rows).astype(int), ends), (len(rows), 4))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> EntityCounts:
    """Each of the two books is a block."""
    monkeypatch.setattr(module, "_LEAST", 1)
    names, terms = table([0, 1], [3]), table([0, 2], [1])
    book = CountedBook(
        names=["cyrus", "darius"],
        kinds=["person", "person"],
        name_row={"cyrus": 0, "darius": 1},
        at_names=names,
        beside=[NeighbourCounts(2, {"king": 2}, {"rose": 1, "fell": 1}), NeighbourCounts(1, {"king": 1}, {"fell": 1})],
        words={},
        term_row={"river": 0, "war": 1},
        at_terms=terms,
        paragraphs=PARAGRAPHS,
        sections=SECTIONS,
        dates=DATES,
        size=12,
        vectors=np.zeros((3, 1)),
        doc_ids=[IdRun("p-", 1, 1, 2), IdRun("q-", 1, 1, 1)],
    )
    return EntityCounts(book)


def held(unit: PassageUnit) -> tuple[list[list[float]], list[list[float]]]:
    return unit.names.toarray().tolist(), unit.terms.incidence.toarray().tolist()


def test_units_hold_names_and_terms(counts: EntityCounts) -> None:
    assert held(counts.unit("sentence")) == ([[1, 1, 0, 0], [0, 0, 0, 1]], [[1, 0, 1, 0], [0, 1, 0, 0]])
    assert held(counts.unit("window")) == ([[1, 1, 0, 0], [0, 0, 0, 1]], [[1, 1, 1, 0], [1, 1, 0, 0]])
    assert held(counts.unit("paragraph")) == ([[1, 0, 0], [0, 0, 1]], [[1, 1, 0], [1, 0, 0]])
    assert held(counts.unit("section")) == ([[1, 0], [0, 1]], [[1, 0], [1, 0]])


def test_a_name_holds_its_passages(counts: EntityCounts) -> None:
    assert counts.unit("sentence").passages_with(0).tolist() == [0, 1]
    assert counts.unit("sentence").holds(0, np.array([3, 1, 0, 2])).tolist() == [0, 1, 1, 0]
    further = counts.with_names(["ashoka"], ["person"], table([]), [NeighbourCounts(0, {}, {})])
    assert further.unit("paragraph").holds(2, np.array([0, 2])).tolist() == [0, 0]
    assert further.unit("paragraph").holds(1, np.array([0, 2])).tolist() == [0, 1]


def test_passages_with_both_of_two_names(counts: EntityCounts) -> None:
    wider = counts.with_names(["ashoka"], ["person"], table([1, 2, 3]), [NeighbourCounts(0, {}, {})])
    assert wider.unit("sentence").with_both(0, 2).tolist() == [1]
    assert wider.unit("sentence").with_both(2, 1).tolist() == [3]
    assert wider.unit("sentence").with_both(0, 1).tolist() == []


def test_terms_score_passages_as_bm25_does_and_ties_are_in_order(counts: EntityCounts) -> None:
    """12 terms in 4 sentences are 3 each: the paragraphs have 6, 3 and 3, in the middle 4."""
    river, war = idf(3.0, 2.0), idf(3.0, 1.0)
    long, short = (term_score(river, 1.0, length, 4.0) for length in (6.0, 3.0))
    scores = counts.unit("paragraph").terms.scores(np.array([0, 1]))
    assert scores.tolist() == pytest.approx([long + term_score(war, 1.0, 6.0, 4.0), short, 0.0])
    passages, values = counts.unit("paragraph").terms.best(np.array([0]), 2)
    assert passages.tolist() == [1, 0]  # the shorter one first
    assert values.tolist() == pytest.approx([short, long])
    assert counts.unit("section").terms.best(np.array([], np.int64), 2)[0].tolist() == [
        0,
        1,
    ]  # all equal


def test_passages_of_a_block_count_as_much_as_is_said(counts: EntityCounts) -> None:
    """Cyrus and Ashoka stand in paragraph 0, Ashoka and Darius in paragraph 2, which is of the other book."""
    wider = counts.with_names(["ashoka"], ["person"], table([1, 3]), [NeighbourCounts(0, {}, {})])
    cyrus, darius, ashoka = np.array([0, 0]), np.array([1, 1]), np.array([2, 2])
    home = np.array([[1.0, 0.25], [0.5, 1.0]])
    assert wider.unit("paragraph").number(ashoka, home).tolist() == [1 + 0.25, 0.5 + 1]
    assert wider.unit("paragraph").number_beside(ashoka, darius, home).tolist() == [0.25, 1.0]
    assert wider.unit("paragraph").number_beside(cyrus, ashoka, home).tolist() == [1.0, 0.5]
    assert wider.unit("paragraph").number_beside(cyrus, darius, home).tolist() == [0.0, 0.0]
    assert np.asarray(wider.unit("paragraph").number_of_all(home)).tolist() == [2 + 0.25, 2 * 0.5 + 1]
    assert np.asarray(wider.unit("window").number_of_all(home)).tolist() == [3 + 0.25, 3 * 0.5 + 1]
    assert np.asarray(wider.unit("section").number_of_all(home)).tolist() == [1 + 0.25, 0.5 + 1]
    assert wider.unit("paragraph").number(ashoka, None).tolist() == [2, 2]
    assert wider.unit("paragraph").number_beside(ashoka, darius, None).tolist() == [1, 1]


def test_passages_of_a_block_score_less_but_never_below_nothing(counts: EntityCounts) -> None:
    terms, wide = np.array([0, 1]), counts.unit("paragraph").terms
    first, second, _ = wide.scores(terms).tolist()
    assert second > 0
    assert wide.scores(terms, np.array([0.0, 9.0])).tolist() == [first, second, 0.0]
    assert wide.scores(terms, np.array([0.1, 0.0])).tolist() == pytest.approx([first - 0.1, second - 0.1, 0.0])
    assert wide.best(terms, 3, np.array([0.1, 0.0]))[1].tolist() == pytest.approx([first - 0.1, second - 0.1, 0.0])
    assert wide.best(terms, 3)[1].tolist() == pytest.approx([first, second, 0.0])  # not what was asked before


@given(st.lists(st.integers(-2, 9), min_size=1, max_size=40), st.integers(1, 40))
def test_of_equal_scores_the_first_are_among_the_highest(scores: list[int], depth: int) -> None:
    depth = min(depth, len(scores))
    by_score_then_place = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert highest(np.array(scores, np.float32), depth).tolist() == by_score_then_place[:depth]


def test_the_years_of_paragraphs_are_those_of_their_dates(counts: EntityCounts) -> None:
    columbus, century, caesar = era_shares(np.array([1492.0, 1400.0, -44.0]), np.array([1492.0, 1499.0, -44.0]))
    assert years_of(np.array([2, 1, 0]), counts, era_shares(*counts.different_dates[0].T)) == pytest.approx(
        np.array([caesar, np.zeros(len(caesar)), 2 * columbus + century])
    )
    dates, which = counts.different_dates
    assert dates.tolist() == [[-44, -44], [1400, 1499], [1492, 1492]]
    assert which.tolist() == [2, 1, 2, 0]
