"""Reading of a glossary: a list of names, or a CSV file of names with kinds, dates and aliases."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.text import without_ignorable
from indexer.analysis.years import read_years
from indexer.files.encoding import QUESTION_LIMIT, decode_text, detect_encoding, read_whole
from indexer.files.errors import bad_input

# Names of columns, the `evt:` of the ontology's headers cut off; other columns are not read.
_HEADERS = {
    "term": ("term", "name", "instance", "用語", "名称", "見出し語"),
    "kind": ("kind", "class", "type", "種類", "分類"),
    "start": ("start", "starting_time", "time_s", "開始"),
    "end": ("end", "ending_time", "endint_time", "time_e", "終了"),
    "aliases": ("aliases", "alias", "alias_other", "別名"),
}
_FIELDS = tuple(_HEADERS)
# A row without a header has the columns in the documented order, or, wider than that, in the
# ontology's.
_NARROW_ROW = {field: column for column, field in enumerate(_FIELDS)}
_ONTOLOGY_ROW = _NARROW_ROW | {"kind": 0, "term": 1}
_SEPARATORS = (",", ";", "\t")  # the last two as spreadsheets write them
_EXPECTED = "expected a year such as 476, -525, 前525, 525 BC, 17世紀半ば or a range of them"


def read_glossary(paths: Sequence[str | Path]) -> Glossary:
    """Reads glossary files, in order; a folder means its .csv files, sorted by name.

    A file is CSV if it is called .csv or its first line heads the term's column and another
    (`term,kind,start,end,aliases`, or such names as the QA Lab ontology's; further columns are not
    read; the separator may be a semicolon or tab); else it has one name a line. Without a header,
    rows of up to five cells have the first form, longer ones that of the ontology. Several values
    in a cell are joined by `@`. Empty rows are skipped, repeated ones kept. An end before its start
    is kept: the ontology has some. Raises UserError with file and line: no such file, not UTF-8,
    UTF-16 or ISO-2022-JP, more than 64 MiB, a first line that begins with {, [ or <, broken CSV, a
    row without a term, cells beyond a header whose last column is read, an invalid year; also if no
    name is found at all."""
    entries: list[Entry] = []
    for path in map(Path, paths):
        files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
        for file in files:
            entries += _read_file(file)
    if not entries:
        raise bad_input(
            ", ".join(map(str, paths)), None, "no names", "expected one name a line or CSV"
        )
    return Glossary(tuple(entries))


def _read_file(path: Path) -> Iterator[Entry]:
    """Yields the entries of one glossary file in order; forms of the file and errors as in
    `read_glossary`."""
    data = read_whole(path, QUESTION_LIMIT)
    text = without_ignorable(decode_text(data, detect_encoding(data, ()), path))
    lines = [line for line in io.StringIO(text, newline=None) if line.strip()]
    if not lines:
        return
    if lines[0].lstrip().startswith(("{", "[", "<")):
        raise bad_input(
            path,
            1,
            "not a glossary",
            "expected one name a line, or CSV term,kind,start,end,aliases",
        )
    separator = next((mark for mark in _SEPARATORS if _header(lines[0].split(mark))), ",")
    header = _header(lines[0].split(separator))
    if not header and path.suffix.lower() != ".csv":
        yield from (Entry(line.strip()) for line in lines)
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows = filter(lambda row: any(cell.strip() for cell in row), reader)
    try:
        width = len(next(rows)) if header else 0
        for row in rows:
            line = reader.line_num
            if (
                header
                and max(header.values()) == width - 1
                and any(cell.strip() for cell in row[width:])
            ):
                what = f"{len(row)} cells under a header of {width}"
                raise bad_input(path, line, what, "several aliases stand in one cell, joined by @")
            columns = header or (_NARROW_ROW if len(row) <= len(_FIELDS) else _ONTOLOGY_ROW)
            cells = [
                row[columns[field]] if columns.get(field, len(row)) < len(row) else ""
                for field in _FIELDS
            ]
            if not cells[0].strip():
                raise bad_input(
                    path, line, "a row without a term", "every row of a glossary names one"
                )
            try:
                yield parse_entry(*cells)
            except ValueError as error:
                raise bad_input(path, line, f"broken year: {error}", _EXPECTED) from None
    except csv.Error as error:
        raise bad_input(path, reader.line_num, f"broken CSV ({error})") from None


def _header(row: Sequence[str]) -> dict[str, int] | None:
    """Maps each field that a header row names to its column; None if the row is data, that is, does
    not name the term and another field."""
    names = [cell.strip(' \n"').removeprefix("evt:").lower() for cell in row]
    columns = {
        field: names.index(name) for field in _FIELDS for name in _HEADERS[field] if name in names
    }
    return columns if "term" in columns and len(columns) > 1 else None


def parse_entry(
    term: str, kind: str = "", start: str = "", end: str = "", aliases: str = ""
) -> Entry:
    """The entry of a row's cells, in which several values are joined by `@`. Raises ValueError for
    an invalid year."""
    kinds, others = (
        tuple(value.strip() for value in cell.split("@") if value.strip())
        for cell in (kind, aliases)
    )
    return Entry(term.strip(), kinds, read_years(start), read_years(end), others)
