"""Latent semantic analysis of a book: a vector a paragraph, near those that hold like names and
terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array, vstack
from threadpoolctl import threadpool_limits

from indexer.files.arrays import Float32Array, Float64Array
from indexer.statistics.ragged import Numbers, Occurrences, paragraph_rows

_LEAST_DIMENSIONS = 60  # enough for one textbook (docs/figures/ntcir-mc.md)
_TO_A_DIMENSION = (
    120  # paragraphs: many books are about more than one, and 60 dimensions cannot tell them apart
)
_TOGETHER = 80  # dimensions that are computed at a time: each has a number for every name and term
_MORE = 20  # dimensions beyond those that are kept, for precision
_ROUNDS = 4  # of the iteration: more change no vector of 60 dimensions visibly
_SEED = 0
_BLOCK = 4_000  # rows that are computed with as doubles at a time
_LEAST_SHARE = 1e-13  # of the greatest eigenvalue: lesser ones are rounding
_TOLD = 1e-9  # of the greatest too: what numbers of 32 bits tell of a dimension
_LEARNT = 30_000  # paragraphs that the dimensions are learned from at most, evenly over the book


def vectors_of(tables: Sequence[Occurrences]) -> Iterator[Float32Array]:
    """Paragraph vectors by latent semantic analysis, computed at once and returned in blocks of
    4,000 rows: a row for each paragraph, at most `dimensions` columns (none without names and
    terms), the number farthest from zero ±1.

    `tables` have the names and the terms of the paragraphs. The vector of a name or term is the sum
    of its paragraphs' vectors × its idf. Source: [LSA]: right singular vectors of names and terms
    by paragraphs, weighted idf × 1, paragraphs of length 1; each vector here is divided by its
    paragraph's length already. Of more than 30,000 paragraphs (`_LEARNT`), an evenly spaced sample
    is learned from and all are folded in, as described there.
    """
    size = len(tables[0].ends) - 1
    if not size or not any(len(table.often) for table in tables):
        return (
            np.zeros((min(_BLOCK, size - start), 0), np.float32) for start in range(0, size, _BLOCK)
        )
    idf: list[Float32Array] = []
    squares = np.zeros(
        size
    )  # of the lengths of the rows that the tables have side by side, idf wherever they hold 1
    for table in tables:
        often = np.zeros(len(table.often), np.int64)
        for rows in _slices(size, _BLOCK):
            often += np.bincount(
                paragraph_rows(table, rows.start, rows.stop).indices, minlength=len(often)
            )
        idf.append(np.log(size / np.maximum(often, 1)).astype(np.float32))
        for rows in _slices(size, _BLOCK):
            part = paragraph_rows(table, rows.start, rows.stop)
            row = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
            squares[rows] += np.bincount(row, idf[-1][part.indices] ** 2, part.shape[0])
    lengths = np.maximum(np.sqrt(squares), 1e-9).astype(np.float32)

    def weigh(start: int, stop: int, step: int = 1) -> list[csr_array]:
        """For each table, every `step`-th of its rows, with the column's idf in place of each 1,
        divided by the row's length over all tables."""
        parts = []
        for table, of_column in zip(tables, idf, strict=True):
            blocks = (
                paragraph_rows(table, n, min(n + _BLOCK * step, stop))
                for n in range(start, stop, _BLOCK * step)
            )
            part = vstack([block[::step] for block in blocks])
            weights = of_column[part.indices]
            weights /= np.repeat(lengths[start:stop:step], np.diff(part.indptr))
            parts.append(csr_array((weights, part.indices, part.indptr), part.shape))
        return parts

    vectors, places = Numbers(), list[tuple[int, int]]()
    greatest = np.float32(1e-12)  # so that rows of zeros stay zeros
    with threadpool_limits(
        1
    ):  # many rows and few columns: several threads would mostly wait for each other
        every = -(-size // _LEARNT)
        learned = weigh(0, size, every)
        left = _leading(learned, dimensions(size))
        width = left.shape[1]
        right = _right_vectors(learned, left) if every > 1 else []
        del learned
        for rows in _slices(size, _BLOCK):
            block = _fold_in(weigh(rows.start, rows.stop), right) if every > 1 else left[rows]
            block = (block / lengths[rows, None]).astype(np.float32, copy=False)
            places.append(
                (vectors.append(np.ascontiguousarray(block).view(np.int32).reshape(-1)), block.size)
            )
            greatest = max(greatest, block.max(initial=0.0), -block.min(initial=0.0))
    return (vectors.read(*span).view(np.float32).reshape(-1, width) / greatest for span in places)


def _right_vectors(tables: Sequence[csr_array], left: Float32Array) -> list[Float32Array]:
    """The right singular vectors of `tables` side by side, a matrix a table, by the left ones; each
    divided by its singular value, 0 where that is 0."""
    right = [table.T @ left for table in tables]
    squares = sum(
        (np.square(matrix, dtype=np.float64).sum(axis=0) for matrix in right),
        np.zeros(left.shape[1]),
    )
    squares[squares <= squares.max(initial=0.0) * _TOLD] = np.inf
    for matrix in right:
        matrix /= squares.astype(np.float32)
    return right


def _fold_in(tables: Sequence[csr_array], right: Sequence[Float32Array]) -> Float32Array:
    """Vectors of rows that were not learned from, (rows, dimensions): the sum of each table's
    product with its matrix in `right`, not normalised."""
    folded = [table @ matrix for table, matrix in zip(tables, right, strict=True)]
    block: Float32Array = sum(folded[1:], folded[0])
    return block


def dimensions(paragraphs: int) -> int:
    """Number of dimensions of a book's vectors: one for every 120 paragraphs, at least 60; 60 for
    more than 30,000 paragraphs, since folding in those not learned from needs as many numbers for
    every name and term."""
    return max(_LEAST_DIMENSIONS, paragraphs // _TO_A_DIMENSION if paragraphs <= _LEARNT else 0)


def _slices(size: int, step: int) -> Iterator[slice]:
    """Yields slices of `step` rows or columns, the last one shorter, which cover all of them."""
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


def _leading(tables: Sequence[csr_array], number: int) -> Float32Array:
    """The `number` leading left singular vectors of `tables` side by side, by subspace iteration
    [SVD] from a fixed seed: a column each, the greatest singular value first; fewer if the tables
    have fewer rows or columns."""
    size, across = tables[0].shape[0], sum(table.shape[1] for table in tables)
    width = min(number + _MORE, size, across)
    basis = np.empty((size, width), np.float32)
    chance = np.random.default_rng(_SEED)
    for rows in _slices(size, _BLOCK):
        basis[rows] = chance.standard_normal(basis[rows].shape)
    for _ in range(_ROUNDS):
        # in place, here and below: a second table of that size would need as much memory
        for columns in _slices(width, _TOGETHER):
            sums = [table.T @ basis[:, columns] for table in tables]
            for rows in _slices(size, _BLOCK):
                basis[rows, columns] = sum(
                    table[rows] @ product for table, product in zip(tables, sums, strict=True)
                )
        # the columns become orthogonal and of length 1
        lengths, turned = np.linalg.eigh(_products(basis, basis))
        turned /= np.sqrt(np.maximum(lengths, max(lengths.max(initial=0.0) * _LEAST_SHARE, 1e-30)))
        for rows in _slices(size, _BLOCK):
            basis[rows] = basis[rows].astype(np.float64) @ turned
    products = np.zeros(
        (width, width)
    )  # of the columns of `table.T @ basis`, of which some are held at a time
    for table in tables:
        for left in _slices(width, _TOGETHER):
            of_left = table.T @ basis[:, left]
            products[left, left] += _products(of_left, of_left)
            for right in _slices(left.start, _TOGETHER):
                between = _products(of_left, table.T @ basis[:, right])
                products[left, right] += between
                products[right, left] += between.T
    _, turned = np.linalg.eigh(products)
    rotation = turned[:, ::-1][:, : min(number, width)]  # the greatest come last
    return np.concatenate(
        [(basis[rows] @ rotation).astype(np.float32) for rows in _slices(size, _BLOCK)]
    )


def _products(left: Float32Array, right: Float32Array) -> Float64Array:
    """Matrix product `leftᵀ · right` in double precision."""
    products = np.zeros((left.shape[1], right.shape[1]))
    for rows in _slices(len(left), _BLOCK):
        wide = left[rows].astype(np.float64)
        # of one table itself BLAS computes half of the products, and rounds otherwise than of two
        products += wide.T @ (wide if right is left else right[rows].astype(np.float64))
    return products
