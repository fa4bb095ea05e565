"""Left and right neighbours of names: a word on either side, or a character in languages without blanks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.entities import KINDS, Kind
from indexer.files.arrays import Int32Array, Int64Array
from indexer.statistics.ragged import decode_numbers, encode_numbers

# Left and right neighbours of names: a word on either side, or a character in languages without blanks.

EDGE = "<edge>"
"""What stands before a name that begins its text, and after one that ends it; no word, for words have no such signs."""
_REACH = 60  # characters that a word has at most
_UNPARTED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def neighbour_words(text: str, start: int, end: int) -> tuple[str, str]:
    """The words, or characters, right before and right after text[start:end], in lower case; `EDGE` where there is not
    any."""
    before = _WORD.match(text[max(0, start - _REACH) : start][::-1])
    after = _WORD.match(text[end : end + _REACH])
    return before[1][::-1].lower() if before else EDGE, after[1].lower() if after else EDGE


# The words right before and after the names of a book: counted, and stored as texts.

EVERY = "<every>"
"""A word that stands for all: as often before and after names of a kind as such names are mentioned."""


class NameNeighbours(NamedTuple):
    """Neighbour counts of names: how often each word (column) occurs right before and right after each name (row); both
    sorted."""

    names: list[str]
    words: list[str]
    before: csr_array
    after: csr_array


class KindNeighbours(NamedTuple):
    """Neighbour counts of kinds: how often each word (row) occurs right before names of each of `KINDS`, then right
    after them."""

    words: list[str]
    counts: Int32Array


class NeighbourCounts(NamedTuple):
    """Number of a name's mentions, and of each word right before it and right after it."""

    mentions: int
    before: dict[str, int]
    after: dict[str, int]


def neighbours_by_name(names: list[str], columns: Int32Array, words: list[str], beside: Int32Array) -> NameNeighbours:
    """The counts of mentions: of each the name's column (below 0: none), and the words before and after as numbers."""
    kept = columns >= 0
    shape = (len(names), len(words))
    return NameNeighbours(names, words, *(_count_pairs(columns[kept], beside[kept, side], shape) for side in (0, 1)))


def _count_pairs(rows: Int32Array, columns: Int32Array, shape: tuple[int, int]) -> csr_array:
    found = csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape)
    found.sum_duplicates()
    return found


def add_neighbours(one: NameNeighbours, other: NameNeighbours) -> NameNeighbours:
    """The counts of further mentions of the same names beside the same words added."""
    return one._replace(before=one.before + other.before, after=one.after + other.after)


def neighbours_by_kind(beside: NameNeighbours, kinds: Mapping[str, Kind]) -> KindNeighbours:
    """The counts of names, by their kinds; `EVERY` is the last word. Words that are not a neighbour of any name are
    left out."""
    kind = np.array([KINDS.index(kinds.get(name, "other")) for name in beside.names], np.int32)
    of_kind = _count_pairs(kind, np.arange(len(kind), dtype=np.int32), (len(KINDS), len(kind)))
    counts = np.vstack([(of_kind @ side).toarray() for side in (beside.before, beside.after)]).T
    counts = np.vstack((counts, counts.sum(axis=0))).astype(np.int32)
    words, some = [*beside.words, EVERY], counts.any(axis=1)
    return KindNeighbours([words[word] for word in np.flatnonzero(some).tolist()], counts[some])


def encode_neighbours(beside: NameNeighbours, row: int) -> str:
    """The counts of a name: how often the words before it, how often those after it, then all these words."""
    words, counts = list[str](), list[str]()
    for side in (beside.before, beside.after):
        own = slice(side.indptr[row], side.indptr[row + 1])
        counts.append(encode_numbers(side.data[own]))
        words += [beside.words[word] for word in side.indices[own].tolist()]
    return " ".join((*counts, *words))


def decode_neighbours(text: str) -> NeighbourCounts:
    """Neighbour counts of a name from the text of `encode_neighbours`."""
    before, after, *words = text.split(" ")
    ahead, behind = decode_numbers(before).tolist(), decode_numbers(after).tolist()
    first, others = words[: len(ahead)], words[len(ahead) :]
    return NeighbourCounts(sum(ahead), dict(zip(first, ahead, strict=True)), dict(zip(others, behind, strict=True)))


def encode_word(counts: Int32Array) -> str:
    """A word's row of `KindNeighbours`."""
    return encode_numbers(counts)


def decode_word(text: str) -> Int64Array:
    """Neighbour counts of a word from the text of `encode_word`, as two rows: before and after names of each kind."""
    return decode_numbers(text).reshape(2, len(KINDS))
