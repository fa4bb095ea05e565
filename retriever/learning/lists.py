"""Lists of candidates laid end to end, and the arithmetic inside each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.formats.candidate_lists import CandidateList


def summed(places: Int64Array, values: npt.ArrayLike, size: int) -> Float64Array:
    """The sum of the values at each place from 0 to size − 1, (size,); a place and a value, (n,), belong together."""
    return np.asarray(np.bincount(places, np.asarray(values, np.float64), size), np.float64)


@dataclass(frozen=True)
class Layout:
    """Where each list's rows stand, when all lists are laid end to end; every list has a row.

    `sizes` and `starts` (how many rows, and the first of them) are (lists,), `list_of`, each row's list, is (rows,).
    """

    sizes: Int64Array
    starts: Int64Array
    list_of: Int64Array

    @property
    def rows(self) -> int:
        return len(self.list_of)

    def of_rows(self, per_list: Float64Array) -> Float64Array:
        """A number a list, (lists,), repeated for each of its rows, (rows,)."""
        return per_list[self.list_of]

    def total(self, values: Float64Array) -> Float64Array:
        """The sum over each list, (lists,), of values (rows,)."""
        return np.add.reduceat(values, self.starts) if self.rows else np.zeros(0)

    def largest(self, values: Float64Array) -> Float64Array:
        """The greatest value of each list, (lists,), of values (rows,)."""
        return np.maximum.reduceat(values, self.starts) if self.rows else np.zeros(0)

    def position(self) -> Float64Array:
        """Each row's place in its list, from 0, (rows,)."""
        return np.arange(self.rows) - self.of_rows(self.starts.astype(float))

    def blocks(self, most: int) -> list[range]:
        """The lists in their order, in blocks of at most so many rows; a list that has more is a block alone."""
        starts: list[int] = []
        rows = 0
        for number, size in enumerate(self.sizes.tolist()):
            if not starts or rows + size > most:
                starts.append(number)
                rows = 0
            rows += size
        return [range(first, end) for first, end in zip(starts, [*starts[1:], len(self.sizes)], strict=False)]

    def rows_of(self, block: range) -> range:
        """The rows of a block of lists that stand together."""
        first = int(self.starts[block.start])
        return range(first, first + int(self.sizes[block.start : block.stop].sum()))

    def shifted(self, values: Float64Array, by: int) -> Float64Array:
        """The value, (rows,), of the row `by` places before (after, when negative) in the list; 0 beyond its ends."""
        moved = np.zeros_like(values)
        if by > 0:
            same = self.list_of[by:] == self.list_of[:-by]
            moved[by:] = np.where(same, values[:-by], 0.0)
        elif by < 0:
            same = self.list_of[-by:] == self.list_of[:by]
            moved[:by] = np.where(same, values[-by:], 0.0)
        return moved


def layout(sizes: Sequence[int]) -> Layout:
    """The layout of lists of these sizes; ValueError for an empty one."""
    counts = np.asarray(sizes, np.int64)
    if np.any(counts <= 0):
        raise ValueError("a list without candidates has no place in a layout")
    starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64) if len(counts) else counts
    return Layout(counts, starts, np.repeat(np.arange(len(counts), dtype=np.int64), counts))


def gold_rows(lists: Sequence[CandidateList]) -> BoolArray:
    """Which rows are gold, (rows,): not one in a list without labels."""
    return np.array([mark for one in lists for mark in (one.gold or (False,) * len(one.candidates))], bool)
