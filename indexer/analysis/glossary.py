"""A user's glossary: names with their kinds, dates and aliases, read from a list or a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indexer.analysis.text import without_ignorable
from indexer.files.encoding import QUESTION_LIMIT, decode_text, detect_encoding, read_whole
from indexer.files.errors import bad_input

if TYPE_CHECKING:
    from indexer.analysis.years import Years


class Entry(NamedTuple):
    """One entry of a glossary: the name to index (`term`), its kinds from narrow to wide as in the
    file (都市, 市), first and last years (None where not given), and other spellings
    (`aliases`)."""

    term: str
    kinds: tuple[str, ...] = ()
    start: Years | None = None
    end: Years | None = None
    aliases: tuple[str, ...] = ()


class Glossary(NamedTuple):
    """The entries in the order of their files; one name may have several (a city and a man)."""

    entries: tuple[Entry, ...] = ()

    def names(self) -> list[str]:
        """Every term and alias once, in order, for an analyser to find, without notes in brackets.

        Names of one character are left out: an analyser gains nothing by them.
        """
        forms = dict.fromkeys(
            bare(form) for entry in self.entries for form in (entry.term, *entry.aliases)
        )
        return [name for name in forms if len(name) > 1]

    def terms(self) -> dict[str, str]:
        """Maps each term and alias (without a note in brackets) to the term that is indexed for it:
        itself for a term or an alias of several terms, else the one term that has this alias."""
        terms = {bare(entry.term) for entry in self.entries}
        leads: dict[str, set[str]] = {}
        for entry in self.entries:
            for alias in entry.aliases:
                leads.setdefault(bare(alias), set()).add(bare(entry.term))
        return {
            name: name if name in terms or len(leads[name]) > 1 else next(iter(leads[name]))
            for name in self.names()
        }

    def by_name(self) -> dict[str, tuple[Entry, ...]]:
        """Maps each term and alias (without a note in brackets) to its entries: first those with
        the name as their term, then those with it as an alias; in file order."""
        pairs = [(entry.term, entry) for entry in self.entries]
        pairs += [(alias, entry) for entry in self.entries for alias in entry.aliases]
        groups: dict[str, dict[Entry, None]] = {}
        for name, entry in pairs:
            groups.setdefault(bare(name), {})[entry] = None
        return {name: tuple(entries) for name, entries in groups.items()}

    def lines(self) -> list[list[str]]:
        """One list of five strings for each entry (term, kinds, start, end, aliases), to be stored
        in an index's settings; several values are joined by `@`, a missing one is ""."""
        return [
            [
                entry.term,
                "@".join(entry.kinds),
                entry.start.text if entry.start else "",
                entry.end.text if entry.end else "",
                "@".join(entry.aliases),
            ]
            for entry in self.entries
        ]

    @classmethod
    def from_lines(cls, lines: Sequence[Sequence[str]]) -> Glossary:
        """The glossary that `lines` was made from. Raises ValueError for lines that `lines` does
        not make."""
        if not all(
            len(line) == len(_FIELDS) and all(isinstance(cell, str) for cell in line)
            for line in lines
        ):
            raise ValueError(f"a line of a glossary has {len(_FIELDS)} texts")
        return cls(tuple(_entry(*line) for line in lines))


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

    A file is CSV if it is called .csv or its first line has known headers
    (`term,kind,start,end,aliases` or those of the QA Lab ontology; the separator may be a semicolon
    or tab); else it has one name a line. Several values in a cell are joined by `@`. Empty rows are
    skipped. An end before its start is kept: the ontology has some. Raises UserError with file and
    line: no such file, not UTF-8, a row without a term, cells beyond the last column that is read,
    an invalid year; also if no name is found at all.
    """
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
    if lines[0].lstrip().startswith(("{", "<")):
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
                yield _entry(*cells)
            except ValueError as error:
                raise bad_input(path, line, f"broken year: {error}", _EXPECTED) from None
    except csv.Error as error:
        raise bad_input(path, reader.line_num, f"broken CSV ({error})") from None


def _header(row: Sequence[str]) -> dict[str, int] | None:
    """Columns of the fields by a header row; None if the row is data."""
    names = [cell.strip(' \n"').removeprefix("evt:").lower() for cell in row]
    columns = {
        field: names.index(name) for field in _FIELDS for name in _HEADERS[field] if name in names
    }
    return columns if "term" in columns and len(columns) > 1 else None


def _entry(term: str, kind: str = "", start: str = "", end: str = "", aliases: str = "") -> Entry:
    """Makes an entry of its cells; years, and lists joined by `@`, are parsed."""
    from indexer.analysis.years import read_years

    kinds, others = (
        tuple(value.strip() for value in cell.split("@") if value.strip())
        for cell in (kind, aliases)
    )
    return Entry(term.strip(), kinds, read_years(start), read_years(end), others)


def bare(name: str) -> str:
    """The name without notes in brackets at its end (アフリカ（詩） → アフリカ), in full-width or
    ASCII brackets; unchanged where nothing else would be left."""
    for opening, closing in ("（）", "()"):
        if name.endswith(closing) and opening in name[1:]:
            name = name[: name.rindex(opening)].strip()
    return name
