"""Term overlap: a table of the question's terms that each candidate holds, the base of nearly every feature."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from indexer.engines.scoring import B
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from retriever.bm25 import idf, term_score
from retriever.learning.conditional_logit import ListLayout, layout, sum_by_place

# Rows whose features are computed at once: larger files take no more memory for them.
BLOCK = 10_000


@dataclass(frozen=True)
class Tokens:
    """The terms of `texts` texts as ragged arrays: term `ids[i]` occurs in text `rows[i]` (rising); both (tokens,)."""

    ids: Int64Array
    rows: Int64Array
    texts: int

    def lengths(self) -> Float64Array:
        """Number of terms of each text, (texts,)."""
        return np.bincount(self.rows, minlength=self.texts).astype(np.float64)

    def text_range(self, first: int, end: int) -> Tokens:
        """The terms of the texts from `first` up to but not `end`, which are counted from 0 again."""
        low, high = np.searchsorted(self.rows, (first, end))
        return Tokens(self.ids[low:high], self.rows[low:high] - first, end - first)

    def by_text(self) -> list[list[int]]:
        """Each text's terms as a list."""
        ends = np.searchsorted(self.rows, np.arange(1, self.texts))
        return [ids.tolist() for ids in np.split(self.ids, ends)] if self.texts else []

    def places(self) -> Int64Array:
        """The place of each term in its text, from 0, (tokens,)."""
        lengths = np.bincount(self.rows, minlength=self.texts)
        return np.arange(len(self.ids)) - (np.cumsum(lengths) - lengths)[self.rows]

    def renumber(self, numbers: Int64Array) -> Tokens:
        """The terms by other numbers: `numbers[id]` for each id."""
        return Tokens(numbers[self.ids], self.rows, self.texts)

    def only(self, keep: np.ndarray) -> Tokens:
        """The terms marked in a mask."""
        return Tokens(self.ids[keep], self.rows[keep], self.texts)


def consecutive(tokens: Tokens, n: int, size: int) -> Tokens:
    """The n-grams of terms inside each text as tokens, numbered by their terms in base `size`, which must exceed every
    term number."""
    last = len(tokens.ids) - n + 1
    if last <= 0:
        return Tokens(np.zeros(0, np.int64), np.zeros(0, np.int64), tokens.texts)
    ids = tokens.ids[:last].copy()
    for offset in range(1, n):
        ids = ids * size + tokens.ids[offset : offset + last]
    same = tokens.rows[:last] == tokens.rows[n - 1 :]
    return Tokens(ids[same], tokens.rows[:last][same], tokens.texts)


@dataclass(frozen=True)
class FileCounts:
    """Document frequencies in a whole file of the terms of its questions.

    `known` are these terms, rising; `rows_with` and `questions_with`, (known,), are the numbers of rows and of
    questions that contain each; `rows` and `questions` are the totals.
    """

    known: Int64Array
    rows_with: Float64Array
    questions_with: Float64Array
    rows: int
    questions: int


def count_file(questions: Tokens, blocks: Iterable[Tokens]) -> FileCounts:
    """The document frequencies of a file's question terms; `questions` are its questions, `blocks` its rows
    in parts."""
    # A text and a term as one number, text · width + term: one sort of numbers replaces a join of two columns.
    known = distinct(questions.ids)
    width = max(1, len(known))
    asked = distinct(questions.rows * width + np.searchsorted(known, questions.ids)) % width
    held, rows = np.zeros(len(known)), 0
    for block in blocks:
        place = places(known, block.ids)
        kept = place >= 0
        once = distinct(block.rows[kept] * width + place[kept]) % width
        held += sum_by_place(once, np.ones(len(once)), len(known))
        rows += block.texts
    return FileCounts(known, held, sum_by_place(asked, np.ones(len(asked)), len(known)), rows, questions.texts)


@dataclass(frozen=True)
class Overlap:
    """The distinct terms of every question ("question terms") and the pairs (row, question term) that match.

    For question term t: its list, count in the question, and `list_df`, rows of the same list that hold it, all
    (terms,). For pair p: row, question term, and count in the row, all (pairs,). `question_term` is (question tokens,),
    `lengths`, how many terms each row has, (rows,). `counted` are the counts of the whole file, of which this may be a
    block.
    """

    lists: ListLayout
    term_list: Int64Array
    term_key: Int64Array
    term_count: Float64Array
    list_df: Float64Array
    pair_row: Int64Array
    pair_term: Int64Array
    pair_count: Float64Array
    question_term: Int64Array
    candidates: Tokens
    lengths: Float64Array
    counted: FileCounts

    @cached_property
    def _in_file(self) -> Int64Array:
        """Position of each question term among those of the file, (terms,)."""
        return np.searchsorted(self.counted.known, self.term_key)

    @cached_property
    def token_term(self) -> Int64Array:
        """For each token of the rows the number of its list's question term with the same id, (tokens,); −1 if the
        question lacks the term."""
        known, of_term = np.unique(self.term_key, return_inverse=True)
        place = places(known, self.candidates.ids)
        width = max(1, len(known))
        term = places(self.term_list * width + of_term, self.lists.list_of[self.candidates.rows] * width + place)
        return np.where(place >= 0, term, -1)

    def list_idf(self) -> Float64Array:
        """BM25's idf of each question term over its own list, (terms,)."""
        sizes = self.lists.sizes[self.term_list].astype(float)
        return idf(sizes, self.list_df)

    def file_idf(self) -> Float64Array:
        """BM25's idf of each question term over all rows of the file, (terms,)."""
        return idf(self.counted.rows, self.counted.rows_with[self._in_file])

    def question_idf(self) -> Float64Array:
        """BM25's idf of each question term over the questions of the file, (terms,): a term of many questions says
        little."""
        return idf(self.counted.questions, self.counted.questions_with[self._in_file])

    def sums(self, weight: Float64Array) -> Float64Array:
        """For each row the sum, (rows,), of the weights, (terms,), of the question terms that it holds."""
        return sum_by_place(self.pair_row, weight[self.pair_term], self.lists.rows)

    def coverage(self, weight: Float64Array) -> Float64Array:
        """For each row the share of its question's weight that it holds, (rows,); 0 for a question without weight."""
        return self.sums(weight) / self.whole(weight)

    def whole(self, weight: Float64Array) -> Float64Array:
        """For each row the weight of all terms of its question, (rows,); 1 for a question without weight."""
        total = sum_by_place(self.term_list, weight, len(self.lists.sizes))
        return self.lists.of_rows(np.where(total > 0, total, 1.0))

    def matched_terms(self, names: Sequence[str]) -> list[dict[str, float]]:
        """For each row a dict name → list idf of the question terms that it contains; names[t] is the name of question
        term t."""
        rows: list[dict[str, float]] = [{} for _ in range(self.lists.rows)]
        rarity = self.list_idf()
        for row, term in zip(self.pair_row.tolist(), self.pair_term.tolist(), strict=True):
            rows[row][names[term]] = float(rarity[term])
        return rows


def distinct(values: Int64Array) -> Int64Array:
    """The different values, rising. By sorting: the hashes of np.unique take many times as long for these numbers."""
    rising = np.sort(values)
    once: Int64Array = rising[np.append(True, rising[1:] != rising[:-1])[: len(rising)]]
    return once


def places(known: Int64Array, ids: Int64Array) -> Int64Array:
    """Index of each id in the sorted array `known`, (ids,); −1 if it is missing."""
    if not len(known):
        return np.full(len(ids), -1, np.int64)
    place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[place] == ids, place, -1)


def overlap(questions: Tokens, candidates: Tokens, lists: ListLayout, counted: FileCounts | None = None) -> Overlap:
    """The table of matches between the terms of question q and the rows of list q; texts may be empty.

    `counted` are the document frequencies of the file that these lists are a part of; without them these lists are the
    file.
    """
    known = distinct(questions.ids)
    width = max(1, len(known))
    keys, question_term, counts = np.unique(
        questions.rows * width + np.searchsorted(known, questions.ids), return_inverse=True, return_counts=True
    )
    term_list, term_known = keys // width, keys % width
    place = places(known, candidates.ids)
    kept = place >= 0  # most words of the rows are in no question: they are dropped before anything is sorted
    pairs, pair_counts = np.unique(candidates.rows[kept] * width + place[kept], return_counts=True)
    row, place = pairs // width, pairs % width
    term = places(keys, lists.list_of[row] * width + place)
    matches = term >= 0
    if counted is None:
        # These lists are the file: their own matches have all that is to be counted.
        asked = sum_by_place(term_known, np.ones(len(keys)), len(known))
        held = sum_by_place(place, np.ones(len(place)), len(known))
        counted = FileCounts(known, held, asked, lists.rows, len(lists.sizes))
    return Overlap(
        lists,
        term_list,
        known[term_known] if len(known) else term_known,
        counts.astype(float),
        sum_by_place(term[matches], np.ones(int(matches.sum())), len(keys)),
        row[matches],
        term[matches],
        pair_counts[matches].astype(float),
        question_term,
        candidates,
        candidates.lengths(),
        counted,
    )


View = Callable[[Tokens], Tokens]


@dataclass(frozen=True, kw_only=True)
class CandidateTexts:
    """Questions, the rows of their lists and the lists' topics as tokens: a whole file, or a block of its lists.

    `views` maps the name of an overlap to two functions, which select the terms of a question's and of a row's tokens.
    A block has the file as `whole`, whose counts give document frequencies.
    """

    lists: ListLayout
    question_texts: Sequence[str]
    candidate_texts: Sequence[str]
    questions: Tokens
    candidates: Tokens
    topics: Tokens
    views: Mapping[str, tuple[View, View]]
    whole: CandidateTexts | None = None
    _overlaps: dict[str, Overlap] = field(default_factory=dict)
    _counts: dict[str, FileCounts] = field(default_factory=dict)

    def blocks(self) -> Iterator[CandidateTexts]:
        """Yields the lists in order, in blocks whose features fit into memory; each block has these texts as its
        `whole`."""
        for block in self.lists.blocks(BLOCK):
            rows = self.lists.rows_of(block)
            yield CandidateTexts(
                lists=layout(self.lists.sizes[block.start : block.stop].tolist()),
                question_texts=self.question_texts[block.start : block.stop],
                candidate_texts=self.candidate_texts[rows.start : rows.stop],
                questions=self.questions.text_range(block.start, block.stop),
                candidates=self.candidates.text_range(rows.start, rows.stop),
                topics=self.topics.text_range(block.start, block.stop),
                views=self.views,
                whole=self,
            )

    def overlap(self, view: str) -> Overlap:
        """The table of matches under a view's selection of terms; computed once."""
        if view not in self._overlaps:
            of_question, of_row = self.views[view]
            # A file of one block is counted while it is matched: it need not be gone through twice.
            part = self.whole is not None and self.whole.lists.rows > self.lists.rows
            counted = self.whole._count(view) if part and self.whole else None
            self._overlaps[view] = overlap(of_question(self.questions), of_row(self.candidates), self.lists, counted)
        return self._overlaps[view]

    def _count(self, view: str) -> FileCounts:
        """The document frequencies of a view's terms over all lists; computed once."""
        if view not in self._counts:
            of_question, of_row = self.views[view]
            blocks = (of_row(block.candidates) for block in self.blocks())
            self._counts[view] = count_file(of_question(self.questions), blocks)
        return self._counts[view]


LOW_B = 0.3  # b of BM25 (normalisation by length) where texts are letters or cells, not words


def bm25(table: Overlap, b: float = B) -> Float64Array:
    """BM25 of each row for its question, (rows,), with idf over the rows of the question's list."""
    # A list of empty rows has mean length 0; nothing in it matches, but nothing may be divided by 0 either.
    lists, weight = table.lists, table.list_idf() * table.term_count
    mean = lists.of_rows(np.maximum(lists.total(table.lengths) / lists.sizes, 1e-9))
    rows = table.pair_row
    parts = term_score(weight[table.pair_term], table.pair_count, table.lengths[rows], mean[rows], b=b)
    return sum_by_place(rows, parts, lists.rows)


def coverage(table: Overlap, name: str) -> dict[str, Float64Array]:
    """Feature name → values (rows,): the fraction of the question's terms that a row contains, weighted by list idf
    alone and times file idf or question idf, and BM25. The feature names begin with `name`."""
    list_idf = table.list_idf()
    return {
        f"{name}: coverage × list idf": table.coverage(list_idf),
        f"{name}: coverage × both idf": table.coverage(list_idf * table.file_idf()),
        f"{name}: coverage × list and question idf": table.coverage(list_idf * table.question_idf()),
        f"{name}: bm25": bm25(table),
    }


def first_in_row(rows: Int64Array, terms: Int64Array) -> BoolArray:
    """Mask (tokens,) of the first occurrence of each matched term in its row; `rows` and `terms` are each token's row
    and question term, −1 for no match."""
    matched = np.flatnonzero(terms >= 0)
    keys = rows[matched] * (int(terms.max(initial=0)) + 1) + terms[matched]
    firsts = np.zeros(len(terms), bool)
    firsts[matched[np.unique(keys, return_index=True)[1]]] = True
    return firsts


def token_weights(table: Overlap, tokens: Tokens, weight: Float64Array) -> Float64Array:
    """The weight, (terms,), of the question term that each token matches, (tokens,), once a row, else 0."""
    # A row that says one word five times covers the question no better than one that says it once.
    counted = first_in_row(tokens.rows, table.token_term)
    return np.where(counted, weight[np.maximum(table.token_term, 0)] if len(weight) else 0.0, 0.0)


def window_sums(tokens: Tokens, values: Float64Array, before: int, after: int) -> Float64Array:
    """For each token the sum of `values` over the window of its row from `before` tokens before it to `after` tokens
    behind it; values and result (tokens,)."""
    if not len(values):
        return np.zeros(0)
    # The difference of two running sums is the sum of a window, whatever its width.
    running = np.concatenate(([0.0], np.cumsum(values)))
    ends = np.cumsum(np.bincount(tokens.rows, minlength=tokens.texts))
    starts = ends - np.bincount(tokens.rows, minlength=tokens.texts)
    place = np.arange(len(values))
    low = np.maximum(place - before, starts[tokens.rows])
    high = np.minimum(place + after + 1, ends[tokens.rows])
    sums: Float64Array = running[high] - running[low]
    return sums


def row_max(tokens: Tokens, values: Float64Array) -> Float64Array:
    """The greatest value of each row's tokens, (rows,), of values (tokens,); at least 0, and 0 without tokens."""
    greatest = np.zeros(tokens.texts)
    np.maximum.at(greatest, tokens.rows, values)
    return greatest


def word_overlap(table: Overlap) -> Float64Array:
    """Number of different terms of the question that each row holds, (rows,)."""
    return table.sums(np.ones(len(table.term_list)))


def rank_bm25(questions: Sequence[Sequence[Hashable]], rows: Sequence[list[Any]], lists: ListLayout) -> Float64Array:
    """BM25Okapi of the rank-bm25 package with its own defaults, each question over the rows of its list, (rows,).

    Lists whose rows have no terms at all score 0 (the package divides by their mean length).
    """
    from rank_bm25 import BM25Okapi

    scores: list[float] = []
    for question, start, size in zip(questions, lists.starts.tolist(), lists.sizes.tolist(), strict=True):
        of_list = rows[start : start + size]
        scores += BM25Okapi(of_list).get_scores(list(question)).tolist() if any(of_list) else [0.0] * size
    return np.array(scores)


def position(lists: ListLayout, lengths: Float64Array) -> dict[str, Float64Array]:
    """Feature name → values (rows,): the row's rank in its list (reciprocal, logarithm, first or not) and the logarithm
    of its length; `lengths` (rows,) are in terms."""
    place = lists.position()
    return {
        "1 / rank": 1 / (place + 1),
        "log rank": np.log(place + 1),
        "first": (place == 0).astype(float),
        "log length": np.log(lengths + 2),
    }
