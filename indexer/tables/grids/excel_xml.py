"""Workbooks in the XML of Excel 2003 (often called .xls) as grids of the text that a person sees."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from indexer.languages.language import Language
from indexer.tables.grids.number_formats import Scalar, built_in
from indexer.tables.grids.records import xml_root
from indexer.tables.grids.workbook import CELL_LIMIT, Grid, Span, UnreadableTableError, grid_of
from indexer.tables.grids.xlsx_layout import Layout, Style

if TYPE_CHECKING:
    from lxml import etree

_NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
_NAMED = {
    "General Number": "General", "Fixed": "0.00", "Standard": "#,##0.00", "Percent": "0.00%", "Scientific": "0.00E+00",
    "Long Time": "h:mm:ss AM/PM", "Medium Time": "h:mm AM/PM", "Short Time": "h:mm", "Medium Date": "d-mmm-yy",
    "Currency": "$#,##0.00", "Yes/No": '"Yes";"Yes";"No"', "True/False": '"True";"True";"False"',
    "On/Off": '"On";"On";"Off"',
}  # fmt: skip


class _Cell(NamedTuple):
    row: int
    column: int
    value: Scalar
    style: str


def is_workbook_xml(sample: bytes) -> bool:
    """Whether a file that begins so is a workbook in this XML."""
    return _NAMESPACE.encode() in sample[:8192] and b"Workbook" in sample[:8192]


def read_workbook_xml(data: bytes, language: Language) -> Iterator[Grid]:
    """The visible sheets in order, those without any text left out. UnreadableTableError: damaged or too large."""
    root = xml_root(data)
    styles = {style.get(_of("ID")) or "": _style(style, language) for style in root.iterfind("Styles/Style")}
    for sheet in root.iterfind("Worksheet"):
        visible = (sheet.findtext("WorksheetOptions/Visible") or "").strip()
        table = sheet.find("Table")
        if table is None or visible.startswith("SheetHidden") or visible.startswith("SheetVeryHidden"):
            continue
        name = sheet.get(_of("Name")) or ""
        yield from _sheet(name, table, styles)


def _of(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _style(style: etree._Element, language: Language) -> Style:
    dates = built_in(language)
    named = {**_NAMED, "Short Date": dates[14], "General Date": dates[22], "Long Date": dates[14]}
    form, alignment = style.find("NumberFormat"), style.find("Alignment")
    code = (form.get(_of("Format")) if form is not None else "") or "General"
    indent = _count(alignment, "Indent") if alignment is not None else 0
    return Style(named.get(code, code), min(indent, 15))


def _count(element: etree._Element, name: str) -> int:
    """A number that an attribute holds, 0 where there is none."""
    text = element.get(_of(name)) or ""
    return min(int(text), CELL_LIMIT) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _sheet(name: str, table: etree._Element, styles: dict[str, Style]) -> Iterator[Grid]:
    hidden_rows: set[int] = set()
    merged: list[Span] = []
    cells = list(_cells(table, hidden_rows, merged))
    height = max((cell.row for cell in cells), default=-1) + 1
    width = max((cell.column for cell in cells), default=-1) + 1
    if height * width > CELL_LIMIT:
        raise UnreadableTableError(f"sheet {name}: more than {CELL_LIMIT:,} cells")
    values: list[list[Scalar]] = [[""] * width for _ in range(height)]
    found: dict[tuple[int, int], Style] = {}
    for cell in cells:
        values[cell.row][cell.column] = cell.value
        if style := styles.get(cell.style):
            found[cell.row, cell.column] = style
    layout = Layout(found, frozenset(hidden_rows), frozenset(_hidden_columns(table, width)))
    yield from grid_of(name, values, merged, layout)


def _cells(table: etree._Element, hidden_rows: set[int], merged: list[Span]) -> Iterator[_Cell]:
    """The cells that hold something; hidden rows and merged ranges are added to what is given."""
    row = -1
    for line in table.iterfind("Row"):
        row = (_count(line, "Index") or row + 2) - 1
        first = row
        row += _count(line, "Span")  # a row may stand for several that are alike and empty
        if line.get(_of("Hidden")) == "1":
            hidden_rows.update(range(first, row + 1))
        column = -1
        for cell in line.iterfind("Cell"):
            column = (_count(cell, "Index") or column + 2) - 1
            across, down = _count(cell, "MergeAcross"), _count(cell, "MergeDown")
            if across or down:
                merged.append(Span(first, column, first + down, column + across))
            data = cell.find("Data")
            if data is not None:
                style = cell.get(_of("StyleID")) or line.get(_of("StyleID")) or ""
                yield _Cell(first, column, _value(data), style)
            column += across


def _hidden_columns(table: etree._Element, width: int) -> Iterator[int]:
    column = -1
    for element in table.iterfind("Column"):
        column = (_count(element, "Index") or column + 2) - 1
        first = column
        column += _count(element, "Span")
        if element.get(_of("Hidden")) == "1":
            yield from range(first, min(column + 1, width))


def _value(data: etree._Element) -> Scalar:
    text = "".join(str(piece) for piece in data.itertext())
    kind = data.get(_of("Type"))
    try:
        if kind == "Number":
            return float(text)
        if kind == "DateTime":
            return datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        return text
    return text.strip() == "1" if kind == "Boolean" else text
