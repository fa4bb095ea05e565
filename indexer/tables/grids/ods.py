"""The sheets of an ods as a person sees them: the file holds each cell's text as it was shown, beside its value."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, NamedTuple

from indexer.files.xml import xml_pieces
from indexer.tables.grids.xlsx_layout import DAMAGE

if TYPE_CHECKING:
    from lxml import etree

_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
_CONTENT = "content.xml"
_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _TEXT, _OFFICE, _STYLE = (f"{_NAMES}{name}:1.0}}" for name in ("table", "text", "office", "style"))
_CELLS = [f"{_TABLE}{name}" for name in ("table", "table-row", "table-cell", "covered-table-cell")]
_VALUES = ("value", "date-value", "time-value", "boolean-value", "string-value")


class Sheet(NamedTuple):
    """A sheet's texts, its merged ranges (top, left, bottom, right), and what of it is hidden."""

    name: str
    rows: list[list[str]]
    merged: list[tuple[int, int, int, int]]
    hidden_rows: frozenset[int]
    hidden_columns: frozenset[int]


def is_ods(data: bytes) -> bool:
    """Whether a zip is an ods by the kind that it says of itself."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("mimetype") as file:
            return file.read(len(_KIND)) == _KIND
    except DAMAGE:
        return False


def largest_sheet(data: bytes) -> int:
    """The cells of the largest sheet, up to its last filled row and column; 0 for what is no readable ods.

    Repeated rows and cells make a huge one of a few bytes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_CONTENT) as file:
            return max(_sizes(file), default=0)
    except DAMAGE:
        return 0


def _sizes(file: IO[bytes]) -> Iterator[int]:
    height = width = row = column = last = 0
    for element in xml_pieces(file, _CELLS):
        if element.tag == _CELLS[0]:
            yield height * width
            height = width = row = 0
        elif element.tag == _CELLS[1]:
            row += _repeated(element, "rows")
            height, width = (row, max(width, last)) if last else (height, width)
            column = last = 0
        else:
            column += _repeated(element, "columns")
            last = column if _shown(element) else last


def is_locked(data: bytes) -> bool:
    """Whether an ods is under a password. An error of `DAMAGE` for a file that is none."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"encryption-data" in archive.read("META-INF/manifest.xml")


def read_sheets(data: bytes) -> Iterator[Sheet]:
    """The visible sheets of an ods in order, each up to its last filled row. An error of `DAMAGE` where it is damaged.

    `largest_sheet` says before how large they are.
    """
    hidden_styles: set[str | None] = set()
    making = _Making()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_CONTENT) as file:
        for element in xml_pieces(file, [*_CELLS, f"{_TABLE}table-column", f"{_STYLE}style"]):
            if element.tag == f"{_STYLE}style":
                shown = [one.get(f"{_TABLE}display") for one in element]
                hidden_styles.update({element.get(f"{_STYLE}name")} if "false" in shown else ())
            elif element.tag != _CELLS[0]:
                making.add(element)
            else:
                if element.get(f"{_TABLE}style-name") not in hidden_styles:
                    yield making.sheet(element.get(f"{_TABLE}name") or "")
                making = _Making()


class _Making:
    """A sheet under way. Empty cells and rows are only counted until a filled one follows."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._merged: list[tuple[int, int, int, int]] = []
        self._hidden_rows: set[int] = set()
        self._hidden_columns: set[int] = set()
        self._row: list[str] = []
        self._empty_rows = self._empty_cells = self._columns = 0

    def add(self, element: etree._Element) -> None:
        """Takes in a column, a cell or the end of a row."""
        if element.tag == f"{_TABLE}table-column":
            count = min(_repeated(element, "columns"), _MOST_COLUMNS)
            if _is_hidden(element):
                self._hidden_columns.update(range(self._columns, self._columns + count))
            self._columns += count
        elif element.tag == _CELLS[1]:
            self._end_row(element)
        elif text := _shown(element):
            self._row += [""] * self._empty_cells
            self._span(element)
            self._row += [text] * _repeated(element, "columns")
            self._empty_cells = 0
        else:
            self._empty_cells += _repeated(element, "columns")

    def _span(self, element: etree._Element) -> None:
        down, across = (int(element.get(f"{_TABLE}number-{what}-spanned") or 1) for what in ("rows", "columns"))
        if down * across > 1:
            top, left = len(self._rows) + self._empty_rows, len(self._row)
            self._merged.append((top, left, top + down - 1, left + across - 1))

    def _end_row(self, element: etree._Element) -> None:
        count = _repeated(element, "rows")
        if self._row:
            self._rows += [[] for _ in range(self._empty_rows)]
            if _is_hidden(element):
                self._hidden_rows.update(range(len(self._rows), len(self._rows) + count))
            self._rows += [list(self._row) for _ in range(count)]
            self._empty_rows = 0
        else:
            self._empty_rows += count
        self._row, self._empty_cells = [], 0

    def sheet(self, name: str) -> Sheet:
        """The sheet, its rows made equally long."""
        width = max(map(len, self._rows), default=0)
        rows = [row + [""] * (width - len(row)) for row in self._rows]
        return Sheet(name, rows, self._merged, frozenset(self._hidden_rows), frozenset(self._hidden_columns))


_MOST_COLUMNS = 16_384


def _shown(cell: etree._Element) -> str:
    """The text of a cell, its paragraphs as lines; its value where the file says no text."""
    if cell.tag == _CELLS[3]:
        return ""
    lines = ["".join(_pieces(line)) for line in cell.iterchildren(f"{_TEXT}p")]
    if lines:
        return "\n".join(lines)
    return next((value for name in _VALUES if (value := cell.get(f"{_OFFICE}{name}"))), "")


def _pieces(element: etree._Element) -> Iterator[str]:
    """The pieces of a paragraph's text: blanks in a row stand as an element that counts them."""
    yield element.text or ""
    for child in element:
        if child.tag == f"{_TEXT}s":
            yield " " * min(int(child.get(f"{_TEXT}c") or 1), _MOST_BLANKS)
        elif child.tag in (f"{_TEXT}line-break", f"{_TEXT}tab"):
            yield "\n" if child.tag.endswith("break") else "\t"
        elif child.tag != f"{_OFFICE}annotation":
            yield from _pieces(child)
        yield child.tail or ""


_MOST_BLANKS = 100


def _is_hidden(element: etree._Element) -> bool:
    return element.get(f"{_TABLE}visibility") in ("collapse", "filter")


def _repeated(element: etree._Element, what: str) -> int:
    count = element.get(f"{_TABLE}number-{what}-repeated") or "1"
    return int(count) if count.isascii() and count.isdecimal() and len(count) < 10 else 1
