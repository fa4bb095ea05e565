"""Files of open data into grids: csv, tsv, html, json, xml, workbooks and, with an extra, pdf;
recognised by content."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indexer.analysis.text import without_ignorable
from indexer.files.archive import DAMAGE
from indexer.files.encoding import UTF_16
from indexer.files.xml import ATTRIBUTE_LIMIT, has_crowded_tag
from indexer.languages.language import Language
from indexer.tables.records import (
    BLANKS,
    MARKUP_LIMIT,
    decode_table,
    padded_grid,
    read_delimited,
    read_json,
    read_xml,
)
from indexer.tables.workbook import (
    CELL_LIMIT,
    HIDDEN_CELLS,
    HIDDEN_ROWS,
    Grid,
    MergedSpan,
    UnreadableTableError,
    read_workbook,
)

if TYPE_CHECKING:
    from lxml import etree


_SPAN_LIMIT = 1000  # the largest colspan of HTML (WHATWG HTML, tables)
_HIDDEN = re.compile(r"display:\s*none", re.IGNORECASE)


def read_html(data: bytes, encoding: str = "") -> Iterator[Grid]:
    """Yields the grid of every HTML table that has cells; one with tables inside it if it has more
    than one row and column of text outside them.

    Raises UnreadableTableError for damaged HTML, for more than `MARKUP_LIMIT` (4,000,000) tags and
    for a tag of more than `ATTRIBUTE_LIMIT` (10,000) attributes; after the grids, if bytes could
    not be decoded or no table was found.
    """
    from lxml import etree, html

    text, reason = decode_table(data, encoding)
    if text.count("<") > MARKUP_LIMIT:
        raise UnreadableTableError(f"a page of more than {MARKUP_LIMIT:,} tags")
    if has_crowded_tag(text):
        raise UnreadableTableError(f"a tag of more than {ATTRIBUTE_LIMIT:,} attributes")
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True
    )
    try:
        root = html.fromstring(
            re.sub(r"^\s*<\?xml[^>]*>", "", text, count=1).encode(), parser=parser
        )
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableTableError("damaged HTML") from error
    has_table = False
    for table in root.iter("table"):
        if next(table.iter("td", "th"), None) is None:
            continue
        grid = _grid(table)
        has_inner = table.find(".//table") is not None
        # what only lays out a page has one row or column
        filled = [[bool(cell) for cell in row] for row in grid.rows]
        rows, columns = sum(map(any, filled)), sum(map(any, zip(*filled, strict=True)))
        if not has_inner or (rows > 1 and columns > 1):
            has_table = True
            yield grid
    if reason or not has_table:
        raise UnreadableTableError(reason if has_table else "a page without tables")


def _is_hidden(element: etree._Element) -> bool:
    """Whether an element's own style or attribute `hidden` hides it."""
    hidden = element.get("hidden")
    return _HIDDEN.search(element.get("style") or "") is not None or (
        hidden is not None and hidden != "until-found"
    )


def lay_out(
    rows: Sequence[Sequence[etree._Element]], limit: int = CELL_LIMIT
) -> Iterator[tuple[etree._Element, MergedSpan]]:
    """Yields the cells of an HTML table row by row, each with the range of rows and columns that it
    covers by rowspan and colspan (WHATWG HTML, tables).

    `rows` are the cells of each row; a cell begins in the first free column and covers at most
    1,000 rows or columns, and no row behind the last. Raises UnreadableTableError if rows × columns
    exceed `limit`.
    """
    taken: list[list[bool]] = [[] for _ in rows]
    width = 0
    for number, cells in enumerate(rows):
        column = 0
        for cell in cells:
            while column < len(taken[number]) and taken[number][column]:
                column += 1
            down, across = (
                _span(cell, "rowspan", len(rows) - number),
                _span(cell, "colspan", _SPAN_LIMIT),
            )
            width = max(width, column + across)
            if len(rows) * width > limit:
                raise UnreadableTableError(f"a table of more than {limit:,} cells")
            for line in taken[number : number + down]:
                line += [False] * (column + across - len(line))
                line[column : column + across] = [True] * across
            yield cell, MergedSpan(number, column, number + down - 1, column + across - 1)
            column += across


def _grid(table: etree._Element) -> Grid:
    """Converts an HTML table to a grid with its merged ranges; a caption becomes a separate first
    row. The rows of its head come first, those of its foot last, as they are shown.

    `head` of the grid counts the leading rows that are in a thead or have th cells only, with the
    caption's; None without any. The texts of hidden rows and cells go to `left_out`; tables
    inside are not its text. The text of a merged range is in its first cell.
    """
    elements = [row for row in table.iter("tr") if next(row.iterancestors("table"), None) is table]
    elements.sort(key=lambda row: _SECTIONS.get(_parent_tag(row), 1))
    shown = [row for row in elements if not _is_hidden(row) and not _is_hidden_section(row)]
    hidden = [
        text
        for row in elements
        if row not in shown
        and (text := BLANKS.sub(" ", " ".join(map(str, row.itertext()))).strip())
    ]
    cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in shown]
    rows = [[cell for cell in row if not _is_hidden(cell)] for row in cells]
    hidden_cells = [
        text
        for row in cells
        for cell in row
        if _is_hidden(cell)
        and (text := BLANKS.sub(" ", " ".join(map(str, cell.itertext()))).strip())
    ]
    caption = next(
        (
            text
            for element in table.iter("caption")
            if next(element.iterancestors("table"), None) is table and (text := _text(element))
        ),
        "",
    )
    shift = 1 if caption else 0
    grid: list[list[str]] = [[caption]] * shift + [[] for _ in rows]
    merged: list[MergedSpan] = []
    for cell, area in lay_out(rows):
        span = area._replace(top=area.top + shift, bottom=area.bottom + shift)
        for line in grid[span.top : span.bottom + 1]:  # the text is in the first cell of a span
            line += [""] * (span.right + 1 - len(line))
        grid[span.top][span.left] = _text(cell)
        if span.top < span.bottom or span.left < span.right:
            merged.append(span)
    marked = [
        _parent_tag(row) == "thead" or all(cell.tag == "th" for cell in cells)
        for row, cells in zip(shown, rows, strict=True)
    ]
    head = [*marked, False].index(False)
    return padded_grid(grid)._replace(
        merged=tuple(merged),
        head=head + shift if head else None,
        left_out={
            reason: texts
            for reason, texts in ((HIDDEN_ROWS, hidden), (HIDDEN_CELLS, hidden_cells))
            if texts
        },
    )


_SECTIONS = {"thead": 0, "tfoot": 2}  # the order in which parts of a table are shown


def _parent_tag(row: etree._Element) -> str:
    """The tag of a row's parent element (`tbody`, say), "" without one."""
    parent = row.getparent()
    return "" if parent is None else str(parent.tag)


def _is_hidden_section(row: etree._Element) -> bool:
    """Whether the part of the table that a row is in (`tbody`, say) is hidden."""
    parent = row.getparent()
    return parent is not None and parent.tag != "table" and _is_hidden(parent)


def _span(cell: etree._Element, name: str, most: int) -> int:
    """Rows or columns that a cell covers by its attribute `name`: 1 if it is invalid, at most
    `most` and 1,000; 0 is `most` as rowspan and 1 as colspan."""
    if (value := cell.get(name)) is None:
        return 1
    digits = re.match(r"\s*(\d{1,4})", value)
    count = int(digits[1]) if digits else 1
    zero = most if name == "rowspan" else 1
    return max(1, min(count or zero, most, _SPAN_LIMIT))


def _text(cell: etree._Element) -> str:
    """The text of a cell as a browser shows it: hidden parts, scripts and tables inside left out,
    blanks joined."""
    return BLANKS.sub(" ", without_ignorable("".join(_pieces(cell)))).strip()


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yields the visible texts of an element, with a blank for the end of a line or block and for a
    table inside."""
    if element.tag not in ("script", "style") and not _is_hidden(element):
        yield element.text or ""
        for child in element:
            yield from _pieces(child) if child.tag != "table" else " "
            yield child.tail or ""
    if element.tag in ("br", "p", "div", "li"):
        yield " "


PACKAGES = ("python-calamine", "xlrd", "lxml", "pdfplumber")
"""What decides what stands in a cell of a file that is not plain text."""

_SNIFFED = 65536  # bytes by which a file's kind is recognised
_PDF_PAGES = 200  # bounds the time for a pdf; the pages beyond are reported
_ZIP = b"PK\x03\x04"
_HTML = re.compile(rb"<!doctype html|<html[\s>]")
# csv may begin with a name in brackets: [Town],[Visitors]
_JSON = re.compile(rb'\{|\[\s*+(?:[\[{\]"\d-]|true|false|null|$)')


def file_kind(data: bytes) -> str:
    """The kind of a file by its content, for names in open data are often wrong (HTML called .xls):
    workbook (any document that is a zip, or an old Office file), html, json, xml, pdf, zip, text,
    empty (also if only white space) or binary."""
    if is_utf_16 := data.startswith(UTF_16):
        data = data[: 2 * _SNIFFED].decode("utf-16", "replace").encode()
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        return "empty"
    if data[:4] == _ZIP:
        return "zip" if is_zip(data) else "workbook"
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return "workbook"
    if start[:5] == b"%PDF-":
        return "pdf"
    if start[:1] == b"<":
        lower = data[:_SNIFFED].lower()
        # HTML has its root or doctype, or rows of a table without being called XML
        is_html = _HTML.search(lower) or (
            b"<?xml" not in lower[:200] and re.search(rb"<tr[\s>]", lower)
        )
        return "html" if is_html else "xml"
    if _JSON.match(start):
        return "json"
    if is_utf_16:
        return "text"
    # a NUL or two may occur in a damaged text; more, among other control characters, are not text
    sample = data[:_SNIFFED]
    controls = len(sample) - len(sample.translate(None, bytes((*range(9), *range(14, 32)))))
    return "binary" if b"\x00" in sample and controls > max(1, len(sample) // 100) else "text"


def is_zip(data: bytes) -> bool:
    """True for a zip archive of files, damaged or not; False for a workbook or another document,
    which is a zip too, and for anything else."""
    if data[:4] != _ZIP:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return not {"[Content_Types].xml", "mimetype"} & {*archive.namelist()}
    except DAMAGE:
        return True


TEXT_KINDS = {"html": read_html, "json": read_json, "text": read_delimited}
"""The readers of files of which somebody must find out the encoding, by kind."""


def read_grids(data: bytes, language: Language, encoding: str = "") -> Iterator[Grid]:
    """Yields the grids of the tables in a file, whose kind is recognised by its content.

    `encoding`, where it is given, is that of a text. Raises UnreadableTableError with the reason:
    at once if the file gives none, after the grids if a part could not be read.
    """
    kind = file_kind(data)
    reasons = {
        "empty": "empty file",
        "zip": "a zip inside a zip",
        "binary": "binary data in no known format",
    }
    if kind in reasons:
        raise UnreadableTableError(reasons[kind])
    if kind in TEXT_KINDS:
        grids = TEXT_KINDS[kind](data, encoding)
    elif kind == "workbook":
        grids = read_workbook(data, language)
    else:
        grids = read_xml(data) if kind == "xml" else _read_pdf(data)
    return map(_as_seen, grids)


def _as_seen(grid: Grid) -> Grid:
    """A grid without the characters that nobody sees, in its cells and its name."""
    rows = [list(map(without_ignorable, row)) for row in grid.rows]
    return grid._replace(name=without_ignorable(grid.name), rows=rows)


def _read_pdf(data: bytes) -> Iterator[Grid]:
    """Yields a grid of each table on the first 200 pages (`_PDF_PAGES`) of a pdf.

    Raises UnreadableTableError if pdfplumber is missing, for a damaged or protected file and one
    without tables; after the grids for a pdf with more pages.
    """
    try:
        import pdfplumber
    except ImportError as error:
        raise UnreadableTableError(
            "a pdf: install pdfplumber (the extra `pdf`) to read its tables"
        ) from error
    tables: list[list[list[str | None]]] = []
    try:
        with pdfplumber.open(io.BytesIO(data)) as document:
            pages = len(document.pages)
            for page in document.pages[:_PDF_PAGES]:
                tables += page.extract_tables()
                page.close()
    except Exception as error:  # pdfminer fails in many ways on damaged files
        raise UnreadableTableError("damaged or protected pdf") from error
    for table in tables:
        yield padded_grid(
            [
                [BLANKS.sub(" ", without_ignorable(cell or "")).strip() for cell in row]
                for row in table
            ]
        )
    if pages > _PDF_PAGES:
        raise UnreadableTableError(f"a pdf of {pages} pages: only the first {_PDF_PAGES} are read")
    if not tables:
        raise UnreadableTableError("a pdf without tables")
