"""Annual securities reports: their tables as cells with headings, from a folder or an archive."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indexer.analysis.text import without_ignorable
from indexer.files.archive import members
from indexer.files.errors import bad_input
from indexer.files.validation import whole
from indexer.tables.files import lay_out
from indexer.tables.table import INDENT_STEP, find_head, heading_rows, read_body, read_captions
from indexer.tables.values import parse_value
from indexer.tables.workbook import Grid, MergedSpan, UnreadableTableError

if TYPE_CHECKING:
    from lxml import etree

_FILE = re.compile(r"([A-Z0-9]+)-([0-9]+)\.html?$")
"""The name of a section's file: the report's id and the section's number in EDINET's numbering."""

_CELL_LIMIT = 200_000  # cells of a table with its spans filled, far above what reports have
_BEFORE = 4  # paragraphs above a table that are kept: unit, period and caption are among them
_LONG = 80  # characters of a heading; a longer text is prose
_BLANKS = re.compile(r"\s+")
_INDENT = re.compile(r"(?:padding-left|margin-left|text-indent)\s*:\s*(\d+(?:\.\d+)?)(pt|px|em)?")


class ReportCell(NamedTuple):
    """A cell of a table; one that spans rows or columns comes once.

    `shown` is its text as displayed, `kind` that of `parse_value`, `row` and `column` the position
    of its upper left corner, from 0. `left` are the labels at its left in its row, `above` the
    texts above it in the heading, `under` the labels of earlier rows that its row belongs under,
    the outermost first; each of these has no white space and at most 80 characters, and `left` and
    `above` have a text once.
    """

    cell_id: str
    shown: str
    kind: str
    row: int
    column: int
    left: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    under: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text without white space."""
        return self.shown.replace(" ", "")

    @property
    def is_label(self) -> bool:
        """True for a text, a date or a measure (a number with words), which may say what the
        figures beside it are."""
        return self.kind not in ("blank", "missing", "number")


class ReportTable(NamedTuple):
    """A table of a report: its id, the section's number, the headings (h1 to h6) above it, the last
    four paragraphs before it since a heading (each cut at 160 characters), and its cells."""

    table_id: str
    section: str
    headings: tuple[str, ...]
    before: tuple[str, ...]
    cells: tuple[ReportCell, ...]


class Report(NamedTuple):
    """A report: its tables in order, and the first and the last day of its business year
    (2019-03-31) or ""."""

    doc_id: str
    tables: tuple[ReportTable, ...]
    start: str = ""
    end: str = ""

    @property
    def last_year(self) -> int:
        """The year in which the business year ends; 0 where the cover does not say."""
        return whole(self.end[:4]) or 0


@lru_cache(maxsize=1 << 16)
def fold_text(text: str) -> str:
    """The text in NFKC without white space and characters that nobody sees."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", without_ignorable(text)))


def read_section(data: bytes, section: str, name: str) -> tuple[list[ReportTable], tuple[str, str]]:
    """Reads one HTML file of a report, in UTF-8: its tables with an id, without the others, and the
    (first, last) day of the business year, each "" unless the file is the cover.

    `section` is the section's number, `name` the file's name for messages. Raises UserError if it
    is not HTML.
    """
    from lxml import etree, html

    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise bad_input(
            name, None, "damaged HTML", "expected a section of a securities report"
        ) from None
    heads: dict[str, str] = {}  # by tag: h1 to h6 sort by their levels
    before: list[str] = []
    tables = []
    for element in _outside(root):
        if element.tag == "table":
            if table_id := element.get("table-id"):
                headings = tuple(heads[tag] for tag in sorted(heads))
                tables.append(
                    ReportTable(
                        table_id, section, headings, tuple(before[-_BEFORE:]), _read_cells(element)
                    )
                )
            continue
        text = fold_text(_text(element))
        if re.fullmatch("h[1-6]", element.tag):
            heads = {tag: heading for tag, heading in heads.items() if tag < element.tag} | {
                element.tag: text
            }
            before = []
        elif text:
            before.append(text[: 2 * _LONG])
    year = ("", "")
    for context in root.iter("xbrli:context"):
        if context.get("id") == "CurrentYearDuration":
            start, end = (
                next(context.iter(tag), None) for tag in ("xbrli:startdate", "xbrli:enddate")
            )
            year = (
                "" if start is None else fold_text(_text(start)),
                "" if end is None else fold_text(_text(end)),
            )
    return tables, year


def _outside(element: etree._Element) -> Iterator[etree._Element]:
    """Yields headings, paragraphs and tables of a page in order, and other elements that have a
    text only; nested tables follow theirs. A text beside elements is left out, and so are the
    page's head and XBRL's header."""
    for child in element:
        tag = child.tag
        if tag == "table":
            yield from child.iter("table")
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6", "p"):
            yield child
        elif isinstance(tag, str) and tag not in (
            "style",
            "title",
            "head",
            "xbrli:context",
            "ix:header",
        ):
            if len(child):
                yield from _outside(child)
            elif child.text and child.text.strip():
                yield child


def _text(element: etree._Element) -> str:
    """All text of an element and of those inside it, unchanged."""
    return "".join(map(str, element.itertext()))


def _read_cells(table: etree._Element) -> tuple[ReportCell, ...]:
    """The cells of a table as they appear first, with headings; those after `_CELL_LIMIT` (200,000)
    positions are left out."""
    cells, numbers, grid = _lay_out_cells(table)
    width = max(map(len, numbers), default=0)
    _, top = read_captions(grid)
    head = find_head(grid, top if top < len(grid.rows) else 0)
    top = head.top + head.depth
    under = {
        row.number: tuple(text.replace(" ", "")[:_LONG] for text in row.path)
        for row in read_body(grid, head)[0]
    }
    above: list[list[str]] = [[] for _ in range(width)]
    heading = heading_rows(grid, head._replace(top=0, depth=top))
    headed: list[ReportCell] = []  # in the order of `cells`, each at its first place
    for number, line in enumerate(numbers):
        left: list[str] = []
        for column, index in enumerate(line):
            if index < 0:
                continue
            cell = cells[index]
            if index == len(headed):
                headed.append(
                    cell._replace(
                        left=tuple(left), above=tuple(above[column]), under=under.get(number, ())
                    )
                )
            if cell.is_label and cell.text[:_LONG] not in left:
                left.append(cell.text[:_LONG])
        for column, text in enumerate(heading[number] if number < top else ()):
            if (text := text.replace(" ", "")[:_LONG]) and text not in above[column]:
                above[column].append(text)
    return tuple(headed)


def _lay_out_cells(table: etree._Element) -> tuple[list[ReportCell], list[list[int]], Grid]:
    """The cells of a table without their headings, as far as `_CELL_LIMIT` positions; for each row
    and column the number of the cell there, −1 for none; and a grid of their texts with the indent
    of a label as blanks before it, and of the ranges of merged ones."""
    rows = [
        [cell for cell in row if cell.tag in ("td", "th")]
        for row in table.iter("tr")
        if next(row.iterancestors("table"), None) is table
    ]
    numbers: list[list[int]] = [[] for _ in rows]
    cells: list[ReportCell] = []
    texts: list[str] = []
    merged: list[MergedSpan] = []
    with suppress(UnreadableTableError):
        for element, span in lay_out(rows, _CELL_LIMIT):
            for line in numbers[span.top : span.bottom + 1]:
                line += [-1] * (span.right + 1 - len(line))
                line[span.left : span.right + 1] = [len(cells)] * (span.right + 1 - span.left)
            raw = without_ignorable(" ".join(map(str, element.itertext())))
            shown = _BLANKS.sub(" ", unicodedata.normalize("NFKC", raw)).strip()
            indent = " " * round(INDENT_STEP * _levels(element, raw))
            texts.append(indent + shown if shown else "")
            if span.top < span.bottom or span.left < span.right:
                merged.append(span)
            name, kind = element.get("cell-id") or "", parse_value(shown).kind
            cells.append(ReportCell(name, shown, kind, span.top, span.left))
    width = max(map(len, numbers), default=0)
    grid = Grid("", [[""] * width for _ in numbers], tuple(sorted(merged)))
    for cell, text in zip(cells, texts, strict=True):
        grid.rows[cell.row][cell.column] = text
    return cells, numbers, grid


def _levels(element: etree._Element, raw: str) -> float:
    """The levels by which a cell with the text `raw` is indented: one em, or 12 points, is one,
    those of all elements in it added, and so is each blank before the text if the first is
    full-width or no-break."""
    style = "".join(node.get("style") or "" for node in element.iter("td", "th", "p"))
    levels = sum(float(size) / (1 if unit == "em" else 12) for size, unit in _INDENT.findall(style))
    return levels + len(raw.lstrip(" \r\n\t")) - len(raw.lstrip())


def read_reports(source: str | Path, wanted: Iterable[str] | None = None) -> Iterator[Report]:
    """Yields reports in the order of their ids, those with the ids `wanted` (None: all), from a
    folder (at any depth) or an archive, tar of any packing or zip. Only files called
    `ID-SECTION.htm` or `.html` count; the sections of a report come in their order.

    A wanted report that is not there comes without tables. Raises UserError for a damaged archive
    and for a file that is not HTML.
    """
    path = Path(source)
    pages: dict[str, list[tuple[str, Path | bytes]]] = {doc_id: [] for doc_id in wanted or ()}

    def match(name: str) -> re.Match[str] | None:
        name_match = _FILE.search(name)
        return name_match if name_match and (wanted is None or name_match[1] in pages) else None

    if path.is_dir():
        for file in path.rglob("*.htm*"):
            if name_match := match(file.name):
                pages.setdefault(name_match[1], []).append((name_match[2], file))
    else:
        for member in members(path, lambda name: match(name) is not None):
            name_match = match(member.name)
            if member.data is None or not name_match:
                expected = "expected a folder or archive of reports"
                raise bad_input(path, None, f"{member.name}: {member.reason}", expected)
            # held packed, for the reports of a split are 400 MB
            pages.setdefault(name_match[1], []).append(
                (name_match[2], zlib.compress(member.data, 1))
            )
    for doc_id in sorted(pages):
        tables: list[ReportTable] = []
        start = end = ""
        for section, data in sorted(pages.pop(doc_id), key=lambda pair: pair[0]):
            page = data.read_bytes() if isinstance(data, Path) else zlib.decompress(data)
            read, year = read_section(page, section, f"{doc_id}-{section}.html")
            tables += read
            start, end = (start, end) if end else year
        yield Report(doc_id, tuple(tables), start, end)
