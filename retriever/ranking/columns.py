"""What a linear ranker sees of a feature: its value, and how it compares inside the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.ranking.lists import Layout
from retriever.ranking.listwise import FloatArray

Families = Mapping[str, Mapping[str, FloatArray]]
COPIES = ("", " | z", " | below best")
RANK_COPIES = (" | is best", " | 1 / rank")


class Column(NamedTuple):
    """One column of the design: its name, the family of its feature, and the values."""

    name: str
    family: str
    values: FloatArray


def copies(values: FloatArray, lists: Layout) -> list[FloatArray]:
    """The feature itself; (x − list mean) / (list sd + 1e-6), 0 where a list is constant; x − list max."""
    sizes = lists.sizes.astype(float)
    centred = values - lists.of_rows(lists.total(values) / sizes)
    spread = lists.of_rows(np.sqrt(lists.total(centred**2) / sizes))
    z = np.where(spread > 1e-9, centred / (spread + 1e-6), 0.0)
    return [values, z, values - lists.of_rows(lists.largest(values))]


def rank_copies(values: FloatArray, lists: Layout) -> list[FloatArray]:
    """1 where the value is its list's greatest and above its least, else 0; and 1 / rank, ties at their best rank."""
    best = lists.of_rows(lists.largest(values))
    differs = best > -lists.of_rows(lists.largest(-values))
    order = np.lexsort((-values, lists.list_of))
    fresh = np.append(True, (np.diff(values[order]) != 0) | (np.diff(lists.list_of) != 0))[: lists.rows]
    first = np.maximum.accumulate(np.where(fresh, np.arange(lists.rows), 0))
    reciprocal = np.empty(lists.rows)
    reciprocal[order] = 1 / (lists.position()[first] + 1)
    return [((values == best) & differs).astype(float), reciprocal]


def columns(families: Families, lists: Layout, with_ranks: bool) -> Iterator[Column]:
    """Every feature with its copies, family by family, one at a time."""
    for family, features in families.items():
        for name, values in features.items():
            made = copies(values, lists)
            endings: Sequence[str] = COPIES
            if with_ranks:
                made += rank_copies(values, lists)
                endings = COPIES + RANK_COPIES
            for ending, copy in zip(endings, made, strict=True):
                yield Column(name + ending, family, copy)


def column_names(families: Families, with_ranks: bool) -> tuple[str, ...]:
    """The names of `columns` in their order."""
    endings = COPIES + RANK_COPIES if with_ranks else COPIES
    return tuple(name + ending for features in families.values() for name in features for ending in endings)
