"""Overlap of questions and candidates against a slow count in plain Python."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retriever.bm25 import idf
from retriever.ranking.overlap import (
    bigrams,
    count_file,
    coverage,
    overlap,
    token_weights,
    tokens_of,
)
from retriever.ranking.ranker import layout

text = st.lists(st.integers(0, 5), max_size=6)
lists = st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=4)


@given(lists)
def test_every_pair_of_row_and_question_term_is_found(
    data: list[tuple[list[int], list[list[int]]]],
) -> None:
    rows = [row for _, candidates in data for row in candidates]
    table = overlap(
        tokens_of([question for question, _ in data]),
        tokens_of(rows),
        layout([len(c) for _, c in data]),
    )
    found = {
        (int(row), int(table.term_key[term])): count
        for row, term, count in zip(table.pair_row, table.pair_term, table.pair_count, strict=True)
    }
    owner = [question for question, candidates in data for _ in candidates]
    wanted = {
        (number, term): row.count(term)
        for number, (question, row) in enumerate(zip(owner, rows, strict=True))
        for term in set(question) & set(row)
    }
    assert found == wanted


@given(lists)
def test_document_frequencies_count_rows(data: list[tuple[list[int], list[list[int]]]]) -> None:
    rows = [row for _, candidates in data for row in candidates]
    questions = tokens_of([question for question, _ in data])
    table = overlap(questions, tokens_of(rows), layout([len(c) for _, c in data]))
    for place, (number, term) in enumerate(zip(table.term_list, table.term_key, strict=True)):
        assert table.list_df[place] == sum(term in row for row in data[number][1])
    counted = count_file(questions, tokens_of(rows))
    for term, rarity, asked_rarity in zip(
        counted.terms, counted.file_idf, counted.question_idf, strict=True
    ):
        assert rarity == pytest.approx(idf(len(rows), sum(term in row for row in rows)))
        assert asked_rarity == pytest.approx(
            idf(len(data), sum(term in question for question, _ in data))
        )


def test_coverage_is_the_share_of_the_weight_held() -> None:
    table = overlap(tokens_of([[1, 2, 2]]), tokens_of([[2], [1, 2], [3]]), layout([3]))
    assert coverage(table, np.array([3.0, 1.0])).tolist() == [1 / 4, 1, 0]


def test_a_question_without_terms_is_covered_by_nothing() -> None:
    assert coverage(
        overlap(tokens_of([[]]), tokens_of([[1], []]), layout([2])), np.zeros(0)
    ).tolist() == [0, 0]


def test_list_idf_counts_the_list_and_question_idf_the_questions() -> None:
    table = overlap(tokens_of([[1], [1, 2]]), tokens_of([[1], [1], [2], [3]]), layout([2, 2]))
    by_term = {
        (int(q), int(t)): i
        for i, (q, t) in enumerate(zip(table.term_list, table.term_key, strict=True))
    }
    assert table.list_idf[by_term[0, 1]] == pytest.approx(log(1 + (2 - 2 + 0.5) / (2 + 0.5)))
    assert table.list_idf[by_term[1, 1]] == pytest.approx(log(1 + (2 - 0 + 0.5) / (0 + 0.5)))
    assert table.question_idf[by_term[1, 2]] == pytest.approx(log(1 + (2 - 1 + 0.5) / (1 + 0.5)))


def test_runs_do_not_cross_from_one_text_into_the_next() -> None:
    runs = bigrams(tokens_of([[1, 2, 3], [4], [5, 6]]), 10)
    assert (runs.ids.tolist(), runs.rows.tolist()) == ([12, 23, 56], [0, 0, 2])


def test_an_empty_list_has_no_layout() -> None:
    with pytest.raises(ValueError, match="no candidates"):
        layout([2, 0])


def test_a_term_has_its_weight_at_its_first_occurrence_in_a_row() -> None:
    table = overlap(tokens_of([[5]]), tokens_of([[5, 9, 5], [5]]), layout([2]))
    assert token_weights(table, np.array([3.0])).tolist() == [3, 0, 0, 3]
