"""Grids into tables: title and notes, a header path for every column and row, section headings resolved."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from indexer.analysis.years import spell_out_eras
from indexer.tables.headings import (
    INDENT_STEP,
    Head,
    filled_columns,
    indent_of,
    is_figure,
    read_body,
    read_captions,
    read_facts,
    side_by_side,
)
from indexer.tables.values import parse_value
from indexer.tables.workbook import Grid, MergedSpan

SAMPLED_ROWS = 500  # rows, evenly spread, by which a column's kind is decided (up to twice as many)

HEAD_LIMIT = 10  # rows that a heading may have at most

_CODED = 2  # columns of figures from which on a row of texts above them all is a heading, as below a row of codes

YEARS_ACROSS = 3  # columns headed by years from which on a list is a matrix: its rows are series

_NOTE = re.compile(
    r"^\s*(?:notes?\b|sources?\b|footnotes?|注|※|資料|出典|備考|\*|†|[0-9]{1,2}[)）]|[（(]注|symbols?\b)", re.IGNORECASE
)
_NUMBERED = re.compile(r"\s*(?:(?:table|tab\.)\s*[A-Z]?\d|第\s*\d+(?:[-－‐]\d+)*\s*表|表\s*\d)", re.IGNORECASE)
"""How the title of one of several tables begins."""


class Table(NamedTuple):
    """A table as a reader takes it in.

    `columns` holds each column's header path, top first, () where it has none; the first `labels` columns name the
    rows, and of these the first `sections` are headings from separate rows, or above an indented row, repeated here for
    every row below them. `rows` are the cells as shown, labels filled down to the rows that they cover. `matrix` is
    True where rows and columns both have headings (statistics), False for a list of records.
    """

    title: str
    notes: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    labels: int
    sections: int
    rows: tuple[tuple[str, ...], ...]
    matrix: bool


def read_tables(grid: Grid) -> Iterator[Table]:
    """Yields the tables of a sheet from top to bottom, those side by side from left to right; a sheet of text alone
    gives one table whose columns have no headings.

    Titles and notes belong to the table below them or, at the end of the sheet, above.
    """
    grid = _trim(grid)
    # Beginnings and ends of a sheet's tables: a new one begins at a heading that follows an empty
    # row, but for the row below the keys and values that a file begins with.
    starts = [0]
    _, top = read_facts(grid.rows)
    numeric = any(_is_numeric_row(row) for row in grid.rows[top : top + 2])  # whether the table so far has figures
    for number in range(top + 2, len(grid.rows) - 1):
        after_gap = not filled_columns(grid.rows[number - 1]) and filled_columns(grid.rows[number])
        if numeric and after_gap and _begins_table(grid.rows, number):
            starts.append(number)
            numeric = False
        numeric = numeric or _is_numeric_row(grid.rows[number])
    for first, last in list(zip(starts, [*starts[1:], len(grid.rows)], strict=True)):
        begin, end = (bisect_left(grid.merged, (row,)) for row in (first, last))
        merged = tuple(
            span._replace(top=span.top - first, bottom=span.bottom - first)
            for span in grid.merged[begin:end]
            if span.bottom < last
        )
        head = grid.head if first == 0 else None
        parts = side_by_side(Grid(grid.name, grid.rows[first:last], merged, head))
        yield from (_table(_trim(part) if len(parts) > 1 else part) for part in parts)


def _trim(grid: Grid) -> Grid:
    """The grid without empty rows and columns at its edges, rows padded to equal length, merged ranges moved along and
    sorted."""
    width = max((filled[-1] + 1 for row in grid.rows if (filled := filled_columns(row))), default=0)
    left = min((filled[0] for row in grid.rows if (filled := filled_columns(row))), default=0)
    top = next((number for number, row in enumerate(grid.rows) if filled_columns(row)), 0)
    bottom = max((number for number, row in enumerate(grid.rows) if filled_columns(row)), default=-1)
    rows = [(row + [""] * (width - len(row)))[left:width] for row in grid.rows[top : bottom + 1]]
    merged = tuple(
        MergedSpan(span.top - top, span.left - left, span.bottom - top, min(span.right, width - 1) - left)
        for span in grid.merged
        if span.top >= top and span.left >= left and span.right - left >= 0
    )
    return Grid(grid.name, rows, tuple(sorted(merged)), None if grid.head is None else max(0, grid.head - top))


def _is_numeric_row(row: Sequence[str]) -> bool:
    return any(is_figure(cell) for cell in row) and len(filled_columns(row)) >= 2


def _begins_table(rows: Sequence[Sequence[str]], number: int) -> bool:
    """Returns whether a table starts at row `number`: at most four rows of captions, a row of headings without numbers,
    then rows with numbers.

    An empty row may follow a numbered title; below other texts it ends the notes of the table above.
    """
    at = number
    while at < len(rows) and len(filled_columns(rows[at])) == 1 and at - number < 4:
        at += 1
    titled = at > number and any(_NUMBERED.match(cell) for cell in rows[number])
    if titled and at < len(rows) and not filled_columns(rows[at]):
        at += 1
    if at + 1 >= len(rows) or len(filled_columns(rows[at])) < 2 or any(is_figure(cell) for cell in rows[at]):
        return False
    if len(filled_columns(rows[at])) < 0.5 * len(rows[at]):
        return False
    below = [row for row in rows[at + 1 : at + 6] if filled_columns(row)]
    return sum(_is_numeric_row(row) for row in below) >= 0.6 * len(below) > 0


def _table(grid: Grid) -> Table:
    """Reads one table of a grid: captions, headings, body and notes."""
    captions, top = read_captions(grid)
    end, footers = _footers(grid, top)
    body = Grid(grid.name, grid.rows[:end], grid.merged, grid.head)
    head = find_head(body, top)
    paths = [
        tuple(text for text, _ in groupby(filter(None, column)))
        for column in zip(*heading_rows(body, head), strict=True)
    ]
    found, notes = read_body(body, head)
    # Section headings, and the unit if any row has one, become columns at the left of the labels.
    rows = [row for row in found if row.cells is not None]
    depth, units = max((len(row.path) for row in rows), default=0), any(row.unit for row in rows)
    sections = depth + units
    return Table(
        captions[0] if captions else "",
        tuple(dict.fromkeys((*captions[1:], *notes, *footers))),
        ((),) * sections + tuple(paths),
        head.labels + sections,
        sections,
        tuple(
            (*row.path, *[""] * (depth - len(row.path)), *([row.unit] if units else []), *(row.cells or ()))
            for row in rows
        ),
        head.matrix or sections > 0,
    )


def find_head(grid: Grid, top: int) -> Head:
    """Recognises the heading that begins at row `top`, and the columns that name the rows."""
    numeric = _numeric_columns(grid.rows[top + 1 :], len(grid.rows[0]) if grid.rows else 0)
    depth = _depth(grid, top, numeric)
    return Head(top, depth, *_labels(grid, top, depth, numeric))


def _footers(grid: Grid, top: int) -> tuple[int, list[str]]:
    """The number of the row after the table's body, and the texts of the note rows below it, each row's cells joined;
    `top` is the first row of the heading."""
    end = len(grid.rows)
    while end > top + 1:
        row = grid.rows[end - 1]
        filled = filled_columns(row)
        if len(filled) > 1 and not (len(filled) == 2 and _NOTE.match(row[filled[0]]) and not is_figure(row[filled[1]])):
            break
        if len(filled) == 1 and len(row) == 1 and not _NOTE.match(row[0]):
            break
        end -= 1
    footers = [" ".join(cell.strip() for cell in row if cell.strip()) for row in grid.rows[end:] if filled_columns(row)]
    return end, footers


def _numeric_columns(rows: Sequence[Sequence[str]], width: int) -> list[bool]:
    """For each of the first `width` columns whether at least 60 % of its cells are figures, blank and missing ones
    aside. About `SAMPLED_ROWS` of the rows are read."""
    step = max(1, len(rows) // SAMPLED_ROWS)
    kinds = [[parse_value(row[column]).kind for row in rows[::step]] for column in range(width)]
    shares = []
    for column in kinds:
        telling = [kind for kind in column if kind not in ("blank", "missing")]
        shares.append(bool(telling) and telling.count("number") >= 0.6 * len(telling))
    return shares


def _depth(grid: Grid, top: int, numeric: Sequence[bool]) -> int:
    """The number of heading rows from row `top` on, at most `HEAD_LIMIT`: those that the file marks, else those that
    are recognised. `numeric` says for each column whether it has figures."""
    if grid.head is not None and grid.head > top:
        return min(grid.head - top, HEAD_LIMIT)
    depth = 1
    while depth < HEAD_LIMIT and top + depth < len(grid.rows):
        row = top + depth
        tall = any(span.top < row <= span.bottom and span.top >= top for span in grid.merged)
        if not tall and not _is_heading_row(grid, top, row, numeric):
            break
        depth += 1
    return depth


def _is_heading_row(grid: Grid, top: int, number: int, numeric: Sequence[bool]) -> bool:
    """Returns whether row `number` continues the heading that begins at row `top`: it has text and no figure above a
    column of figures.

    Its first cell must be blank, unless the first column has no heading yet, or all of two or more columns of figures
    have text in this row. `numeric` says for each column whether it has figures.
    """
    row = grid.rows[number]
    filled = filled_columns(row)
    if not filled or filled == [0] or any(is_figure(cell) for cell in row):
        return False
    spans = [range(span.left, span.right + 1) for span in grid.merged if span.top == number and row[span.left].strip()]
    heads_figures = any(numeric[column] for column in {*filled, *chain(*spans)})
    if row[0].strip():
        if any(above[0].strip() for above in grid.rows[top:number]):
            figures = [row[column] for column, holds in enumerate(numeric) if holds]
            return len(figures) >= _CODED and all(parse_value(cell).kind in ("text", "date") for cell in figures)
        return heads_figures
    missing = all(parse_value(row[column]).kind == "missing" for column in filled)
    return not missing and heads_figures


def _labels(grid: Grid, top: int, depth: int, numeric: Sequence[bool]) -> tuple[int, bool]:
    """The number of leading columns that name the rows (0 for a list of records), and whether the table is a matrix of
    row and column headings.

    The heading has `depth` rows from row `top` on; `numeric` says for each column whether it has figures.
    """
    width = len(numeric)
    if width < 2 or not any(numeric):
        return 0, False
    heads = [[grid.rows[row][column].strip() for row in range(top, top + depth)] for column in range(width)]
    blank = 0
    while blank < width - 1 and not any(heads[blank]):
        blank += 1
    labels = blank
    if depth > 1:  # the columns under a corner cell that is merged over the whole depth of the heading
        corners = (
            span for span in grid.merged if span.left == 0 and span.top <= top and span.bottom >= top + depth - 1
        )
        labels = max(blank, next((span.right + 1 for span in corners), 0))
    while labels < width - 1 and not numeric[labels] and (depth > 1 or blank):
        labels += 1
    # with one row of headings, a text column that has a heading makes it a list whose first column has none
    crossed = blank == labels > 0 and sum(numeric[labels:]) >= 0.6 * (width - labels)
    dated = [parse_value(head).moment is not None for head in spell_out_eras([head[-1] for head in heads])]
    first = dated.index(True) if True in dated else 0
    if depth == 1 and first > 0 and width - first >= YEARS_ACROSS and all(dated[first:]):
        labels, crossed = 1, True
        while labels < width - 1 and not numeric[labels]:
            labels += 1
    matrix = depth > 1 or crossed or _has_sections(grid, top + depth)
    if matrix:
        labels = max(labels, 1)
    return (min(labels, width - 1), True) if matrix else (0, False)


def _has_sections(grid: Grid, first: int) -> bool:
    """Returns whether, from row `first` on, labels alone in their rows head groups of rows, or labels have different
    indents."""
    rows = [row for row in grid.rows[first:] if filled_columns(row)]
    alone = [
        number
        for number, row in enumerate(rows[:-1])
        if filled_columns(row) == [0] and any(len(filled_columns(below)) > 1 for below in rows[number + 1 : number + 3])
    ]
    indents = {indent_of(row[0]) for row in rows if row[0].strip()}
    nested = bool(indents) and max(indents) - min(indents) >= INDENT_STEP
    return nested or (bool(alone) and len(alone) <= 0.5 * len(rows))


def heading_rows(grid: Grid, head: Head) -> list[list[str]]:
    """The rows of a heading, from the top down, with merged and shared texts in all columns that they head."""
    if not grid.rows:
        return []
    bottom = min(head.top + head.depth, len(grid.rows))
    covered = {  # the text of every heading cell in a merged range
        (number, column): grid.rows[span.top][span.left]
        for span in grid.merged
        for number in range(span.top, min(span.bottom + 1, bottom) if span.bottom >= head.top else 0)
        for column in range(span.left, span.right + 1)
    }
    lines: list[list[str]] = []
    for number in range(head.top, head.top + head.depth):
        row = grid.rows[number] if number < bottom else [""] * len(grid.rows[0])
        below = grid.rows[number + 1] if number + 1 < bottom else []
        line: list[str] = []
        shared = ""
        for column, cell in enumerate(row):
            if (number, column) in covered:
                line.append(covered[number, column].strip())
                shared = ""
            else:
                shared = cell if cell.strip() else shared if below and below[column].strip() else ""
                line.append(shared.strip())
        lines.append(line)
    return lines
