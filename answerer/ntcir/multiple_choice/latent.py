"""Latent semantic analysis of the book: vectors of names and terms that stand in like paragraphs, together or not."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array, vstack

from answerer.ntcir.multiple_choice.counts import Unit
from answerer.ntcir.multiple_choice.flat import Flat, FloatArray, pooled_by_name

DIMENSIONS = 60
_MORE = 20  # dimensions beyond those that are kept, for precision
_ROUNDS = 4
_SEED = 0
_FLOOR = 0.03


def latent_signals(unit: Unit, flat: Flat) -> dict[str, FloatArray]:
    """How alike a name is to the rest of its statement, and to the other names: cosines and their logs, 0 without.

    Source: Deerwester et al., Indexing by latent semantic analysis, 1990; passages are documents, a name counts as
    a word, weights are idf × 1 with passages of length 1.
    """
    names, terms = _vectors(unit)
    own = names[np.maximum(flat.rows, 0)]
    shape = (len(flat.rows), len(terms))
    rest = csr_array((np.ones(len(flat.term)), (flat.term_of, flat.term)), shape)
    rest.sum_duplicates()
    rest.data[:] = 1.0
    around = np.asarray(rest @ (_unit_length(terms) * unit.idf[:, None]), float)
    with_rest = (_unit_length(around) * own).sum(axis=1)
    use = flat.rows[flat.pair_of] >= 0
    of, other = flat.pair_of[use], flat.pair_with[use]
    with_names = pooled_by_name((names[flat.rows[of]] * names[other]).sum(axis=1), of, len(flat.rows))[0]
    says = (flat.rows >= 0) & ~flat.whole & (flat.opposite == -2)
    return {
        name: np.where(says, signal, 0.0)
        for kind, cosine in (("rest", with_rest), ("names", with_names))
        for name, signal in ((f"latent_{kind}", cosine), (f"latent_log_{kind}", np.log(np.maximum(cosine, 0) + _FLOOR)))
    }


def _vectors(unit: Unit) -> tuple[FloatArray, FloatArray]:
    """Vectors of the names (of length 1) and terms, by a singular value decomposition that is the same every time."""
    both = csr_array(vstack([unit.names, unit.terms]))
    frequency = np.diff(both.indptr)
    weighted = csr_array(diags_array(np.log(unit.size / np.maximum(frequency, 1))) @ both)
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=0)).ravel())
    weighted = csr_array(weighted @ diags_array(1 / np.maximum(lengths, 1e-9)))
    vectors = _leading(weighted)
    known = unit.names.shape[0]
    return _unit_length(vectors[:known]), vectors[known:]


def _leading(matrix: csr_array) -> FloatArray:
    """The rows in the space of the greatest singular values, scaled by them (subspace iteration: Halko et al. 2011)."""
    width = min(DIMENSIONS + _MORE, *matrix.shape)
    across = csr_array(matrix.T)
    start = np.random.default_rng(_SEED).standard_normal((matrix.shape[1], width))
    basis, _ = np.linalg.qr(matrix @ start)
    for _ in range(_ROUNDS):
        basis, _ = np.linalg.qr(matrix @ (across @ basis))
    projected = across @ basis
    squares, left = np.linalg.eigh(projected.T @ projected)  # ascending: a smaller problem than the projection's SVD
    kept = slice(None, -1 - min(DIMENSIONS, width), -1)
    return np.asarray((basis @ left[:, kept]) * np.sqrt(np.maximum(squares[kept], 0.0)), float)


def _unit_length(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), float)
