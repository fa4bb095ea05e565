"""Arithmetic along the words of a row: sums inside windows, the densest window, longest common subsequence."""

from __future__ import annotations

import numpy as np

from retriever.ranking.listwise import BoolArray, FloatArray, IntArray
from retriever.ranking.overlap import Overlap, Tokens


def first_in_row(rows: IntArray, terms: IntArray) -> BoolArray:
    """Marks the first token of each matched term in its row (term −1 is no match)."""
    matched = np.flatnonzero(terms >= 0)
    keys = rows[matched] * (int(terms.max(initial=0)) + 1) + terms[matched]
    firsts = np.zeros(len(terms), bool)
    firsts[matched[np.unique(keys, return_index=True)[1]]] = True
    return firsts


def token_weights(table: Overlap, tokens: Tokens, weight: FloatArray) -> FloatArray:
    """For each token of the rows the weight of the question term it matches, once a row, else 0."""
    counted = first_in_row(tokens.rows, table.token_term)
    return np.where(counted, weight[np.maximum(table.token_term, 0)] if len(weight) else 0.0, 0.0)


def window_sums(tokens: Tokens, values: FloatArray, before: int, after: int) -> FloatArray:
    """For each token the sum of values from `before` tokens before it to `after` behind it, inside its row."""
    if not len(values):
        return np.zeros(0)
    running = np.concatenate(([0.0], np.cumsum(values)))
    ends = np.cumsum(np.bincount(tokens.rows, minlength=tokens.texts))
    starts = ends - np.bincount(tokens.rows, minlength=tokens.texts)
    place = np.arange(len(values))
    low = np.maximum(place - before, starts[tokens.rows])
    high = np.minimum(place + after + 1, ends[tokens.rows])
    sums: FloatArray = running[high] - running[low]
    return sums


def row_max(tokens: Tokens, values: FloatArray) -> FloatArray:
    """The greatest value of each row's tokens, at least 0; 0 for a row without tokens."""
    found = np.zeros(tokens.texts)
    np.maximum.at(found, tokens.rows, values)
    return found


def common_subsequence(term_bits: IntArray, tokens: Tokens) -> FloatArray:
    """The longest common subsequence of each row with its question, in words.

    `term_bits` has for each token of the rows the set of question positions (bits 0 to 62) with its term.
    The recurrence is Hyyrö's: V = (V + (V & M)) | (V & ~M), once for the k-th matching token of every row.
    """
    matched = np.flatnonzero(term_bits)
    rows, bits = tokens.rows[matched], term_bits[matched].astype(np.uint64)
    counts = np.bincount(rows, minlength=tokens.texts)
    starts = np.cumsum(counts) - counts
    state = np.full(tokens.texts, np.uint64(2**64 - 1))
    order = np.argsort(-counts, kind="stable")
    for step in range(int(counts.max(initial=0))):
        active = order[: np.searchsorted(-counts[order], -step, side="left")]
        mask = bits[starts[active] + step]
        old = state[active]
        state[active] = (old + (old & mask)) | (old & ~mask)
    return np.bitwise_count(~state).astype(float)
