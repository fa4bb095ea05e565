"""Workbooks (xlsx, xlsb, ods, xls) as grids of the text that a person sees: formats applied, hidden parts left out."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

from indexer.files.archive import zip_fault
from indexer.files.xml import SAFE, xml_pieces
from indexer.languages.language import Language
from indexer.tables.number_formats import Scalar, built_in, displayed_text, serial_moment

if TYPE_CHECKING:
    import xlrd
    from lxml import etree


_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
_CONTENT = "content.xml"
_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _TEXT, _OFFICE, _STYLE = (f"{_NAMES}{name}:1.0}}" for name in ("table", "text", "office", "style"))
_CELLS = [f"{_TABLE}{name}" for name in ("table", "table-row", "table-cell", "covered-table-cell")]
_VALUES = ("value", "date-value", "time-value", "boolean-value", "string-value")


class OdsSheet(NamedTuple):
    """A sheet of an ods: its texts, its merged ranges (top, left, bottom, right), and the numbers of its hidden rows
    and columns."""

    name: str
    rows: list[list[str]]
    merged: list[tuple[int, int, int, int]]
    hidden_rows: frozenset[int]
    hidden_columns: frozenset[int]


def is_ods(data: bytes) -> bool:
    """Returns whether bytes are a zip that says by its member `mimetype` that it is an ods."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("mimetype") as file:
            return file.read(len(_KIND)) == _KIND
    except DAMAGE:
        return False


def largest_sheet(data: bytes) -> int:
    """The number of cells of an ods's largest sheet, up to its last filled row and column; 0 if it is not a readable
    ods.

    Repeated rows and cells count as often as they repeat: a few bytes can make a huge sheet.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_CONTENT) as file:
            return max(_sizes(file), default=0)
    except DAMAGE:
        return 0


def _sizes(file: IO[bytes]) -> Iterator[int]:
    """Yields the number of cells of each sheet in content.xml: rows × columns up to the last filled ones."""
    height = width = row = column = last = 0
    for element in xml_pieces(file, _CELLS):
        if element.tag == _CELLS[0]:
            yield height * width
            height = width = row = 0
        elif element.tag == _CELLS[1]:
            row += _repetitions(element, "rows")
            height, width = (row, max(width, last)) if last else (height, width)
            column = last = 0
        else:
            column += _repetitions(element, "columns")
            last = column if _cell_text(element) else last


def is_locked(data: bytes) -> bool:
    """Returns whether an ods is protected by a password. Raises an error of `DAMAGE` if it is not an ods."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"encryption-data" in archive.read("META-INF/manifest.xml")


def read_sheets(data: bytes) -> Iterator[OdsSheet]:
    """Yields the visible sheets of an ods in order, each up to its last filled row. Raises an error of `DAMAGE` if it
    is damaged.

    Repeated cells are written out: check the size with `largest_sheet` before.
    """
    hidden_styles: set[str | None] = set()
    making = _Making()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_CONTENT) as file:
        for element in xml_pieces(file, [*_CELLS, f"{_TABLE}table-column", f"{_STYLE}style"]):
            if element.tag == f"{_STYLE}style":
                displays = [one.get(f"{_TABLE}display") for one in element]
                hidden_styles.update({element.get(f"{_STYLE}name")} if "false" in displays else ())
            elif element.tag != _CELLS[0]:
                making.add(element)
            else:
                if element.get(f"{_TABLE}style-name") not in hidden_styles:
                    yield making.sheet(element.get(f"{_TABLE}name") or "")
                making = _Making()


class _Making:
    """A sheet being built from its elements in order; empty cells and rows are only counted until a filled one
    follows."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._merged: list[tuple[int, int, int, int]] = []
        self._hidden_rows: set[int] = set()
        self._hidden_columns: set[int] = set()
        self._row: list[str] = []
        self._empty_rows = self._empty_cells = self._columns = 0

    def add(self, element: etree._Element) -> None:
        """Adds a column, a cell, or a row, which comes after its cells."""
        if element.tag == f"{_TABLE}table-column":
            count = min(_repetitions(element, "columns"), _MOST_COLUMNS)
            if _is_hidden(element):
                self._hidden_columns.update(range(self._columns, self._columns + count))
            self._columns += count
        elif element.tag == _CELLS[1]:
            count = _repetitions(element, "rows")
            if self._row:
                self._rows += [[] for _ in range(self._empty_rows)]
                if _is_hidden(element):
                    self._hidden_rows.update(range(len(self._rows), len(self._rows) + count))
                self._rows += [list(self._row) for _ in range(count)]
                self._empty_rows = 0
            else:
                self._empty_rows += count
            self._row, self._empty_cells = [], 0
        elif text := _cell_text(element):
            self._row += [""] * self._empty_cells
            down, across = (int(element.get(f"{_TABLE}number-{what}-spanned") or 1) for what in ("rows", "columns"))
            if down * across > 1:
                top, left = len(self._rows) + self._empty_rows, len(self._row)
                self._merged.append((top, left, top + down - 1, left + across - 1))
            self._row += [text] * _repetitions(element, "columns")
            self._empty_cells = 0
        else:
            self._empty_cells += _repetitions(element, "columns")

    def sheet(self, name: str) -> OdsSheet:
        """The finished sheet, called `name`, its rows padded with "" to equal length."""
        width = max(map(len, self._rows), default=0)
        rows = [row + [""] * (width - len(row)) for row in self._rows]
        return OdsSheet(name, rows, self._merged, frozenset(self._hidden_rows), frozenset(self._hidden_columns))


_MOST_COLUMNS = 16_384  # Excel's limit


def _cell_text(cell: etree._Element) -> str:
    """The text of a cell, its paragraphs as lines, else the value in its attributes; "" for a cell covered by a merged
    one."""
    if cell.tag == _CELLS[3]:
        return ""
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


_MOST_BLANKS = 100  # of one element: a count of a million would fill the memory


def _is_hidden(element: etree._Element) -> bool:
    return element.get(f"{_TABLE}visibility") in ("collapse", "filter")


def _repetitions(element: etree._Element, what: str) -> int:
    """The number of times that a row (`what`: rows) or cell (columns) repeats; 1 if the attribute is absent or
    invalid."""
    count = element.get(f"{_TABLE}number-{what}-repeated") or "1"
    return int(count) if count.isascii() and count.isdecimal() and len(count) < 10 else 1


_COLUMN_LIMIT = 16_384  # Excel's limit
_PIECE_LIMIT = 6_000_000
_NAMESPACE = re.compile(r"\{[^}]*\}")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
DAMAGE = (zipfile.BadZipFile, KeyError, ValueError, OSError, NotImplementedError, EOFError, SyntaxError)
"""What reading the parts of a zipped workbook may raise."""


class Style(NamedTuple):
    """Style of a cell, as far as it changes the text: number format code, and levels of indentation."""

    code: str
    indent: int


class SheetLayout(NamedTuple):
    """A sheet's styles by (row, column), of cells whose style changes their text, and the numbers of its hidden rows
    and columns.

    `cells` is the number of cells in the rectangle around all values.
    """

    styles: Mapping[tuple[int, int], Style]
    hidden_rows: frozenset[int]
    hidden_columns: frozenset[int]
    from_1904: bool = False
    cells: int = 0


class Layouts:
    """The layouts of a workbook's sheets, read from the parts of an xlsx.

    For other formats, and an xlsx whose parts are not where they belong, all layouts are empty: values then show as
    General. Raises an error of `DAMAGE` if the parts cannot be read.
    """

    def __init__(self, data: bytes, language: Language) -> None:
        self._archive: zipfile.ZipFile | None = None
        self._paths: dict[str, str] = {}
        self._styles: list[Style] = []
        self._from_1904 = False
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = set(archive.namelist())
        if "xl/workbook.xml" in names:
            self._archive = archive
            relations = {}
            for relation in _xml(archive.read("xl/_rels/workbook.xml.rels")):
                fields = _attributes(relation)
                target = fields.get("Target", "")
                relations[fields.get("Id", "")] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            paths = {}
            for sheet in _xml(archive.read("xl/workbook.xml")).iter("{*}sheet"):
                fields = _attributes(sheet)
                paths[fields.get("name", "")] = relations.get(fields.get("id", ""), "")
            self._paths = paths
            self._from_1904 = bool(re.search(rb'date1904="(1|true)"', archive.read("xl/workbook.xml")))
            if "xl/styles.xml" not in names:
                return
            styles = _xml(archive.read("xl/styles.xml"))
            codes = built_in(language)
            for element in styles.iter("{*}numFmt"):
                fields = _attributes(element)
                codes[int(fields["numFmtId"])] = fields.get("formatCode", "General")
            for xf in styles.iterfind("{*}cellXfs/{*}xf"):
                alignment = xf.find("{*}alignment")
                indent = int(alignment.get("indent") or 0) if alignment is not None else 0
                code = codes.get(int(xf.get("numFmtId") or 0), "General")
                self._styles.append(Style(code, min(indent, 15)))  # Excel indents by 15 at most

    def layout(self, name: str) -> SheetLayout:
        """The layout of the sheet called `name`; empty if the workbook has no XML of it. Raises an error of
        `DAMAGE`."""
        path = self._paths.get(name)
        if self._archive is None or path is None or path not in self._archive.NameToInfo:
            return SheetLayout({}, frozenset(), frozenset())
        with self._archive.open(path) as file:
            # The layout of a sheet's XML, which is read piece by piece: a page of empty rows takes no memory.
            telling = {str(number): style for number, style in enumerate(self._styles) if style != ("General", 0)}
            found: dict[tuple[int, int], Style] = {}
            hidden_rows: set[int] = set()
            hidden_columns: set[int] = set()
            # the rectangle that holds all values: two of them at far ends make a huge sheet
            top = left = sys.maxsize
            bottom = right = -1
            row, column = 0, -1  # the row under way, and its last cell so far
            for count, element in enumerate(xml_pieces(file, ("{*}col", "{*}c", "{*}row"))):
                if count > _PIECE_LIMIT:
                    raise ValueError(f"more than {_PIECE_LIMIT:,} rows and cells")
                tag = str(element.tag).rpartition("}")[2]
                if tag == "c":
                    number, place = cell_place(element.get("r") or "")
                    row, column = row if number is None else number, column + 1 if place is None else place
                    if len(element):
                        top, bottom = min(top, row), max(bottom, row)
                        left, right = min(left, column), max(right, column)
                        style = telling.get(element.get("s") or "0")
                        if style is not None:
                            found[row, column] = style
                elif tag == "row":
                    row = int(element.get("r") or row + 1) - 1
                    if element.get("hidden") in ("1", "true"):
                        hidden_rows.add(row)
                    row, column = row + 1, -1
                elif element.get("hidden") in ("1", "true"):
                    last = min(int(element.get("max") or 0), _COLUMN_LIMIT)
                    hidden_columns.update(range(int(element.get("min") or 1) - 1, last))
            cells = max(0, bottom - top + 1) * max(0, right - left + 1)
            return SheetLayout(found, frozenset(hidden_rows), frozenset(hidden_columns), self._from_1904, cells)


def _xml(data: bytes) -> etree._Element:
    """Root of a member's XML, read without entities and network."""
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(**SAFE))


def _attributes(element: etree._Element) -> dict[str, str]:
    """An element's attributes without their namespaces."""
    return {_NAMESPACE.sub("", str(name)): str(value) for name, value in element.attrib.items()}


def cell_place(reference: str) -> tuple[int | None, int | None]:
    """The (row, column), from 0, of a cell reference such as AB12; (None, None) for any other text."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return None, None
    number = 0
    for character in found[1]:
        number = number * 26 + ord(character) - 64
    return int(found[2]) - 1, number - 1


CELL_LIMIT = 5_000_000  # cells of the largest sheet that is read

_INDENT = "  "
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # the stream that holds an xlsx under a password (MS-OFFCRYPTO)


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


class UnreadableTableError(Exception):
    """Raised where a file, or a part of it, has no readable table; its text is the reason in the list of rejects."""


def read_workbook(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields the visible sheets of a workbook in order, without those that have no text.

    `language` decides the built-in date formats that follow a country. Raises UnreadableTableError for a damaged or
    password-protected workbook, an unknown format, and a sheet of more than `CELL_LIMIT` cells.
    """
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        yield from _read_old(data, language)
    else:
        if fault := zip_fault(data):
            raise UnreadableTableError(f"damaged workbook ({fault})")
        if largest_sheet(data) > CELL_LIMIT:
            raise UnreadableTableError(f"a sheet of more than {CELL_LIMIT:,} cells")
        yield from _read_ods(data) if is_ods(data) else _read_new(data, language)


def _read_ods(data: bytes) -> Iterator[Grid]:
    """Yields the visible sheets of an ods as grids, in order. Raises UnreadableTableError if it is damaged or
    protected."""
    try:
        if is_locked(data):
            raise UnreadableTableError("protected by a password")
        for sheet in read_sheets(data):
            merged = _plausible([MergedSpan(*one) for one in sheet.merged], sheet.rows)
            grid = Grid(sheet.name, sheet.rows, merged)
            yield from _unless_empty(without_hidden(grid, sheet.hidden_rows, sheet.hidden_columns))
    except DAMAGE as error:
        raise UnreadableTableError(_reason(error)) from error


def _unless_empty(grid: Grid) -> Iterator[Grid]:
    """The grid, unless nothing is seen in it."""
    if any(cell.strip() for row in grid.rows for cell in row):
        yield grid


def _read_new(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields the visible sheets of an xlsx or xlsb. Raises UnreadableTableError if it is damaged or too large."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        layouts = Layouts(data, language)
    except (CalamineError, *DAMAGE) as error:
        raise UnreadableTableError(_reason(error)) from error
    for meta in book.sheets_metadata:
        if meta.visible != SheetVisibleEnum.Visible or meta.typ != SheetTypeEnum.WorkSheet:
            continue
        try:
            layout = layouts.layout(meta.name)
            if layout.cells > CELL_LIMIT:
                raise UnreadableTableError(f"sheet {meta.name}: more than {CELL_LIMIT:,} cells")
            sheet = book.get_sheet_by_name(meta.name)
            if sheet.total_height * sheet.total_width > CELL_LIMIT:
                raise UnreadableTableError(f"sheet {meta.name}: more than {CELL_LIMIT:,} cells")
            values = sheet.to_python(skip_empty_area=False)
            merged = tuple(MergedSpan(*first, *last) for first, last in sheet.merged_cell_ranges or ())
        except (CalamineError, *DAMAGE) as error:
            raise UnreadableTableError(f"sheet {meta.name}: {_reason(error)}") from error
        yield from grid_of(meta.name, values, merged, layout)


def _reason(error: Exception) -> str:
    """Reason why a workbook cannot be read: a password, or damage."""
    text = " ".join(str(error).split()) or type(error).__name__
    return "protected by a password" if "assword" in text or "ncrypted" in text else f"damaged workbook ({text})"


def grid_of(
    name: str, values: Sequence[Sequence[Scalar]], merged: Sequence[MergedSpan], layout: SheetLayout
) -> Iterator[Grid]:
    """Yields the grid of a sheet's values as displayed, without hidden rows and columns; nothing if no text is
    visible."""
    general = Style("General", 0)
    rows = []
    for number, row in enumerate(values):
        rows.append([""] * len(row))
        for column, value in enumerate(row):
            if value != "":
                style = layout.styles.get((number, column), general)
                text = displayed_text(value, style.code, layout.from_1904)
                rows[-1][column] = _INDENT * style.indent + text if style.indent and text else text
    grid = Grid(name, rows, _plausible(merged, rows))
    yield from _unless_empty(without_hidden(grid, layout.hidden_rows, layout.hidden_columns))


def _plausible(merged: Sequence[MergedSpan], rows: Sequence[Sequence[str]]) -> tuple[MergedSpan, ...]:
    """The merged ranges, cut at the sheet's edges; ranges outside are left out, and those that would bring the covered
    cells above the number of the sheet's cells."""
    height, width = len(rows), max((len(row) for row in rows), default=0)
    left = height * width
    kept = []
    for span in merged:
        inside = span._replace(bottom=min(span.bottom, height - 1), right=min(span.right, width - 1))
        area = (inside.bottom - inside.top + 1) * (inside.right - inside.left + 1)
        if inside.bottom < inside.top or inside.right < inside.left or area > left:
            continue
        left -= area
        kept.append(inside)
    return tuple(kept)


def without_hidden(grid: Grid, rows: frozenset[int], columns: frozenset[int]) -> Grid:
    """The grid without the rows and columns of these numbers. A merged range shrinks; its text moves to its first
    visible cell, also in the grid that was passed."""
    if not rows and not columns:
        return grid
    for span in grid.merged:
        top = next((row for row in range(span.top, span.bottom + 1) if row not in rows), None)
        left = next((column for column in range(span.left, span.right + 1) if column not in columns), None)
        if top is not None and left is not None and (top, left) != (span.top, span.left):
            grid.rows[top][left] = grid.rows[span.top][span.left]
    width = max((len(row) for row in grid.rows), default=0)
    kept_rows = [row for row in range(len(grid.rows)) if row not in rows]
    kept_columns = [column for column in range(width) if column not in columns]
    cells = [[grid.rows[row][column] for column in kept_columns] for row in kept_rows]
    new_row = {old: new for new, old in enumerate(kept_rows)}
    new_column = {old: new for new, old in enumerate(kept_columns)}
    spans = []
    for span in grid.merged:
        down = [new_row[row] for row in range(span.top, span.bottom + 1) if row in new_row]
        across = [new_column[column] for column in range(span.left, span.right + 1) if column in new_column]
        if down and across and len(down) * len(across) > 1:
            spans.append(MergedSpan(down[0], across[0], down[-1], across[-1]))
    return grid._replace(rows=cells, merged=tuple(spans))


def _read_old(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields the visible sheets of an xls, read by xlrd, which keeps formats; a file that xlrd cannot read is read by
    calamine, without formats. Raises UnreadableTableError if it is protected or too large."""
    import xlrd

    if _ENCRYPTED in data:
        raise UnreadableTableError("protected by a password")
    try:
        book = xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=io.StringIO())
    except xlrd.XLRDError as error:
        if "ncrypted" in str(error) or "assword" in str(error):
            raise UnreadableTableError("protected by a password") from error
        yield from _read_new(data, language)
        return
    except Exception:  # xlrd fails in many ways on workbooks of other programs
        yield from _read_new(data, language)
        return
    codes = built_in(language)
    styles = []
    for xf in book.xf_list:
        known, own = codes.get(xf.format_key), book.format_map.get(xf.format_key)
        if known is None or (own is not None and xf.format_key >= 164):  # formats of a workbook begin at 164
            known = own.format_str if own is not None else "General"
        styles.append(Style(known or "General", min(int(xf.alignment.indent_level), 15)))
    for sheet in book.sheets():
        if sheet.visibility:
            continue
        if sheet.nrows * sheet.ncols > CELL_LIMIT:
            raise UnreadableTableError(f"sheet {sheet.name}: more than {CELL_LIMIT:,} cells")
        values = [[_old_value(cell, styles, book.datemode) for cell in sheet.row(row)] for row in range(sheet.nrows)]
        found = {
            (row, column): styles[sheet.cell_xf_index(row, column)]
            for row in range(sheet.nrows)
            for column in range(sheet.row_len(row))
        }
        hidden_rows = frozenset(row for row, info in sheet.rowinfo_map.items() if info.hidden)
        hidden_columns = frozenset(column for column, info in sheet.colinfo_map.items() if info.hidden)
        merged = [MergedSpan(top, left, below - 1, right - 1) for top, below, left, right in sheet.merged_cells]
        width = max((len(row) for row in values), default=0)
        yield from grid_of(
            sheet.name,
            [row + [""] * (width - len(row)) for row in values],
            merged,
            SheetLayout(found, hidden_rows, hidden_columns, bool(book.datemode)),
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
