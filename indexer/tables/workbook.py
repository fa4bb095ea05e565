"""Workbooks (xlsx, xls, ods) as grids of the text that a person sees: number formats applied (not
of ods); hidden sheets, rows and columns left out."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.files.xml import parse_xml, xml_pieces
from indexer.languages.language import Language
from indexer.tables.number_formats import BUILT_IN, Scalar, displayed_text

if TYPE_CHECKING:
    import xlrd
    from python_calamine import CalamineWorkbook

CELL_LIMIT = 5_000_000  # cells of the largest sheet that is read

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of an xls, and of an xlsx under a password."""

_DAMAGE = (
    UserError,
    zipfile.BadZipFile,
    KeyError,
    ValueError,
    OSError,
    NotImplementedError,
    EOFError,
    SyntaxError,
)
"""What reading the parts of a zipped workbook may raise."""


class MergedSpan(NamedTuple):
    """A merged range, zero-based, both ends included; its text is in the first cell."""

    top: int
    left: int
    bottom: int
    right: int


class Grid(NamedTuple):
    """A sheet as displayed: rows of equal length, "" where nothing is shown.

    An indented cell starts with two blanks a level, so that indentation by format and by blanks is
    one thing. `head` counts the rows that the file itself marks as headings (HTML), or is None.
    `left_out` holds the texts of what nobody sees, by its reason.
    """

    name: str
    rows: list[list[str]]
    merged: tuple[MergedSpan, ...] = ()
    head: int | None = None
    left_out: Mapping[str, Sequence[str]] = {}


HIDDEN_ROWS, HIDDEN_COLUMNS = "hidden rows of tables", "hidden columns of tables"
HIDDEN_SHEETS, HIDDEN_CELLS = "hidden sheets", "hidden cells of tables"


def seen_part(grid: Grid, rows: Set[int], columns: Set[int]) -> Grid:
    """The grid without the hidden rows and columns of these numbers, whose texts become its
    `left_out`; what is merged with a row or column that is seen keeps its text."""
    if not rows and not columns:
        return grid
    height, width = len(grid.rows), max(map(len, grid.rows), default=0)
    down = [number for number in range(height) if number not in rows]
    across = [number for number in range(width) if number not in columns]
    # how many are seen before each
    above = list(accumulate((number not in rows for number in range(height)), initial=0))
    before = list(accumulate((number not in columns for number in range(width)), initial=0))
    cells = [row + [""] * (width - len(row)) for row in grid.rows]
    merged = []
    for span in grid.merged:
        bottom, right = min(span.bottom, height - 1), min(span.right, width - 1)
        if span.top > bottom or span.left > right:
            continue
        area = MergedSpan(
            above[span.top], before[span.left], above[bottom + 1] - 1, before[right + 1] - 1
        )
        if area.top <= area.bottom and area.left <= area.right:
            merged.append(area)
            first = down[area.top], across[area.left]
            cells[first[0]][first[1]] = cells[span.top][span.left]
    hidden = {
        HIDDEN_ROWS: [" ".join(cells[number]) for number in sorted(rows) if number < height],
        HIDDEN_COLUMNS: [
            " ".join(row[number] for row in cells) for number in sorted(columns) if number < width
        ],
    }
    left_out = {
        reason: shown
        for reason, texts in hidden.items()
        if (shown := [text for text in texts if text.strip()])
    }
    return grid._replace(
        rows=[[cells[row][column] for column in across] for row in down],
        merged=tuple(merged),
        left_out=left_out,
    )


class UnreadableTableError(Exception):
    """Raised where a file, or a part of it, has no readable table; its text is the reason in the
    list of rejects."""


def read_workbook(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields the visible sheets of a workbook in order, without those that have no text, not even
    in hidden rows or columns; the first has the names of the hidden sheets in `left_out`.

    `language` decides the built-in date formats that follow a country. Raises UnreadableTableError
    for a damaged or password-protected workbook, an unknown format, and where hidden sheets alone
    may have text; for a sheet that is damaged or has more than `CELL_LIMIT` (5,000,000) cells,
    after the other sheets, but at once in an xls.
    """
    from python_calamine import CalamineError

    old = data[:8] == OLD
    hidden_sheets = list[str]()
    try:
        for sheet in (_read_old if old else _read_new)(data, language):
            if HIDDEN_SHEETS in sheet.left_out:
                hidden_sheets += sheet.left_out[HIDDEN_SHEETS]
                continue
            if not any(cell.strip() for row in sheet.rows for cell in row) and not sheet.left_out:
                continue
            width = max(map(len, sheet.rows), default=0)  # no rows: all are hidden
            left = (
                len(sheet.rows) * width
            )  # cells that merged ranges may cover, which are cut at the sheet's edges
            merged = []
            for span in sheet.merged:
                cut = span._replace(
                    bottom=min(span.bottom, len(sheet.rows) - 1), right=min(span.right, width - 1)
                )
                cells = (cut.bottom - cut.top + 1) * max(0, cut.right - cut.left + 1)
                if 1 < cells <= left:
                    merged.append(cut)
                left -= cells if 0 < cells <= left else 0
            rows = [row + [""] * (width - len(row)) for row in sheet.rows]
            left_out = dict(sheet.left_out)
            if hidden_sheets:
                left_out[HIDDEN_SHEETS] = hidden_sheets
                hidden_sheets = []
            yield sheet._replace(rows=rows, merged=tuple(merged), left_out=left_out)
        if hidden_sheets:
            raise UnreadableTableError(f"no text but in hidden sheets: {first_few(hidden_sheets)}")
    except (CalamineError, *_DAMAGE) as error:
        raise UnreadableTableError("damaged workbook: open and save it again") from error


def _hidden_sheets(names: Iterable[str]) -> Iterator[Grid]:
    """Yields one grid without rows, the names of hidden sheets in its `left_out`; none without a
    name, those of other files' sheets aside."""
    # An ods has a hidden sheet for each sheet of another file that its formulas refer to.
    if left_out := [name for name in names if not name.startswith("'file:")]:
        yield Grid("", [], left_out={HIDDEN_SHEETS: left_out})


def _require_size(rows: int, columns: int) -> None:
    """Raises UnreadableTableError for a sheet of more than `CELL_LIMIT` (5,000,000) cells."""
    if rows * columns > CELL_LIMIT:
        raise UnreadableTableError(f"a sheet of more than {CELL_LIMIT:,} cells")


# Values by a library; formats and indents from the XML of an xlsx.

_PIECE_LIMIT = 6_000_000
_MOST_COLUMNS = 16_384  # of a sheet (Excel's limits)
_TRUE = ("1", "true")  # of XML Schema's booleans
# The names of errors as LibreOffice shows them.
_ERROR = re.compile(r"#[A-Z/0]{1,7}[!?]|#N/A|Err:\d{3}")
_ODS_CELLS = ("table-cell", "covered-table-cell")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_MOST_INDENTS = 15  # levels by which Excel indents at most
_ENCRYPTED = "EncryptedPackage".encode(
    "utf-16-le"
)  # the stream that holds an xlsx under a password (MS-OFFCRYPTO)


class CellStyle(NamedTuple):
    """Style of a cell, as far as it changes the text: number format code, and levels of
    indentation."""

    code: str
    indent: int

    def text(self, value: Scalar, datemode: int = 0) -> str:
        """The text of a value as displayed, an indented one behind two blanks a level; of a book of
        the date system that begins in 1904 with `datemode` 1."""
        text = displayed_text(value, self.code, datemode)
        return "  " * self.indent + text if text else ""


_GENERAL = CellStyle("General", 0)


def _read_new(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields a grid without rows that has the names of hidden sheets, if any, then the visible
    sheets of an xlsx or ods, read by calamine, without hidden rows and columns. Raises
    CalamineError, an error of `_DAMAGE`, and UnreadableTableError for another document, or after
    the other sheets for those that cannot be read."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    archive = zipfile.ZipFile(io.BytesIO(data))
    is_new = "xl/workbook.xml" in archive.NameToInfo
    if not is_new and "content.xml" not in archive.NameToInfo:
        raise UnreadableTableError("a document that is not an xlsx or ods")
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    except CalamineError:
        if is_new:
            raise
        book = CalamineWorkbook.from_filelike(io.BytesIO(_without_indents(archive)))
    paths: dict[str, str] = {}
    if is_new:
        targets = {
            relation.get("Id"): relation.get("Target", "")
            for relation in parse_xml(archive.read("xl/_rels/workbook.xml.rels"))
        }
        for element in parse_xml(archive.read("xl/workbook.xml")).iter("sheet"):
            # without a link a KeyError below: damage
            link = next((v for name, v in element.attrib.items() if str(name).endswith("}id")), "")
            # absolute, or relative to xl/
            paths[element.get("name", "")] = f"xl/{targets[str(link)]}".rpartition("xl//")[2]
    styles = (
        _read_styles(archive.read("xl/styles.xml"), language)
        if "xl/styles.xml" in archive.NameToInfo
        else {}
    )
    sheets = [meta for meta in book.sheets_metadata if meta.typ == SheetTypeEnum.WorkSheet]
    visible = [meta.name for meta in sheets if meta.visible == SheetVisibleEnum.Visible]
    yield from _hidden_sheets(meta.name for meta in sheets if meta.name not in visible)
    reasons = dict[str, None]()
    for name in visible:
        try:
            sheet = (
                _read_sheet(archive, paths[name], styles) if is_new else _read_ods(archive, name)
            )
            grid = _grid(book, name, sheet)
        except UnreadableTableError as error:
            reasons[str(error)] = None
        except (CalamineError, *_DAMAGE):
            reasons["a damaged sheet: open and save the workbook again"] = None
        else:
            yield seen_part(grid, sheet.rows, sheet.columns)
    if reasons:
        raise UnreadableTableError("; ".join(reasons))


def _grid(book: CalamineWorkbook, name: str, sheet: _WorkbookSheet) -> Grid:
    """The sheet of that name as displayed, with its hidden rows and columns; `sheet` is what its
    XML says. Raises UnreadableTableError if it is too large."""
    read = book.get_sheet_by_name(name)
    _require_size(read.total_height, read.total_width)
    rows = [
        [
            sheet.styles.get((number, column), _GENERAL).text(value)
            for column, value in enumerate(row)
        ]
        for number, row in enumerate(read.to_python(skip_empty_area=False))
    ]
    for (number, column), text in sheet.errors.items():  # calamine shows them as empty, or as 0
        if number < len(rows):
            rows[number] += [""] * (column + 1 - len(rows[number]))
            rows[number][column] = text
    merged = tuple(MergedSpan(*first, *last) for first, last in read.merged_cell_ranges or ())
    return Grid(name, rows, merged)


# Blanks that calamine does not read between the elements of a sheet.
_INDENTS = re.compile(rb">\s++(?=</?(?:table:|office:|calcext:|draw:|text:p\b))")


def _without_indents(archive: zipfile.ZipFile) -> bytes:
    """A copy of an ods with its content and manifest only, without blanks around tables, rows and
    cells. Raises UnreadableTableError if it is protected."""
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise UnreadableTableError("protected by a password")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        for name in ("mimetype", "META-INF/manifest.xml", "content.xml"):
            content = archive.read(name)
            written.writestr(
                name, _INDENTS.sub(b">", content) if name == "content.xml" else content
            )
    return file.getvalue()


def _read_styles(data: bytes, language: Language) -> dict[str, CellStyle]:
    """The styles of an xlsx by their numbers, those left out that change no text."""
    root = parse_xml(data)
    codes = BUILT_IN | dict(language.date_formats)
    for element in root.iter("numFmt"):
        codes[int(element.get("numFmtId", ""))] = element.get("formatCode", "General")
    styles = {}
    for number, xf in enumerate(root.iterfind("cellXfs/xf")):
        alignment = xf.find("alignment")
        indent = int(alignment.get("indent") or 0) if alignment is not None else 0
        style = CellStyle(
            codes.get(int(xf.get("numFmtId") or 0), "General"), min(indent, _MOST_INDENTS)
        )
        if style != _GENERAL:
            styles[str(number)] = style
    return styles


class _WorkbookSheet(NamedTuple):
    """What a sheet says of its cells: the styles and the names of errors (`#N/A`) by (row, column),
    the hidden rows and columns."""

    styles: dict[tuple[int, int], CellStyle]
    errors: dict[tuple[int, int], str]
    rows: Set[int]
    columns: Set[int]


def _read_sheet(
    archive: zipfile.ZipFile, path: str, styles: Mapping[str, CellStyle]
) -> _WorkbookSheet:
    """The cells of an xlsx's sheet that have one of `styles` or an error, and what is hidden in it.
    Its XML is read piece by piece: a page of empty rows takes no memory.

    Raises UnreadableTableError for a sheet that is too large, which calamine would fill: more than
    6,000,000 elements (`_PIECE_LIMIT`), or `CELL_LIMIT` cells in the rectangle of its values.
    """
    cell_styles: dict[tuple[int, int], CellStyle] = {}
    errors: dict[tuple[int, int], str] = {}
    # The rectangle that holds all values: two of them at far ends make a huge sheet.
    top = left = sys.maxsize
    bottom = right = -1
    row, column = 0, -1  # the row under way, and its last cell so far
    hidden_rows, hidden_columns = set[int](), set[int]()
    with archive.open(path) as file:
        for count, element in enumerate(xml_pieces(file, ("{*}c", "{*}row", "{*}col"))):
            if count > _PIECE_LIMIT:
                raise UnreadableTableError(f"a sheet of more than {_PIECE_LIMIT:,} rows and cells")
            if str(element.tag).endswith("}row"):
                row, column = int(element.get("r") or row + 1), -1
                if element.get("hidden") in _TRUE:
                    hidden_rows.add(row - 1)
                continue
            if str(element.tag).endswith("}col"):
                if element.get("hidden") in _TRUE:
                    last = min(int(element.get("max", "0")), _MOST_COLUMNS)
                    hidden_columns.update(range(int(element.get("min", "1")) - 1, last))
                continue
            number, index = cell_position(element.get("r") or "")
            row, column = row if number is None else number, column + 1 if index is None else index
            if len(element):
                top, bottom = min(top, row), max(bottom, row)
                left, right = min(left, column), max(right, column)
                if style := styles.get(element.get("s") or "0"):
                    cell_styles[row, column] = style
                if element.get("t") == "e":  # ECMA-376, part 1, 18.18.11
                    errors[row, column] = element.findtext("{*}v") or ""
    if bottom >= 0:
        _require_size(bottom - top + 1, right - left + 1)
    return _WorkbookSheet(cell_styles, errors, hidden_rows, hidden_columns)


def _read_ods(archive: zipfile.ZipFile, name: str) -> _WorkbookSheet:
    """The errors of the sheet of that name of an ods, by the names that it shows, and its hidden
    rows and columns (OpenDocument 1.3, part 3, 9.1), without styles. Those at the end, of which a
    sheet has a million, are not listed."""
    hidden: dict[str, set[int]] = {"row": set(), "column": set()}
    count = {"row": 0, "column": 0, "cell": 0}
    in_row: dict[int, str] = {}
    errors: dict[tuple[int, int], str] = {}
    tags = [f"{{*}}{tag}" for tag in ("table-row", "table-column", "table", *_ODS_CELLS)]
    with archive.open("content.xml") as file:
        for element in xml_pieces(file, tags):
            attributes = {str(key).rpartition("}")[2]: text for key, text in element.attrib.items()}
            tag = str(element.tag).rpartition("}")[2]
            if tag in _ODS_CELLS:
                number = int(attributes.get("number-columns-repeated") or 1)
                text = "".join(map(str, element.itertext())).strip()
                if _ERROR.fullmatch(text) and number < _MOST_COLUMNS:
                    columns = range(count["cell"], count["cell"] + number)
                    in_row |= dict.fromkeys(columns, text)
                count["cell"] += number
                continue
            if tag == "table":  # the end of a sheet
                if attributes.get("name") == name:
                    break
                hidden, count = {"row": set(), "column": set()}, {"row": 0, "column": 0, "cell": 0}
                errors = {}
                continue
            kind = tag.removeprefix("table-")
            number = int(attributes.get(f"number-{kind}s-repeated") or 1)
            numbers = range(count[kind], count[kind] + min(number, _MOST_COLUMNS))
            if attributes.get("visibility") in ("collapse", "filter") and number < _MOST_COLUMNS:
                hidden[kind].update(numbers)
            count[kind] += number
            if kind == "row":
                _require_size(1, len(errors) + len(numbers) * len(in_row))
                errors |= {(row, column): t for row in numbers for column, t in in_row.items()}
                in_row, count["cell"] = {}, 0
    return _WorkbookSheet({}, errors, hidden["row"], hidden["column"])


def cell_position(reference: str) -> tuple[int | None, int | None]:
    """The (row, column), from 0, of a cell reference such as AB12; (None, None) for any other text,
    such as ab12."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        return None, None
    number = 0
    for character in match[1]:
        number = number * 26 + ord(character) - 64
    return int(match[2]) - 1, number - 1


def _read_old(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields a grid without rows that has the names of hidden sheets, if any, then the visible
    sheets of an xls, read by xlrd, which keeps formats, without hidden rows and columns. Raises
    UnreadableTableError if it is protected or too large, ValueError if xlrd cannot read it."""
    import xlrd

    if _ENCRYPTED in data:
        raise UnreadableTableError("protected by a password")
    try:
        book = xlrd.open_workbook(
            file_contents=data,
            formatting_info=True,
            logfile=io.StringIO(),
            ignore_workbook_corruption=True,
        )
    except Exception as error:  # xlrd fails in many ways on workbooks of other programs
        if "encrypted" in str(error):
            raise UnreadableTableError("protected by a password") from None
        raise ValueError(str(error)) from error
    codes = (
        {key: entry.format_str for key, entry in book.format_map.items()}
        | BUILT_IN
        | dict(language.date_formats)
    )
    styles = [
        CellStyle(
            codes.get(xf.format_key) or "General",
            min(int(xf.alignment.indent_level), _MOST_INDENTS),
        )
        for xf in book.xf_list
    ]

    def text(cell: xlrd.sheet.Cell) -> str:
        """The displayed text of a cell, an error's name."""
        value = cell.value
        if cell.ctype == xlrd.XL_CELL_BOOLEAN:
            value = bool(value)
        elif cell.ctype == xlrd.XL_CELL_ERROR:
            value = str(xlrd.error_text_from_code.get(value, "#N/A"))
        return styles[int(cell.xf_index)].text(value, int(book.datemode))

    yield from _hidden_sheets(sheet.name for sheet in book.sheets() if sheet.visibility)
    for sheet in book.sheets():
        if not sheet.visibility:
            _require_size(sheet.nrows, sheet.ncols)
            rows = [[text(cell) for cell in sheet.row(number)] for number in range(sheet.nrows)]
            merged = [
                MergedSpan(top, left, below - 1, right - 1)
                for top, below, left, right in sheet.merged_cells
            ]
            hidden_rows = {number for number, row in sheet.rowinfo_map.items() if row.hidden}
            hidden_columns = {
                number for number, column in sheet.colinfo_map.items() if column.hidden
            }
            grid = Grid(sheet.name, rows, tuple(merged))
            yield seen_part(grid, hidden_rows, hidden_columns)
