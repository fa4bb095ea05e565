"""Reading text of unknown encoding: plain, gz or bz2, whole or line by line, with a limit on a line's size."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

from indexer.files.errors import UserError, bad_input

LINE_LIMIT = 16 * 1024 * 1024
SAMPLE_SIZE = 1024 * 1024
JAPANESE = ("euc-jp", "cp932")
CHINESE = ("gb18030",)

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_ISO_2022_JP = (b"\x1b$B", b"\x1b$@", b"\x1b(J")


class Line(NamedTuple):
    """A line without its end; `text` is None, with the reason beside it, where it cannot be read."""

    number: int
    text: str | None
    reason: str = ""


def detect_encoding(sample: bytes, fallbacks: tuple[str, ...] = JAPANESE) -> str:
    """The encoding of a sample: byte order mark, ISO-2022-JP escapes, utf-8, then the fallbacks in order.

    A sample that is nearly all valid utf-8 (nine in ten of its non-ASCII lines) counts as utf-8, its bad
    lines as noise. Nothing fits: utf-8, so that the reader can name what is wrong.
    """
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding
    if any(escape in sample for escape in _ISO_2022_JP):
        return "iso-2022-jp"
    if _utf8_share(sample) >= 0.9:
        return "utf-8"
    return next((name for name in fallbacks if _decodes(sample, name)), "utf-8")


def _utf8_share(sample: bytes) -> float:
    lines = [line for line in sample.split(b"\n")[:20_000] if not line.isascii()]
    if len(lines) > 1 and len(sample) >= SAMPLE_SIZE:
        lines.pop()  # the sample may cut a character
    good = sum(_decodes(line, "utf-8") for line in lines)
    return good / len(lines) if lines else 1.0


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data, final=len(data) < SAMPLE_SIZE)
    except UnicodeDecodeError:
        return False
    return True


def open_bytes(path: str | Path) -> BinaryIO:
    """The bytes of a file, unpacked where its name ends in .gz or .bz2. UserError when it cannot be opened."""
    name = str(path)
    try:
        if name.endswith(".gz"):
            return cast(BinaryIO, gzip.open(name, "rb"))
        if name.endswith(".bz2"):
            return cast(BinaryIO, bz2.open(name, "rb"))
        return Path(name).open("rb")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error


def read_text(path: str | Path, fallbacks: tuple[str, ...] = JAPANESE) -> str:
    """A whole file as text, without byte order mark. UserError where it is damaged or in no known encoding."""
    with open_bytes(path) as file:
        data = _guarded_read(file, path, -1)
    encoding = detect_encoding(data, fallbacks)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(path, line, f"not {encoding} text", "save the file as UTF-8") from error


def open_lines(path: str | Path, fallbacks: tuple[str, ...] = JAPANESE, limit: int = LINE_LIMIT) -> Iterator[Line]:
    """The lines of a text file in order, decoded one by one, so that one bad line spoils no other.

    A line over `limit` bytes, one that is not in the file's encoding and one with binary noise come with
    text None and the reason. A damaged archive raises UserError.
    """
    with open_bytes(path) as file:
        sample = _guarded_read(file, path, SAMPLE_SIZE)
        encoding = detect_encoding(sample, fallbacks)
        whole = cast(IO[bytes], io.BufferedReader(_Rejoined(sample, file, path), 1024 * 1024))
        if encoding == "utf-16":
            yield from _text_lines(whole, encoding)
            return
        if encoding == "utf-8-sig":
            whole.read(len(codecs.BOM_UTF8))
            encoding = "utf-8"
        yield from _byte_lines(whole, encoding, limit)


def _byte_lines(file: IO[bytes], encoding: str, limit: int) -> Iterator[Line]:
    number = 0
    while data := file.readline(limit + 1):
        number += 1
        if len(data) > limit and not data.endswith(b"\n"):
            while (rest := file.readline(limit)) and not rest.endswith(b"\n"):
                pass
            yield Line(number, None, f"a line over {limit // (1024 * 1024)} MiB")
            continue
        yield _decoded(number, data, encoding)


def _decoded(number: int, data: bytes, encoding: str) -> Line:
    if b"\0" in data:
        return Line(number, None, "binary noise")
    try:
        return Line(number, data.decode(encoding).rstrip("\r\n"))
    except UnicodeDecodeError:
        return Line(number, None, f"not {encoding} text")


def _text_lines(file: IO[bytes], encoding: str) -> Iterator[Line]:
    with io.TextIOWrapper(file, encoding, errors="replace") as text:
        for number, line in enumerate(text, 1):
            yield Line(number, line.rstrip("\r\n"))


def _guarded_read(file: IO[bytes], path: str | Path, size: int) -> bytes:
    try:
        return file.read(size)
    except (OSError, EOFError) as error:
        raise UserError(f"{path}: damaged ({error}); fetch the file again") from error


class _Rejoined(io.RawIOBase):
    """A stream whose beginning was read already."""

    def __init__(self, start: bytes, rest: BinaryIO, path: str | Path) -> None:
        self._start = start
        self._rest = rest
        self._path = path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        size = len(buffer)
        if self._start:
            data, self._start = self._start[:size], self._start[size:]
        else:
            data = _guarded_read(self._rest, self._path, size)
        buffer[: len(data)] = data
        return len(data)
