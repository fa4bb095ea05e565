"""The body of a table: section headings and indented labels become labels of the rows below them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

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
        found = _facts(row, filled) or (_legend(row, filled) if facts else [])
        if (filled and not found) or (found and not facts and not found[0][1]):
            break
        facts += found
        end = number + 1 if found else end
        widest = max(widest, len(filled))
    least, near = (2, rows[number:]) if number > end else (max(3, widest + 1), rows[number : number + _HEADING_ROWS])
    below = facts and any(len(filled_columns(row)) >= least for row in near)
    if not below:
        return [], 0
    lines = [value for key, value in facts if value and _TITLES.fullmatch(_name(key))][:1]
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
    keys = [column for column in filled if _is_key(row[column])]
    if not keys or keys[0] != filled[0] or keys[0] != 0 or (len(keys) == len(filled) > 1):
        return []
    found = []
    for key, until in zip(keys, [*keys[1:], len(row)], strict=True):
        values = [row[column].strip() for column in filled if key < column < until]
        values = [value for value in values if parse_value(value).kind != "missing"] or values[:1]
        if len(values) > 1 or any(is_figure(value) for value in values if not _KNOWN.fullmatch(_name(row[key]))):
            return []
        found.append((row[key].strip(), "".join(values)))
    return found


def _is_key(text: str) -> bool:
    return _COLON.search(text) is not None or _KNOWN.fullmatch(text.strip()) is not None


def _name(text: str) -> str:
    """A key without its colon."""
    return _COLON.sub("", text).strip()


def _legend(row: Sequence[str], filled: Sequence[int]) -> list[tuple[str, str]]:
    """The (symbol, meaning) pair of a row that explains a symbol, such as `***`, 数字が得られないもの; [] for any other
    row."""
    if len(filled) != 2 or filled[0] != 0 or not _MARKS.fullmatch(row[0].strip()):
        return []
    meaning = row[filled[1]].strip()
    return [(row[0].strip(), meaning)] if parse_value(meaning).kind == "text" else []


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
