"""The body of a table: section headings and indented labels become labels of the rows below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexer.tables.grids.workbook import Grid
from indexer.tables.values import parse_value

INDENT_STEP = 2
"""Blanks that make a label a child of the one above: one blank may only align figures."""


LEAST_GROUPED = 2
"""Groups, and rows without a name of their own, that make the first column of a list one of groups."""


class Head(NamedTuple):
    """Where the heading stands: rows from `top`, `depth` of them, and how many columns are row labels."""

    top: int
    depth: int
    labels: int
    matrix: bool


def filled_columns(row: Sequence[str]) -> list[int]:
    return [column for column, cell in enumerate(row) if cell.strip()]


def is_figure(text: str) -> bool:
    """Whether a cell holds a figure; a year may head a column and is none."""
    value = parse_value(text)
    return value.kind == "number" and not (value.year is not None and value.year >= 1800)


def indent_of(text: str) -> int:
    blanks = len(text) - len(text.lstrip(" \u3000\u00a0\t"))
    return blanks + text[:blanks].count("\u3000")


class _Sections:
    """The headings in force while a body is read: those in rows of their own, then indented rows' parents."""

    def __init__(self) -> None:
        self.headings: list[tuple[int, str]] = []
        self.parents: list[tuple[int, str]] = []
        self.unit = ""
        self.stray: list[str] = []
        self._fresh = False
        self._unit_heads = True

    def name_unit(self, unit: str) -> None:
        """The unit of the rows from here on; one that headed no row is a stray note."""
        if not self._unit_heads and self.unit:
            self.stray.append(self.unit)
        self.unit = unit
        self._unit_heads = False

    def heading(self, text: str) -> None:
        """A heading right below another is inside it; after rows it replaces the last one, or all that are
        indented no less."""
        indent = indent_of(text)
        if not self._fresh:
            deeper = [level for level, _ in self.headings if level < indent]
            alike = all(level == indent for level, _ in self.headings)
            self.headings = self.headings[:-1] if alike else self.headings[: len(deeper)]
        self.headings.append((indent, text.strip()))
        self.parents = []
        self.name_unit("")
        self._fresh = True

    def row(self, label: str) -> list[str]:
        """The headings above a row, after which the row may be a parent itself."""
        self._fresh = False
        self._unit_heads = True
        indent = indent_of(label)
        while self.parents and self.parents[-1][0] > indent - INDENT_STEP:
            self.parents.pop()
        path = [text for _, text in self.headings] + [text for _, text in self.parents]
        if label.strip():
            self.parents.append((indent, label.strip()))
        return path


def read_body(grid: Grid, head: Head) -> tuple[list[list[str]], int, list[str]]:
    """The rows with their sections in front, how many section columns there are, and stray notes."""
    start = head.top + head.depth
    covered = {
        (row, column): grid.rows[span.top][span.left]
        for span in grid.merged
        if span.top >= start and span.left < max(1, head.labels) and span.right < max(1, head.labels)
        for row in range(span.top, min(span.bottom, len(grid.rows) - 1) + 1)
        for column in range(span.left, span.right + 1)
    }
    sections = _Sections()
    found: list[tuple[list[str], str, list[str]]] = []
    previous: list[str] = []
    grouped = not head.matrix and _is_grouped([row for row in grid.rows[start:] if filled_columns(row)])
    # a lone label heads a section where rows follow it, not at the very end
    last_row = max((number for number, row in enumerate(grid.rows) if len(filled_columns(row)) > 1), default=-1)
    for number in range(start, len(grid.rows)):
        row = [covered.get((number, column), cell) for column, cell in enumerate(grid.rows[number])]
        filled = filled_columns(row)
        if not filled:
            continue
        if head.matrix and filled[-1] < head.labels and len(filled) == 1 and number < last_row:
            sections.heading(row[filled[0]])
            previous = []
            continue
        beside = head.matrix and filled[0] >= head.labels
        if beside and all(parse_value(row[column]).kind == "text" for column in filled):
            sections.name_unit(" ".join(dict.fromkeys(row[column].strip() for column in filled)))
            continue
        if head.matrix or grouped:
            row = _labels_down(row, previous, 2 if grouped else head.labels)
            previous = row
        path = sections.row(row[head.labels - 1]) if head.matrix and head.labels else []
        found.append((path, sections.unit, [cell.strip() for cell in row]))
    sections.name_unit("")
    return *_with_sections(found), sections.stray


def _is_grouped(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first column of a list names groups of rows, each in its first row only, all else filled."""
    firsts = [row[0].strip() for row in rows]
    below = [row[1:] for row, first in zip(rows, firsts, strict=True) if not first]
    heads = [first for first in firsts if first]
    return (
        len(below) >= max(LEAST_GROUPED, len(heads) // 2)
        and len(heads) >= LEAST_GROUPED
        and bool(firsts[0])
        and all(parse_value(head).kind == "text" for head in heads)
        and all(len(row) > 1 and all(cell.strip() for cell in row) for row in below)
    )


def _labels_down(row: list[str], previous: Sequence[str], labels: int) -> list[str]:
    """Labels that stand only in the first of the rows that they cover, repeated in the others."""
    if not previous or not any(cell.strip() for cell in row[:labels]):
        return row
    first = next(column for column in range(labels) if row[column].strip())
    return [previous[column] if column < first else cell for column, cell in enumerate(row)]


def _with_sections(found: Sequence[tuple[list[str], str, list[str]]]) -> tuple[list[list[str]], int]:
    depth = max((len(path) for path, _, _ in found), default=0)
    units = any(unit for _, unit, _ in found)
    rows = [path + [""] * (depth - len(path)) + ([unit] if units else []) + cells for path, unit, cells in found]
    return rows, depth + units
