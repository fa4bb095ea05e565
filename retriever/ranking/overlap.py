"""Which of its question's terms each candidate holds: the table that nearly every feature is computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retriever.ranking.lists import Layout, summed
from retriever.ranking.listwise import FloatArray, IntArray


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
    token_term: IntArray
    lengths: FloatArray

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


def overlap(questions: Tokens, candidates: Tokens, lists: Layout) -> Overlap:
    """Match the terms of question q with the rows of list q; every text may be empty."""
    known = np.unique(questions.ids)
    width = max(1, len(known))
    keys, question_term, counts = np.unique(
        questions.rows * width + np.searchsorted(known, questions.ids), return_inverse=True, return_counts=True
    )
    term_list, term_known = keys // width, keys % width
    place = np.minimum(np.searchsorted(known, candidates.ids), width - 1)
    is_known = known[place] == candidates.ids if len(known) else np.zeros(len(place), bool)
    rows, place = candidates.rows[is_known], place[is_known]
    distinct = np.unique(rows * width + place)
    file_df = np.bincount(distinct % width, minlength=width).astype(float)
    wanted = lists.list_of[rows] * width + place
    term = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
    matches = keys[term] == wanted if len(keys) else np.zeros(len(term), bool)
    token_term = np.full(len(candidates.ids), -1, np.int64)
    token_term[np.flatnonzero(is_known)[matches]] = term[matches]
    pairs, pair_counts = np.unique(rows[matches] * max(1, len(keys)) + term[matches], return_counts=True)
    pair_row, pair_term = pairs // max(1, len(keys)), pairs % max(1, len(keys))
    return Overlap(
        lists,
        term_list,
        known[term_known] if len(known) else term_known,
        counts.astype(float),
        np.bincount(pair_term, minlength=len(keys)).astype(float),
        file_df[term_known],
        pair_row,
        pair_term,
        pair_counts.astype(float),
        question_term,
        token_term,
        candidates.lengths(),
    )
