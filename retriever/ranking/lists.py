"""Questions that bring their candidates: what every ranker of this room gets, and the arithmetic inside lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retriever.ranking.listwise import BoolArray, FloatArray, IntArray


class CandidateList(NamedTuple):
    """A question and its candidates in document order.

    `gold` marks the right candidates (None in a test file), `group` is what cross-validation keeps together
    (an article, or the question itself), `topic` the title of the document where it is known. `kinds` says how
    the data sort their questions: name of the division → this question's class.
    """

    question: str
    candidates: tuple[str, ...]
    gold: tuple[bool, ...] | None = None
    group: str = ""
    topic: str = ""
    kinds: Mapping[str, str] = MappingProxyType({})


def summed(places: IntArray, values: npt.ArrayLike, size: int) -> FloatArray:
    """The sum of the values at each place from 0 to size − 1."""
    return np.asarray(np.bincount(places, np.asarray(values, np.float64), size), np.float64)


@dataclass(frozen=True)
class Layout:
    """Where each list's rows stand, when all lists are laid end to end; no list is empty."""

    sizes: IntArray
    starts: IntArray
    list_of: IntArray

    @property
    def rows(self) -> int:
        return len(self.list_of)

    def of_rows(self, per_list: FloatArray) -> FloatArray:
        """A number a list, repeated for each of its rows."""
        return per_list[self.list_of]

    def total(self, values: FloatArray) -> FloatArray:
        """The sum over each list."""
        return np.add.reduceat(values, self.starts) if self.rows else np.zeros(0)

    def largest(self, values: FloatArray) -> FloatArray:
        """The greatest value of each list."""
        return np.maximum.reduceat(values, self.starts) if self.rows else np.zeros(0)

    def position(self) -> FloatArray:
        """Each row's place in its list, from 0."""
        return np.arange(self.rows) - self.of_rows(self.starts.astype(float))

    def shifted(self, values: FloatArray, by: int) -> FloatArray:
        """The value of the row `by` places before (after, when negative) in the same list; 0 beyond its ends."""
        found = np.zeros_like(values)
        if by > 0:
            same = self.list_of[by:] == self.list_of[:-by]
            found[by:] = np.where(same, values[:-by], 0.0)
        elif by < 0:
            same = self.list_of[-by:] == self.list_of[:by]
            found[:by] = np.where(same, values[-by:], 0.0)
        return found


def layout(sizes: Sequence[int]) -> Layout:
    """The layout of lists of these sizes; ValueError for an empty one."""
    counts = np.asarray(sizes, np.int64)
    if np.any(counts <= 0):
        raise ValueError("a list without candidates has no place in a layout")
    starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64) if len(counts) else counts
    return Layout(counts, starts, np.repeat(np.arange(len(counts), dtype=np.int64), counts))


def gold_rows(lists: Sequence[CandidateList]) -> BoolArray:
    """Which rows are gold; a list without labels has none."""
    return np.array([mark for one in lists for mark in (one.gold or (False,) * len(one.candidates))], bool)
