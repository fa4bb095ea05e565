"""Files of open data into grids: csv, tsv, html, json, xml, workbooks and, with an extra, pdf; told by content."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from indexer.files.encoding import SAMPLE_SIZE, detect_encoding
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml
from indexer.sources.workbook import CELL_LIMIT, Grid, Span, UnreadableTableError, read_workbook

if TYPE_CHECKING:
    from lxml import etree

FileKind = Literal["workbook", "html", "json", "xml", "pdf", "zip", "text", "empty", "binary"]

_SPAN_LIMIT = 1000
_PDF_PAGES = 200
_BLANKS = re.compile(r"[ \t\r\n\f\u200b\ufeff]+")
_DELIMITERS = (",", "\t", ";", "|")


def file_kind(data: bytes) -> FileKind:
    """What a file is, by its first bytes: names of open data often lie (HTML called .xls)."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        return "empty"
    if data[:4] == b"PK\x03\x04":
        return "workbook" if _is_workbook(data) else "zip"
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return "workbook"
    if start[:5] == b"%PDF-":
        return "pdf"
    if start[:1] == b"<":
        lower = data[:65536].lower()
        html = any(mark in lower for mark in (b"<html", b"<table", b"<!doctype html", b"<body", b"<tr"))
        return "html" if html else "xml"
    if start[:1] in (b"{", b"["):
        return "json"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "text"
    return "binary" if b"\x00" in data[:65536] else "text"


def _is_workbook(data: bytes) -> bool:
    head = data[:4000] + data[-65536:]
    return b"xl/workbook" in head or b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in data[:200]


def read_grids(data: bytes, language: str | None = None) -> Iterator[Grid]:
    """The grids of a file's bytes. UnreadableTableError with the reason when it, or the rest of it, gives none."""
    kind = file_kind(data)
    readers: Mapping[FileKind, Callable[[bytes], Iterator[Grid]]] = {
        "workbook": lambda data: read_workbook(data, language),
        "html": _read_html,
        "json": _read_json,
        "xml": _read_xml,
        "pdf": _read_pdf,
        "text": _read_delimited,
    }
    if kind not in readers:
        reasons = {"empty": "empty file", "zip": "a zip inside a zip", "binary": "binary data in no known format"}
        raise UnreadableTableError(reasons[kind])
    yield from readers[kind](data)


def decode_table(data: bytes) -> str:
    """The text of a csv or html file of any usual encoding; UnreadableTableError when none fits."""
    encoding = detect_encoding(data[:SAMPLE_SIZE])
    encodings = [encoding] if encoding not in ("utf-8", "euc-jp") else [encoding, "cp932", "cp1252"]
    for name in encodings:
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            continue
    raise UnreadableTableError("text in no known encoding")


def _read_delimited(data: bytes) -> Iterator[Grid]:
    text = decode_table(data)
    csv.field_size_limit(2**24)
    rows: list[list[str]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)):
            rows.append(row)
            cells += len(row)
            if cells > CELL_LIMIT:
                break
    except csv.Error as error:
        raise UnreadableTableError(f"no table of delimited text ({error})") from error
    width = max((len(row) for row in rows), default=0)
    if len(rows) * width <= 2 * CELL_LIMIT:
        rows = [row + [""] * (width - len(row)) for row in rows]
    yield Grid("", rows)
    if cells > CELL_LIMIT:
        raise UnreadableTableError(f"more than {CELL_LIMIT:,} cells; the first {len(rows):,} rows were read")


def _delimiter(text: str) -> str:
    """The delimiter that cuts most of the first lines into the same number of fields, two or more."""
    lines = [line for line in itertools.islice(io.StringIO(text), 60) if line.strip()]
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=1)
        score = widths.count(usual) / len(widths) if usual > 1 else 0.0
        if score > best_score + 0.1:
            best, best_score = delimiter, score
    return best


def _read_html(data: bytes) -> Iterator[Grid]:
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True)
    try:
        root = html.fromstring(_without_declaration(decode_table(data)).encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableTableError(f"damaged HTML ({error})") from error
    found = False
    for table in root.iter("table"):
        if next(table.iter("td", "th"), None) is None or len(list(table.iter("table"))) > 1:
            continue
        found = True
        yield _html_grid(table)
    if not found:
        raise UnreadableTableError("a page without tables")


def _without_declaration(text: str) -> str:
    return re.sub(r"^\s*<\?xml[^>]*>", "", text, count=1)


def _html_grid(table: etree._Element) -> Grid:
    """One table with its spans; a caption becomes a first row of its own."""
    cells: dict[tuple[int, int], str] = {}
    merged: list[Span] = []
    head = 0
    rows = [row for row in table.iter("tr") if any(cell.tag in ("td", "th") for cell in row)]
    for number, row in enumerate(rows):
        column = 0
        kinds = []
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            while (number, column) in cells:
                column += 1
            down, across = _span(cell, "rowspan", len(rows) - number), _span(cell, "colspan", _SPAN_LIMIT)
            for below, right in itertools.product(range(down), range(across)):
                cells[number + below, column + right] = ""
            cells[number, column] = _html_text(cell)
            if down * across > 1:
                merged.append(Span(number, column, number + down - 1, column + across - 1))
            column += across
            kinds.append(cell.tag)
        parent = row.getparent()
        inside_head = parent is not None and parent.tag == "thead"
        head = number + 1 if number == head and (inside_head or "td" not in kinds) else head
    width = max((column for _, column in cells), default=-1) + 1
    if len(rows) * width > CELL_LIMIT:
        raise UnreadableTableError(f"a table of more than {CELL_LIMIT:,} cells")
    grid = [[cells.get((number, column), "") for column in range(width)] for number in range(len(rows))]
    caption = next((text for element in table.iter("caption") if (text := _html_text(element))), "")
    if not caption:
        return Grid("", grid, tuple(merged), head or None)
    top = [caption] + [""] * (width - 1)
    moved = tuple(span._replace(top=span.top + 1, bottom=span.bottom + 1) for span in merged)
    return Grid("", [top, *grid], moved, head + 1 if head else None)


def _span(cell: etree._Element, name: str, most: int) -> int:
    digits = re.match(r"\s*(\d{1,4})", cell.get(name) or "")
    count = int(digits[1]) if digits else 1
    return max(1, min(count or most, most, _SPAN_LIMIT))


def _html_text(cell: etree._Element) -> str:
    """The text of a cell as a browser shows it: hidden parts and scripts left out, blanks joined."""
    pieces: list[str] = []
    _gather(cell, pieces)
    return _BLANKS.sub(" ", "".join(pieces)).strip()


def _gather(element: etree._Element, pieces: list[str]) -> None:
    hidden = re.search(r"display:\s*none", element.get("style") or "")
    if element.tag not in ("script", "style", "caption") and not hidden:
        pieces.append(element.text or "")
        for child in element:
            _gather(child, pieces)
            pieces.append(child.tail or "")
    elif element.tag == "caption" and not pieces:
        pieces.append(str(element.xpath("string()")))
    if element.tag in ("br", "p", "div", "li"):
        pieces.append(" ")


def _read_json(data: bytes) -> Iterator[Grid]:
    try:
        value = json.loads(decode_table(data))
    except (json.JSONDecodeError, RecursionError) as error:
        try:
            lines = decode_table(data).splitlines()
            value = [json.loads(line) for line in lines if line.strip()]
        except (json.JSONDecodeError, RecursionError):
            raise UnreadableTableError(f"damaged JSON ({error})") from error
    names = _socrata_columns(value)
    records = _longest_list(value)
    if not records:
        raise UnreadableTableError("JSON without a list of records")
    lists: list[list[object]] = [record for record in records if isinstance(record, list)]
    if len(lists) == len(records):
        rows = [[_plain(cell) for cell in record] for record in lists]
        yield _capped([names, *rows] if names else rows)
    else:
        yield _records_grid([_flat(record) for record in records])


def _socrata_columns(value: object) -> list[str]:
    """The column names beside rows without names, as Socrata portals publish them."""
    try:
        return [str(column["name"]) for column in value["meta"]["view"]["columns"]]  # type: ignore[index]
    except (KeyError, TypeError, IndexError):
        return []


def _longest_list(value: object, depth: int = 0) -> list[object]:
    if isinstance(value, list):
        if value and all(isinstance(item, (dict, list)) for item in value):
            return value
        return []
    if not isinstance(value, dict) or depth > 4:
        return []
    lists = [_longest_list(item, depth + 1) for key, item in value.items() if key != "meta"]
    longest = max(lists, key=len, default=[])
    return longest or ([value] if depth == 0 else [])


def _flat(record: object, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """A record's values by their names, inner ones joined by dots; lists joined by commas."""
    if not isinstance(record, dict):
        return {prefix or "value": _plain(record)}
    fields: dict[str, str] = {}
    for key, value in record.items():
        name = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, dict) and depth < 4:
            fields.update(_flat(value, "" if key == "properties" else name, depth + 1))
        else:
            fields[name] = _plain(value)
    return fields


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _records_grid(records: Sequence[Mapping[str, str]]) -> Grid:
    names = list(dict.fromkeys(name for record in records for name in record))
    return _capped([names, *([record.get(name, "") for name in names] for record in records)])


def _capped(rows: list[list[str]]) -> Grid:
    width = max((len(row) for row in rows), default=0)
    if width * len(rows) > CELL_LIMIT:
        raise UnreadableTableError(f"more than {CELL_LIMIT:,} cells")
    return Grid("", [row + [""] * (width - len(row)) for row in rows])


def _read_xml(data: bytes) -> Iterator[Grid]:
    try:
        root = parse_xml(data)
    except UserError as error:
        raise UnreadableTableError(f"damaged XML ({error})") from error
    records = max(_repeated(root), key=len, default=[])
    if len(records) < 2:
        raise UnreadableTableError("XML without repeated records")
    yield _records_grid([_xml_fields(record) for record in records])


def _repeated(root: etree._Element) -> Iterator[list[etree._Element]]:
    """The runs of children with one name, of every element down to the fifth level."""
    level = [root]
    for _ in range(5):
        for element in level:
            children: dict[str, list[etree._Element]] = {}
            for child in element:
                children.setdefault(str(child.tag), []).append(child)
            yield from (run for run in children.values() if any(len(item) or item.attrib for item in run))
        level = [child for element in level for child in element]


def _xml_fields(record: etree._Element) -> dict[str, str]:
    fields = {str(name): str(value) for name, value in record.attrib.items()}
    for element in record.iterdescendants():
        if len(element) == 0 and (element.text or "").strip():
            name = str(element.tag)
            text = _BLANKS.sub(" ", element.text or "").strip()
            fields[name] = f"{fields[name]}, {text}" if name in fields else text
    if not fields and (record.text or "").strip():
        fields["value"] = (record.text or "").strip()
    return fields


def _read_pdf(data: bytes) -> Iterator[Grid]:
    try:
        import pdfplumber
    except ImportError as error:
        raise UnreadableTableError("a pdf: install the extra classical-qa[pdf] to read its tables") from error
    found = False
    try:
        with pdfplumber.open(io.BytesIO(data)) as document:
            for page in document.pages[:_PDF_PAGES]:
                for table in page.extract_tables():
                    found = True
                    yield _capped([[_BLANKS.sub(" ", cell or "").strip() for cell in row] for row in table])
                page.close()
    except UnreadableTableError:
        raise
    except Exception as error:  # pdfminer fails in many ways on damaged files
        reason = "protected by a password" if "assword" in type(error).__name__ + str(error) else "damaged pdf"
        raise UnreadableTableError(f"{reason} ({type(error).__name__})") from error
    if not found:
        raise UnreadableTableError("a pdf without tables")
