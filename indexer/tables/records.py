"""Records of JSON and XML files into grids: a column for every name, values as they are written."""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from indexer.files.encoding import LINE_LIMIT, MIB, SAMPLE_SIZE, detect_encoding
from indexer.files.errors import UserError
from indexer.files.json_objects import parse_json
from indexer.files.xml import parse_xml
from indexer.languages.language import Language
from indexer.tables.workbook import CELL_LIMIT, Grid, UnreadableTableError

if TYPE_CHECKING:
    from lxml import etree


LONGEST_CELL = 2**24  # characters
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SNIFFED = 100_000  # characters of a line that tell the delimiter
_DELIMITERS = (",", "\t", ";", "|")
_SURE = 0.9


def decode_table(data: bytes, language: Language) -> tuple[str, str]:
    """Decodes the bytes of a csv, json or html file; beside the text a message on what could not be decoded, or "".

    The detected encoding is tried first, then those of `language`. Bytes that do not fit become U+FFFD and NUL
    characters are left out, both counted in the message. Raises UnreadableTableError if in the best encoding half of
    the lines or more do not fit.
    """
    found = detect_encoding(data[:SAMPLE_SIZE], language.table_encodings)
    damaged: list[tuple[int, str, str]] = []  # of each encoding the lines that do not fit, the text, and the message
    for name in dict.fromkeys((found, *language.tried_encodings) if found in ("utf-8", "euc-jp") else (found,)):
        try:
            text, reason = data.decode(name), ""
            break
        except UnicodeDecodeError:
            lines, texts, bad = data.split(b"\n"), [], []
            for number, line in enumerate(lines, 1):
                try:
                    texts.append(line.decode(name))
                except UnicodeDecodeError:
                    bad.append(number)
                    texts.append(line.decode(name, "replace"))
            reason = f"{len(bad):,} lines are not {name} text (the first is line {bad[0]:,})"
            damaged.append((len(bad), "\n".join(texts), reason))
            # The share of the lines beyond ASCII that must fit an encoding for the others to count as damage.
            foreign = sum(not line.isascii() for line in lines)
            if name in language.trusted_encodings and foreign - len(bad) >= _SURE * foreign:
                damaged = damaged[-1:]
                break
    if damaged and reason:
        fewest, text, reason = min(damaged, key=lambda one: one[0])
        if 2 * fewest >= len(lines) - (not lines[-1]):
            raise UnreadableTableError("text in an unknown encoding")
    if "\0" in text:
        nul = f"{text.count(chr(0)):,} NUL characters left out"
        return text.replace("\0", ""), f"{reason}; {nul}" if reason else nul
    return text, reason


def read_delimited(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields one grid of the rows of csv or another delimited text.

    Raises UnreadableTableError instead if nothing can be read, and after the grid for what was left out.
    """
    text, reason = decode_table(data, language)
    grid, cut = _grid(text)
    yield grid
    if reason := cut or reason:
        raise UnreadableTableError(reason)


def _grid(text: str) -> tuple[Grid, str]:
    """Parses delimited text into a grid, rows padded with "", and a message on what was left out ("" for nothing).

    Reading ends at the row that exceeds `CELL_LIMIT` cells; a row is cut if padding the others to its length would give
    more than twice that. Raises UnreadableTableError for text that is not delimited.
    """
    reason = ""
    usual = csv.field_size_limit(LONGEST_CELL)  # the whole process's: other readers of csv have it back
    rows: list[list[str]] = []
    cells = 0
    try:
        for row in csv.reader(_lines(text), delimiter=_delimiter(text)):
            rows.append(row)
            cells += max(1, len(row))
            if cells > CELL_LIMIT:
                reason = f"more than {CELL_LIMIT:,} cells; the first {len(rows):,} rows were read"
                break
    except csv.Error as error:
        raise UnreadableTableError(f"not a table of delimited text ({error})") from error
    finally:
        csv.field_size_limit(usual)
    width = max((len(row) for row in rows), default=0)
    most = 2 * CELL_LIMIT // max(1, len(rows))
    if width > most:  # a single long row would make all others as long
        width, reason = most, f"a row of {width:,} cells among {len(rows):,} rows: cut to {most:,}"
    return Grid("", [row[:width] + [""] * (width - len(row)) for row in rows]), reason


def _lines(text: str) -> Iterator[str]:
    """Yields each line with its line ending. Raises csv.Error for a line of more than `LINE_LIMIT` characters."""
    for number, found in enumerate(_LINE.finditer(text), 1):
        if found.end() - found.start() > LINE_LIMIT:
            raise csv.Error(f"line {number:,} is over {LINE_LIMIT // MIB} MiB")
        yield found[0]


def _delimiter(text: str) -> str:
    """The delimiter (`,`, tab, `;` or `|`) under which the largest fraction of the first 60 lines has the same number
    of fields, two or more; of equal ones that with more fields, `,` if none fits.

    A later delimiter must exceed the fraction of an earlier one by 0.1.
    """
    lines = [line[:_SNIFFED] for line in itertools.islice(_lines(text), 60) if line.strip()]
    best, best_score, finest = ",", 0.0, 1
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=1)
        score = widths.count(usual) / len(widths) if usual > 1 else 0.0
        if score > best_score + 0.1 or (score == best_score and usual > finest):
            best, best_score, finest = delimiter, score, usual
    return best


BLANKS = re.compile(r"[ \t\r\n\f\u200b\ufeff]+")
MARKUP_LIMIT = 4_000_000  # tags of the largest page or XML file that is read: bounds the memory

_VALUE_LIMIT = 10_000_000  # commas and brackets of the largest JSON file that is read: bounds the memory
_SEVERAL = 2  # a single record is not a table
_XML_LEVELS = 5  # levels below the root at which records are looked for
_NAMING = frozenset(("name", "key"))  # attributes that say what an element's text is
_NAMES = ("columns", "fields", "headers", "header", "column_names")


def read_json(data: bytes, language: Language) -> Iterator[Grid]:
    """Yields one grid of the longest list of records in a JSON file or in JSON lines; numbers keep their text.

    Raises UnreadableTableError for damaged JSON, one without records and one of more than `_VALUE_LIMIT` commas and
    brackets; after the grid, if bytes could not be decoded.
    """
    text, reason = decode_table(data, language)
    if sum(text.count(mark) for mark in ",[{") > _VALUE_LIMIT:
        raise UnreadableTableError(f"JSON of more than {_VALUE_LIMIT:,} values")
    value = _parse(text)
    names, records = _longest_list(value)
    if not records:
        raise UnreadableTableError("JSON without a list of records")
    lists: list[list[object]] = [record for record in records if isinstance(record, list)]
    if len(lists) == len(records):
        with suppress(KeyError, TypeError, IndexError):  # beside rows without names, as Socrata portals publish them
            names = [str(column["name"]) for column in value["meta"]["view"]["columns"]] or names  # type: ignore[index]
        rows = [[_plain(cell) for cell in record] for record in lists]
        json_grid = cap([names, *rows] if names else rows)
    else:
        json_grid = records_grid([_flat(record) for record in records])
    yield json_grid
    if reason:
        raise UnreadableTableError(reason)


def _parse(text: str) -> object:
    """Parses a JSON text, else each of its lines into a list; numbers keep their text. Raises UnreadableTableError if
    both fail."""
    parse = partial(parse_json, parse_float=str, parse_int=str, parse_constant=str)
    try:
        return parse(text)
    except ValueError as error:
        try:
            return [parse(line) for line in text.split("\n") if line.strip()]
        except ValueError:
            raise UnreadableTableError(f"damaged JSON ({error})") from error


def _longest_list(value: object, depth: int = 0) -> tuple[list[str], list[object]]:
    """The longest list of records (objects or arrays) in a JSON value, as (column names, records); ([], []) if none is
    found, at depth 0 a single record of the object itself.

    Names are given only for records that are arrays, from a list beside them. An object of lists of one length is read
    as columns, one of objects with the same keys as records, its keys in the field "". Lists of names (`columns`,
    `fields` …) count only without any other list.
    """
    if isinstance(value, list):
        good = value and all(isinstance(item, (dict, list)) for item in value)
        return [], value if good else []
    if not isinstance(value, dict) or depth > 4:
        return [], []
    # columns that are lists of one length, side by side
    columns = list(value.values())
    lengths = {len(column) if isinstance(column, list) else 0 for column in columns}
    flat = len(columns) >= _SEVERAL and len(lengths) == 1 and min(lengths) >= _SEVERAL
    if flat and not any(isinstance(cell, (dict, list)) for column in columns for cell in column):
        return list(value), [list(row) for row in zip(*columns, strict=True)]
    # members that are objects with the same names: records, each under its key
    members = list(value.values())
    alike = all(isinstance(one, dict) and one and one.keys() == members[0].keys() for one in members)
    if len(members) >= _SEVERAL and alike:
        return [], [{"": key, **member} for key, member in value.items()]
    lists = [
        (key not in _NAMES, names or _names_beside(value, key, found), found)
        for key, item in value.items()
        if key != "meta"
        for names, found in (_longest_list(item, depth + 1),)
        if found
    ]
    _, names, longest = max(lists, key=lambda one: (one[0], len(one[2])), default=(False, [], []))
    return (names, longest) if longest or depth else ([], [value])


def _names_beside(parent: Mapping[str, Any], key: str, records: Sequence[object]) -> list[str]:
    """Column names of a list of arrays: a list of as many texts or named objects beside `key` in `parent`."""
    first = records[0] if records else None
    for name in _NAMES:
        found = parent.get(name)
        if name == key or not isinstance(first, list) or not isinstance(found, list) or len(found) != len(first):
            continue
        keys = ("name", "label", "title", "id")
        texts = [[item, *map(item.get, keys)] if isinstance(item, dict) else [item] for item in found]
        names = [next((text for text in each if isinstance(text, str)), "") for each in texts]
        if all(names):
            return names
    return []


def _flat(record: object, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The fields of a JSON record, name → text: nested objects give names joined by dots (`a.b`; `properties` adds
    none), lists are joined by commas.

    `prefix` is the name of the enclosing objects; a record that is not an object is one field `value`.
    """
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
    """Text of a JSON value in one line: items joined by commas, members as `key: value`, null as ""."""
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
    """A grid of records (field name → text): a row of all names in order of appearance, then a row for each record, ""
    for a missing field. Raises UnreadableTableError beyond `CELL_LIMIT` cells."""
    names = list(dict.fromkeys(name for record in records for name in record))
    if len(names) * (len(records) + 1) > CELL_LIMIT:
        raise UnreadableTableError(f"more than {CELL_LIMIT:,} cells ({len(names):,} names of fields)")
    return Grid("", [names, *([record.get(name, "") for name in names] for record in records)])


def cap(rows: list[list[str]]) -> Grid:
    """A grid of rows padded with "" to equal length. Raises UnreadableTableError beyond `CELL_LIMIT` cells."""
    width = max((len(row) for row in rows), default=0)
    if width * len(rows) > CELL_LIMIT:
        raise UnreadableTableError(f"more than {CELL_LIMIT:,} cells")
    return Grid("", [row + [""] * (width - len(row)) for row in rows])


def xml_root(data: bytes) -> etree._Element:
    """Parses an XML file and returns its root. Raises UnreadableTableError if it is damaged or has more than
    `MARKUP_LIMIT` tags."""
    if data.count(b"<") > MARKUP_LIMIT:
        raise UnreadableTableError(f"XML of more than {MARKUP_LIMIT:,} tags")
    try:
        return parse_xml(data)
    except UserError as error:
        raise UnreadableTableError(f"damaged XML ({error})") from error


def read_xml(data: bytes) -> Iterator[Grid]:
    """Yields one grid of the records of an XML file: the elements, with children or attributes, at the path that is
    repeated and most frequent, down to level `_XML_LEVELS`.

    Repeated elements above them without such a record inside are records too. Each row also has the fields of the
    elements around its record. A file without repeated records gives one row of all its fields; raises
    UnreadableTableError if it has fewer than two.
    """
    root = xml_root(data)
    # The elements in one place of a file, down to the fifth level, that come oftenest, those inside
    # others before those that only hold text; and the elements above them that hold none, where these
    # come several times too.
    places: dict[tuple[str, ...], list[etree._Element]] = {}
    repeated: dict[tuple[str, ...], bool] = {}
    level: list[tuple[tuple[str, ...], etree._Element]] = [((), root)]
    for _ in range(_XML_LEVELS):
        below = []
        for place, element in level:
            counts = Counter(str(child.tag) for child in element)
            for child in element:
                inner = (*place, str(child.tag))
                places.setdefault(inner, []).append(child)
                repeated[inner] = repeated.get(inner, False) or counts[str(child.tag)] > 1
                below.append((inner, child))
        level = below
    telling = [place for place in places if repeated[place] and any(len(one) or one.attrib for one in places[place])]
    if not telling:
        records = []
    else:
        best = max(telling, key=lambda place: (not any(map(_is_leaf, places[place])), len(places[place]), len(place)))
        held = {above for record in places[best] for above in record.iterancestors()}
        outer = next((best[:end] for end in range(len(best) - 1, 0, -1) if best[:end] in telling), ())
        records = places[best] + [one for one in places.get(outer, ()) if one not in held]
    fields = [_around(record, root) | _xml_fields(record) for record in records] or [_xml_fields(root)]
    if len(fields) < _SEVERAL and len(fields[0]) < _SEVERAL:
        raise UnreadableTableError("XML without repeated records")
    yield records_grid(fields)


def _is_leaf(element: etree._Element) -> bool:
    return len(element) == 0 and bool((element.text or "").strip())


def _around(record: etree._Element, root: etree._Element) -> dict[str, str]:
    """Fields `element.name` of attributes and leaves of the elements around a record, the outermost first."""
    fields: dict[str, str] = {}
    for above in record.iterancestors():
        if above is root:
            break
        own = {str(name): str(value) for name, value in above.attrib.items()}
        own |= {_field(child): _leaf_text(child) for child in above if _is_leaf(child)}
        fields = {f"{above.tag}.{name}": value for name, value in own.items()} | fields
    return fields


def _xml_fields(record: etree._Element) -> dict[str, str]:
    """Name → text of all attributes and leaves of a record, repeated ones joined by commas; else `value`."""
    fields: dict[str, list[str]] = {}
    for element in record.iter():
        named = element is not record and len(element) == 0 and {"name"} <= {*element.attrib} <= _NAMING
        for name, value in () if named else element.attrib.items():
            fields.setdefault(str(name), []).append(str(value))
        if _is_leaf(element):
            fields.setdefault("value" if element is record else _field(element), []).append(_leaf_text(element))
    return {name: ", ".join(values) for name, values in fields.items()}


def _field(leaf: etree._Element) -> str:
    """Column name of an XML element."""
    return leaf.get("name") or str(leaf.tag)


def _leaf_text(leaf: etree._Element) -> str:
    return BLANKS.sub(" ", leaf.text or "").strip()
