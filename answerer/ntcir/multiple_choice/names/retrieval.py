"""The paragraphs that the rest of a statement retrieves for each of its names, and whether the name is in them."""

from __future__ import annotations

from collections.abc import Sequence
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
_WIDE = 3  # frequency of a name in or near a paragraph, weighted by `_NEAR`, as a multiple of that in a paragraph
_LEAST_BEST = 3.0  # points of BM25 added to the best score: a point behind says little where the best has few
_STEPS = np.array([0, -2, -1, 1, 2])  # to a passage, and to those beside it
_NEAR = np.exp(-np.abs(_STEPS))  # the weight of a name there


class Retrieved(NamedTuple):
    """For each name (rows) the paragraphs that the rest of its statement retrieves, best first, and their shares.

    Shares sum to 1 in each row; to 0 if nothing is found.
    """

    passages: Int64Array
    shares: Float64Array


def retrieved_by(unit: Unit, flat: Flat) -> Retrieved:
    """The paragraphs that the rest of each name's statement retrieves."""
    return _retrieve(*_best_of_rests(unit, flat))


def retrieval_signals(unit: Unit, flat: Flat) -> tuple[dict[str, Float64Array], Retrieved]:
    """Four signals of a name among the paragraphs that the rest of its statement retrieves, and these paragraphs.

    `relevance` and `share` are log ratios of the share of the found passages that hold the name to its share of the
    book, weighted by softmax and by score over log rank. `near` counts passages beside those with the name too. `best`
    is the difference of the best passage with the name to the best of all, 0 to −1.
    """
    best_of = _best_of_rests(unit, flat)
    found, values = _retrieve(*best_of), best_of.values[best_of.row]
    weights = _weights(values)
    held, beside = _held_and_beside(unit, flat, found.passages)
    home = flat.home_of(np.arange(len(flat.rows)))
    common = np.where(flat.rows >= 0, unit.number(flat.rows, home) / unit.number_of_all(home), 0.0)
    mass = values / np.log2(np.arange(values.shape[1]) + 2.0)
    relevance = (weights * held).sum(axis=1)
    share = (mass * held).sum(axis=1) / np.maximum(mass.sum(axis=1), 1e-9)
    near = (weights * beside).sum(axis=1)
    best, own = values[:, 0], _best_with_name(unit, flat)
    return {
        "relevance_paragraph": _surplus(relevance, common, _DRAWN_BY_SOFTMAX, _FLOOR_BY_SOFTMAX),
        "share_paragraph": _surplus(share, common, _DRAWN_BY_RANK, _FLOOR),
        "best_paragraph": np.where(best > 0, (own - best) / (best + _LEAST_BEST), 0.0),
        "near_paragraph": _surplus(near, np.minimum(1.0, common * _WIDE), _DRAWN_BESIDE, _FLOOR),
    }, found


def found_by(unit: Unit, terms: Int64Array) -> tuple[Int64Array, Float64Array]:
    """The passages that terms retrieve, best first, and their shares."""
    passages, values = unit.terms.best(terms, min(_DEPTH, unit.size))
    weights = _weights(values[None])[0]
    return passages, weights / max(weights.sum(), 1e-12)


class _BestOfRests(NamedTuple):
    """The best passages of each different rest of a statement (rows), their scores, and the row of each name's rest."""

    passages: Int64Array
    values: Float64Array
    row: Int64Array


def _best_of_rests(unit: Unit, flat: Flat) -> _BestOfRests:
    depth = min(_DEPTH, unit.size)
    rests, row = np.unique(flat.rest, return_inverse=True)
    found = [
        unit.terms.best(terms, depth, less)
        for terms, less in zip(_terms_of(unit, flat, rests), _less(flat, rests), strict=True)
    ]
    passages = np.array([passages for passages, _ in found], np.int64).reshape(-1, depth)
    return _BestOfRests(passages, np.array([values for _, values in found], float).reshape(-1, depth), row)


def _terms_of(unit: Unit, flat: Flat, rests: Int64Array) -> list[Int64Array]:
    """The terms of each rest, sorted."""
    shape = (len(flat.rows), unit.terms.held.shape[0])
    rest = csr_array((np.ones(len(flat.term)), (flat.term_of, flat.term)), shape)
    rest.sum_duplicates()
    return [np.asarray(rest.indices[rest.indptr[place] : rest.indptr[place + 1]], np.int64) for place in rests]


def _less(flat: Flat, rests: Int64Array) -> Sequence[Float64Array | None]:
    """The amount by which scores in each block are lowered for each rest: the softmax turns it into a factor `home`."""
    home = flat.home_of(rests)
    return [None] * len(rests) if home is None else list(-np.log(home) / _SHARPNESS)


def _retrieve(passages: Int64Array, values: Float64Array, row: Int64Array) -> Retrieved:
    weights = _weights(values)
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    return Retrieved(passages[row], shares[row])


def _weights(values: Float64Array) -> Float64Array:
    """The weights of retrieved passages, a softmax of their scores; 0 for a passage without any of the terms."""
    return _softmax(values * _SHARPNESS) * (values > 0)


def _held_and_beside(unit: Unit, flat: Flat, passages: Int64Array) -> tuple[Float64Array, Float64Array]:
    """Two arrays: 1 for a passage with the name, else 0; the same with e^-1 and e^-2 for a name one or two away."""
    held, beside = np.zeros(passages.shape), np.zeros(passages.shape)
    for place, row in enumerate(flat.rows.tolist()):
        if row >= 0:
            around = np.clip(passages[place] + _STEPS[:, None], 0, unit.size - 1)
            inside = unit.holds(row, around.ravel()).reshape(around.shape)
            held[place] = inside[0]
            beside[place] = (inside * _NEAR[:, None]).max(axis=0)
    return held, beside


def _best_with_name(unit: Unit, flat: Flat) -> Float64Array:
    """The score of the best passage that holds each name, 0 without any."""
    own = np.zeros(len(flat.rows))
    rests, row = np.unique(flat.rest, return_inverse=True)
    each = zip(_terms_of(unit, flat, rests), _less(flat, rests), strict=True)
    for number, (terms, less) in enumerate(each):
        scores = unit.terms.scores(terms, less)
        for place in np.flatnonzero((row == number) & (flat.rows >= 0)).tolist():
            own[place] = scores[unit.passages_with(int(flat.rows[place]))].max(initial=0.0)
    return own


def _surplus(share: Float64Array, usual: Float64Array, drawn: float, floor: float) -> Float64Array:
    """Log ratio of a share to the usual one, 0 if they are equal, smoothed by `drawn` usual shares and by `floor`."""
    return np.asarray(np.log((share + drawn * usual + floor) / ((1 + drawn) * usual + floor)), float)


def _softmax(values: Float64Array) -> Float64Array:
    weights = np.exp(values - values[:, :1])
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), float)
