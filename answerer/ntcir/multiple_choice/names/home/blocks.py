"""The blocks of an index: a few thousand paragraphs that follow each other, of one book or of several small ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from indexer.files.arrays import Int64Array
from indexer.statistics.ragged import IdRun

_USUAL = 5_000  # paragraphs of a block: of a source that is longer, which may be many books in one file, it is a part
_LEAST = 2_500  # paragraphs of a block; co-occurrence counts of fewer are unreliable


class Blocks(NamedTuple):
    """The number of each passage's block, rising, and how many passages each block has."""

    of: Int64Array
    sizes: Int64Array


def block_of_each(doc_ids: Sequence[IdRun]) -> Int64Array:
    """The number of the block of each paragraph, from 0.

    A source is a block, in equal parts where it has more than 5,000 paragraphs. One of less than 2,500 has the next
    source in its block too, the last one that before.
    """
    sizes: list[int] = []
    for part in _parts(doc_ids):
        if sizes and sizes[-1] < _LEAST:
            sizes[-1] += part
        else:
            sizes.append(part)
    if len(sizes) > 1 and sizes[-1] < _LEAST:
        last = sizes.pop()
        sizes[-1] += last
    return np.repeat(np.arange(len(sizes)), sizes)


def _parts(doc_ids: Sequence[IdRun]) -> Iterator[int]:
    """The numbers of paragraphs of the sources, of long ones by equal parts."""
    for _, runs in groupby(doc_ids, key=lambda run: run.beginning):
        size = sum(run.size for run in runs)
        number = -(-size // _USUAL)
        yield from (size // number + (part < size % number) for part in range(number))
