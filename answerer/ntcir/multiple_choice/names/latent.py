"""Latent semantic analysis of the book: vectors of names and terms, close for those of similar paragraphs."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.counts import Unit
from answerer.ntcir.multiple_choice.names.flat import Flat, pooled_by_name
from indexer.files.arrays import Float64Array

NAMES = ("latent_rest", "latent_names", "latent_log_rest", "latent_log_names")
_FLOOR = 0.03  # of a cosine whose log is taken


def latent_signals(unit: Unit, vectors: Float64Array, flat: Flat) -> dict[str, Float64Array]:
    """Cosines of a name with the rest of its statement and with its other names, and their logs; 0 without these.

    `vectors` are those of the paragraphs (`indexer.statistics.lsa`): a name, which counts as a word, and a term
    have the sum of those that hold them.
    """
    names = _unit_length(np.asarray(unit.names @ vectors, float))
    terms = np.asarray(unit.terms.held @ vectors, float)
    own = names[np.maximum(flat.rows, 0)]
    shape = (len(flat.rows), len(terms))
    rest = csr_array((np.ones(len(flat.term)), (flat.term_of, flat.term)), shape)
    rest.sum_duplicates()
    rest.data[:] = 1.0
    around = np.asarray(rest @ (_unit_length(terms) * unit.terms.idf[:, None]), float)
    with_rest = (_unit_length(around)[flat.rest] * own).sum(axis=1)
    use = flat.rows[flat.pair_of] >= 0
    of, other = flat.pair_of[use], flat.pair_with[use]
    with_names = pooled_by_name((names[flat.rows[of]] * names[other]).sum(axis=1), of, len(flat.rows))[0]
    logs = [np.log(np.maximum(cosine, 0) + _FLOOR) for cosine in (with_rest, with_names)]
    signals = zip(NAMES, (with_rest, with_names, *logs), strict=True)
    return {name: np.where(flat.rows >= 0, signal, 0.0) for name, signal in signals}


def _unit_length(vectors: Float64Array) -> Float64Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), float)
