"""Workbooks (xlsx, xlsb, ods, xls) as grids of the text that a person sees: formats applied, hidden parts left out."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from indexer.files.xml import SAFE, xml_pieces
from indexer.languages.language import Language
from indexer.tables.number_formats import Scalar, built_in, displayed_text, serial_moment

if TYPE_CHECKING:
    import xlrd
    from lxml import etree

CELL_LIMIT = 5_000_000  # cells of the largest sheet that is read

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of an xls, and of an xlsx under a password."""

_DAMAGE = (zipfile.BadZipFile, KeyError, ValueError, OSError, NotImplementedError, EOFError, SyntaxError)
"""What reading the parts of a zipped workbook may raise."""


class MergedSpan(NamedTuple):
    """A merged range, zero-based, both ends included; its text is in the first cell."""

    top: int
    left: int
    bottom: int
    right: int


class Grid(NamedTuple):
    """A sheet as displayed: rows of equal length, "" where nothing is shown.

    An indented cell starts with two blanks a level, so that indentation by format and by blanks is one
    thing. `head` counts the rows that the file itself marks as headings (HTML), or is None.
    """

    name: str
    rows: list[list[str]]
    merged: tuple[MergedSpan, ...] = ()
    head: int | None = None


@dataclass
class _WorkbookSheet:
    """A visible sheet of any workbook, with all rows as they are displayed and the numbers of the hidden rows and
    columns."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    merged: list[MergedSpan] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)


class UnreadableTableError(Exception):
    """Raised where a file, or a part of it, has no readable table; its text is the reason in the list of rejects."""


def read_workbook(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields the visible sheets of a workbook in order, without those that have no text.

    `language` decides the built-in date formats that follow a country. Raises UnreadableTableError for a damaged or
    password-protected workbook, an unknown format, and a sheet of more than `CELL_LIMIT` cells.
    """
    from python_calamine import CalamineError

    old = data[:8] == OLD
    try:
        for sheet in (_read_old if old else _read_ods if is_ods(data) else _read_new)(data, language):
            grid = _visible(sheet)
            if any(cell.strip() for row in grid.rows for cell in row):
                yield grid
    except (CalamineError, *_DAMAGE) as error:
        text = " ".join(str(error).split()) or type(error).__name__
        protected = "assword" in text or "ncrypted" in text
        raise UnreadableTableError("protected by a password" if protected else f"damaged workbook ({text})") from error


def _require_size(rows: int, columns: int) -> None:
    """Raises UnreadableTableError for a sheet of more than `CELL_LIMIT` cells."""
    if rows * columns > CELL_LIMIT:
        raise UnreadableTableError(f"a sheet of more than {CELL_LIMIT:,} cells")


def _visible(sheet: _WorkbookSheet) -> Grid:
    """The grid of a sheet without hidden rows and columns; the text of a merged range moves to its first visible cell.

    Merged ranges are cut at the sheet's edges; those that would bring the covered cells above the number of the sheet's
    cells are left out.
    """
    width = max(map(len, sheet.rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in sheet.rows]
    kept_rows = [number for number in range(len(rows)) if number not in sheet.hidden_rows]
    kept_columns = [number for number in range(width) if number not in sheet.hidden_columns]
    new_row = {old: new for new, old in enumerate(kept_rows)}
    new_column = {old: new for new, old in enumerate(kept_columns)}
    merged = []
    left = len(rows) * width
    for span in sheet.merged:
        down = range(span.top, min(span.bottom + 1, len(rows)))
        across = range(span.left, min(span.right + 1, width))
        if not down or not across or len(down) * len(across) > left:
            continue
        left -= len(down) * len(across)
        seen_down = [new_row[row] for row in down if row in new_row]
        seen_across = [new_column[column] for column in across if column in new_column]
        if seen_down and seen_across:
            rows[kept_rows[seen_down[0]]][kept_columns[seen_across[0]]] = rows[span.top][span.left]
            if len(seen_down) * len(seen_across) > 1:
                merged.append(MergedSpan(seen_down[0], seen_across[0], seen_down[-1], seen_across[-1]))
    return Grid(sheet.name, [[rows[row][column] for column in kept_columns] for row in kept_rows], tuple(merged))


# OpenDocument: the file holds the texts as they are displayed.

_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _TEXT, _OFFICE, _STYLE = (f"{_NAMES}{name}:1.0}}" for name in ("table", "text", "office", "style"))
_COVERED = f"{_TABLE}covered-table-cell"
_PIECES = [
    *(f"{_TABLE}{name}" for name in ("table", "table-row", "table-cell", "table-column")),
    _COVERED,
    f"{_STYLE}style",
]
_VALUES = ("value", "date-value", "time-value", "boolean-value", "string-value")
_MOST_BLANKS = 100  # of one element: a count of a million would fill the memory
_MOST_COLUMNS = 16_384  # Excel's limit


def is_ods(data: bytes) -> bool:
    """Returns whether bytes are a zip that says by its member `mimetype` that it is an ods."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("mimetype") as file:
            return file.read(len(_KIND)) == _KIND
    except _DAMAGE:
        return False


def _read_ods(data: bytes, language: Language) -> Iterator[_WorkbookSheet]:
    """Yields the visible sheets of an ods in order, each up to its last filled row. Raises an error of `_DAMAGE`."""
    hidden_styles: set[str | None] = set()
    sheet = _WorkbookSheet("")
    columns = empty_rows = width = 0
    row: list[tuple[str, int]] = []  # texts with their numbers of repetitions: a few bytes can make a huge row
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("content.xml") as file:
        if b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise UnreadableTableError("protected by a password")
        for element in xml_pieces(file, _PIECES):
            hidden = element.get(f"{_TABLE}visibility") in ("collapse", "filter")
            what = str(element.tag).rpartition("-")[2].rpartition("}")[2]
            if what == "style":
                if any(one.get(f"{_TABLE}display") == "false" for one in element):
                    hidden_styles.add(element.get(f"{_STYLE}name"))
            elif what == "column":
                count = min(_repetitions(element, "columns"), _MOST_COLUMNS)
                if hidden:
                    sheet.hidden_columns.update(range(columns, columns + count))
                columns += count
            elif what == "cell":
                text = "" if element.tag == _COVERED else _cell_text(element)
                down, across = (int(element.get(f"{_TABLE}number-{name}-spanned") or 1) for name in ("rows", "columns"))
                if text and down * across > 1:
                    top, left = len(sheet.rows) + empty_rows, sum(count for _, count in row)
                    sheet.merged.append(MergedSpan(top, left, top + down - 1, left + across - 1))
                row.append((text, _repetitions(element, "columns")))
            elif what == "row":
                count = _repetitions(element, "rows")
                while row and not row[-1][0]:
                    row.pop()
                if row:
                    width = max(width, sum(times for _, times in row))
                    top = len(sheet.rows) + empty_rows
                    _require_size(top + count, width)
                    line = [text for text, times in row for _ in range(times)]
                    sheet.rows += [*([] for _ in range(empty_rows)), *(list(line) for _ in range(count))]
                    sheet.hidden_rows.update(range(top, top + count) if hidden else ())
                    empty_rows, row = 0, []
                else:
                    empty_rows += count
            else:
                if element.get(f"{_TABLE}style-name") not in hidden_styles:
                    sheet.name = element.get(f"{_TABLE}name") or ""
                    yield sheet
                sheet, columns, empty_rows, width = _WorkbookSheet(""), 0, 0, 0


def _cell_text(cell: etree._Element) -> str:
    """The text of a cell of an ods, its paragraphs as lines, else the value in its attributes."""
    lines = ["".join(_pieces(line)) for line in cell.iterchildren(f"{_TEXT}p")]
    if lines:
        return "\n".join(lines)
    return next((value for name in _VALUES if (value := cell.get(f"{_OFFICE}{name}"))), "")


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yields the pieces of a paragraph's text, with its elements for blanks, tabs and line breaks as characters;
    annotations are left out."""
    yield element.text or ""
    for child in element:
        if child.tag == f"{_TEXT}s":
            yield " " * min(int(child.get(f"{_TEXT}c") or 1), _MOST_BLANKS)
        elif child.tag in (f"{_TEXT}line-break", f"{_TEXT}tab"):
            yield "\n" if child.tag.endswith("break") else "\t"
        elif child.tag != f"{_OFFICE}annotation":
            yield from _pieces(child)
        yield child.tail or ""


def _repetitions(element: etree._Element, what: str) -> int:
    """The number of times that a row (`what`: rows) or cell (columns) of an ods repeats; 1 if the attribute is absent
    or invalid."""
    count = element.get(f"{_TABLE}number-{what}-repeated") or "1"
    return int(count) if count.isascii() and count.isdecimal() and len(count) < 10 else 1


# Excel: values by a library, and their formats and what is hidden from the XML of an xlsx.

_PIECE_LIMIT = 6_000_000
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_MOST_INDENTS = 15  # levels by which Excel indents at most
_OWN_FORMATS = 164  # the number from which on formats are a workbook's
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # the stream that holds an xlsx under a password (MS-OFFCRYPTO)


class Style(NamedTuple):
    """Style of a cell, as far as it changes the text: number format code, and levels of indentation."""

    code: str
    indent: int


_GENERAL = Style("General", 0)


def _texts(
    values: Sequence[Sequence[Scalar]], styles: Mapping[tuple[int, int], Style], from_1904: bool
) -> list[list[str]]:
    """The displayed texts of a sheet's values; `styles` are those of the cells, by (row, column), that have one."""
    rows = []
    for number, row in enumerate(values):
        rows.append([""] * len(row))
        for column, value in enumerate(row):
            if value != "":
                style = styles.get((number, column), _GENERAL)
                text = displayed_text(value, style.code, from_1904)
                rows[-1][column] = "  " * style.indent + text if text else ""
    return rows


def _read_new(data: bytes, language: Language) -> Iterator[_WorkbookSheet]:
    """Yields the visible sheets of an xlsx or xlsb, read by calamine. Without the XML of an xlsx where it belongs
    values show as General. Raises CalamineError, or an error of `_DAMAGE`."""
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    archive = zipfile.ZipFile(io.BytesIO(data))
    names = archive.NameToInfo
    paths: dict[str, str] = {}
    styles: dict[str, Style] = {}
    from_1904 = False
    if "xl/workbook.xml" in names:
        relations = {
            one.get("Id"): f"xl/{target}".rpartition("xl//")[2]
            for one in _xml(archive.read("xl/_rels/workbook.xml.rels"))
            if (target := one.get("Target", ""))
        }
        workbook = archive.read("xl/workbook.xml")
        for one in _xml(workbook).iter("{*}sheet"):
            link = next((value for name, value in one.attrib.items() if str(name).endswith("}id")), "")
            paths[one.get("name", "")] = relations.get(str(link), "")
        from_1904 = bool(re.search(rb'date1904="(1|true)"', workbook))
        if "xl/styles.xml" in names:
            styles = _read_styles(archive.read("xl/styles.xml"), language)
    for meta in book.sheets_metadata:
        if meta.visible == SheetVisibleEnum.Visible and meta.typ == SheetTypeEnum.WorkSheet:
            sheet, found = _WorkbookSheet(meta.name), dict[tuple[int, int], Style]()
            if paths.get(meta.name) in names:
                found = _read_layout(archive, paths[meta.name], styles, sheet)
            read = book.get_sheet_by_name(meta.name)
            _require_size(read.total_height, read.total_width)
            sheet.rows = _texts(read.to_python(skip_empty_area=False), found, from_1904)
            sheet.merged = [MergedSpan(*first, *last) for first, last in read.merged_cell_ranges or ()]
            yield sheet


def _xml(data: bytes) -> etree._Element:
    """Root of a member's XML, read without entities and network."""
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(**SAFE))


def _read_styles(data: bytes, language: Language) -> dict[str, Style]:
    """The styles of an xlsx by their numbers, those left out that change no text."""
    root = _xml(data)
    codes = built_in(language)
    for element in root.iter("{*}numFmt"):
        codes[int(element.get("numFmtId", ""))] = element.get("formatCode", "General")
    styles = {}
    for number, xf in enumerate(root.iterfind("{*}cellXfs/{*}xf")):
        alignment = xf.find("{*}alignment")
        indent = int(alignment.get("indent") or 0) if alignment is not None else 0
        style = Style(codes.get(int(xf.get("numFmtId") or 0), "General"), min(indent, _MOST_INDENTS))
        if style != _GENERAL:
            styles[str(number)] = style
    return styles


def _read_layout(
    archive: zipfile.ZipFile, path: str, styles: Mapping[str, Style], sheet: _WorkbookSheet
) -> dict[tuple[int, int], Style]:
    """Adds the hidden rows and columns of an xlsx's sheet to `sheet`, and returns the styles of its cells by (row,
    column). Its XML is read piece by piece: a page of empty rows takes no memory.

    Raises UnreadableTableError for a sheet that is too large, which calamine would fill.
    """
    found: dict[tuple[int, int], Style] = {}
    # The rectangle that holds all values: two of them at far ends make a huge sheet.
    top = left = sys.maxsize
    bottom = right = -1
    row, column = 0, -1  # the row under way, and its last cell so far
    with archive.open(path) as file:
        for count, element in enumerate(xml_pieces(file, ("{*}col", "{*}c", "{*}row"))):
            if count > _PIECE_LIMIT:
                raise ValueError(f"more than {_PIECE_LIMIT:,} rows and cells")
            tag = str(element.tag).rpartition("}")[2]
            hidden = element.get("hidden") in ("1", "true")
            if tag == "c":
                number, place = cell_place(element.get("r") or "")
                row, column = row if number is None else number, column + 1 if place is None else place
                if len(element):
                    top, bottom = min(top, row), max(bottom, row)
                    left, right = min(left, column), max(right, column)
                    style = styles.get(element.get("s") or "0")
                    if style is not None:
                        found[row, column] = style
            elif tag == "row":
                row = int(element.get("r") or row + 1)
                column = -1
                sheet.hidden_rows.update([row - 1] if hidden else ())
            elif hidden:
                last = min(int(element.get("max") or 0), _MOST_COLUMNS)
                sheet.hidden_columns.update(range(int(element.get("min") or 1) - 1, last))
    if bottom >= 0:
        _require_size(bottom - top + 1, right - left + 1)
    return found


def cell_place(reference: str) -> tuple[int | None, int | None]:
    """The (row, column), from 0, of a cell reference such as AB12; (None, None) for any other text."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return None, None
    number = 0
    for character in found[1]:
        number = number * 26 + ord(character) - 64
    return int(found[2]) - 1, number - 1


def _read_old(data: bytes, language: Language) -> Iterator[_WorkbookSheet]:
    """Yields the visible sheets of an xls, read by xlrd, which keeps formats. Raises UnreadableTableError if it is
    protected or too large, ValueError if xlrd cannot read it."""
    import xlrd

    if _ENCRYPTED in data:
        raise UnreadableTableError("protected by a password")
    try:
        book = xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=io.StringIO())
    except Exception as error:  # xlrd fails in many ways on workbooks of other programs
        raise ValueError(str(error)) from error
    codes = built_in(language)
    styles = []
    for xf in book.xf_list:
        code, own = codes.get(xf.format_key), book.format_map.get(xf.format_key)
        if own is not None and (code is None or xf.format_key >= _OWN_FORMATS):
            code = own.format_str
        styles.append(Style(code or "General", min(int(xf.alignment.indent_level), _MOST_INDENTS)))
    for sheet in book.sheets():
        if sheet.visibility:
            continue
        _require_size(sheet.nrows, sheet.ncols)
        values = [[_old_value(cell, styles, book.datemode) for cell in sheet.row(row)] for row in range(sheet.nrows)]
        found = {
            (row, column): styles[sheet.cell_xf_index(row, column)]
            for row in range(sheet.nrows)
            for column in range(sheet.row_len(row))
        }
        yield _WorkbookSheet(
            sheet.name,
            _texts(values, found, bool(book.datemode)),
            [MergedSpan(top, left, below - 1, right - 1) for top, below, left, right in sheet.merged_cells],
            {row for row, info in sheet.rowinfo_map.items() if info.hidden},
            {column for column, info in sheet.colinfo_map.items() if info.hidden},
        )


def _old_value(cell: xlrd.sheet.Cell, styles: Sequence[Style], datemode: int) -> Scalar:
    """The value of a cell of an xls: text, number, bool, or a date or time; "" for an empty cell, an error as its text.

    `styles` are those of the workbook by number; `datemode` is 1 for the date system of 1904, else 0.
    """
    import xlrd

    if cell.ctype in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
        return ""
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(cell.value)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#N/A"))
    if cell.ctype == xlrd.XL_CELL_DATE:
        code = styles[cell.xf_index].code if cell.xf_index is not None else ""
        return serial_moment(float(cell.value), bool(datemode), "[" in code and "h]" in code.lower())
    return cell.value  # type: ignore[no-any-return]
