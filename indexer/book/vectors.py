"""Latent semantic analysis of a book: a vector a paragraph, near those that hold like names and terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from indexer.book.counts import Standing, in_paragraphs
from indexer.files.arrays import Float32Array, Float64Array, Int32Array

DIMENSIONS = 60
_MORE = 20  # dimensions beyond those that are kept, for precision
_ROUNDS = 4
_SEED = 0
_BLOCK = 4_000  # rows that are computed with as doubles at a time
_LEAST = 1e-13  # of the greatest eigenvalue: lesser ones are rounding
_TOLD = 1e-9  # of the greatest too: what numbers of 32 bits tell of a dimension
_LEARNT = 30_000  # paragraphs that the dimensions are learned from at most, evenly over the book


def paragraph_vectors(book: Standing) -> Float32Array:
    """A row a paragraph, at most 60 columns: a name's or term's vector is the sum of its paragraphs' × its idf."""
    return vectors_of([in_paragraphs(book.paragraphs, at) for at in (book.at_names, book.at_terms)])


def vectors_of(held: Sequence[csr_array]) -> Float32Array:
    """The vectors of paragraphs that hold names and terms: tables of ones, a row a paragraph, which are used up.

    Source: Deerwester et al., Indexing by latent semantic analysis, 1990: right singular vectors of names and terms by
    paragraphs, weighted idf × 1, paragraphs of length 1; here each is divided by its paragraph's length already.
    """
    for table in held:
        _weigh(table)
    size = held[0].shape[0]
    if not size or not sum(table.shape[1] for table in held):
        return np.zeros((size, 0), np.float32)
    lengths = _divided_by_length(held)
    with threadpool_limits(1):  # many rows and few columns: several threads would mostly wait for each other
        vectors = _leading(held) if size <= _LEARNT else _led(held, -(-size // _LEARNT))
    vectors /= lengths.astype(np.float32)[:, None]
    vectors /= max(vectors.max(initial=0.0), -vectors.min(initial=0.0), 1e-12)
    return vectors


def _weigh(table: csr_array) -> None:
    """Put the idf of each column wherever a paragraph holds it."""
    size, width = table.shape
    often = np.bincount(table.indices, minlength=width)
    np.take(np.log(size / np.maximum(often, 1)).astype(np.float32), table.indices, out=table.data)


def _divided_by_length(weighted: Sequence[csr_array]) -> Float64Array:
    """The lengths of the rows that the tables have side by side, by which the rows are divided in place."""
    squares = np.zeros(weighted[0].shape[0])
    places = [(each, slice(start, start + _BLOCK)) for each in weighted for start in range(0, each.shape[0], _BLOCK)]
    for table, rows in places:
        in_rows, data = _block_of(table, rows)
        squares[rows] += np.bincount(np.repeat(np.arange(len(in_rows)), in_rows), data**2, len(in_rows))
    lengths = np.maximum(np.sqrt(squares), 1e-9)
    for table, rows in places:
        in_rows, data = _block_of(table, rows)
        data /= np.repeat(lengths[rows].astype(np.float32), in_rows)
    return lengths


def _block_of(table: csr_array, rows: slice) -> tuple[Int32Array, Float32Array]:
    """How many numbers stand in each of the rows, and a view of them all."""
    ends = table.indptr[rows.start : rows.stop + 1]
    return np.diff(ends), table.data[ends[0] : ends[-1]]


def _led(tables: Sequence[csr_array], every: int) -> Float32Array:
    """The left singular vectors of every so many rows, and of all other rows what follows from these.

    A row's are its products with the right singular vectors, each divided by its singular value.
    """
    learned = [csr_array(table[::every]) for table in tables]
    vectors = _leading(learned)
    right = [table.T @ vectors for table in learned]
    squares = sum((np.square(each, dtype=np.float64).sum(axis=0) for each in right), np.zeros(vectors.shape[1]))
    squares[squares <= squares.max(initial=0.0) * _TOLD] = np.inf
    found = np.empty((tables[0].shape[0], vectors.shape[1]), np.float32)
    for start in range(0, len(found), _BLOCK):
        rows = slice(start, start + _BLOCK)
        found[rows] = sum(table[rows] @ each for table, each in zip(tables, right, strict=True)) / squares
    return found


def _leading(tables: Sequence[csr_array]) -> Float32Array:
    """The left singular vectors of the greatest singular values of tables side by side.

    Subspace iteration: Halko et al. 2011.
    """
    size, across = tables[0].shape[0], sum(table.shape[1] for table in tables)
    width = min(DIMENSIONS + _MORE, size, across)
    basis = np.empty((size, width), np.float32)
    chance = np.random.default_rng(_SEED)
    for block in _blocks(basis):
        block[:] = chance.standard_normal(block.shape)
    for _ in range(_ROUNDS):
        sums = [table.T @ basis for table in tables]
        for start in range(0, size, _BLOCK):  # in place: a second table of so many rows would need as much memory
            rows = slice(start, start + _BLOCK)
            basis[rows] = sum(table[rows] @ each for table, each in zip(tables, sums, strict=True))
        _orthogonalise(basis)
    _, turned = np.linalg.eigh(sum((_gram(table.T @ basis) for table in tables), np.zeros((width, width))))
    kept = turned[:, ::-1][:, : min(DIMENSIONS, width)]  # the greatest come last
    return np.concatenate([(block @ kept).astype(np.float32) for block in _blocks(basis)])


def _orthogonalise(rows: Float32Array) -> None:
    """Make the columns orthogonal and of length 1, in place: many rows need no room for a second table of doubles."""
    lengths, turned = np.linalg.eigh(_gram(rows))
    turned /= np.sqrt(np.maximum(lengths, max(lengths.max(initial=0.0) * _LEAST, 1e-30)))
    for block in _blocks(rows):
        block[:] = block.astype(np.float64) @ turned


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
