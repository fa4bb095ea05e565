"""The lines of a huge text file in blocks: decoded many at a time, one by one only where something is wrong."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.files.encoding import LINE_LIMIT, detect_encoding, open_bytes
from indexer.files.errors import bad_input
from indexer.ingest_report import IngestReport

BLOCK = 1 << 20
_READABLE = ("utf-8", "utf-8-sig", "euc-jp", "cp932", "gb18030")


class Range(NamedTuple):
    """The whole lines of a file from one byte to before another (None: to its end), and the number of the first."""

    start: int = 0
    stop: int | None = None
    line: int = 1
    encoding: str = ""


WHOLE = Range()


def line_blocks(
    path: str | Path, fallbacks: tuple[str, ...], tally: IngestReport, within: Range = WHOLE
) -> Iterator[list[tuple[int, str]]]:
    """Blocks of numbered lines, without their ends; lines that cannot be decoded are counted and rejected.

    The encoding is found in the first MiB: UTF-8, else one of the fallbacks. UserError for a damaged archive
    and for a file in UTF-16 or another encoding that cannot be read line by line.
    """
    number, encoding = within.line, within.encoding
    with open_bytes(path) if within.stop is None else Path(path).open("rb") as file:
        if within.stop is not None:
            file.seek(within.start)
        while data := _read_lines(file, BLOCK if within.stop is None else min(BLOCK, within.stop - file.tell())):
            if not encoding:
                encoding = encoding_of(path, data, fallbacks)
            if number == 1 and within.start == 0:
                data = data.removeprefix(codecs.BOM_UTF8)
            try:
                lines = _decoded(data, encoding)
            except UnicodeDecodeError:
                block, number = _one_by_one(path, number, data, encoding, tally)
                yield block
                continue
            yield list(enumerate(lines, number))
            number += len(lines)


def _read_lines(file: BinaryIO, size: int) -> bytes:
    """About so many bytes of whole lines; a line over the limit comes cut off just behind it, without its end."""
    data = file.read(size)
    if data and not data.endswith(b"\n"):
        rest = file.readline(LINE_LIMIT + 1)
        data += rest
        while len(rest) > LINE_LIMIT and not rest.endswith(b"\n"):
            rest = file.readline(LINE_LIMIT + 1)
    return data


def encoding_of(path: str | Path, sample: bytes, fallbacks: tuple[str, ...]) -> str:
    """The encoding of a file whose beginning this is. UserError for one that cannot be read line by line."""
    found = detect_encoding(sample, fallbacks)
    if found not in _READABLE:
        raise bad_input(path, 1, f"a file in {found}", "save it as UTF-8")
    return "utf-8" if found == "utf-8-sig" else found


def _decoded(data: bytes, encoding: str) -> list[str]:
    """The lines of a block; UnicodeDecodeError also for binary noise and where one line may be too long."""
    if b"\0" in data or len(data) > LINE_LIMIT:
        raise UnicodeDecodeError(encoding, data[:1], 0, 1, "no text")
    return data.decode(encoding).removesuffix("\n").split("\n")


def _one_by_one(
    path: str | Path, number: int, data: bytes, encoding: str, tally: IngestReport
) -> tuple[list[tuple[int, str]], int]:
    """The readable lines of a block that holds unreadable ones, and the number of the line after it."""
    readable = []
    for line in data.removesuffix(b"\n").split(b"\n"):
        try:
            readable.append((number, _decoded(line, encoding)[0]))
        except UnicodeDecodeError:
            long = len(line) > LINE_LIMIT
            reason = f"a line over {LINE_LIMIT >> 20} MiB" if long else f"not {encoding} text"
            tally.count()
            tally.reject(path, number, reason, line[:400].decode(encoding, "replace"))
        number += 1
    return readable, number
