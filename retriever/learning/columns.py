"""What a linear ranker sees of a feature: its value, and how it compares inside the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from indexer.files.arrays import Float64Array, Int64Array
from retriever.learning.lists import Layout

Families = Mapping[str, Mapping[str, Float64Array]]
COPIES = ("", " | z", " | below best", " | is best")


@dataclass(frozen=True)
class Types:
    """The type of each list's question, `of_list`, (lists,), a number into `names`.

    Features of the `families` are weighted once more for each type: what tells a "who" from a "when" is not the same.
    """

    names: tuple[str, ...] = ()
    of_list: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    families: frozenset[str] = frozenset()


class Column(NamedTuple):
    """One column of the design: its name, its feature and the feature's family, and the values, (rows,).

    `typed` columns are of one type of question alone.
    """

    name: str
    feature: str
    family: str
    values: Float64Array
    typed: bool = False


def copies(values: Float64Array, lists: Layout) -> list[Float64Array]:
    """The feature x itself, (rows,), and three comparisons inside the list.

    (x − list mean) / (list sd + 1e-6), 0 where a list is constant; x − list max; 1 where x is the list's
    greatest, and not its least too, else 0.
    """
    sizes = lists.sizes.astype(float)
    centred = values - lists.of_rows(lists.total(values) / sizes)
    spread = lists.of_rows(np.sqrt(lists.total(centred**2) / sizes))
    z = np.where(spread > 1e-9, centred / (spread + 1e-6), 0.0)
    below = values - lists.of_rows(lists.largest(values))
    return [values, z, below, ((below == 0) & (spread > 1e-9)).astype(float)]


def columns(families: Families, lists: Layout, types: Types) -> Iterator[Column]:
    """Every feature with its copies, family by family, one at a time; then z, where its question is of a type, by type.

    A column of a type is 0 in the lists of all others.
    """
    type_of_row = types.of_list[lists.list_of] if types.families else types.of_list
    for family, features in families.items():
        for name, values in features.items():
            made = copies(values, lists)
            for ending, copy in zip(COPIES, made, strict=True):
                yield Column(name + ending, name, family, copy)
            if family in types.families:
                for number, asked in enumerate(types.names):
                    of_type = np.where(type_of_row == number, made[1], 0.0)
                    yield Column(name + _ending(asked), name, family, of_type, typed=True)


def column_names(families: Mapping[str, Iterable[str]], types: Types) -> tuple[str, ...]:
    """The names of `columns` in their order, from the features' names by family."""
    typed = [_ending(asked) for asked in types.names]
    return tuple(
        name + ending
        for family, features in families.items()
        for name in features
        for ending in (*COPIES, *(typed if family in types.families else ()))
    )


def _ending(asked: str) -> str:
    return f" | z, {asked}"
