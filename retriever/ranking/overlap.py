"""Term overlap: a table of the question's terms that each candidate holds, the base of nearly every
feature."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from indexer.engines.scoring import B
from indexer.files.arrays import Float64Array, Int64Array
from retriever.bm25 import idf, term_score
from retriever.question_types import QuestionType
from retriever.ranking.ranker import ListLayout, layout

# Rows whose features are computed at once, a choice: larger files take no more memory for them.
BLOCK = 10_000


class Tokens(NamedTuple):
    """The terms of `texts` texts as ragged arrays: term `ids[i]` occurs in text `rows[i]` (rising);
    both (tokens,)."""

    ids: Int64Array
    rows: Int64Array
    texts: int


def tokens_of(texts: Sequence[Sequence[int]]) -> Tokens:
    """The numbered terms of each text as ragged arrays."""
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    return Tokens(
        np.array([number for text in texts for number in text], np.int64), rows, len(texts)
    )


def text_range(tokens: Tokens, first: int, end: int) -> Tokens:
    """The terms of the texts from `first` up to but not `end`, which are counted from 0 again."""
    low, high = np.searchsorted(tokens.rows, (first, end))
    return Tokens(tokens.ids[low:high], tokens.rows[low:high] - first, end - first)


def lengths(tokens: Tokens) -> Float64Array:
    """Number of terms of each text, (texts,)."""
    return np.bincount(tokens.rows, minlength=tokens.texts).astype(np.float64)


def token_positions(tokens: Tokens) -> Int64Array:
    """The position of each term in its text, from 0, (tokens,)."""
    counts = np.bincount(tokens.rows, minlength=tokens.texts)
    return np.arange(len(tokens.ids)) - (np.cumsum(counts) - counts)[tokens.rows]


def bigrams(tokens: Tokens, size: int) -> Tokens:
    """The pairs of neighbouring terms of each text as tokens a · `size` + b; `size` must exceed
    every term number."""
    same = tokens.rows[:-1] == tokens.rows[1:]
    return Tokens(
        (tokens.ids[:-1] * size + tokens.ids[1:])[same], tokens.rows[1:][same], tokens.texts
    )


def sum_by_index(indices: Int64Array, values: npt.ArrayLike, size: int) -> Float64Array:
    """The sums, (size,), of the values[i] with the same indices[i], 0 for an index without values;
    both are (n,), indices from 0 to size − 1."""
    return np.asarray(np.bincount(indices, np.asarray(values, np.float64), size), np.float64)


def distinct(values: Int64Array) -> Int64Array:
    """The different values, rising. By sorting: the hashes of np.unique take many times as long for
    these numbers."""
    rising = np.sort(values)
    once: Int64Array = rising[np.append(True, rising[1:] != rising[:-1])[: len(rising)]]
    return once


def index_in(sorted_ids: Int64Array, ids: Int64Array) -> Int64Array:
    """Index of each id in the sorted array `sorted_ids`, (ids,); −1 if it is missing."""
    if not len(sorted_ids):
        return np.full(len(ids), -1)
    positions = np.minimum(np.searchsorted(sorted_ids, ids), len(sorted_ids) - 1)
    return np.where(sorted_ids[positions] == ids, positions, -1)


class FileCounts(NamedTuple):
    """BM25's idf of a file's question terms, `terms` (rising), over its rows and over its
    questions; all (terms,)."""

    terms: Int64Array
    file_idf: Float64Array
    question_idf: Float64Array


View = Callable[[Tokens], Tokens]


def count_file(
    questions: Tokens, candidates: Tokens, of_row: View = lambda tokens: tokens
) -> FileCounts:
    """The idf of the different terms of `questions`, over the candidates and over the questions of
    a file; `of_row` selects the terms of `candidates`, 10,000 rows (`BLOCK`) at a time."""
    terms = distinct(questions.ids)
    df = np.zeros(len(terms))
    for start in range(0, candidates.texts, BLOCK):
        end = min(start + BLOCK, candidates.texts)
        df += document_frequency(terms, of_row(text_range(candidates, start, end)))
    of_questions = document_frequency(terms, questions)
    return FileCounts(terms, idf(candidates.texts, df), idf(questions.texts, of_questions))


def document_frequency(terms: Int64Array, tokens: Tokens) -> Float64Array:
    """The number of texts of `tokens` with each of the `terms` (rising), (terms,), 0 included."""
    # A text and a term as one number, text · width + term: one sort of numbers replaces a join of
    # two columns.
    width, positions = max(1, len(terms)), index_in(terms, tokens.ids)
    once = distinct((tokens.rows * width + positions)[positions >= 0]) % width
    return sum_by_index(once, np.ones(len(once)), len(terms))


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """The distinct terms of every question ("question terms") and the pairs (row, question term)
    that match.

    For question term t: its list, key, count in the question, BM25's idf over the rows of its list,
    over all rows of the file and over the file's questions (a term of many says little), and
    `list_df`, rows of its list that hold it, all (terms,). For pair p: row, question term, and
    count in the row, all (pairs,). `question_term` is (question tokens,), `lengths`, how many terms
    each row has, (rows,); `tokens` are the rows' terms.
    """

    lists: ListLayout
    tokens: Tokens
    lengths: Float64Array
    term_list: Int64Array
    term_key: Int64Array
    term_count: Float64Array
    question_term: Int64Array
    list_df: Float64Array
    list_idf: Float64Array
    file_idf: Float64Array
    question_idf: Float64Array
    pair_row: Int64Array
    pair_term: Int64Array
    pair_count: Float64Array


def overlap(
    questions: Tokens, tokens: Tokens, lists: ListLayout, counts: FileCounts | None = None
) -> Overlap:
    """The table of matches between the terms of question q and the rows of list q; texts may be
    empty.

    `counts` are those of the file that these lists are a part of; without them these lists are the
    file.
    """
    counts = counts or count_file(questions, tokens)
    terms = distinct(questions.ids)
    width = max(1, len(terms))
    keys, question_term, term_count = np.unique(
        questions.rows * width + np.searchsorted(terms, questions.ids),
        return_inverse=True,
        return_counts=True,
    )
    term_list, term_known = keys // width, keys % width
    term_key = terms[term_known] if len(terms) else term_known
    positions = index_in(terms, tokens.ids)
    # Most words of the rows are in no question: they are dropped before anything is sorted.
    mask = positions >= 0
    pairs, pair_count = np.unique((tokens.rows * width + positions)[mask], return_counts=True)
    row, positions = pairs // width, pairs % width
    term = index_in(keys, lists.list_of[row] * width + positions)
    matches = term >= 0
    list_df = sum_by_index(term[matches], np.ones(int(matches.sum())), len(keys))
    in_file = np.searchsorted(counts.terms, term_key)
    return Overlap(
        lists=lists,
        tokens=tokens,
        lengths=lengths(tokens),
        term_list=term_list,
        term_key=term_key,
        term_count=term_count.astype(float),
        question_term=question_term,
        list_df=list_df,
        list_idf=idf(lists.sizes[term_list].astype(float), list_df),
        file_idf=counts.file_idf[in_file],
        question_idf=counts.question_idf[in_file],
        pair_row=row[matches],
        pair_term=term[matches],
        pair_count=pair_count[matches].astype(float),
    )


def weight_held(table: Overlap, weight: Float64Array) -> Float64Array:
    """For each row the sum, (rows,), of the weights, (terms,), of the question terms that it
    holds."""
    return sum_by_index(table.pair_row, weight[table.pair_term], table.lists.rows)


def weight_asked(table: Overlap, weight: Float64Array) -> Float64Array:
    """For each row the weight of all terms of its question, (rows,); 1 for a question without
    weight."""
    total = sum_by_index(table.term_list, weight, len(table.lists.sizes))
    return np.where(total > 0, total, 1.0)[table.lists.list_of]


def coverage(table: Overlap, weight: Float64Array) -> Float64Array:
    """For each row the share of its question's weight that it holds, (rows,); 0 for a question
    without weight."""
    return weight_held(table, weight) / weight_asked(table, weight)


def matched_terms(table: Overlap, names: Sequence[str]) -> list[dict[str, float]]:
    """Name → list idf of the question terms that each row contains; names[t] is the name of
    question term t."""
    rows: list[dict[str, float]] = [{} for _ in range(table.lists.rows)]
    for row, term in zip(table.pair_row.tolist(), table.pair_term.tolist(), strict=True):
        rows[row][names[term]] = float(table.list_idf[term])
    return rows


def token_terms(table: Overlap) -> Int64Array:
    """For each token of the rows the question term of its list with the same id, as an index into
    the question terms of all lists, (tokens,); −1 without."""
    terms, of_term = np.unique(table.term_key, return_inverse=True)
    positions = index_in(terms, table.tokens.ids)
    width = max(1, len(terms))
    term = index_in(
        table.term_list * width + of_term,
        table.lists.list_of[table.tokens.rows] * width + positions,
    )
    return np.where(positions >= 0, term, -1)


def token_weights(table: Overlap, weight: Float64Array) -> Float64Array:
    """The weight, of (terms,), that each token matches, (tokens,), at its first occurrence in a
    row, else 0."""
    # A row that says one word five times covers the question no better than one that says it once.
    terms, rows = token_terms(table), table.tokens.rows
    matched = np.flatnonzero(terms >= 0)
    firsts = matched[np.unique(rows[matched] * len(weight) + terms[matched], return_index=True)[1]]
    values = np.zeros(len(terms))
    values[firsts] = weight[terms[firsts]]
    return values


@dataclass(frozen=True, kw_only=True)
class CandidateTexts:
    """Questions, the rows of their lists and the lists' topics as tokens: a whole file, or a block
    of its lists.

    `views` maps the name of an overlap to two functions, which select the terms of a question's and
    of a row's tokens. `file` are questions and rows of the whole file; `overlap_of` fills `counts`,
    of the file, and `overlaps`.
    """

    lists: ListLayout
    question_texts: Sequence[str]
    candidate_texts: Sequence[str]
    types: Sequence[QuestionType]
    questions: Tokens
    candidates: Tokens
    topics: Tokens
    views: Mapping[str, tuple[View, View]]
    file: tuple[Tokens, Tokens]
    counts: dict[str, FileCounts] = field(default_factory=dict)
    overlaps: dict[str, Overlap] = field(default_factory=dict)


def blocks(texts: CandidateTexts) -> Iterator[CandidateTexts]:
    """Yields the lists of a file in order, in blocks of at most 10,000 rows (`BLOCK`); a longer
    list is a block alone."""
    sizes, ends = texts.lists.sizes.tolist(), np.cumsum(texts.lists.sizes)
    first = low = 0
    while first < len(sizes):
        end = max(first + 1, int(np.searchsorted(ends, low + BLOCK, "right")))
        high = int(ends[end - 1])
        yield replace(
            texts,
            lists=layout(sizes[first:end]),
            question_texts=texts.question_texts[first:end],
            candidate_texts=texts.candidate_texts[low:high],
            types=texts.types[first:end],
            questions=text_range(texts.questions, first, end),
            candidates=text_range(texts.candidates, low, high),
            topics=text_range(texts.topics, first, end),
            overlaps={},
        )
        first, low = end, high


def overlap_of(texts: CandidateTexts, view: str) -> Overlap:
    """The table of matches under a view's selection of terms; computed once."""
    of_question, of_row = texts.views[view]
    if view not in texts.counts:
        texts.counts[view] = count_file(of_question(texts.file[0]), texts.file[1], of_row)
    if view not in texts.overlaps:
        questions, tokens = of_question(texts.questions), of_row(texts.candidates)
        texts.overlaps[view] = overlap(questions, tokens, texts.lists, texts.counts[view])
    return texts.overlaps[view]


LOW_B = 0.3  # b of BM25 (normalisation by length) where texts are letters or cells, not words


def bm25(table: Overlap, b: float = B) -> Float64Array:
    """BM25 of each row for its question, (rows,), with idf over the rows of the question's list."""
    # A list of empty rows has mean length 0; nothing in it matches, but nothing may be divided by 0
    # either.
    lists, weight, rows = table.lists, table.list_idf * table.term_count, table.pair_row
    mean = np.maximum(np.add.reduceat(table.lengths, lists.starts) / lists.sizes, 1e-9)[
        lists.list_of
    ]
    parts = term_score(
        weight[table.pair_term], table.pair_count, table.lengths[rows], mean[rows], b=b
    )
    return sum_by_index(rows, parts, lists.rows)


def coverage_features(texts: CandidateTexts, view: str) -> dict[str, Float64Array]:
    """Feature name → values (rows,): the fraction of the question's terms, as a view selects them,
    that a row contains, weighted by list idf alone and times file idf or question idf, and BM25.
    The feature names begin with that of the view."""
    table = overlap_of(texts, view)
    return {
        f"{view}: coverage × list idf": coverage(table, table.list_idf),
        f"{view}: coverage × both idf": coverage(table, table.list_idf * table.file_idf),
        f"{view}: coverage × list and question idf": coverage(
            table, table.list_idf * table.question_idf
        ),
        f"{view}: bm25": bm25(table),
    }


def baseline(
    method: str, table: Overlap, tokens: Callable[[], tuple[Tokens, Tokens]], b: float = B
) -> Float64Array:
    """The scores of an untrained method, (rows,): BM25, the rank-bm25 package over the `tokens` of
    questions and rows, or the number of different terms of the question that a row holds. Raises
    KeyError for another method."""
    if method == "bm25":
        return bm25(table, b)
    if method == "rank-bm25":
        return rank_bm25(*tokens(), table.lists)
    if method == "overlap":
        return weight_held(table, np.ones(len(table.term_list)))
    raise KeyError(method)


def rank_bm25(questions: Tokens, rows: Tokens, lists: ListLayout) -> Float64Array:
    """BM25Okapi of the rank-bm25 package with its own defaults, each question over the rows of its
    list, (rows,).

    Lists whose rows have no terms at all score 0 (the package divides by their mean length).
    """
    from rank_bm25 import BM25Okapi

    queries, documents = (
        [
            ids.tolist()
            for ids in np.split(
                tokens.ids, np.searchsorted(tokens.rows, np.arange(1, tokens.texts))
            )
        ]
        for tokens in (questions, rows)
    )
    scores: list[float] = []
    for question, start, size in zip(queries, *lists.spans(), strict=True):
        of_list = documents[start : start + size]
        scores += BM25Okapi(of_list).get_scores(question).tolist() if any(of_list) else [0.0] * size
    return np.array(scores)


def position(texts: CandidateTexts) -> dict[str, Float64Array]:
    """Feature name → values (rows,): the row's log rank in its list, first or not, and log length
    in terms."""
    lists = texts.lists
    ranks = np.arange(lists.rows) - lists.starts[lists.list_of]
    return {
        "log rank": np.log(ranks + 1),
        "first": (ranks == 0).astype(float),
        "log length": np.log(lengths(texts.candidates) + 2),
    }
