"""Which of its question's terms each candidate holds: the table that nearly every feature is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from retriever.ranking.lists import Layout, summed
from retriever.ranking.listwise import FloatArray, IntArray

TABLE_LIMIT = 8_000_000


@dataclass(frozen=True)
class Tokens:
    """The terms of many texts laid end to end: `ids[i]` stands in text `rows[i]` (rising); `texts` texts."""

    ids: IntArray
    rows: IntArray
    texts: int

    def lengths(self) -> FloatArray:
        """How many terms each text has."""
        return np.bincount(self.rows, minlength=self.texts).astype(np.float64)

    def only(self, keep: np.ndarray) -> Tokens:
        """The terms marked in a mask."""
        return Tokens(self.ids[keep], self.rows[keep], self.texts)


def consecutive(tokens: Tokens, n: int, size: int) -> Tokens:
    """Every run of n terms inside a text as one number; `size` is above every term number."""
    last = len(tokens.ids) - n + 1
    if last <= 0:
        return Tokens(np.zeros(0, np.int64), np.zeros(0, np.int64), tokens.texts)
    ids = tokens.ids[:last].copy()
    for offset in range(1, n):
        ids = ids * size + tokens.ids[offset : offset + last]
    same = tokens.rows[:last] == tokens.rows[n - 1 :]
    return Tokens(ids[same], tokens.rows[:last][same], tokens.texts)


@dataclass(frozen=True)
class Overlap:
    """The distinct terms of every question ("question terms") and the pairs (row, question term) that match.

    For question term t: its list, count in the question, `list_df` and `file_df` (rows that hold it, in its
    own list and in the whole file). For pair p: row, question term, and count in the row.
    """

    lists: Layout
    term_list: IntArray
    term_key: IntArray
    term_count: FloatArray
    list_df: FloatArray
    file_df: FloatArray
    pair_row: IntArray
    pair_term: IntArray
    pair_count: FloatArray
    question_term: IntArray
    candidates: Tokens
    lengths: FloatArray

    @cached_property
    def token_term(self) -> IntArray:
        """For each token of the rows the question term that it is, −1 for none."""
        known, of_term = np.unique(self.term_key, return_inverse=True)
        place = places(known, self.candidates.ids)
        width = max(1, len(known))
        term = _find(self.term_list * width + of_term, self.lists.list_of[self.candidates.rows] * width + place)
        return np.where(place >= 0, term, -1)

    def list_idf(self) -> FloatArray:
        """log(1 + (n − df + .5) / (df + .5)) of each question term over its own list."""
        sizes = self.lists.sizes[self.term_list]
        return np.log1p((sizes - self.list_df + 0.5) / (self.list_df + 0.5))

    def file_idf(self) -> FloatArray:
        """The same over all rows of the file."""
        return np.log1p((self.lists.rows - self.file_df + 0.5) / (self.file_df + 0.5))

    def question_idf(self) -> FloatArray:
        """The same over the questions of the file: what many questions say tells little."""
        questions = len(self.lists.sizes)
        df = np.unique(self.term_key, return_inverse=True, return_counts=True)
        asked = df[2][df[1]]
        return np.log1p((questions - asked + 0.5) / (asked + 0.5))

    def sums(self, weight: FloatArray) -> FloatArray:
        """For each row, the weights of the question terms that it holds."""
        return summed(self.pair_row, weight[self.pair_term], self.lists.rows)

    def coverage(self, weight: FloatArray) -> FloatArray:
        """For each row, the share of its question's weight that it holds; 0 for a question without weight."""
        total = summed(self.term_list, weight, len(self.lists.sizes))
        return self.sums(weight) / self.lists.of_rows(np.where(total > 0, total, 1.0))


def places(known: IntArray, ids: IntArray) -> IntArray:
    """Where each id stands in a rising array, −1 where it does not; by a table where the ids are small."""
    if not len(known) or not len(ids):
        return np.full(len(ids), -1, np.int64)
    largest = int(max(known[-1], ids.max()))
    if largest < TABLE_LIMIT and ids.min() >= 0:
        table = np.full(largest + 1, -1, np.int64)
        table[known] = np.arange(len(known))
        return table[ids]
    return _find(known, ids)


def _find(rising: IntArray, wanted: IntArray) -> IntArray:
    """Where each value stands in a rising array, −1 where it does not."""
    if not len(rising):
        return np.full(len(wanted), -1, np.int64)
    found = np.minimum(np.searchsorted(rising, wanted), len(rising) - 1)
    return np.where(rising[found] == wanted, found, -1)


def overlap(questions: Tokens, candidates: Tokens, lists: Layout) -> Overlap:
    """Match the terms of question q with the rows of list q; every text may be empty."""
    known = np.unique(questions.ids)
    width = max(1, len(known))
    keys, question_term, counts = np.unique(
        questions.rows * width + np.searchsorted(known, questions.ids), return_inverse=True, return_counts=True
    )
    term_list, term_known = keys // width, keys % width
    place = places(known, candidates.ids)
    kept = place >= 0
    distinct, distinct_counts = np.unique(candidates.rows[kept] * width + place[kept], return_counts=True)
    row, place = distinct // width, distinct % width
    term = _find(keys, lists.list_of[row] * width + place)
    matches = term >= 0
    file_df = summed(place, np.ones(len(place)), width)
    return Overlap(
        lists,
        term_list,
        known[term_known] if len(known) else term_known,
        counts.astype(float),
        summed(term[matches], np.ones(int(matches.sum())), len(keys)),
        file_df[term_known],
        row[matches],
        term[matches],
        distinct_counts[matches].astype(float),
        question_term,
        candidates,
        candidates.lengths(),
    )
