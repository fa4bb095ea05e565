"""Grids into tables: title and notes, a header path for every column and row, section headings
resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, groupby
from typing import NamedTuple

from indexer.analysis.years import spell_out_eras
from indexer.tables.values import parse_value
from indexer.tables.workbook import Grid, MergedSpan

# Blanks that make a label a child of the one above, a choice: one blank may only align figures.
INDENT_STEP = 2

SAMPLED_ROWS = 500  # rows, evenly spread, by which a column's kind is decided (up to twice as many)

HEAD_LIMIT = 10  # rows that a heading may have at most

YEARS_ACROSS = 3  # columns headed by years from which on a list is a matrix: its rows are series

# rows in which the figures below a heading begin: a page of notes is not read to its end for each
# line
_NEAR = 50
_UNIT_MARK = re.compile(r"単位|^\s*[（(].{1,20}[)）]\s*$|^\s*\(?(?:in |unit)", re.IGNORECASE)
_NOTE = re.compile(
    r"^\s*(?:notes?\b|sources?\b|footnotes?|注|※|資料|出典|備考|\*|†|[0-9]{1,2}[)）]|[（(]注"
    r"|symbols?\b)",
    re.IGNORECASE,
)


class Table(NamedTuple):
    """A table as a reader takes it in.

    `columns` holds each column's header path, top first, () where it has none; the first `labels`
    columns name the rows, and of these the first `sections` are headings from separate rows, or
    above an indented row, repeated here for every row below them. `rows` are the cells as shown,
    labels filled down to the rows that they cover. `matrix` is True where rows and columns both
    have headings (statistics), False for a list of records.
    """

    title: str
    notes: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    labels: int
    sections: int
    rows: tuple[tuple[str, ...], ...]
    matrix: bool


class Head(NamedTuple):
    """Position of a table's heading: `depth` rows from row `top` on; the first `labels` columns
    name the rows.

    `matrix` is True if rows and columns both have headings, False for a list of records.
    """

    top: int
    depth: int
    labels: int
    matrix: bool


class BodyRow(NamedTuple):
    """A row below a table's heading: its number in the grid, the section headings above it,
    outermost first, and the unit that holds for it ("" for none). `cells` are stripped, with labels
    repeated in the rows that they cover; None for a row that is itself a section heading.
    """

    number: int
    path: list[str]
    unit: str
    cells: list[str] | None


def filled_columns(row: Sequence[str]) -> list[int]:
    """The columns of a row whose cells are not blank, rising."""
    return [column for column, cell in enumerate(row) if cell.strip()]


def is_figure(text: str) -> bool:
    """Returns whether a cell holds a figure; a whole number from 1800 to 2100 without a comma is
    not one, for a year may head a column."""
    value = parse_value(text)
    return value.kind == "number" and not (value.year is not None and value.year >= 1800)


def indent_of(text: str) -> int:
    """The width of the blanks before a text; full-width ones count two."""
    blanks = len(text) - len(text.lstrip(" \u3000\u00a0\t"))
    return blanks + text[:blanks].count("\u3000")


def read_table(grid: Grid) -> Table:
    """Reads the table of a sheet: captions, headings, body and notes; one of text alone has columns
    without headings. Section headings and units become columns left of the labels, captions after
    the first one notes."""
    grid = _trim(grid)
    captions, top = read_captions(grid)
    end, footers = _footers(grid, top)
    body = grid._replace(rows=grid.rows[:end])
    head = find_head(body, top)
    paths = [
        tuple(text for text, _ in groupby(filter(None, column)))
        for column in zip(*heading_rows(body, head), strict=True)
    ]
    body_rows, notes = read_body(body, head)
    # Section headings, and the unit if any row has one, become columns at the left of the labels.
    rows = [row for row in body_rows if row.cells is not None]
    depth, units = max((len(row.path) for row in rows), default=0), any(row.unit for row in rows)
    sections = depth + units
    return Table(
        captions[0] if captions else "",
        tuple(dict.fromkeys((*captions[1:], *notes, *footers))),
        ((),) * sections + tuple(paths),
        head.labels + sections,
        sections,
        tuple(
            (
                *row.path,
                *[""] * (depth - len(row.path)),
                *([row.unit] if units else []),
                *(row.cells or ()),
            )
            for row in rows
        ),
        head.matrix or sections > 0,
    )


def _trim(grid: Grid) -> Grid:
    """The grid without empty rows and columns at its edges, rows padded to equal length, merged
    ranges moved along and sorted, those that begin at a removed edge left out; without
    `left_out`."""
    filled = {
        number: columns for number, row in enumerate(grid.rows) if (columns := filled_columns(row))
    }
    width = max((columns[-1] + 1 for columns in filled.values()), default=0)
    left = min((columns[0] for columns in filled.values()), default=0)
    top, bottom = min(filled, default=0), max(filled, default=-1)
    rows = [(row + [""] * (width - len(row)))[left:width] for row in grid.rows[top : bottom + 1]]
    merged = tuple(
        MergedSpan(
            span.top - top,
            span.left - left,
            min(span.bottom, bottom) - top,
            min(span.right, width - 1) - left,
        )
        for span in grid.merged
        if top <= span.top <= bottom and left <= span.left < width
    )
    return Grid(
        grid.name,
        rows,
        tuple(sorted(merged)),
        None if grid.head is None else max(0, grid.head - top),
    )


def read_captions(grid: Grid) -> tuple[list[str], int]:
    """Reads the lines of text above a table's heading, and the number of the row where the heading
    begins: the first row with cells side by side, but for two apart of which the last is a unit; of
    a single column the first row.

    A single text away from the left edge, if such a row follows, begins the heading unless it looks
    like a unit. Rows of keys and values at the top are lines too, as e-Stat's csv has them. Without
    a heading: all lines and the number of rows, ([], 0) if each row is one line.
    """
    captions: list[str] = []
    # The first merged range of each row that covers at least half of the row.
    wide: dict[int, MergedSpan] = {}
    for span in grid.merged:
        if 0 <= span.top < len(grid.rows) and span.right - span.left + 1 >= max(
            2, len(grid.rows[span.top]) / 2
        ):
            wide.setdefault(span.top, span)
    has_table = any(len(filled_columns(row)) > 2 for row in grid.rows[:_NEAR])
    for number, row in enumerate(grid.rows):
        filled = filled_columns(row)
        with_unit = (
            len(row) > 2
            and filled
            and bool(_UNIT_MARK.search(row[filled[-1]]))
            and filled[-1] - filled[0] >= 2
        )
        if has_table and len(captions) == number and _is_keyed(row, filled, number):
            captions.append(" ".join(row[column].strip() for column in filled))
            continue
        if len(filled) > 2 or (len(filled) == 2 and not with_unit):
            return captions, number
        if len(filled) == 1 and filled[0] > 0 and not (number in wide and wide[number].left == 0):
            below = (
                later
                for later in grid.rows[number + 1 : number + _NEAR]
                if len(filled_columns(later)) > 1
            )
            heads = any(map(is_figure, next(below, [])))
            if filled[0] < len(row) - 1:
                heads = (
                    number + 1 < len(grid.rows) and len(filled_columns(grid.rows[number + 1])) > 1
                )
            if heads and not _UNIT_MARK.search(row[filled[0]]):
                return captions, number
        if len(row) == 1:
            return captions, number
        captions += [
            line.strip() for column in filled for line in row[column].splitlines() if line.strip()
        ]
    return ([], 0) if len(captions) == len(grid.rows) else (captions, len(grid.rows))


def _is_keyed(row: Sequence[str], filled: Sequence[int], number: int) -> bool:
    """Returns whether a row above a table holds a key with a colon and its value, or, below others
    (`number` above 0), a symbol and what it means."""
    if (
        not filled or filled[0] > 0 or len(filled) not in (1, 2, 4)
    ):  # keys alone, or one or two with their values
        return False
    key, value = row[0].strip(), parse_value(row[filled[1]]).kind if len(filled) > 1 else "blank"
    is_key = key.endswith("：") or (key.endswith(":") and value != "number")
    return is_key or (number > 0 and parse_value(key).kind == "missing" and value == "text")


def _footers(grid: Grid, top: int) -> tuple[int, list[str]]:
    """The number of the row after the table's body, and the texts of the rows below it that have a
    single text (in a table of one column, that of a note); `top` is the first row of the
    heading."""
    end = len(grid.rows)
    while end > top + 1:
        row = grid.rows[end - 1]
        filled = filled_columns(row)
        if len(filled) > 1 or (filled and len(row) == 1 and not _NOTE.match(row[0])):
            break
        end -= 1
    return end, [
        " ".join(cell.strip() for cell in row if cell.strip())
        for row in grid.rows[end:]
        if any(row)
    ]


def find_head(grid: Grid, top: int) -> Head:
    """The heading that begins at row `top`, and the columns that name the rows: as many rows as the
    file marks (if not all), else the first and those below it that look like headings or that a
    merged cell reaches, at most `HEAD_LIMIT` (10)."""
    width = len(grid.rows[0]) if grid.rows else 0
    below = grid.rows[top + 1 :]
    sample = below[:: max(1, len(below) // SAMPLED_ROWS)]
    # A column of figures has them in at least 60 % of its cells, blank and missing ones aside.
    numeric = []
    for column in range(width):
        kinds = [
            kind
            for row in sample
            if (kind := parse_value(row[column]).kind) not in ("blank", "missing")
        ]
        numeric.append(bool(kinds) and kinds.count("number") >= 0.6 * len(kinds))
    depth = 1
    if grid.head is not None and top < grid.head < len(grid.rows):
        # What the file marks counts more than what is recognised, unless it marks all rows.
        depth = min(grid.head - top, HEAD_LIMIT)
    else:
        while depth < HEAD_LIMIT and top + depth < len(grid.rows):
            row = top + depth
            tall = any(span.top < row <= span.bottom and span.top >= top for span in grid.merged)
            if not tall and not _is_heading_row(grid, top, row, numeric):
                break
            depth += 1
    return Head(top, depth, *_labels(grid, top, depth, numeric))


def _is_heading_row(grid: Grid, top: int, number: int, numeric: Sequence[bool]) -> bool:
    """Returns whether row `number` continues the heading that begins at row `top`: it has no
    figure, and a text above a column of figures.

    Its first cell must be blank, unless the first column has no heading yet, or all of two or more
    columns of figures have text in this row, as below a row of codes.

    `numeric` says for each column whether it has figures.
    """
    row = grid.rows[number]
    filled = filled_columns(row)
    if not filled or filled == [0] or any(is_figure(cell) for cell in row):
        return False
    if row[0].strip() and any(above[0].strip() for above in grid.rows[top:number]):
        figures = [row[column] for column, holds in enumerate(numeric) if holds]
        return len(figures) > 1 and all(
            parse_value(cell).kind in ("text", "date") for cell in figures
        )
    if not row[0].strip() and all(parse_value(row[column]).kind == "missing" for column in filled):
        return False
    spans = [
        range(span.left, span.right + 1)
        for span in grid.merged
        if span.top == number and row[span.left].strip()
    ]
    return any(numeric[column] for column in {*filled, *chain(*spans)})


def _labels(grid: Grid, top: int, depth: int, numeric: Sequence[bool]) -> tuple[int, bool]:
    """The number of leading columns that name the rows (0 for a list of records), and whether the
    table is a matrix of row and column headings: it has several heading rows, sections, dates as
    its last headings (3 or more), or figures in most columns behind those without a heading. Never
    with a single column or without one of figures.

    The heading has `depth` rows from row `top` on; `numeric` says for each column whether it has
    figures.
    """
    width = len(numeric)
    if width < 2 or not any(numeric):
        return 0, False
    heads = [
        [grid.rows[row][column].strip() for row in range(top, top + depth)]
        for column in range(width)
    ]
    blank = 0
    while blank < width - 1 and not any(heads[blank]):
        blank += 1
    labels = blank
    if (
        depth > 1
    ):  # the columns under a corner cell that is merged over the whole depth of the heading
        corners = (
            span
            for span in grid.merged
            if span.left == 0 and span.top <= top and span.bottom >= top + depth - 1
        )
        labels = max(blank, next((span.right + 1 for span in corners), 0))
    while labels < width - 1 and not numeric[labels] and (depth > 1 or blank):
        labels += 1
    # with one row of headings, a text column that has a heading makes it a list whose first column
    # has none
    crossed = blank == labels > 0 and sum(numeric[labels:]) >= 0.6 * (width - labels)
    dated = [
        parse_value(head).moment is not None
        for head in spell_out_eras([head[-1] for head in heads])
    ]
    first = dated.index(True) if True in dated else 0
    if depth == 1 and first > 0 and width - first >= YEARS_ACROSS and all(dated[first:]):
        labels, crossed = 1, True
        while labels < width - 1 and not numeric[labels]:
            labels += 1
    matrix = depth > 1 or crossed or _has_sections(grid, top + depth)
    return (min(max(labels, 1), width - 1), True) if matrix else (0, False)


def _has_sections(grid: Grid, first: int) -> bool:
    """Returns whether, from row `first` on, labels alone in at most half of the rows head groups of
    rows, or labels have indents that differ by two blanks or more."""
    rows = [row for row in grid.rows[first:] if filled_columns(row)]
    alone = [
        number
        for number, row in enumerate(rows[:-1])
        if filled_columns(row) == [0]
        and any(len(filled_columns(below)) > 1 for below in rows[number + 1 : number + 3])
    ]
    indents = {indent_of(row[0]) for row in rows if row[0].strip()}
    nested = bool(indents) and max(indents) - min(indents) >= INDENT_STEP
    return nested or (bool(alone) and len(alone) <= 0.5 * len(rows))


def heading_rows(grid: Grid, head: Head) -> list[list[str]]:
    """The rows of a heading, from the top down, with a merged text in all its cells, and a text in
    the blank cells at its right above filled ones too."""
    if not grid.rows:
        return []
    bottom = min(head.top + head.depth, len(grid.rows))
    covered = {  # the text of every heading cell in a merged range
        (number, column): grid.rows[span.top][span.left]
        for span in grid.merged
        for number in range(
            span.top, min(span.bottom + 1, bottom) if span.bottom >= head.top else 0
        )
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
                if cell.strip():
                    shared = cell
                elif not below or not below[column].strip():
                    shared = ""
                line.append(shared.strip())
        lines.append(line)
    return lines


def read_body(grid: Grid, head: Head) -> tuple[list[BodyRow], list[str]]:
    """Reads the rows below a heading, empty ones left out, and the units that no row follows.

    A label alone in its row heads the rows below it. Right below another such label it is inside
    that one; after rows it replaces the last if all have its indent, else all with at least its
    indent. A row is inside those above it with less indented labels.
    """
    start = head.top + head.depth
    covered = {
        (row, column): grid.rows[span.top][span.left]
        for span in grid.merged
        if span.top >= start and span.right < max(1, head.labels)
        for row in range(span.top, min(span.bottom, len(grid.rows) - 1) + 1)
        for column in range(span.left, span.right + 1)
    }

    def read_row(number: int) -> list[str]:
        """The cells of a row, with the labels that cover it."""
        return [
            covered.get((number, column), cell) for column, cell in enumerate(grid.rows[number])
        ]

    def is_unit(row: Sequence[str]) -> bool:
        """Whether a row has texts beside its blank labels, and nothing else."""
        filled = filled_columns(row)
        return (
            head.matrix
            and filled[0] >= head.labels
            and all(parse_value(row[column]).kind == "text" for column in filled)
        )

    # A lone label heads a section where rows follow it, not at the very end or above a unit there.
    last_row = next(
        (
            number
            for number in reversed(range(start, len(grid.rows)))
            if len(filled_columns(grid.rows[number])) > 1 and not is_unit(read_row(number))
        ),
        -1,
    )
    body = _BodyDraft(head)
    for number in range(start, len(grid.rows)):
        row = read_row(number)
        filled = filled_columns(row)
        if not filled:
            continue
        # it may span label columns
        is_alone = filled[-1] < head.labels and len({row[column] for column in filled}) == 1
        if head.matrix and is_alone and number < last_row:
            body.add_heading(number, row)
        elif is_unit(row):
            body.set_unit(" ".join(dict.fromkeys(row[column].strip() for column in filled)))
        else:
            body.add_row(number, row)
    body.set_unit("")
    return body.rows, body.stray


class _BodyDraft:
    """The rows below a heading, read one after another, and the units that no row followed."""

    def __init__(self, head: Head) -> None:
        self.rows: list[BodyRow] = []
        self.stray: list[str] = []
        self._head = head
        # Both as (indent, text), outermost first: labels alone in their rows, and labels above
        # deeper indented ones.
        self._headings: list[tuple[int, str]] = []
        self._parents: list[tuple[int, str]] = []
        self._unit = ""
        self._unit_is_new = self._heading_is_new = False
        self._previous: list[str] = []

    def set_unit(self, unit: str) -> None:
        """Sets the unit of the rows that follow ("" for none); the last unit, if no row followed
        it, is added to `stray`."""
        self.stray += [self._unit] if self._unit_is_new else []
        self._unit, self._unit_is_new = unit, unit != ""

    def add_heading(self, number: int, row: Sequence[str]) -> None:
        """Adds a row with a label alone, without cells, which heads the rows below it, inside or in
        the place of the labels before it (`read_body`)."""
        self.set_unit("")
        column = filled_columns(row)[0]
        indent = indent_of(row[column]) + INDENT_STEP * column
        if not self._heading_is_new:
            if all(level == indent for level, _ in self._headings):
                self._headings = self._headings[:-1]
            else:
                self._headings = [(level, text) for level, text in self._headings if level < indent]
        self.rows.append(BodyRow(number, [text for _, text in self._headings], "", None))
        self._headings.append((indent, row[column].strip()))
        self._heading_is_new, self._parents, self._previous = True, [], []

    def add_row(self, number: int, row: list[str]) -> None:
        """Adds a row, inside those above it with less indented labels; blank labels left of its
        first are filled in, in `row` itself, from the row above."""
        labels = self._head.labels
        if self._previous and any(cell.strip() for cell in row[:labels]):
            # The labels left of a row's first are those of the row above.
            first = next(column for column in range(labels) if row[column].strip())
            row[:first] = self._previous[:first]
        self._previous = row if self._head.matrix else []
        label = next(filter(str.strip, reversed(row[:labels])), "")
        self._heading_is_new = self._unit_is_new = False
        path = []
        if self._head.matrix and labels:
            while self._parents and self._parents[-1][0] > indent_of(label) - INDENT_STEP:
                self._parents.pop()
            path = [text for _, text in (*self._headings, *self._parents)]
            self._parents += [(indent_of(label), label.strip())] if label.strip() else []
        self.rows.append(BodyRow(number, path, self._unit, [cell.strip() for cell in row]))
