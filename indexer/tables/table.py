"""Grids into tables: title and notes, a header path for every column and row, section headings resolved."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from indexer.analysis.years import spell_out_eras
from indexer.tables.values import parse_value
from indexer.tables.workbook import Grid, MergedSpan

INDENT_STEP = 2  # blanks that make a label a child of the one above: one blank may only align figures


LEAST_GROUPED = 2  # groups, and rows without a name, that make the first column of a list one of groups


class Head(NamedTuple):
    """Position of a table's heading: `depth` rows from row `top` on; the first `labels` columns name the rows.

    `matrix` is True if rows and columns both have headings, False for a list of records.
    """

    top: int
    depth: int
    labels: int
    matrix: bool


def filled_columns(row: Sequence[str]) -> list[int]:
    return [column for column, cell in enumerate(row) if cell.strip()]


def is_figure(text: str) -> bool:
    """Returns whether a cell holds a figure; a year is not one, for it may head a column."""
    value = parse_value(text)
    return value.kind == "number" and not (value.year is not None and value.year >= 1800)


def indent_of(text: str) -> int:
    blanks = len(text) - len(text.lstrip(" \u3000\u00a0\t"))
    return blanks + text[:blanks].count("\u3000")


class _Sections:
    """The section headings that apply while a table's body is read from top to bottom.

    `headings` are those in separate rows, `parents` the labels above deeper indented rows, both as (indent, text),
    outermost first. `unit` is the unit of the following rows; `stray` collects units that no row followed.
    """

    def __init__(self) -> None:
        self.headings: list[tuple[int, str]] = []
        self.parents: list[tuple[int, str]] = []
        self.unit = ""
        self.stray: list[str] = []
        self._fresh = False
        self._unit_heads = True

    def name_unit(self, unit: str) -> None:
        """Sets the unit of the following rows ("" for none); the previous unit becomes a stray note if no row followed
        it."""
        if not self._unit_heads and self.unit:
            self.stray.append(self.unit)
        self.unit = unit
        self._unit_heads = False

    def heading(self, text: str, column: int) -> list[str]:
        """Enters a section heading from a separate row, which ends the unit and the parents; returns the headings above
        it. A later column is a deeper indent.

        Right below another heading it is inside that one. After rows it replaces the last heading if all have its
        indent, else all headings with at least its indent.
        """
        indent = indent_of(text) + INDENT_STEP * column
        if not self._fresh:
            deeper = [level for level, _ in self.headings if level < indent]
            alike = all(level == indent for level, _ in self.headings)
            self.headings = self.headings[:-1] if alike else self.headings[: len(deeper)]
        self.headings.append((indent, text.strip()))
        self.parents = []
        self.name_unit("")
        self._fresh = True
        return [above for _, above in self.headings[:-1]]

    def row(self, label: str) -> list[str]:
        """Enters a row by its label (with its indent) and returns the headings above the row, outermost first; the row
        may be a parent of those that follow."""
        self._fresh = False
        self._unit_heads = True
        indent = indent_of(label)
        while self.parents and self.parents[-1][0] > indent - INDENT_STEP:
            self.parents.pop()
        path = [text for _, text in self.headings] + [text for _, text in self.parents]
        if label.strip():
            self.parents.append((indent, label.strip()))
        return path


class BodyRow(NamedTuple):
    """A row below a table's heading: its number in the grid, the section headings above it, outermost first, and the
    unit that holds for it ("" for none). `cells` are stripped, with labels repeated in the rows that they cover; None
    for a row that is itself a section heading or a unit.
    """

    number: int
    path: list[str]
    unit: str
    cells: list[str] | None


def read_body(grid: Grid, head: Head) -> tuple[list[BodyRow], list[str]]:
    """Reads the rows below a heading, empty ones left out, and the units that no row follows."""
    start = head.top + head.depth
    covered = {
        (row, column): grid.rows[span.top][span.left]
        for span in grid.merged
        if span.top >= start and span.left < max(1, head.labels) and span.right < max(1, head.labels)
        for row in range(span.top, min(span.bottom, len(grid.rows) - 1) + 1)
        for column in range(span.left, span.right + 1)
    }
    sections = _Sections()
    found: list[BodyRow] = []
    previous: list[str] = []
    grouped = not head.matrix and _is_grouped([row for row in grid.rows[start:] if filled_columns(row)])
    # a lone label heads a section where rows follow it, not at the very end
    last_row = max((number for number, row in enumerate(grid.rows) if len(filled_columns(row)) > 1), default=-1)
    for number in range(start, len(grid.rows)):
        row = [covered.get((number, column), cell) for column, cell in enumerate(grid.rows[number])]
        filled = filled_columns(row)
        if not filled:
            continue
        alone = filled[-1] < head.labels and len({row[column] for column in filled}) == 1  # it may span label columns
        if head.matrix and alone and number < last_row:
            found.append(BodyRow(number, sections.heading(row[filled[0]], filled[0]), "", None))
            previous = []
            continue
        beside = head.matrix and filled[0] >= head.labels
        if beside and all(parse_value(row[column]).kind == "text" for column in filled):
            sections.name_unit(" ".join(dict.fromkeys(row[column].strip() for column in filled)))
            continue
        if head.matrix or grouped:
            row = _labels_down(row, previous, 2 if grouped else head.labels)
            previous = row
        label = next(filter(str.strip, reversed(row[: head.labels])), "")
        path = sections.row(label) if head.matrix and head.labels else []
        found.append(BodyRow(number, path, sections.unit, [cell.strip() for cell in row]))
    sections.name_unit("")
    return found, sections.stray


def _is_grouped(rows: Sequence[Sequence[str]]) -> bool:
    """Returns whether the first column of a list names groups of rows, each in its first row only, while all other
    cells below are filled. `rows` are the non-empty rows of the body."""
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
    """The row with its blank first labels replaced by those of `previous`, the row above; unchanged if all its labels
    are blank. `labels` is the number of label columns."""
    if not previous or not any(cell.strip() for cell in row[:labels]):
        return row
    first = next(column for column in range(labels) if row[column].strip())
    return [previous[column] if column < first else cell for column, cell in enumerate(row)]


_MOST_ROWS = 40  # bounds the rows of keys and values above a table
_HEADING_ROWS = 4  # rows in which a heading must follow the keys and values
_COLON = re.compile(r"\s*[:：]\s*$")
_KNOWN = re.compile(
    r"(?:政府|提供)?統計(?:名|コード|分類\d?)|統計表?(?:名|番号|ID)|提供分類\d?|表(?:番号|題|名)|(?:調査|実施|公開|更新)(?:年月日?|日)"
    r"|(?:table|report|survey)\s(?:name|title|number|id)|data\ssource|last\supdated(?:\sdate)?",
    re.IGNORECASE,
)
_TITLES = re.compile(r"表題|(?:統計)?表名|タイトル|(?:table\s|report\s)?title|table(?:\sname)?", re.IGNORECASE)
_MARKS = re.compile(r"[-‐―－*＊.…‥xX0()（）]{1,5}")


def read_facts(rows: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """Reads the rows of keys and values at the top of a sheet (`Table name: …`) as lines `key: value`, the title's
    value alone first, and the number of the row after them.

    ([], 0) unless a table follows: after an empty row, or with a heading of more cells. Rows that explain symbols
    (`***`, `-`) may be among them, but not first.
    """
    facts: list[tuple[str, str]] = []
    widest = number = end = 0
    for number, row in enumerate(rows[:_MOST_ROWS]):
        filled = filled_columns(row)
        found = _facts(row, filled)
        # A row below that explains a symbol, such as `***`, 数字が得られないもの.
        if facts and not found and len(filled) == 2 and filled[0] == 0 and _MARKS.fullmatch(row[0].strip()):
            meaning = row[filled[1]].strip()
            found = [(row[0].strip(), meaning)] if parse_value(meaning).kind == "text" else []
        if (filled and not found) or (found and not facts and not found[0][1]):
            break
        facts += found
        end = number + 1 if found else end
        widest = max(widest, len(filled))
    least, near = (2, rows[number:]) if number > end else (max(3, widest + 1), rows[number : number + _HEADING_ROWS])
    below = facts and any(len(filled_columns(row)) >= least for row in near)
    if not below:
        return [], 0
    lines = [value for key, value in facts if value and _TITLES.fullmatch(_COLON.sub("", key).strip())][:1]
    for key, value in facts:
        plain = key.isascii() and value.isascii()
        colon = "" if _COLON.search(key) else ":" if plain else "："
        lines.append(f"{key}{colon}{' ' if plain else ''}{value}".strip())
    return lines, end


def _facts(row: Sequence[str], filled: Sequence[int]) -> list[tuple[str, str]]:
    """The (key, value) pairs of a row whose first cell is a key, that is, ends in a colon or is a known one (表題,
    Table name).

    `filled` are the numbers of the filled cells. A key has one value at most, "" if none, beside dashes (実施年月：, -,
    -). [] if a key has more, if the value of an unknown key is a figure, or if all of several cells are keys.
    """
    names = {column: _COLON.sub("", row[column]).strip() for column in filled}
    keys = [column for column in filled if _COLON.search(row[column]) or _KNOWN.fullmatch(names[column])]
    if not keys or filled[0] != 0 or keys[0] != 0 or len(keys) == len(filled) > 1:
        return []
    found = []
    for key, until in zip(keys, [*keys[1:], len(row)], strict=True):
        values = [row[column].strip() for column in filled if key < column < until]
        values = [value for value in values if parse_value(value).kind != "missing"] or values[:1]
        if len(values) > 1 or (any(map(is_figure, values)) and not _KNOWN.fullmatch(names[key])):
            return []
        found.append((row[key].strip(), "".join(values)))
    return found


_UNIT_MARK = re.compile(r"単位|^\s*[（(].{1,20}[)）]\s*$|^\s*\(?(?:in |unit)", re.IGNORECASE)


def read_captions(grid: Grid) -> tuple[list[str], int]:
    """Reads the lines of text above a table's heading, and the number of the row where the heading begins: the first
    row with cells side by side.

    A single text away from the left edge belongs to the heading unless it looks like a unit. Rows of keys and values at
    the top give lines as by `read_facts`. Without a heading: all lines and the number of rows, ([], 0) if each row is
    one line.
    """
    captions, start = read_facts(grid.rows)
    # The first merged range of each row that covers at least half of the row.
    wide: dict[int, MergedSpan] = {}
    for span in grid.merged:
        if 0 <= span.top < len(grid.rows) and span.right - span.left + 1 >= max(2, len(grid.rows[span.top]) / 2):
            wide.setdefault(span.top, span)
    telling, figures_follow = -1, False  # the next row with figures or of several cells: each row is looked at once
    for number, row in enumerate(grid.rows[start:], start):
        filled = filled_columns(row)
        with_unit = len(row) > 2 and filled and bool(_UNIT_MARK.search(row[filled[-1]])) and filled[-1] - filled[0] >= 2
        if len(filled) > 2 or (len(filled) == 2 and not with_unit) or (len(row) == 1 and captions):
            return captions, number
        if len(filled) == 1 and filled[0] > 0 and not (number in wide and wide[number].left == 0):
            below = grid.rows[number + 1] if number + 1 < len(grid.rows) else []
            at_the_end = filled[0] == len(row) - 1
            if at_the_end and telling <= number:
                telling, figures_follow = len(grid.rows), False
                for place in range(number + 1, len(grid.rows)):
                    figures_follow = any(is_figure(cell) for cell in grid.rows[place])
                    if figures_follow or len(filled_columns(grid.rows[place])) > 1:
                        telling = place
                        break
            heads = figures_follow if at_the_end else len(filled_columns(below)) >= 2
            if heads and not _UNIT_MARK.search(row[filled[0]]):
                return captions, number
        if len(row) == 1 and not captions and number not in wide:
            return captions, number
        captions += [line.strip() for column in filled for line in row[column].splitlines() if line.strip()]
    return ([], 0) if len(captions) == len(grid.rows) else (captions, len(grid.rows))


_SIDES_HEADING_ROWS = 10  # rows searched for headings that begin again


def side_by_side(grid: Grid) -> list[Grid]:
    """Splits a grid into the tables side by side in it, from left to right; [grid] unless the headings begin again
    after an empty column.

    A gap alone means nothing, for many a sheet has empty columns between its figures: the first heading of a part must
    be at the beginning of the next one too.
    """
    starts = [0]
    # Empty columns with at least two columns at either side, which no merged range crosses.
    width = len(grid.rows[0]) if grid.rows else 0
    taken = {column for row in grid.rows for column, cell in enumerate(row) if cell.strip()}
    for left, right in {(span.left, span.right) for span in grid.merged}:
        taken.update(range(left, right + 1))
    for gap in (gap for gap in range(2, width - 2) if gap not in taken):
        if gap - starts[-1] >= 2 and _begins_again(grid, starts[-1], gap + 1):
            starts.append(gap + 1)
    if len(starts) == 1:
        return [grid]
    merged: list[list[MergedSpan]] = [[] for _ in starts]
    for span in grid.merged:
        part = bisect_right(starts, span.left) - 1
        merged[part].append(span._replace(left=span.left - starts[part], right=span.right - starts[part]))
    ends = [*(start - 1 for start in starts[1:]), len(grid.rows[0])]
    return [
        grid._replace(rows=[row[start:end] for row in grid.rows], merged=tuple(spans))
        for start, end, spans in zip(starts, ends, merged, strict=True)
    ]


def _begins_again(grid: Grid, start: int, again: int) -> bool:
    """Returns whether a row above all figures has the same text in the columns `start` and `again`, each with a filled
    cell at its right; only the first `_SIDES_HEADING_ROWS` rows are searched."""
    for row in grid.rows[:_SIDES_HEADING_ROWS]:
        if any(is_figure(cell) for cell in row):
            return False
        first, second, *beside = (row[column].strip() for column in (start, again, start + 1, again + 1))
        if first == second and all((first, *beside)):
            return True
    return False


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
