"""Ways of cutting a book into passages: sentences, windows of them, paragraphs, sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import Int64Array


class Cut(NamedTuple):
    """A division of a textbook into passages. `passages_of` turns a table of sentences into one of passages.

    Tables have a row for each name or term and a 1 in each column (sentence or passage) where it occurs, columns in
    order. `sizes` are the numbers of sentences of the passages.
    """

    passages_of: Callable[[csr_array], csr_array]
    sizes: Int64Array


def single(sentences: int) -> Cut:
    """Cut of a book by single sentences."""
    return Cut(lambda at: at, np.ones(sentences, np.int64))


def windows(paragraph_of: Int64Array) -> Cut:
    """Cut by windows: one passage for each sentence, which also includes the sentences before and after it in its
    paragraph. `paragraph_of` is each sentence's paragraph number."""
    same = np.diff(paragraph_of) == 0
    edge = np.zeros(min(1, len(paragraph_of)), bool)
    has_before, has_after = np.concatenate((edge, same)), np.concatenate((same, edge))

    def passages_of(at: csr_array) -> csr_array:
        """Table of the windows, 1 where the sentence itself or a neighbour in its paragraph has a 1 in `at`."""
        rows, width = at.shape
        starts = np.arange(rows + 1, dtype=np.int64) * width
        # rows as one line of places, so that what is before and after a sentence is the place beside it
        places = np.repeat(starts[:-1], np.diff(at.indptr)) + at.indices
        before, after = places[has_before[at.indices]] - 1, places[has_after[at.indices]] + 1
        places = np.sort(np.concatenate((before, places, after)))
        places = places[np.diff(places, prepend=-1) > 0]
        ends = np.searchsorted(places, starts)
        return _ones(places - np.repeat(starts[:-1], np.diff(ends)), ends, width)

    return Cut(passages_of, np.ones(len(paragraph_of), np.int64) + has_before + has_after)


def groups(group_of: Int64Array) -> Cut:
    """Cut into consecutive sentences; `group_of` is the number of each sentence's passage, ascending from 0."""
    sizes = np.bincount(group_of)

    def passages_of(at: csr_array) -> csr_array:
        """Table of the passages, 1 where at least one of their sentences has a 1 in `at`."""
        columns = group_of[at.indices]
        new = np.ones(len(columns), bool)  # a passage once, whichever of its sentences hold something
        new[1:] = columns[1:] != columns[:-1]
        new[at.indptr[:-1][at.indptr[:-1] < len(new)]] = True
        return _ones(columns[new], np.concatenate(([0], np.cumsum(new)))[at.indptr], len(sizes))

    return Cut(passages_of, sizes)


def _ones(columns: Int64Array, ends: Int64Array, width: int) -> csr_array:
    """A table of ones with these columns, row after row; `ends` are the ends of the rows."""
    return csr_array((np.ones(len(columns)), columns, ends), (len(ends) - 1, width))
