"""Workbooks (xlsx, xlsb, ods, xls) as grids of the text that a person sees: formats applied, hidden parts left out."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.files.archive import zip_fault
from indexer.languages.language import Language
from indexer.tables.grids.number_formats import Scalar, built_in, serial_moment, shown
from indexer.tables.grids.ods import is_locked, is_ods, largest_sheet, read_sheets
from indexer.tables.grids.xlsx_layout import DAMAGE, Layout, Layouts, Style

if TYPE_CHECKING:
    import xlrd

CELL_LIMIT = 5_000_000
"""Cells of the largest sheet that is read."""

_INDENT = "  "
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # the stream that holds an xlsx under a password (MS-OFFCRYPTO)


class Span(NamedTuple):
    """A merged range, zero-based, both ends included; its text stands in the first cell."""

    top: int
    left: int
    bottom: int
    right: int


class Grid(NamedTuple):
    """A sheet as it is seen: rows of equal length, "" where nothing is shown.

    An indented cell starts with two blanks a level, so that indentation by format and by blanks is one
    thing. `head` counts the rows that the file itself marks as headings (HTML), or is None.
    """

    name: str
    rows: list[list[str]]
    merged: tuple[Span, ...] = ()
    head: int | None = None


class UnreadableTableError(Exception):
    """Why a file, or a part of it, gives no table: one line for the list of rejects."""


def read_workbook(data: bytes, language: Language) -> Iterator[Grid]:
    """The visible sheets of a workbook in order, those without any text left out.

    `language` decides the built-in date formats that follow a country. UnreadableTableError: damaged,
    password-protected, in no known format, or a sheet of more than `CELL_LIMIT` cells.
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
    try:
        if is_locked(data):
            raise UnreadableTableError("protected by a password")
        for sheet in read_sheets(data):
            merged = _plausible([Span(*one) for one in sheet.merged], sheet.rows)
            grid = Grid(sheet.name, sheet.rows, merged)
            yield from _filled(without_hidden(grid, sheet.hidden_rows, sheet.hidden_columns))
    except DAMAGE as error:
        raise UnreadableTableError(_reason(error)) from error


def _filled(grid: Grid) -> Iterator[Grid]:
    """The grid, unless nothing is seen in it."""
    if any(cell.strip() for row in grid.rows for cell in row):
        yield grid


def _read_new(data: bytes, language: Language) -> Iterator[Grid]:
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
            layout = layouts.of(meta.name)
            if layout.cells > CELL_LIMIT:
                raise UnreadableTableError(f"sheet {meta.name}: more than {CELL_LIMIT:,} cells")
            sheet = book.get_sheet_by_name(meta.name)
            if sheet.total_height * sheet.total_width > CELL_LIMIT:
                raise UnreadableTableError(f"sheet {meta.name}: more than {CELL_LIMIT:,} cells")
            values = sheet.to_python(skip_empty_area=False)
            merged = tuple(Span(*first, *last) for first, last in sheet.merged_cell_ranges or ())
        except (CalamineError, *DAMAGE) as error:
            raise UnreadableTableError(f"sheet {meta.name}: {_reason(error)}") from error
        yield from grid_of(meta.name, values, merged, layout)


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return "protected by a password" if "assword" in text or "ncrypted" in text else f"damaged workbook ({text})"


def grid_of(name: str, values: Sequence[Sequence[Scalar]], merged: Sequence[Span], layout: Layout) -> Iterator[Grid]:
    """The grid of a sheet's values, unless nothing is seen in it."""
    general = Style("General", 0)
    styles = layout.styles
    rows = [
        [
            _cell(value, styles.get((number, column), general), layout.from_1904) if value != "" else ""
            for column, value in enumerate(row)
        ]
        for number, row in enumerate(values)
    ]
    grid = Grid(name, rows, _plausible(merged, rows))
    yield from _filled(without_hidden(grid, layout.hidden_rows, layout.hidden_columns))


def _plausible(merged: Sequence[Span], rows: Sequence[Sequence[str]]) -> tuple[Span, ...]:
    """The merged ranges within the sheet, up to as many cells as it has: no two of them share one."""
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


def _cell(value: Scalar, style: Style, from_1904: bool) -> str:
    text = shown(value, style.code, from_1904)
    return _INDENT * style.indent + text if style.indent and text else text


def without_hidden(grid: Grid, rows: frozenset[int], columns: frozenset[int]) -> Grid:
    """The grid without hidden rows and columns. A merged range shrinks; its text moves to its first visible cell."""
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
    merged = _shrunk(grid.merged, kept_rows, kept_columns)
    return grid._replace(rows=cells, merged=merged)


def _shrunk(merged: Sequence[Span], rows: list[int], columns: list[int]) -> tuple[Span, ...]:
    new_row = {old: new for new, old in enumerate(rows)}
    new_column = {old: new for new, old in enumerate(columns)}
    spans = []
    for span in merged:
        down = [new_row[row] for row in range(span.top, span.bottom + 1) if row in new_row]
        across = [new_column[column] for column in range(span.left, span.right + 1) if column in new_column]
        if down and across and len(down) * len(across) > 1:
            spans.append(Span(down[0], across[0], down[-1], across[-1]))
    return tuple(spans)


def _read_old(data: bytes, language: Language) -> Iterator[Grid]:
    """The sheets of an xls with xlrd, which keeps formats; what xlrd cannot read, calamine gives without them."""
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
    styles = [_old_style(book, xf, codes) for xf in book.xf_list]
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
        merged = [Span(top, left, below - 1, right - 1) for top, below, left, right in sheet.merged_cells]
        yield from grid_of(
            sheet.name, _rectangular(values), merged, Layout(found, hidden_rows, hidden_columns, bool(book.datemode))
        )


def _rectangular(rows: list[list[Scalar]]) -> list[list[Scalar]]:
    width = max((len(row) for row in rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def _old_style(book: xlrd.Book, xf: xlrd.formatting.XF, codes: Mapping[int, str]) -> Style:
    known = codes.get(xf.format_key)
    own = book.format_map.get(xf.format_key)
    built_in = known is not None and (own is None or xf.format_key < 164)
    code = known if built_in else own.format_str if own is not None else "General"
    return Style(code or "General", min(int(xf.alignment.indent_level), 15))


def _old_value(cell: xlrd.sheet.Cell, styles: Sequence[Style], datemode: int) -> Scalar:
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
