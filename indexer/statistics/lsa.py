"""Latent semantic analysis of a book: a vector a paragraph, near those that hold like names and terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from indexer.files.arrays import Float32Array, Float64Array
from indexer.statistics.ragged import OnesTable, Vectors

_LEAST_DIMENSIONS = 60  # enough for one textbook (docs/figures/ntcir-mc.md)
_TO_A_DIMENSION = 120  # paragraphs: many books are about more than one, and 60 dimensions cannot tell them apart
_TOGETHER = 80  # dimensions that are computed at a time: each has a number for every name and term
_MORE = 20  # dimensions beyond those that are kept, for precision
_ROUNDS = 4
_SEED = 0
_BLOCK = 4_000  # rows that are computed with as doubles at a time
_LEAST_SHARE = 1e-13  # of the greatest eigenvalue: lesser ones are rounding
_TOLD = 1e-9  # of the greatest too: what numbers of 32 bits tell of a dimension
_LEARNT = 30_000  # paragraphs that the dimensions are learned from at most, evenly over the book


def vectors_of(held: Sequence[OnesTable]) -> Vectors:
    """Latent semantic analysis: paragraph vectors, a row a paragraph, at most `dimensions` columns.

    `held` are tables of ones, paragraphs by names and paragraphs by terms. The vector of a name or term is the sum of
    its paragraphs' vectors × its idf.

    Source: [LSA]: right singular vectors of names and terms by paragraphs, weighted idf × 1, paragraphs of length 1;
    each vector here is divided by its paragraph's length already. Where there are more paragraphs than can be learned
    from, the others are folded in, as described there too.
    """
    size = held[0].shape[0]
    if not size or not sum(table.shape[1] for table in held):
        return _scale([np.zeros((size, 0), np.float32)], 0)
    idf = [_idf(table) for table in held]
    lengths = _lengths(held, idf)

    def weight_rows(rows: slice) -> list[csr_array]:
        return [_weigh(table[rows], each, lengths[rows]) for table, each in zip(held, idf, strict=True)]

    def fold_in(right: Sequence[Float32Array]) -> Iterator[Float32Array]:
        for rows in _slices(size):
            parts = [table @ each for table, each in zip(weight_rows(rows), right, strict=True)]
            yield (sum(parts[1:], parts[0]) / lengths[rows, None]).astype(np.float32, copy=False)

    with threadpool_limits(1):  # many rows and few columns: several threads would mostly wait for each other
        every = -(-size // _LEARNT)
        learned = weight_rows(slice(None, None, every))
        vectors = _leading(learned, dimensions(size))
        if every == 1:
            return _scale([vectors / lengths[:, None]], vectors.shape[1])
        right = _right(learned, vectors)
        del learned, vectors
        return _scale(fold_in(right), right[0].shape[1])


def dimensions(paragraphs: int) -> int:
    """Number of dimensions of a book's vectors: one for every 120 paragraphs, but never fewer than 60.

    60 also where not all paragraphs are learned from: folding in the others needs as many numbers for every name and
    term.
    """
    return max(_LEAST_DIMENSIONS, paragraphs // _TO_A_DIMENSION if paragraphs <= _LEARNT else 0)


def _scale(blocks: Iterable[Float32Array], width: int) -> Vectors:
    """The rows, divided so that the number farthest from 0 is 1 or -1."""
    vectors, greatest = Vectors(width), np.float32(1e-12)
    for block in blocks:
        vectors.append(block)
        greatest = max(greatest, block.max(initial=0.0), -block.min(initial=0.0))
    vectors.divide(greatest)
    return vectors


def _slices(size: int) -> Iterator[slice]:
    """Yields slices of `_BLOCK` rows, which cover all rows."""
    return (slice(start, min(start + _BLOCK, size)) for start in range(0, size, _BLOCK))


def _idf(table: OnesTable) -> Float32Array:
    """The idf of each column."""
    size, width = table.shape
    often = np.zeros(width, np.int64)
    for rows in _slices(size):
        often += np.bincount(table[rows].indices, minlength=width)
    return np.log(size / np.maximum(often, 1)).astype(np.float32)


def _lengths(held: Sequence[OnesTable], idf: Sequence[Float32Array]) -> Float32Array:
    """The lengths of the rows that the tables have side by side, idf wherever they hold 1."""
    squares = np.zeros(held[0].shape[0])
    for table, each in zip(held, idf, strict=True):
        for rows in _slices(len(squares)):
            part = table[rows]
            row = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
            squares[rows] += np.bincount(row, each[part.indices] ** 2, part.shape[0])
    return np.maximum(np.sqrt(squares), 1e-9).astype(np.float32)


def _weigh(table: csr_array, idf: Float32Array, lengths: Float32Array) -> csr_array:
    """The idf of each column wherever a row holds it, divided by the row's length."""
    weights = idf[table.indices]
    weights /= np.repeat(lengths, np.diff(table.indptr))
    return csr_array((weights, table.indices, table.indptr), table.shape)


def _right(tables: Sequence[csr_array], vectors: Float32Array) -> list[Float32Array]:
    """The right singular vectors that belong to left ones, each divided by its singular value; 0 where that is 0."""
    right = [table.T @ vectors for table in tables]
    squares = sum((np.square(each, dtype=np.float64).sum(axis=0) for each in right), np.zeros(vectors.shape[1]))
    squares[squares <= squares.max(initial=0.0) * _TOLD] = np.inf
    for each in right:
        each /= squares.astype(np.float32)
    return right


def _leading(tables: Sequence[csr_array], number: int) -> Float32Array:
    """Left singular vectors of the `number` greatest singular values of tables side by side.

    Subspace iteration [SVD].
    """
    size, across = tables[0].shape[0], sum(table.shape[1] for table in tables)
    width = min(number + _MORE, size, across)
    basis = np.empty((size, width), np.float32)
    chance = np.random.default_rng(_SEED)
    for block in _blocks(basis):
        block[:] = chance.standard_normal(block.shape)
    for _ in range(_ROUNDS):
        for columns in _together(width):
            sums = [table.T @ basis[:, columns] for table in tables]
            for start in range(0, size, _BLOCK):  # in place: a second table of that size would need as much memory
                rows = slice(start, start + _BLOCK)
                basis[rows, columns] = sum(table[rows] @ each for table, each in zip(tables, sums, strict=True))
        _orthogonalise(basis)
    _, turned = np.linalg.eigh(sum((_gram_across(table, basis) for table in tables), np.zeros((width, width))))
    kept = turned[:, ::-1][:, : min(number, width)]  # the greatest come last
    return np.concatenate([(block @ kept).astype(np.float32) for block in _blocks(basis)])


def _orthogonalise(rows: Float32Array) -> None:
    """Make the columns orthogonal and of length 1, in place: many rows need no memory for a second table of doubles."""
    lengths, turned = np.linalg.eigh(_gram(rows))
    turned /= np.sqrt(np.maximum(lengths, max(lengths.max(initial=0.0) * _LEAST_SHARE, 1e-30)))
    for block in _blocks(rows):
        block[:] = block.astype(np.float64) @ turned


def _together(width: int) -> Iterator[slice]:
    """The columns that are computed at a time."""
    return (slice(start, min(start + _TOGETHER, width)) for start in range(0, width, _TOGETHER))


def _gram_across(table: csr_array, basis: Float32Array) -> Float64Array:
    """The products of the columns of `table.T @ basis` with each other, of which some columns are held at a time."""
    width = basis.shape[1]
    found = np.zeros((width, width))
    for left in _together(width):
        own = table.T @ basis[:, left]
        found[left, left] = _gram(own)
        for right in _together(left.start):
            other = table.T @ basis[:, right]
            for one, two in zip(_blocks(own), _blocks(other), strict=True):
                found[left, right] += one.astype(np.float64).T @ two.astype(np.float64)
            found[right, left] = found[left, right].T
    return found


def _gram(rows: Float32Array) -> Float64Array:
    """The products of a table's columns with each other."""
    found = np.zeros((rows.shape[1], rows.shape[1]))
    for block in _blocks(rows):
        wide = block.astype(np.float64)
        found += wide.T @ wide
    return found


def _blocks(rows: Float32Array) -> Iterator[Float32Array]:
    """Views of some thousand rows each."""
    for start in range(0, len(rows), _BLOCK):
        yield rows[start : start + _BLOCK]
