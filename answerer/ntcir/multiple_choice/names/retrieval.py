"""The paragraphs that the rest of a statement retrieves for each of its names, and whether the name is in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.counts import Unit
from answerer.ntcir.multiple_choice.names.flat import Flat
from indexer.files.arrays import Float64Array, Int64Array

NAMES = ("relevance_paragraph", "share_paragraph", "best_paragraph", "near_paragraph")
_DEPTH = 60  # paragraphs that count as found
_SHARPNESS = 0.35  # of the softmax that makes shares of their scores: 2 points of BM25 halve a share
# How far a share of what was found is drawn to the name's usual share, and the floor that keeps a name that no
# paragraph holds comparable. Shares by softmax lie on the few best paragraphs and so are drawn less than shares by
# rank; those of neighbours least, for their usual share is but an estimate. Set by hand: the learner weighs the
# signals, only their shape is decided here.
_DRAWN_BY_SOFTMAX, _FLOOR_BY_SOFTMAX = 0.5, 0.005
_DRAWN_BY_RANK, _DRAWN_BESIDE, _FLOOR = 1.0, 0.3, 0.01
_WIDE = 3  # times as often as in a paragraph a name stands in it or near it, by the weights of `_beside`
_LEAST_BEST = 3.0  # points of BM25 added to the best score: a point behind says little where the best has few
_ROWS_AT_ONCE = 256


class Retrieved(NamedTuple):
    """For each name (rows) the paragraphs that the rest of its statement retrieves, best first, and their shares.

    Shares sum to 1 in each row; to 0 where nothing is found.
    """

    passages: Int64Array
    shares: Float64Array


def retrieval_signals(unit: Unit, flat: Flat) -> tuple[dict[str, Float64Array], Retrieved]:
    """Whether a name is in what the rest of its statement retrieves, counted four ways, and what was retrieved.

    `relevance` and `share` are log ratios of the share of the found passages that hold the name to its share of the
    book, weighted by softmax and by score over log rank. `near` counts passages beside those with the name too. `best`
    is how far the best passage with the name stays behind the best of all, 0 to −1.
    """
    size, depth = len(flat.rows), min(_DEPTH, unit.size)
    rest = csr_array((np.ones(len(flat.term), np.float32), (flat.term_of, flat.term)), (size, unit.terms.shape[0]))
    rest.sum_duplicates()
    rest.data[:] = 1.0
    signals = {name: np.zeros(size) for name in NAMES}
    found = Retrieved(np.zeros((size, depth), np.int64), np.zeros((size, depth)))
    rank = np.log2(np.arange(depth) + 2.0)
    for start in range(0, size, _ROWS_AT_ONCE):
        part = slice(start, min(start + _ROWS_AT_ONCE, size))
        rests, rest_of = np.unique(flat.rest[part], return_inverse=True)
        scores = (rest[rests] @ unit.weights).toarray()
        inside = unit.names[np.maximum(flat.rows[part], 0)].toarray()
        inside[flat.rows[part] < 0] = 0.0
        best_of, values_of = _best(scores, depth)
        top, values = best_of[rest_of], values_of[rest_of]
        weights = _softmax(values * _SHARPNESS) * (values > 0)
        found.passages[part] = top
        found.shares[part] = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
        held = np.take_along_axis(inside, top, 1)
        common = inside.mean(axis=1)
        mass = values / rank
        relevance = (weights * held).sum(axis=1)
        share = (mass * held).sum(axis=1) / np.maximum(mass.sum(axis=1), 1e-9)
        near = (weights * _beside(inside, top)).sum(axis=1)
        best, own = values[:, 0], (scores[rest_of] * (inside > 0)).max(axis=1)
        wide = np.minimum(1.0, common * _WIDE)
        signals["relevance_paragraph"][part] = _surplus(relevance, common, _DRAWN_BY_SOFTMAX, _FLOOR_BY_SOFTMAX)
        signals["share_paragraph"][part] = _surplus(share, common, _DRAWN_BY_RANK, _FLOOR)
        signals["best_paragraph"][part] = np.where(best > 0, (own - best) / (best + _LEAST_BEST), 0.0)
        signals["near_paragraph"][part] = _surplus(near, wide, _DRAWN_BESIDE, _FLOOR)
    return signals, found


def _surplus(share: Float64Array, usual: Float64Array, drawn: float, floor: float) -> Float64Array:
    """The log ratio of a share to the usual one, 0 where the two are equal; `drawn` to that and above a floor."""
    return np.asarray(np.log((share + drawn * usual + floor) / ((1 + drawn) * usual + floor)), float)


def _best(scores: Float64Array, depth: int) -> tuple[Int64Array, Float64Array]:
    """The best passages of each row, best first; equal scores in order of the passages."""
    top = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    top.sort(axis=1)
    values: Float64Array = np.asarray(np.take_along_axis(scores, top, 1), float)
    order = np.argsort(-values, axis=1, kind="stable")
    return np.take_along_axis(top, order, 1).astype(np.int64), np.take_along_axis(values, order, 1)


def _softmax(values: Float64Array) -> Float64Array:
    weights = np.exp(values - values[:, :1])
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), float)


def _beside(inside: Float64Array, top: Int64Array) -> Float64Array:
    """Whether each of the passages holds the name: 1, e^-1 where the one beside it does, e^-2 two away, else 0."""
    found = np.take_along_axis(inside, top, 1)
    for step in (-2, -1, 1, 2):
        there = np.take_along_axis(inside, np.clip(top + step, 0, inside.shape[1] - 1), 1)
        found = np.maximum(found, float(np.exp(-abs(step))) * there)
    return found
