"""Figures by several dimensions (JSON-stat, PC-Axis) into a grid: a row a figure, a column for every dimension."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from indexer.tables.grids.workbook import CELL_LIMIT, Grid, UnreadableTableError

VALUE = "value"
"""The heading of the figures."""


class Dimension(NamedTuple):
    """What figures are told apart by, and the names of its categories in their order."""

    name: str
    categories: Sequence[str]


def cube_grid(title: str, dimensions: Sequence[Dimension], figures: Iterable[tuple[int, str]]) -> Grid:
    """The grid of figures, each with its place among all (from 0, the last dimension counts fastest).

    UnreadableTableError for a place beyond the dimensions, and for more cells than a sheet may have.
    """
    width = len(dimensions) + 1
    size = math.prod(len(dimension.categories) for dimension in dimensions)
    rows = [[title, *[""] * (width - 1)]] if title else []
    rows.append([*(dimension.name for dimension in dimensions), VALUE])
    for place, figure in figures:
        if not 0 <= place < size:
            raise UnreadableTableError(f"more figures than its dimensions have places ({size:,})")
        row = [figure]
        for dimension in reversed(dimensions):
            place, category = divmod(place, len(dimension.categories))
            row.append(dimension.categories[category])
        rows.append(row[::-1])
        if width * len(rows) > CELL_LIMIT:
            raise UnreadableTableError(f"more than {CELL_LIMIT:,} cells")
    return Grid("", rows)


def json_stat_grids(value: object) -> list[Grid]:
    """The grids of a JSON value in the form of JSON-stat 2.0, or of 1.x (data sets in an object); none of any other."""
    inside = [value, *value.values()] if isinstance(value, dict) else []
    return [grid for one in inside if isinstance(one, dict) and (grid := _json_stat_grid(one))]


def _json_stat_grid(dataset: Mapping[str, Any]) -> Grid | None:
    described, values = dataset.get("dimension"), dataset.get("value")
    if not isinstance(described, dict) or not isinstance(values, (list, dict)):
        return None
    names = dataset.get("id") or described.get("id")
    if not names or not isinstance(names, list):
        return None
    try:
        dimensions = [Dimension(_label(described[name]) or name, _categories(described[name])) for name in names]
        by_place = values if isinstance(values, dict) else dict(enumerate(values))
        figures = sorted((int(place), figure) for place, figure in by_place.items() if isinstance(figure, str))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return cube_grid(_label(dataset), dimensions, figures)


def _label(described: Mapping[str, Any]) -> str:
    return str(described.get("label") or "").strip()


def _categories(described: Mapping[str, Any]) -> list[str]:
    """The labels of a dimension's categories in their order; a category without one is called by its name."""
    labels = described["category"].get("label") or {}
    names = described["category"].get("index") or list(labels)
    ordered = sorted(names, key=lambda name: int(names[name])) if isinstance(names, dict) else names
    return [str(labels.get(name, name)) for name in ordered]
