"""Delimited text of any usual encoding into grids; a line that cannot be read spoils no other."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from indexer.files.encoding import LINE_LIMIT, MIB, SAMPLE_SIZE, detect_encoding
from indexer.languages.language import Language
from indexer.tables.workbook import CELL_LIMIT, Grid, UnreadableTableError

LONGEST_CELL = 2**24  # characters
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SNIFFED = 100_000  # characters of a line that tell the delimiter
_DELIMITERS = (",", "\t", ";", "|")
_SURE = 0.9
"""The share of the lines beyond ASCII that must fit an encoding for the others to count as damage."""


class DecodedText(NamedTuple):
    """A file's decoded text, and a message on what could not be decoded ("" if everything could)."""

    text: str
    reason: str


def decode_table(data: bytes, language: Language) -> DecodedText:
    """Decodes the bytes of a csv, json or html file.

    The detected encoding is tried first, then those of `language`. Bytes that do not fit become U+FFFD and NUL
    characters are left out, both counted in `reason`. Raises UnreadableTableError if in the best encoding half of the
    lines or more do not fit.
    """
    sample = data[:SAMPLE_SIZE]
    found = detect_encoding(sample, language.table_encodings)
    encodings = dict.fromkeys((found, *language.tried_encodings) if found in ("utf-8", "euc-jp") else (found,))
    for name in encodings:
        try:
            return _without_nul(data.decode(name), "")
        except UnicodeDecodeError:
            if name in language.trusted_encodings:
                lines = _Lines(data, name)
                if lines.share >= _SURE:
                    return _without_nul(lines.text, lines.reason)
    best = min((_Lines(data, name) for name in encodings), key=lambda lines: lines.bad)
    if 2 * best.bad >= best.count:
        raise UnreadableTableError("text in an unknown encoding")
    return _without_nul(best.text, best.reason)


def _without_nul(text: str, reason: str) -> DecodedText:
    """Removes NUL characters from a text; their number is added to `reason`, the message so far ("" for none)."""
    if "\0" not in text:
        return DecodedText(text, reason)
    nul = f"{text.count(chr(0)):,} NUL characters left out"
    return DecodedText(text.replace("\0", ""), f"{reason}; {nul}" if reason else nul)


class _Lines:
    """A text decoded line by line; bytes that do not fit become U+FFFD.

    `text` is the whole text, `count` the number of its lines, `bad` that of the lines with bytes that do not fit.
    `share` is the fraction, 0 to 1, of the lines beyond ASCII that fit; 0 without such lines.
    """

    def __init__(self, data: bytes, encoding: str) -> None:
        lines = data.split(b"\n")
        self._encoding = encoding
        self._bad: list[int] = []
        foreign = 0
        texts = []
        for number, line in enumerate(lines, 1):
            foreign += not line.isascii()
            try:
                texts.append(line.decode(encoding))
            except UnicodeDecodeError:
                self._bad.append(number)
                texts.append(line.decode(encoding, "replace"))
        self.text = "\n".join(texts)
        self.bad, self.count = len(self._bad), len(lines) - (not lines[-1])
        self.share = (foreign - self.bad) / foreign if foreign else 0.0

    @property
    def reason(self) -> str:
        return f"{self.bad:,} lines are not {self._encoding} text (the first is line {self._bad[0]:,})"


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
