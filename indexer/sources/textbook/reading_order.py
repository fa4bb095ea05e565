"""The reading order of a page: pieces of its text put into columns, lines and rows of tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

# fragments of a page that columns are looked for among: a page of a book has a tenth of them
_MOST = 2_000
_COLUMN_LINES = 3  # a column has at least this many lines that begin at its left edge
_FULL = 0.6  # of a column's width its middle line fills at least; the cells of a table do not
_CROSSING = 5  # rows with text on one side at least for each that runs across with text beside it
_NARROWEST = 8  # sizes of the type: a column is as wide at least
# heights of a line from one line of a column to the next, in the middle; notes at the edge are
# sparser
_CLOSE = 2.5
_APART = 0.8  # sizes of the type between a column and a table below it, at least; lines have 0.5
_LEVEL = 0.5  # of the lower one's height two fragments share when they are in one line
LARGER = 1.1  # times the size of most text: a heading, or another kind of text
_TOUCHING = 0.5  # sizes of the type between wide letters of one word at most
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def is_wide(character: str) -> bool:
    """Returns whether a character is of Japanese or Chinese: no blanks separate it from others,
    wherever a line ends."""
    return character >= "\u3000" and _WIDE.match(character) is not None


class Fragment(NamedTuple):
    """A piece of a line: its text, its box (`top` < `bottom`, from the page's upper left), its type
    size, how many characters at its beginning are in bold type, and whether it is a table's row
    that is a paragraph by itself.

    All lengths are in the page's unit: points, or characters and lines.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: int = 0
    is_row: bool = False


Rows = Sequence[Sequence[Fragment]]
"""Rows of a page, from top to bottom, of fragments side by side, from left to right."""


class Page(NamedTuple):
    """A page: its label in the file ("" without one), and its fragments in any order.

    `turned` holds the text that runs another way than most, a list for each direction, turned
    upright; `left_out` what is not text, as (reason, text).
    """

    label: str
    fragments: Sequence[Fragment]
    turned: Sequence[Sequence[Fragment]] = ()
    left_out: Sequence[tuple[str, str]] = ()


def lines(fragments: Iterable[Fragment]) -> list[Fragment]:
    """Lines of one column from top to bottom: fragments side by side are joined, with blanks
    between them, but for wide letters that touch; white space is folded.

    A line has the box of all its fragments and the type size of that with the longest text.
    """
    joined = []
    for line in rows_of(fragments):
        text = line[0].text
        for first, second in pairwise(line):
            touch = second.left - first.right < _TOUCHING * second.size
            is_whole = touch and is_wide(first.text[-1:]) and is_wide(second.text[:1])
            text += second.text if is_whole else f" {second.text}"
        text = " ".join(text.split())
        top = min(fragment.top for fragment in line)
        bottom = max(fragment.bottom for fragment in line)
        right = max(fragment.right for fragment in line)
        longest = max(line, key=lambda fragment: len(fragment.text))
        joined.append(Fragment(text, line[0].left, top, right, bottom, longest.size, line[0].bold))
    return joined


def rows_of(fragments: Iterable[Fragment]) -> list[list[Fragment]]:
    """Rows, from top to bottom, of fragments side by side, from left to right: each shares with the
    first of its row more than half of the smaller height of the two."""
    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda fragment: (fragment.top, fragment.left)):
        first = rows[-1][0] if rows else fragment
        shared = min(first.bottom, fragment.bottom) - max(first.top, fragment.top)
        height = min(first.bottom - first.top, fragment.bottom - fragment.top)
        if not rows or shared <= _LEVEL * height:
            rows.append([])
        rows[-1].append(fragment)
    for row in rows:
        row.sort(key=lambda fragment: fragment.left)
    return rows


def blocks(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Lines of a page in reading order, one list for each column, table or full-width band; [] for
    a page without text. Over 2,000 fragments are read as one column.

    Columns are read from left to right, between lines that run across them. A left edge begins a
    column if at least three lines begin there, others end before it, and both sides are filled; the
    cells of a table are not, and are read row by row, those of several lines cell by cell, those
    below headings in bold type with these ("Year: 1950; Bridges: 4"). A heading or table between
    both columns and a line across is read after the columns.
    """
    if not fragments:
        return []
    rows = rows_of(fragments)
    if len(fragments) > _MOST:
        return [lines(fragments)]
    return _with_tables(rows, _headed_tables, lambda rest: _with_tables(rest, _tables, _columns))


def _with_tables(
    rows: Rows,
    tables_in: Callable[[Rows], Sequence[_PageTable]],
    others: Callable[[Rows], list[list[Fragment]]],
) -> list[list[Fragment]]:
    """The tables that `tables_in` finds in some rows of a page, between what `others` gives for the
    rows above, between and below them."""
    ordered: list[list[Fragment]] = []
    start = 0
    for table in tables_in(rows):
        ordered += others(rows[start : table.start])
        ordered.append(table.lines)
        start = table.end
    return ordered + others(rows[start:])


def _columns(rows: Rows) -> list[list[Fragment]]:
    """The columns of some rows of a page, and what runs across them, in reading order."""
    if not rows:
        return []
    edge = _gutter(rows)
    if edge is None:
        return [lines([fragment for row in rows for fragment in row])]
    columns: list[list[Fragment]] = []
    across = _across(rows, edge)
    for is_across, band in groupby(zip(across, rows, strict=True), key=lambda item: item[0]):
        run = [fragment for _, row in band for fragment in row]
        if is_across:
            columns.append(lines(run))
        else:
            columns += blocks([fragment for fragment in run if fragment.left < edge])
            columns += blocks([fragment for fragment in run if fragment.left >= edge])
    return columns


def _across(rows: Rows, edge: float) -> list[bool]:
    """For each row whether it runs across the edge of a column: a line by itself that does, a
    heading in larger type with both columns above and below it, one of three or more rows one below
    the other of a table as wide as the page, or what is between the columns and a line across.

    A line that has others beside it is too long for its own column.
    """
    unit = median(fragment.size for row in rows for fragment in row)
    left = min(fragment.left for row in rows for fragment in row)
    right = max(fragment.right for row in rows for fragment in row)
    is_both = [row[0].left < edge <= row[-1].left for row in rows]
    across = []
    for number, row in enumerate(rows):
        # the columns above it may differ by a line
        is_between = any(is_both[max(number - 2, 0) : number]) and any(is_both[number + 1 :][:1])
        is_heading = row[0].size >= LARGER * unit and is_between
        across.append(len(row) == 1 and (row[0].left < edge < row[0].right or is_heading))
    is_cells = [_is_cells(row, left, edge, right) for row in rows]
    start = 0
    for is_table, run in groupby(is_cells):
        size = len(list(run))
        if is_table and size >= _COLUMN_LINES:
            across[start : start + size] = [True] * size
        start += size
    for number in [number for number, is_over in enumerate(across) if is_over]:
        first = _below_columns(rows[:number], across, edge, unit)
        across[first:number] = [True] * (number - first)
    return across


def _below_columns(rows: Rows, across: Sequence[bool], edge: float, unit: float) -> int:
    """The position of the first of the rows, above a line that runs across, that are in no column:
    with no text at the right of the `edge` beside or below them, they are a line or two between
    lines that run across, or a heading or table, which fills no column, with space above it.
    `across` has whether each row runs across, `unit` is the usual type size.

    The number of the rows without any.
    """
    start = len(rows)
    while start and not across[start - 1] and rows[start - 1][-1].right <= edge:
        start -= 1
    if start and across[start - 1]:
        return start if len(rows) - start < _COLUMN_LINES else len(rows)
    left = min((row[0].left for row in rows), default=edge)
    first = len(rows)
    for number in range(len(rows) - 1, max(start, 1) - 1, -1):
        row = rows[number]
        is_larger = row[0].size >= LARGER * unit
        if not is_larger and row[-1].right - row[0].left >= _FULL * (edge - left):
            break
        bottom = max(fragment.bottom for upper in rows[:number][-2:] for fragment in upper)
        if is_larger or row[0].top - bottom >= _APART * unit:
            first = number
    return first


def _is_cells(row: Sequence[Fragment], left: float, edge: float, right: float) -> bool:
    """Returns whether a row between `left` and `right` is of cells on both sides of the edge of a
    column: several at the left, and neither side is filled."""
    at_left = [fragment for fragment in row if fragment.left < edge]
    at_right = row[len(at_left) :]
    return (
        len(at_left) > 1
        and len(at_right) > 0
        and sum(fragment.right - fragment.left for fragment in at_left) < _FULL * (edge - left)
        and sum(fragment.right - fragment.left for fragment in at_right) < _FULL * (right - edge)
    )


def _gutter(rows: Rows) -> float | None:
    """Left edge of a column that has another at its left; None if the rows are one column.

    Columns are beside each other, their lines follow each other closely and fill their width: all
    of them, or the eight or more that are beside each other. Of several edges, the one that divides
    the fragments most evenly, then the leftmost.
    """
    fragments = [fragment for row in rows for fragment in row]
    unit = median(fragment.size for fragment in fragments) or 1.0
    starts: dict[int, list[float]] = defaultdict(list)
    for fragment in fragments:
        starts[round(fragment.left / unit)].append(fragment.left)
    best: tuple[int, float] | None = None
    for _, lefts in sorted(starts.items()):
        edge = min(lefts)
        if len(lefts) < _COLUMN_LINES:
            continue
        left, right = list[list[Fragment]](), list[list[Fragment]]()
        crossing = 0
        for row in rows:
            at_left = [fragment for fragment in row if fragment.right <= edge]
            at_right = [fragment for fragment in row if fragment.left >= edge]
            crossing += len(at_left) + len(at_right) < len(row) > 1
            if at_left:
                left.append(at_left)
            if at_right:
                right.append(at_right)
        smaller = min(len(left), len(right))
        if smaller < max(_COLUMN_LINES, crossing * _CROSSING) or (best and smaller <= best[0]):
            continue
        beside = min(max(fragment.bottom for fragment in side[-1]) for side in (left, right))
        if beside <= max(side[0][0].top for side in (left, right)):
            continue
        sides = [row[-1] for row in left], [row[0] for row in right]
        if all(_is_column(side, unit) for side in sides) or _is_level(sides, unit):
            best = smaller, edge
    return best[1] if best else None


def _is_level(sides: Sequence[Sequence[Fragment]], unit: float) -> bool:
    """Returns whether the pieces of both sides are the lines of columns where they are beside each
    other, in eight lines at least: above and below may be headings, tables and ends of full-width
    paragraphs."""
    top = max(side[0].top for side in sides) - unit
    bottom = min(side[-1].bottom for side in sides) + unit
    level = [
        [piece for piece in side if top <= piece.top and piece.bottom <= bottom] for side in sides
    ]
    return all(len(pieces) >= _DEEP and _is_column(pieces, unit) for pieces in level)


def _is_column(pieces: Sequence[Fragment], unit: float) -> bool:
    """Returns whether pieces one below the other are the lines of a column: they follow each other
    closely, and most are about as wide as the widest, which cells of a table are not."""
    steps = [lower.top - upper.top for upper, lower in pairwise(pieces)]
    if not steps or median(steps) > _CLOSE * median(piece.bottom - piece.top for piece in pieces):
        return False
    widths = sorted(piece.right - piece.left for piece in pieces)
    width = widths[len(widths) * 9 // 10]
    return width >= _NARROWEST * unit and median(widths) >= _FULL * width


# Tables whose cells have several lines: they are read row by row, cell by cell.

_LEAST_ROWS = 3  # of such a table
_BETWEEN = 0.7  # sizes of the type between its columns, at least
_WIDER = (
    0.15  # sizes of the type by which rows are further apart than the lines of a cell, at least
)
_SPACE = 0.25  # sizes of the type: a blank
_ROW_STEP = 3  # lines from row to row in what is returned, so that each begins a paragraph
_DEEP = 8  # lines that no row has in all of its columns: those are columns of text
# Shares that hold for tables and not for columns of text.
_EVEN = 0.9  # of the steps from line to line in cells, those that are usual
_FITTING = 0.8  # of the lines of cells, those behind which the next word does not fit
_GOING_ON = 0.6  # of the last lines of cells without more space below, the same at most
_RAGGED = 0.4  # of the rows of several lines, those whose cells have different numbers of them
_BESIDE = 0.6  # of the rows, those with text in two columns


class _PageTable(NamedTuple):
    """A table among the rows of a page, from the position `start` up to `end`: its lines in reading
    order, all of one width, with space between its rows."""

    start: int
    end: int
    lines: list[Fragment]


def _tables(rows: Rows) -> list[_PageTable]:
    """The tables with cells of several lines among the rows of a page, from top to bottom.

    Their rows are further apart than the lines of a cell, or begin where a column has text again.
    """
    tables = []
    for start, end in _runs(rows):
        lines = _table_lines([fragment for row in rows[start:end] for fragment in row])
        if lines:
            tables.append(_PageTable(start, end, lines))
    return tables


def _runs(rows: Rows) -> list[tuple[int, int]]:
    """Positions, (start, end) without the end, of three or more rows one below the other with the
    same columns in them.

    The first may be a line by itself in a later column, where cells are in the middle of their row.
    """
    runs = []
    start = 0
    columns = list[tuple[float, float]]()
    for number, row in enumerate(rows):
        union = _joined_spans([*columns, *_spans(row)], row[0].size)
        is_over_columns = len(row) == 1 and len(union) < len(columns)
        if len(columns) < 2 or len(union) < 2 or is_over_columns:
            runs.append((start, number))
            start = number
            union = _joined_spans(_spans(row), row[0].size)
            while len(union) > 1 and start > runs[-1][0] and len(rows[start - 1]) == 1:
                wider = _joined_spans([*union, *_spans(rows[start - 1])], row[0].size)
                if rows[start - 1][0].left < union[1][0] or len(wider) < len(union):
                    break
                start, union = start - 1, wider
            runs[-1] = runs[-1][0], start
        columns = union
    runs.append((start, len(rows)))
    return [(start, end) for start, end in runs if end - start >= _LEAST_ROWS]


def _spans(fragments: Iterable[Fragment]) -> list[tuple[float, float]]:
    """The (left, right) of each fragment, in their order; nothing is merged."""
    return [(fragment.left, fragment.right) for fragment in fragments]


def _joined_spans(spans: Iterable[tuple[float, float]], size: float) -> list[tuple[float, float]]:
    """Spans, from the left, joined where there is less space between them than between columns: 0.7
    of the type's `size`."""
    joined: list[tuple[float, float]] = []
    for left, right in sorted(spans):
        if joined and left - joined[-1][1] < _BETWEEN * size:
            joined[-1] = joined[-1][0], max(joined[-1][1], right)
        else:
            joined.append((left, right))
    return joined


def _table_lines(fragments: Sequence[Fragment]) -> list[Fragment]:
    """The lines of a table in reading order; [] if the fragments are not a table with cells of
    several lines."""
    size = median(fragment.size for fragment in fragments) or 1.0
    columns = _joined_spans(_spans(fragments), size)
    cells = [
        lines([fragment for fragment in fragments if left <= fragment.left <= right])
        for left, right in columns
    ]
    steps = sorted(lower.top - upper.top for column in cells for upper, lower in pairwise(column))
    if not steps:
        return []
    step = steps[len(steps) // 10]
    for tops in (_tops_by_space(cells, step, size), _tops_by_columns(cells, size)):
        rows = [
            [[line for line in column if top <= line.top < below] for column in cells]
            for top, below in pairwise([*tops, float("inf")])
        ]
        if len(rows) >= _LEAST_ROWS and _is_wrapped(rows, columns, step, size):
            return _by_rows(rows, step)
    return []


def _tops_by_space(cells: Sequence[Sequence[Fragment]], step: float, size: float) -> list[float]:
    """The tops of the rows of a table that are further apart than lines."""
    ordered = sorted((line for column in cells for line in column), key=lambda line: line.top)
    tops = [ordered[0].top]
    bottom = ordered[0].bottom
    for line in ordered:
        if line.top - bottom > step - (line.bottom - line.top) + _WIDER * size:
            tops.append(line.top)
        bottom = max(bottom, line.bottom)
    return tops


def _tops_by_columns(cells: Sequence[Sequence[Fragment]], size: float) -> list[float]:
    """The tops of the rows of a table at which a column without text has text again."""
    ordered = sorted((line.top, number) for number, column in enumerate(cells) for line in column)
    tops = [ordered[0][0]]
    above, level = set[int](), set[int]()  # the columns with text in a line and in the one above
    top = tops[0]
    for line_top, number in ordered:
        if line_top - top > _LEVEL * size:
            above, level, top = level, set(), line_top
        if above and number not in above and tops[-1] < top:
            tops.append(top)
        level.add(number)
    return tops


def _is_wrapped(
    rows: Sequence[Sequence[Sequence[Fragment]]],
    columns: Sequence[tuple[float, float]],
    step: float,
    size: float,
) -> bool:
    """Whether the cells of these rows have running text in several lines: even steps, most lines
    full, rows of cells of different length and with text in two columns, few that go on below.
    False if every cell of a row has `_DEEP` (8) lines or more (columns of text), or with fewer than
    `_LEAST_ROWS` (3) steps."""
    is_ragged, is_even, is_fitting = list[bool](), list[bool](), list[bool]()
    for row in rows:
        counts = list(map(len, row))
        if min(counts) >= _DEEP:
            return False
        if max(counts) > 1:
            is_ragged.append(min(counts) < max(counts))
        for (left, right), cell in zip(columns, row, strict=True):
            for upper, lower in pairwise(cell):
                is_even.append(lower.top - upper.top <= step + _WIDER * size)
                is_fitting.append(_is_full(upper, lower, right - left))
    is_going_on = [
        _is_full(upper[-1], lower[0], right - left)
        for above, below in pairwise(rows)
        for (left, right), upper, lower in zip(columns, above, below, strict=True)
        if upper and lower and lower[0].top - upper[-1].top <= step + _WIDER * size
    ]
    is_beside = [sum(map(bool, row)) > 1 for row in rows]
    return (
        len(is_even) >= _LEAST_ROWS
        and sum(is_even) >= _EVEN * len(is_even)
        and sum(is_fitting) >= _FITTING * len(is_fitting)
        and sum(is_ragged) >= _RAGGED * len(is_ragged)
        and sum(is_beside) >= _BESIDE * len(is_beside)
        and sum(is_going_on) <= _GOING_ON * len(is_going_on)
    )


def _is_full(upper: Fragment, lower: Fragment, width: float) -> bool:
    """Whether the first word of the lower line would not fit behind the upper one in a column of
    this width."""
    first = lower.text[:1] if is_wide(lower.text[:1]) else lower.text.partition(" ")[0]
    word = (lower.right - lower.left) * len(first) / len(lower.text)
    return upper.right - upper.left + _SPACE * upper.size + word > width


def _by_rows(rows: Sequence[Sequence[Sequence[Fragment]]], step: float) -> list[Fragment]:
    """The lines of the cells of each row, cell by cell, moved one below the other, a line every
    `step` and three to the next row, and made as wide as the table."""
    everything = [line for row in rows for cell in row for line in cell]
    left, right = min(line.left for line in everything), max(line.right for line in everything)
    top = everything[0].top
    ordered = []
    for row in rows:
        for line in (line for cell in row for line in cell):
            bottom = top + line.bottom - line.top
            ordered.append(line._replace(left=left, right=right, top=top, bottom=bottom))
            top += step
        top += (_ROW_STEP - 1) * step
    return ordered


# Tables whose headings are in bold type: a row is read alone, with the headings of its columns.

_LONGEST_CELL = 60  # characters of a heading or cell: lines of columns of text are longer
_NEXT_ROW = 3.0  # heights of a line from one row of a table to the next, at most


def _headed_tables(rows: Rows) -> list[_PageTable]:
    """The tables with headings in bold type among the rows of a page, from top to bottom: a line
    for each row of cells, "Year: 1950; Bridges: 4", before them one of the headings of no cell."""
    tables = []
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and all(cell.bold >= len(cell.text) for cell in rows[end]):
            end += 1
        if end > start and (table := _headed_table(rows, start, end)):
            tables.append(table)
            end = table.end
        start = max(end, start + 1)
    return tables


def _headed_table(rows: Rows, start: int, body: int) -> _PageTable | None:
    """The table whose rows of headings end before the row `body` and begin at `start` or below,
    without a title (`_is_title`). A row with a cell of over 60 characters ends
    it. None for fewer than three rows of cells, where the last row of headings has one cell, and
    for columns of text."""
    columns = list(rows[body - 1])
    if len(columns) < 2:
        return None
    above: list[list[str]] = [[] for _ in columns]
    top = body - 1
    while top > start and rows[top][0].top - rows[top - 1][0].top <= _NEXT_ROW * rows[top][0].size:
        if len(rows[top - 1]) == 1 and _is_title(rows[top - 1][0], columns):
            break
        top -= 1
        for cell in rows[top]:
            below = _beside(cell, columns)
            for position in below:
                above[position].insert(0, cell.text)
            if not below:  # a heading beside others in two rows
                position = sum(other.left < cell.left for other in columns)
                columns.insert(position, cell)
                above.insert(position, [])
    headings = [", ".join([*texts, cell.text]) for texts, cell in zip(above, columns, strict=True)]
    cells: list[list[list[str]]] = []
    depth = 0  # rows of cells up to the last of several pieces
    end = bottom = body
    while end < len(rows) and _follows(rows[end - 1], rows[end]):
        row = rows[end]
        places = [_beside(cell, columns) or [_nearest(cell, columns)] for cell in row]
        first = places[0][0]
        if first == 0 and (len(row) > 1 or len(places[0]) > 1):
            cells.append([[] for _ in columns])
        elif not cells or first == 0 or len(row) > 1 or len(places[0]) > 1:
            break
        for cell, (place, *further) in zip(row, places, strict=True):
            has_heading = headings[place] and not further and not cells[-1][place]
            cells[-1][place].append(f"{headings[place]}: {cell.text}" if has_heading else cell.text)
        end += 1
        if len(row) > 1 or first > 0:
            bottom, depth = end, len(cells)
    if depth < _LEAST_ROWS or _gutter(rows[body:bottom]):
        return None
    everything = [cell for row in rows[body:bottom] for cell in row]
    texts = ["; ".join(" ".join(cell) for cell in row if cell) for row in cells[:depth]]
    # of a column without cells, or of cells in several columns
    unused = [
        heading
        for position, heading in enumerate(headings)
        if not any("".join(row[position][:1]).startswith(f"{heading}: ") for row in cells[:depth])
    ]
    if unused:
        texts.insert(0, "; ".join(unused))
    lines = [everything[0]._replace(text=text, is_row=True) for text in texts]
    return _PageTable(top, bottom, lines)


def _is_title(cell: Fragment, columns: Sequence[Fragment]) -> bool:
    """Whether a line by itself above the headings of columns is a title or a note on the whole
    table: it begins left of them or is above all of them."""
    return cell.left < min(heading.left for heading in columns) or len(
        _beside(cell, columns)
    ) == len(columns)


def _follows(above: Sequence[Fragment], row: Sequence[Fragment]) -> bool:
    """Whether a row may be the next of a table: close to that above it, of short texts, and not all
    in bold type."""
    return (
        row[0].top - above[0].top <= _NEXT_ROW * row[0].size
        and max(len(cell.text) for cell in row) <= _LONGEST_CELL
        and any(cell.bold < len(cell.text) for cell in row)
    )


def _beside(cell: Fragment, columns: Sequence[Fragment]) -> list[int]:
    """The positions of the columns whose headings are above or below some of a cell."""
    return [
        position
        for position, heading in enumerate(columns)
        if cell.left < heading.right and heading.left < cell.right
    ]


def _nearest(cell: Fragment, columns: Sequence[Fragment]) -> int:
    """The position of the column whose heading is nearest to a cell, the first of equal ones."""
    return min(
        range(len(columns)),
        key=lambda position: max(
            columns[position].left - cell.right, cell.left - columns[position].right
        ),
    )
