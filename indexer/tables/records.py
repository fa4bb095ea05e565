"""Records of JSON and XML files into grids: a column for every name, values as they are written."""

from __future__ import annotations

import csv
import itertools
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from indexer.analysis.text import without_ignorable
from indexer.files.charset import likely_encodings
from indexer.files.encoding import LINE_LIMIT
from indexer.files.errors import UserError
from indexer.files.inputs import MIB
from indexer.files.json_objects import parse_json
from indexer.files.xml import parse_xml
from indexer.tables.workbook import CELL_LIMIT, Grid, UnreadableTableError

if TYPE_CHECKING:
    from lxml import etree


LONGEST_CELL = 2**24  # characters
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SNIFFED = 20_000  # characters that tell the dialect
_RECORD_LINES = 1000  # of a row with line breaks in its cells
_DELIMITERS = (",", "\t", ";", "|")


def decode_table(data: bytes, encoding: str = "") -> tuple[str, str]:
    """Decodes the bytes of a csv, json or html file; beside the text a message on what could not be
    decoded, or "".

    `encoding` is the likeliest by what the file declares and what its bytes say, unless it is
    given. Bytes that do not fit become U+FFFD, their lines are counted in the message; NUL
    characters are left out. Raises UnreadableTableError if half of the lines or more do not fit.
    """
    encoding = encoding or likely_encodings(data)[0]
    with suppress(UnicodeDecodeError):
        return data.decode(encoding).replace("\0", ""), ""
    text = data.decode(encoding, "replace").replace("\0", "")
    lines = text.split("\n")
    bad = sum("\ufffd" in line for line in lines)
    if 2 * bad >= len(text.splitlines()):
        raise UnreadableTableError("text in an unknown encoding")
    return text, f"{bad:,} lines are not {encoding} text"


def read_delimited(data: bytes, encoding: str = "") -> Iterator[Grid]:
    """Yields one grid of the rows of csv or another delimited text.

    Reading ends after the row that exceeds `CELL_LIMIT` (5,000,000) cells; a row is cut if padding
    the others to its length would give more than twice that. Raises UnreadableTableError without a
    grid for a line over `LINE_LIMIT` and for an unknown encoding; after the grid, which is empty
    for an empty text, for what was left out.
    """
    text, reason = decode_table(data, encoding)
    usual = csv.field_size_limit(
        LONGEST_CELL
    )  # the whole process's: other readers of csv have it back
    rows: list[list[str]] = []
    unclosed: list[int] = []
    cells = 0
    separator = _SEPARATOR.match(text)
    try:
        for row in _csv_rows(_lines(text), _dialect(text, separator), unclosed):
            if separator:
                separator = None  # the line that names the delimiter is none of the table
                continue
            rows.append(row)
            cells += max(1, len(row))
            if cells > CELL_LIMIT:
                reason = f"more than {CELL_LIMIT:,} cells; the first {len(rows):,} rows were read"
                break
    except csv.Error as error:
        raise UnreadableTableError("not a table of delimited text") from error
    finally:
        csv.field_size_limit(usual)
    width = max((len(row) for row in rows), default=0)
    most = 2 * CELL_LIMIT // max(1, len(rows))
    if width > most:  # a single long row would make all others as long
        width, reason = most, f"a row of {width:,} cells among {len(rows):,} rows: cut to {most:,}"
    yield Grid("", [row[:width] + [""] * (width - len(row)) for row in rows])
    if unclosed:
        first = f"line {unclosed[0]:,}: a quote that does not close, read as it stands"
        more = f" (and {len(unclosed) - 1:,} more lines)" if len(unclosed) > 1 else ""
        reason = "; ".join(filter(None, (reason, first + more)))
    if reason:
        raise UnreadableTableError(reason)


def _lines(text: str) -> Iterator[str]:
    """Yields each line with its line ending. Raises UnreadableTableError for a line of more than
    `LINE_LIMIT` (16 Mi) characters."""
    for number, match in enumerate(_LINE.finditer(text), 1):
        if match.end() - match.start() > LINE_LIMIT:
            raise UnreadableTableError(f"line {number:,} is over {LINE_LIMIT // MIB} MiB")
        yield match[0]


# The first line by which a file tells Excel its delimiter, which is no row.
_SEPARATOR = re.compile(r"sep=([,\t;|])\r?\n", re.IGNORECASE)


def _dialect(text: str, named: re.Match[str] | None) -> csv.Dialect:
    """The dialect of delimited text, by the lines in its first 20,000 characters: delimiter (`,`,
    tab, `;` or `|`), quotes and escapes; Excel's, with commas where none is found, or with the
    delimiter that a first line names (`named`)."""
    if named:
        by_name = csv.excel()
        by_name.delimiter = named[1]
        return by_name
    from clevercsv import Sniffer
    from clevercsv.exceptions import NoDetectionResult

    sample = text[:_SNIFFED]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    with suppress(NoDetectionResult):
        if (dialect := Sniffer().sniff(sample, delimiters=_DELIMITERS)) and dialect.delimiter:
            return dialect.to_csv_dialect()
    return csv.excel()


def _csv_rows(
    lines: Iterator[str], dialect: csv.Dialect, unclosed: list[int]
) -> Iterator[list[str]]:
    """Yields the rows of delimited text. A line whose quote does not close within 1,000 lines, or
    closes within a cell of a later line, is read verbatim, and its number goes to `unclosed`."""
    waiting: deque[str] = deque()  # lines to be read again
    record: list[str] = []  # lines of the row under way

    def next_lines() -> Iterator[str]:
        """Yields the lines for a reader and notes them as part of its row."""
        while True:
            line = waiting.popleft() if waiting else next(lines, None)
            if line is None:
                return
            if len(record) >= _RECORD_LINES:
                waiting.appendleft(line)
                raise csv.Error(f"a row of more than {_RECORD_LINES:,} lines")
            record.append(line)
            yield line

    number = 1  # of the row's first line
    while True:
        try:
            for row in csv.reader(next_lines(), dialect, strict=True):
                number += len(record)
                record.clear()
                yield row
            return
        except csv.Error:
            pass
        first, *others = record
        record.clear()
        waiting.extendleft(reversed(others))
        if others:
            unclosed.append(number)
            yield next(csv.reader([first], dialect, quoting=csv.QUOTE_NONE))
        else:  # text behind a closing quote: it belongs to the cell
            yield next(csv.reader([first], dialect))
        number += 1


BLANKS = re.compile(r"[ \t\r\n\f\u200b\ufeff]+")
MARKUP_LIMIT = 4_000_000  # tags of the largest page or XML file that is read: bounds the memory

_VALUE_LIMIT = (
    10_000_000  # commas and brackets of the largest JSON file that is read: bounds the memory
)
_LEVELS = 5  # levels of JSON, and of XML below the root, at which records are looked for


def read_json(data: bytes, encoding: str = "") -> Iterator[Grid]:
    """Yields one grid of the longest list of records in a JSON file or in JSON lines; numbers keep
    their text. Where all records are arrays, the names of columns are those of Socrata's `meta`.

    Raises UnreadableTableError for damaged JSON, one without records and one of more than
    `_VALUE_LIMIT` (10,000,000) commas and opening brackets; after the grid, if bytes could not be
    decoded.
    """
    text, reason = decode_table(data, encoding)
    if sum(text.count(mark) for mark in ",[{") > _VALUE_LIMIT:
        raise UnreadableTableError(f"JSON of more than {_VALUE_LIMIT:,} values")
    parse = partial(parse_json, parse_float=str, parse_int=str, parse_constant=str)
    try:
        value = parse(text)
    except ValueError as error:
        try:
            value = [parse(line) for line in text.split("\n") if line.strip()]
        except ValueError:
            cause = error.__cause__
            line = f", line {cause.lineno:,}" if isinstance(cause, JSONDecodeError) else ""
            raise UnreadableTableError(f"damaged JSON{line}") from error
    records = _longest_list(value)
    if not records:
        raise UnreadableTableError("JSON without a list of records")
    if all(isinstance(record, list) for record in records):
        rows = [[_plain(cell) for cell in record] for record in records]
        with suppress(
            KeyError, TypeError, IndexError
        ):  # beside rows without names, as Socrata portals publish them
            rows.insert(0, [str(column["name"]) for column in value["meta"]["view"]["columns"]])
        yield padded_grid(rows)
    else:
        yield records_grid([_flat(record) for record in records])
    if reason:
        raise UnreadableTableError(reason)


def _longest_list(value: object, depth: int = 0) -> list[Any]:
    """The longest list, at a tie the first, that has only records (objects or arrays): a JSON value
    itself, or inside objects down to five levels, but not in a member `meta`; [] without one."""
    if isinstance(value, list):
        return value if all(isinstance(item, dict | list) for item in value) else []
    if not isinstance(value, dict) or depth == _LEVELS:
        return []
    lists = (_longest_list(item, depth + 1) for key, item in value.items() if key != "meta")
    return max(lists, key=len, default=[])


def _flat(record: object, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The fields of a JSON record, name → text: nested objects, five levels deep, give names joined
    by dots (`a.b`); lists and what is deeper become one text (`_plain`).

    `prefix` is the name of the enclosing objects; a record that is not an object is one field
    `value`.
    """
    if not isinstance(record, dict):
        return {"value": _plain(record)}
    fields: dict[str, str] = {}
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and depth < _LEVELS:
            fields.update(_flat(value, f"{name}.", depth + 1))
        else:
            fields[name] = _plain(value)
    return fields


def _plain(value: object) -> str:
    """Text of a JSON value: items joined by commas, members as `key: value`, null as ""; line
    breaks in strings stay."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(item)}" for key, item in value.items())
    return str(value)


def records_grid(records: Sequence[Mapping[str, str]]) -> Grid:
    """A grid of records (field name → text): a row of all names in order of appearance, then a row
    for each record, "" for a missing field; one row without cells for no records. Raises
    UnreadableTableError beyond `CELL_LIMIT` (5,000,000) cells."""
    names = list(dict.fromkeys(name for record in records for name in record))
    if len(names) * (len(records) + 1) > CELL_LIMIT:
        raise UnreadableTableError(
            f"more than {CELL_LIMIT:,} cells ({len(names):,} names of fields)"
        )
    return Grid("", [names, *([record.get(name, "") for name in names] for record in records)])


def padded_grid(rows: list[list[str]]) -> Grid:
    """A grid of rows padded with "" to equal length, which stay as they are. Raises
    UnreadableTableError beyond `CELL_LIMIT` (5,000,000) cells."""
    width = max((len(row) for row in rows), default=0)
    if width * len(rows) > CELL_LIMIT:
        raise UnreadableTableError(f"more than {CELL_LIMIT:,} cells")
    return Grid("", [row + [""] * (width - len(row)) for row in rows])


def read_xml(data: bytes) -> Iterator[Grid]:
    """Yields one grid of the records of an XML file: the elements, with children or attributes, at
    the path that is most frequent, down to level 5 (`_LEVELS`) below the root; of equal ones the
    outermost, then the first.

    Each row also has the attributes and texts of the elements around its record, but for the root.
    Raises UnreadableTableError if the file is damaged, has more than `MARKUP_LIMIT` (4,000,000)
    tags or no such element.
    """
    if data.count(b"<") > MARKUP_LIMIT:
        raise UnreadableTableError(f"XML of more than {MARKUP_LIMIT:,} tags")
    try:
        root = parse_xml(data)
    except UserError as error:
        raise UnreadableTableError("damaged XML, or XML with entities of its own") from error
    by_path: dict[tuple[str, ...], list[etree._Element]] = {}
    level: list[tuple[tuple[str, ...], etree._Element]] = [((), root)]
    for _ in range(_LEVELS):
        level = [((*path, str(child.tag)), child) for path, element in level for child in element]
        for path, element in level:
            if len(element) or element.attrib:
                by_path.setdefault(path, []).append(element)
    records = max(by_path.values(), key=len, default=[])
    if not records:
        raise UnreadableTableError("XML without records")
    yield records_grid([_around(record, root) | _xml_fields(record) for record in records])


def _around(record: etree._Element, root: etree._Element) -> dict[str, str]:
    """Fields `element.name` of attributes and leaves of the elements around a record, the outermost
    first, without the root's. Of equal names the last leaf counts, before an attribute, and that of
    the inner element."""
    fields: dict[str, str] = {}
    for above in itertools.takewhile(lambda element: element is not root, record.iterancestors()):
        values = {_local(name): str(value) for name, value in above.attrib.items()}
        values |= {str(child.tag): text for child in above if (text := _leaf_text(child))}
        fields = {f"{above.tag}.{name}": value for name, value in values.items()} | fields
    return fields


def _xml_fields(record: etree._Element) -> dict[str, str]:
    """Name → text of all attributes, and of the leaves that have text, of a record, without name
    spaces; repeated ones are joined by commas, the record's own text is `value`."""
    fields: dict[str, list[str]] = {}
    for element in record.iter():
        for name, value in element.attrib.items():
            fields.setdefault(_local(name), []).append(str(value))
        if text := _leaf_text(element):
            fields.setdefault("value" if element is record else str(element.tag), []).append(text)
    return {name: ", ".join(values) for name, values in fields.items()}


def _local(name: str | bytes) -> str:
    """The name of an attribute without its name space, as tags are (`parse_xml`)."""
    return str(name).rpartition("}")[2]


def _leaf_text(element: etree._Element) -> str:
    """The text of an element without children, "" for any other."""
    return "" if len(element) else BLANKS.sub(" ", without_ignorable(element.text or "")).strip()
