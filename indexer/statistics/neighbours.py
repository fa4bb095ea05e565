"""Left and right neighbours of names: a word on either side, or a character in languages without blanks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.entities import KINDS, Kind
from indexer.files.arrays import Int32Array
from indexer.statistics.ragged import decode_numbers, encode_numbers

EDGE = "<edge>"
"""Neighbour of a name that begins or ends its text; no word, for words have no such signs."""
EVERY = "<every>"
"""A word that stands for all: as often before and after names of a kind as such names are mentioned."""

_REACH = 60  # characters that a word has at most
_UNPARTED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def neighbour_words(text: str, start: int, end: int) -> tuple[str, str]:
    """The words, or characters, right before and right after text[start:end], in lower case; `EDGE` where there is not
    any."""
    before = _WORD.match(text[max(0, start - _REACH) : start][::-1])
    after = _WORD.match(text[end : end + _REACH])
    return before[1][::-1].lower() if before else EDGE, after[1].lower() if after else EDGE


class NeighbourCounts(NamedTuple):
    """Number of a name's mentions, and counts of each word right before them and right after them."""

    mentions: int
    before: dict[str, int]
    after: dict[str, int]


def count_neighbours(names: Int32Array, words: Int32Array, shape: tuple[int, int]) -> csr_array:
    """Table of `shape` of how often each word (column) is beside each name (row); mention i has row `names[i]` and
    column `words[i]`, and is left out if the row is negative."""
    kept = names >= 0
    counts = csr_array((np.ones(int(kept.sum()), np.int32), (names[kept], words[kept])), shape)
    counts.sum_duplicates()
    return counts


def neighbours_by_kind(
    names: Sequence[str], words: Sequence[str], beside: Sequence[csr_array], kinds: Mapping[str, Kind]
) -> dict[str, Int32Array]:
    """Maps each word to its counts right before names of each of `KINDS`, followed by those right after them; key
    `EVERY` has the sums over all words.

    `beside` are two tables, counts before and after names (rows names, columns words). Words without counts are left
    out.
    """
    kind = np.array([KINDS.index(kinds.get(name, "other")) for name in names], np.int32)
    of_kind = count_neighbours(kind, np.arange(len(kind), dtype=np.int32), (len(KINDS), len(kind)))
    counts = np.vstack([(of_kind @ side).toarray() for side in beside]).T
    counts = np.vstack((counts, counts.sum(axis=0))).astype(np.int32)
    return {word: row for word, row in zip([*words, EVERY], counts, strict=True) if row.any()}


def encode_neighbours(words: Sequence[str], beside: Sequence[csr_array], row: int) -> str:
    """Neighbour counts of the name in `row` as a text for `decode_neighbours`: encoded counts before, encoded counts
    after, then the words of both."""
    found, counts = list[str](), list[str]()
    for side in beside:
        of_name = slice(side.indptr[row], side.indptr[row + 1])
        counts.append(encode_numbers(side.data[of_name]))
        found += [words[word] for word in side.indices[of_name].tolist()]
    return " ".join((*counts, *found))


def decode_neighbours(text: str) -> NeighbourCounts:
    """Neighbour counts of a name from a text that `encode_neighbours` made."""
    before, after, *words = text.split(" ")
    ahead, behind = decode_numbers(before).tolist(), decode_numbers(after).tolist()
    first, others = words[: len(ahead)], words[len(ahead) :]
    return NeighbourCounts(sum(ahead), dict(zip(first, ahead, strict=True)), dict(zip(others, behind, strict=True)))
