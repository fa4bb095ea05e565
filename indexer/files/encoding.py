"""Reading files, packed or not, and text of unknown encoding: whole or line by line, within limits."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, BinaryIO, NamedTuple, cast

from indexer.files.errors import UserError, bad_input

MIB = 2**20
PACKED_BUFFER = MIB // 16  # bytes by which the position in a packed file moves, which progress shows

OPENED: dict[str, IO[bytes] | None] = {}
"""By the path of a file of which progress is shown, the file on disk once it is opened."""


# Text of unknown encoding.

LINE_LIMIT = 16 * MIB  # bytes of a line
WHOLE_LIMIT = 1024 * MIB  # of a file that is read whole
QUESTION_LIMIT = 64 * MIB  # of such a file of questions, answers, gold
SAMPLE_SIZE = MIB
PACKED = (".gz", ".bz2", ".xz")
JAPANESE_ENCODINGS = ("euc-jp", "cp932")
CHINESE_ENCODINGS = ("gb18030",)
WESTERN_ENCODINGS = ("cp1252",)

# Memory of a file that is held whole: questions, answers, gold, a glossary, a run.
HELD_LIMIT = 800 * MIB
HELD_LIMIT_OF_RUNS = 4096 * MIB  # MS MARCO's have seven million lines
COPIES = 2  # of each text: as it was read, and taken apart
LINE_BYTES = 1_000  # that a line of columns takes at most beside its text: lists, separate texts, places
VALUE_BYTES = 250  # and a value of JSON, or an element or attribute of XML

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),  # begins as the mark of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
"""What a text may begin with, the encoding that reads it with its mark, and that of the bytes behind the mark."""
_WIDE = ("utf-16", "utf-32")
_ISO_2022_JP = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_IDEOGRAPHS = re.compile("[\uff61-\uff9f\u3400-\u9fff]")
IDEOGRAPH_IN_A_WORD = re.compile(
    rf"(?<![^\x00-\x7f]){_IDEOGRAPHS.pattern}(?![^\x00-\x7f])(?:(?<=[A-Za-z].)|(?=[A-Za-z]))"
)


class TextLine(NamedTuple):
    """A line without its end, numbered from 1; if it cannot be read, `text` is None and `reason` says why."""

    number: int
    text: str | None
    reason: str = ""


def detect_encoding(sample: bytes, fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS) -> str:
    """Name of the encoding of a sample: byte order mark, ISO-2022-JP escapes, utf-8, then the first plausible of
    `fallbacks`; utf-8 if nothing fits, so that the reader reports the invalid bytes.

    A sample of whose non-ASCII lines nine in ten are valid utf-8 counts as utf-8, its other lines as noise; if more
    than one in ten are, it is not Western.
    """
    for mark, encoding, _ in BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return encoding
    if any(escape in sample for escape in _ISO_2022_JP):
        return "iso-2022-jp"
    # The share of a sample's lines beyond ASCII that are UTF-8, 1 without such lines.
    lines = [line for line in sample.split(b"\n")[:20_000] if not line.isascii()]
    if len(lines) > 1 and len(sample) >= SAMPLE_SIZE:
        lines.pop()  # the sample may cut a character
    good = sum(text_in(line, "utf-8") is not None for line in lines)
    share = good / len(lines) if lines else 1.0
    for encoding in fallbacks if share < 0.9 else ():
        text = text_in(sample, encoding)
        if text is None:
            continue
        if encoding in WESTERN_ENCODINGS:  # of its letters at most one in five is not ASCII
            letters = [character for character in text if character.isalpha()]
            plausible = share <= 0.1 and 5 * sum(not letter.isascii() for letter in letters) <= len(letters)
        else:  # not most ideographs are single in a word of Latin letters, as where `Napoléon` is read as `Napol駮n`
            plausible = 2 * len(IDEOGRAPH_IN_A_WORD.findall(text)) <= len(_IDEOGRAPHS.findall(text))
        if plausible:
            return encoding
    return "utf-8"


def text_in(data: bytes, encoding: str) -> str | None:
    """Text of bytes in an encoding, None if they are not valid in it; a sample's last character may be cut."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=len(data) < SAMPLE_SIZE)
    except UnicodeDecodeError:
        return None


def open_bytes(path: str | Path) -> BinaryIO:
    """Opens a file for reading, decompressed if its name ends in .gz, .bz2 or .xz. Raises UserError if it cannot be
    opened, or while it is read if it is damaged or a decompression bomb."""
    if (held := held_content(path)) is not None:
        return cast(BinaryIO, io.BufferedReader(io.BytesIO(held), SAMPLE_SIZE))
    packed = str(path).endswith(PACKED)
    try:
        file = cast(io.BufferedReader, Path(path).open("rb", PACKED_BUFFER if packed else SAMPLE_SIZE))  # noqa: SIM115
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    if str(path) in OPENED:
        OPENED[str(path)] = file
    if not packed:
        return file
    from indexer.files.packed import Limits, unpack

    if (stream := unpack(file, Limits(), str(path))) is None:
        file.close()
        raise UserError(f"{path}: is not compressed; remove {Path(path).suffix} from its name")
    return cast(BinaryIO, io.BufferedReader(stream, SAMPLE_SIZE))


def read_whole(path: str | Path, limit: int, mend: str = "cut it in several files") -> bytes:
    """All bytes of a file, decompressed by its name. Raises UserError, with the advice `mend`, if they are more than
    `limit`; reading stops at the first piece beyond it."""
    data = bytearray()
    with open_bytes(path) as file:
        while piece := file.read(SAMPLE_SIZE):
            data += piece
            if len(data) > limit:
                raise bad_input(path, None, f"larger than {limit // MIB:,} MiB", mend)
    return bytes(data)


def read_text(path: str | Path, limit: int = WHOLE_LIMIT) -> str:
    """A whole file as text, decompressed by its name, without byte order mark, in the detected encoding.

    Raises UserError if it is damaged, larger than `limit` bytes, or not in a known encoding.
    """
    data = read_whole(path, limit)
    return decode_text(data, detect_encoding(data), path)


def decode_text(data: bytes, encoding: str, path: str | Path) -> str:
    """The text of a file's bytes. Raises UserError with file and line for bytes that do not fit the encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(path, line, f"not {encoding} text", "save the file as UTF-8") from error


def read_beginning(path: str | Path) -> str:
    """The first MiB of a file as text, without byte order mark; characters that cannot be read are replaced."""
    with open_bytes(path) as file:
        data = file.read(SAMPLE_SIZE)
    return data.decode(detect_encoding(data), "replace")


def open_lines(
    path: str | Path, fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS, limit: int = LINE_LIMIT
) -> Iterator[TextLine]:
    """Yields the lines of a text file in order, decoded one by one, so that a bad line does not affect others.

    A line over `limit` bytes, one that is not in the file's encoding and one with NUL bytes have text None and a
    reason. `fallbacks` are the encodings tried if the file is not UTF-8. Raises UserError for a damaged file, and for
    one that begins with a MiB of blanks, which could unpack to millions of empty lines.
    """
    with open_bytes(path) as file:
        sample = cast(io.BufferedReader, file).peek(SAMPLE_SIZE)[:SAMPLE_SIZE]
        if len(sample) == SAMPLE_SIZE and not sample.strip():
            raise bad_input(path, 1, "a MiB of blanks at its beginning", "expected text")
        encoding = detect_encoding(sample, fallbacks)
        if encoding == "utf-8-sig":
            file.read(len(codecs.BOM_UTF8))
            encoding = "utf-8"
        source: IO[Any] = file
        if encoding in _WIDE:  # whose line ends are not single bytes
            source = io.TextIOWrapper(file, encoding, errors="replace", newline="\n")
        newline = "\n" if encoding in _WIDE else b"\n"
        number = 0
        while data := source.readline(limit + 1):
            number += 1
            text, reason = None, ""
            if len(data) > limit and not data.endswith(newline):
                while (rest := source.readline(limit)) and not rest.endswith(newline):
                    pass
                reason = f"a line over {limit // MIB} MiB"
            elif isinstance(data, str):
                text = data.rstrip("\r\n")
            elif b"\0" in data:
                reason = "binary noise"
            else:
                try:
                    text = data.decode(encoding).rstrip("\r\n")
                except UnicodeDecodeError:
                    reason = f"not {encoding} text"
            yield TextLine(number, text, reason)


def held_lines(
    path: str | Path,
    fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS,
    line_bytes: int = LINE_BYTES,
    copies: int = COPIES,
) -> Iterator[TextLine]:
    """Yields the lines of a file as `open_lines` does, for a caller that keeps them all.

    The memory of a line is estimated as `copies` times its text and `line_bytes` bytes. Raises UserError, with file and
    line, before the lines take too much.
    """
    size = 0
    for line in open_lines(path, fallbacks):
        size += copies * sys.getsizeof(line.text) + line_bytes
        require_memory(path, size, line.number)
        yield line


def numbered_lines(lines: Iterable[TextLine], path: str | Path, expected: str) -> Iterator[tuple[int, str]]:
    """Yields (line number, text) of each line. Raises UserError, ending in `expected`, at a line that cannot be
    read."""
    for line in lines:
        if line.text is None:
            raise bad_input(path, line.number, line.reason, expected)
        yield line.number, line.text


def require_room(path: str | Path, text: str, marks: str) -> str:
    """The text, each of whose values begins with one of the marks. Raises UserError where these will take too much."""
    require_memory(path, COPIES * sys.getsizeof(text) + VALUE_BYTES * sum(map(text.count, marks)))
    return text


def require_memory(path: str | Path, size: int, line: int | None = None, most: int | None = None) -> None:
    """Raises UserError, with the file and line, if what is kept of a file takes more bytes of memory (`size`) than
    `most`, by default `HELD_LIMIT`."""
    most = HELD_LIMIT if most is None else most
    if size > most:
        raise bad_input(path, line, f"takes more than {most // MIB} MiB of memory", "cut it in several files")


# Files that are held in memory: readers find them by their paths, as if they were on disk.

_held: ContextVar[Mapping[Path, bytes]] = ContextVar("held", default=MappingProxyType({}))


@contextmanager
def held_files(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Context manager that makes `files` (path → content) readable under their paths, before files on disk."""
    before = _held.set({**_held.get(), **files})
    try:
        yield
    finally:
        _held.reset(before)


def held_content(path: str | Path) -> bytes | None:
    """The content of a file that is held in memory; None for any other path."""
    held = _held.get()
    return held.get(Path(path)) if held else None  # a Path is made only where something is held


def is_held_folder(path: Path) -> bool:
    """Whether files below this path are held in memory."""
    return any(path in file.parents for file in _held.get())


def files_below(folder: Path, pattern: str) -> list[Path]:
    """The files below a folder, on disk or in memory, whose names match a pattern (`*.xml`), sorted."""
    held = [file for file in _held.get() if folder in file.parents and file.match(pattern)]
    return sorted([*held, *folder.rglob(pattern)])
