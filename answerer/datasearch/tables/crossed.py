"""Lists that are statistics: a row for every combination of some columns, as region, year and sex, and its figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

_LEAST_ROWS = 8
_MOST_COLUMNS = 10
_MOST_CROSSED = 6
_SPARSE = 2


def crossed(columns: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The places of the columns whose combinations the rows are: of each there is one row at most, and there are rows
    for half of them at least; of several such sets the smallest, then the first.

    `columns` are the cells of all columns that hold no figures. () where there is no such set, and where one of the
    columns is not written again and again: a date or a name tells the rows of other lists apart.
    """
    size = len(columns[0]) if columns else 0
    counts = [len(set(cells)) for cells in columns]
    if size < _LEAST_ROWS or any(count > size / 2 for count in counts):
        return ()
    for places in _sets([place for place, count in enumerate(counts) if count > 1][:_MOST_COLUMNS]):
        combined = prod(counts[place] for place in places)
        if size <= combined <= _SPARSE * size and _are_keys([columns[place] for place in places]):
            return places
    return ()


def _are_keys(columns: Sequence[Sequence[str]]) -> bool:
    return len(set(zip(*columns, strict=True))) == len(columns[0])


def _sets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for length in range(2, min(len(places), _MOST_CROSSED) + 1):
        yield from combinations(places, length)
