"""Arithmetic along the words of a row: weights of what matches, and their sums inside windows."""

from __future__ import annotations

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from retriever.ranking.overlap import Overlap, Tokens


def first_in_row(rows: Int64Array, terms: Int64Array) -> BoolArray:
    """Marks the first token of each matched term in its row; all three (tokens,), term −1 is not a match."""
    matched = np.flatnonzero(terms >= 0)
    keys = rows[matched] * (int(terms.max(initial=0)) + 1) + terms[matched]
    firsts = np.zeros(len(terms), bool)
    firsts[matched[np.unique(keys, return_index=True)[1]]] = True
    return firsts


def token_weights(table: Overlap, tokens: Tokens, weight: Float64Array) -> Float64Array:
    """The weight, (terms,), of the question term that each token matches, (tokens,), once a row, else 0."""
    counted = first_in_row(tokens.rows, table.token_term)
    return np.where(counted, weight[np.maximum(table.token_term, 0)] if len(weight) else 0.0, 0.0)


def window_sums(tokens: Tokens, values: Float64Array, before: int, after: int) -> Float64Array:
    """For each token the sum of values, (tokens,), from `before` places before it to `after` behind it, in its row."""
    if not len(values):
        return np.zeros(0)
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
