"""PC-Axis files (.px): keywords that describe a table, then its figures."""

from __future__ import annotations

import math
import re

from indexer.tables.grids.cubes import Dimension, cube_grid
from indexer.tables.grids.workbook import Grid, UnreadableTableError

_STATEMENT = re.compile(
    r"\s*+([A-Z][A-Z0-9_-]*+)(\[[^\]\n]*+\])?+(?:\(((?:\"[^\"]*+\"|[^\"()=\n])*+)\))?+\s*+=\s*+((?:\"[^\"]*+\"|[^\";]++)*+);",
    re.ASCII,
)
_DATA = re.compile(r"\s*+DATA\s*+=")
_QUOTED = re.compile(r'"([^"]*+)"(\s*+,)?+')
_FIGURE = re.compile(r'"([^"]*+)"|[^\s,;"]++')


def is_pc_axis(text: str) -> bool:
    """Whether a text begins with a keyword of PC-Axis."""
    first = _STATEMENT.match(text)
    return first is not None and first[1] in ("CHARSET", "AXIS-VERSION")


def pc_axis_grid(text: str) -> Grid:
    """The figures of a file, in the first of its languages.

    UnreadableTableError for one with keys beside its figures, and where these do not fill the table.
    """
    told, end = _keywords(text)
    if any(name == "KEYS" for name, _ in told):
        raise UnreadableTableError("a PC-Axis file with keys beside its figures")
    names = [name for side in ("STUB", "HEADING") for name in _texts(told.get((side, ""), ""))]
    dimensions = [Dimension(name, _texts(told.get(("VALUES", f'"{name}"'), ""))) for name in names]
    figures = [one[1] if one[1] is not None else one[0] for one in _FIGURE.finditer(text, end)]
    places = math.prod(len(dimension.categories) for dimension in dimensions)
    if not dimensions or places != len(figures):
        raise UnreadableTableError(f"a PC-Axis file with {len(figures):,} figures for {places:,} places")
    title = " ".join(_texts(told.get(("TITLE", ""), "")) or _texts(told.get(("DESCRIPTION", ""), "")))
    return cube_grid(title, dimensions, enumerate(figures))


def _keywords(text: str) -> tuple[dict[tuple[str, str], str], int]:
    """The values of keywords, each with what it speaks of (`VALUES("sex")`), and where the figures begin."""
    told: dict[tuple[str, str], str] = {}
    at = 0
    while not (data := _DATA.match(text, at)):
        found = _STATEMENT.match(text, at)
        if found is None:
            raise UnreadableTableError("a PC-Axis file without figures")
        if not found[2]:
            told[found[1], found[3] or ""] = found[4]
        at = found.end()
    return told, data.end()


def _texts(value: str) -> list[str]:
    """The texts of a value, which commas part; one that is written in several pieces is one."""
    found = [""]
    for quoted in _QUOTED.finditer(value):
        found[-1] += quoted[1]
        if quoted[2]:
            found.append("")
    return found if value.strip() else []
