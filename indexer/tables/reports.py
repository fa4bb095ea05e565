"""Annual securities reports: their tables as grids with the headings of every cell, from a folder or an archive."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indexer.analysis.years import NAMES, era_year
from indexer.files.archive import members
from indexer.files.errors import bad_input

if TYPE_CHECKING:
    from lxml import etree

_FILE = re.compile(r"([A-Z0-9]+)-([0-9]+)\.html?$")
"""The name of a section's file: the report's id and the section's number in EDINET's numbering."""

_SPAN_LIMIT = 500  # rows or columns that a cell may span, far above what reports have
_CELL_LIMIT = 200_000  # cells of a table with its spans filled
_BEFORE = 4  # paragraphs above a table that are kept: unit, period and caption are among them
_HEADS = 8  # rows that a heading has at most
_LONG = 80  # characters of a heading; a longer text is prose

_NUMBER = re.compile(
    r"[\[(〔△▲▴▵\-−–+±]*[\d,]+(?:\.\d+)?[%円株個倍人年名回件社百万千歳才銭ヶカか月銘柄]*(?:\d\d銭)?[\])〕]?(?:[*※(注\[].{0,12})?"
)
_EMPTY = re.compile(r"[-‐-―−－ー─*…]{1,3}")
_DATE = re.compile(rf"(?:(?:\d{{4}}|(?:{NAMES})\s*(?:\d+|元))\s*年|\d{{4}}[/.-])\s*\d+\s*[月/.-]\s*\d+\s*日?(?:生)?")
_YEAR = re.compile(rf"(?<!\d)((?:19|20)\d\d)\s*(?=年|[./]\d)|({NAMES})\s*(\d+|元)\s*年")
_BLANKS = re.compile(r"\s+")
_INDENT = re.compile(r"(?:padding-left|margin-left|text-indent)\s*:\s*(\d+(?:\.\d+)?)(pt|px|em)?")


class XbrlContext(NamedTuple):
    """One of the contexts that a report's cover declares: its id, and the days on which it ends and begins.

    The beginning is "" for an instant. `members` are the names of its dimensions' members, prefixes cut, `axes` of the
    dimensions themselves.
    """

    name: str
    end: str
    start: str
    members: tuple[str, ...]
    axes: tuple[str, ...]


class ReportCell(NamedTuple):
    """A cell of a table: its id, its text as shown and folded, its place and how far its label is indented.

    The place is that of its upper left corner; a span of rows or columns is one cell.
    """

    cell_id: str
    shown: str
    text: str
    row: int
    column: int
    kind: str
    indent: float


class Headed(NamedTuple):
    """The headings of a cell: texts on its left, texts above it, headings of the rows above that its row is under."""

    left: tuple[str, ...]
    above: tuple[str, ...]
    under: tuple[str, ...]


class ReportTable(NamedTuple):
    """A table of a report: the section's number, the headings above it and the last paragraphs before it."""

    table_id: str
    section: str
    headings: tuple[str, ...]
    before: tuple[str, ...]
    cells: tuple[ReportCell, ...]
    headed: tuple[Headed, ...]


class Report(NamedTuple):
    """A report: its tables in order, and the contexts of its cover in order."""

    doc_id: str
    tables: tuple[ReportTable, ...]
    contexts: tuple[XbrlContext, ...]


@lru_cache(maxsize=1 << 16)
def fold_text(text: str) -> str:
    """The text in NFKC without white space."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", text))


_MARK = r"(?:[※*]\s?(?:\(\d{1,2}\)|\d{0,2})|\(?注\s?\d{0,2}\)?\s?\d{0,2}|[①-⑳])"
_MARKS = re.compile(rf"^(?:{_MARK}\s?[,、.]?(?:\s?\d{{1,2}})?\s)+|\s{_MARK}+$")


@lru_cache(maxsize=1 << 16)
def without_marks(shown: str) -> str:
    """A cell's text as shown without marks of notes at its ends, and without white space."""
    return _MARKS.sub("", shown).replace(" ", "")


@lru_cache(maxsize=1 << 16)
def kind_of(text: str) -> str:
    """What a folded cell holds: "" for nothing, number, dash, date or text."""
    if not text:
        return ""
    if _EMPTY.fullmatch(text):
        return "dash"
    if _NUMBER.fullmatch(text) and any(map(str.isdigit, text)):
        return "number"
    return "date" if _DATE.fullmatch(text) else "text"


@lru_cache(maxsize=1 << 16)
def years_in(text: str) -> tuple[int, ...]:
    """The years that a folded text names, in its order, years of eras as those of the calendar."""
    found = (int(one[1]) if one[1] else era_year(one[2], one[3]) for one in _YEAR.finditer(text))
    return tuple(found)


def read_section(data: bytes, section: str, name: str) -> tuple[list[ReportTable], list[XbrlContext]]:
    """The tables of one file of a report, and the contexts of a cover. Raises UserError if it is not HTML."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise bad_input(name, None, f"damaged HTML ({error})", "expected a section of a securities report") from None
    tables: list[ReportTable] = []
    heads: dict[int, str] = {}
    before: list[str] = []
    for element in _outside(root):
        tag = element.tag
        if tag == "table":
            if element.get("table-id"):
                headings = tuple(heads[level] for level in sorted(heads))
                tables.append(_table(element, section, headings, tuple(before[-_BEFORE:])))
            continue
        text = fold_text(_text(element))
        if tag in _LEVELS:
            level = _LEVELS[tag]
            heads = {other: own for other, own in heads.items() if other < level} | {level: text}
            before = []
        elif text:
            before.append(text[: 2 * _LONG])
    return tables, [_context(one) for one in root.iter("xbrli:context")]


_LEVELS = {f"h{level}": level for level in range(1, 7)}


def _outside(element: etree._Element) -> Iterator[etree._Element]:
    """The headings, paragraphs and tables of a page in order; a table that lays out others is passed through."""
    for child in element:
        tag = child.tag
        if tag == "table":
            yield from child.iter("table")
        elif tag in _LEVELS or tag == "p":
            yield child
        elif isinstance(tag, str) and tag not in ("style", "title", "head", "xbrli:context", "ix:header"):
            if len(child):
                yield from _outside(child)
            elif child.text and child.text.strip():
                yield child


def _text(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _context(element: etree._Element) -> XbrlContext:
    def days(tag: str) -> str:
        found = next(element.iter(tag), None)
        return fold_text(_text(found)) if found is not None else ""

    named = [(fold_text(_text(one)), one.get("dimension") or "") for one in element.iter("xbrldi:explicitmember")]
    members, axes = (tuple(re.sub(r"^.*:", "", one[place]) for one in named) for place in (0, 1))
    end = days("xbrli:instant") or days("xbrli:enddate")
    return XbrlContext(element.get("id") or "", end, days("xbrli:startdate"), members, axes)


def _table(table: etree._Element, section: str, headings: tuple[str, ...], before: tuple[str, ...]) -> ReportTable:
    rows = [
        [cell for cell in row if cell.tag in ("td", "th")]
        for row in table.iter("tr")
        if next(row.iterancestors("table"), None) is table
    ]
    grid: list[list[int]] = [[] for _ in rows]
    cells: list[ReportCell] = []
    filled = 0
    for number, row in enumerate(rows):
        column = 0
        for element in row:
            line = grid[number]
            while column < len(line) and line[column] >= 0:
                column += 1
            down, across = _span(element, "rowspan", len(rows) - number), _span(element, "colspan", _SPAN_LIMIT)
            filled += down * across
            if filled > _CELL_LIMIT:
                break
            for line in grid[number : number + down]:
                line += [-1] * (column + across - len(line))
                line[column : column + across] = [len(cells)] * across
            raw = " ".join(map(str, element.itertext()))
            shown = _BLANKS.sub(" ", unicodedata.normalize("NFKC", raw)).strip()
            text = shown.replace(" ", "")
            indent = float(len(raw.strip(" \r\n\t")) - len(raw.strip())) if raw[:1].isspace() else 0.0
            style = "".join(one.get("style") or "" for one in element.iter("td", "th", "p"))
            indent += sum(float(size) / (1 if unit == "em" else 12) for size, unit in _INDENT.findall(style))
            cells.append(
                ReportCell(
                    element.get("cell-id") or "", shown, text, number, column, kind_of(without_marks(shown)), indent
                )
            )
            column += across
    return ReportTable(table.get("table-id") or "", section, headings, before, tuple(cells), _headed(grid, cells))


def _span(cell: etree._Element, name: str, most: int) -> int:
    digits = re.match(r"\s*(\d{1,4})", cell.get(name) or "")
    return max(1, min(int(digits[1]) if digits else 1, most, _SPAN_LIMIT))


def _headed(grid: Sequence[Sequence[int]], cells: Sequence[ReportCell]) -> tuple[Headed, ...]:
    """The headings of every cell, in the order of the cells."""
    heads = _head_rows(grid, cells)
    above: list[dict[int, list[str]]] = []
    path: dict[int, list[str]] = {}
    under: list[tuple[str, ...]] = []
    stack: list[tuple[float, str]] = []
    for number, line in enumerate(grid):
        above.append({column: texts[:] for column, texts in path.items()} if number <= heads else above[-1])
        if number < heads:
            for column, place in enumerate(line):
                text = cells[place].text if place >= 0 else ""
                if text and text not in path.setdefault(column, []):
                    path[column].append(text[:_LONG])
        else:
            first = next((cells[place] for place in line if place >= 0 and cells[place].text), None)
            if first is not None and first.kind == "text":
                alone = not any(cells[place].text and cells[place] is not first for place in line if place >= 0)
                level = first.indent - (0.01 if alone else 0.0)
                stack = [(indent, text) for indent, text in stack if indent < level]
                under.append(tuple(text for _, text in stack))
                stack.append((level, first.text[:_LONG]))
                continue
        under.append(tuple(text for _, text in stack))
    found = []
    for cell in cells:
        line = grid[cell.row]
        texts: list[str] = []
        for place in line[: cell.column]:
            other = cells[place] if place >= 0 else None
            if other is not None and other.kind == "text" and other.text[:_LONG] not in texts:
                texts.append(other.text[:_LONG])
        found.append(Headed(tuple(texts), tuple(above[cell.row].get(cell.column, ())), under[cell.row]))
    return tuple(found)


def _head_rows(grid: Sequence[Sequence[int]], cells: Sequence[ReportCell]) -> int:
    """How many rows at the top are headings: those before the first with a figure, one otherwise."""
    for number, line in enumerate(grid[: _HEADS + 1]):
        filled = [column for column, place in enumerate(line) if place >= 0 and cells[place].text]
        if any(cells[line[column]].kind in ("number", "dash") for column in filled if column):
            return number
        if number and any(cells[line[c]].text.endswith("生") or len(cells[line[c]].text) > 60 for c in filled):
            return number
        if number and filled and filled[-1] == 0 and len(line) > 1:  # a label alone is what the rows below are under
            return number
    return min(1, len(grid))


def read_reports(source: str | Path, wanted: Iterable[str] | None = None) -> Iterator[Report]:
    """The wanted reports (by default all) by id, from a folder (at any depth) or an archive, tar of any packing or zip.

    A report that is not there comes without tables. UserError for a damaged archive, and for a file that is not HTML.
    """
    path = Path(source)
    held: dict[str, list[tuple[str, bytes]]] = {doc_id: [] for doc_id in wanted or ()}

    def known(name: str) -> re.Match[str] | None:
        found = _FILE.search(name)
        return found if found and (wanted is None or found[1] in held) else None

    if path.is_dir():
        for file in path.rglob("*.htm*"):
            if found := known(file.name):
                held.setdefault(found[1], []).append((found[2], str(file).encode()))
    else:
        for member in members(path, lambda name: known(name) is not None):
            found = known(member.name)
            if member.data is None or not found:
                raise bad_input(
                    path, None, f"{member.name}: {member.reason}", "expected a folder or archive of reports"
                )
            packed = zlib.compress(member.data, 1)  # the reports of a split are 400 MB
            held.setdefault(found[1], []).append((found[2], packed))
    for doc_id in sorted(held):
        tables: list[ReportTable] = []
        contexts: list[XbrlContext] = []
        for section, data in sorted(held.pop(doc_id)):
            data = Path(data.decode()).read_bytes() if path.is_dir() else zlib.decompress(data)
            own, declared = read_section(data, section, f"{doc_id}-{section}.html")
            tables += own
            contexts += declared
        yield Report(doc_id, tuple(tables), tuple(contexts))
