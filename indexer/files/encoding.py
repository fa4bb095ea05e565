"""Reading text of unknown encoding: plain or packed, whole or line by line, with limits on a line and on the whole."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

from indexer.files.archive import DAMAGE, MIB, Counted, LimitError, Limits, reason_of, unpack
from indexer.files.errors import UserError, bad_input
from indexer.files.memory import held_content

LINE_LIMIT = Limits().line_size
SAMPLE_SIZE = MIB
PACKED = (".gz", ".bz2", ".xz")
JAPANESE_ENCODINGS = ("euc-jp", "cp932")
CHINESE_ENCODINGS = ("gb18030",)
WESTERN_ENCODINGS = ("cp1252",)

# Memory of a file that is held whole: questions, answers, gold, a glossary, a run.
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
"""What a text may begin with, the encoding that reads it with its mark, and that of what stands behind the mark."""
_WIDE = ("utf-16", "utf-32")
_ISO_2022_JP = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_IDEOGRAPHS = re.compile("[\uff61-\uff9f\u3400-\u9fff]")
IDEOGRAPH_IN_A_WORD = re.compile(
    rf"(?<![^\x00-\x7f]){_IDEOGRAPHS.pattern}(?![^\x00-\x7f])(?:(?<=[A-Za-z].)|(?=[A-Za-z]))"
)
_hearers: dict[str, Callable[[int], None]] = {}


@contextmanager
def report_position(path: str | Path, hearer: Callable[[int], None]) -> Iterator[None]:
    """Calls `hearer` inside the block with the number of bytes of the file on disk, packed or not, that its reader has
    consumed."""
    _hearers[str(path)] = hearer
    try:
        yield
    finally:
        _hearers.pop(str(path), None)


class TextLine(NamedTuple):
    """A line without its end; `text` is None, with the reason beside it, where it cannot be read."""

    number: int
    text: str | None
    reason: str = ""


def detect_encoding(sample: bytes, fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS) -> str:
    """The encoding of a sample: byte order mark, ISO-2022-JP escapes, utf-8, then the fallbacks in order.

    A sample that is nearly all valid utf-8 (nine in ten of its non-ASCII lines) counts as utf-8, its bad
    lines as noise; one of which more than one in ten is so is not Western. Nothing fits: utf-8, so that the reader can
    name what is wrong.
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
    if share >= 0.9:
        return "utf-8"
    return next((name for name in fallbacks if _fits(sample, name, share)), "utf-8")


def _fits(sample: bytes, encoding: str, share: float) -> bool:
    """Returns whether a sample decodes to plausible text, not that of another region's encoding.

    Western: of its letters at most one in five is not ASCII. East Asian: not most of its ideographs are single within a
    word of Latin letters, as where `Napoléon` is read as `Napol駮n`.
    """
    text = text_in(sample, encoding)
    if text is None:
        return False
    if encoding in WESTERN_ENCODINGS:
        letters = [character for character in text if character.isalpha()]
        return share <= 0.1 and 5 * sum(not letter.isascii() for letter in letters) <= len(letters)
    return 2 * len(IDEOGRAPH_IN_A_WORD.findall(text)) <= len(_IDEOGRAPHS.findall(text))


def text_in(data: bytes, encoding: str) -> str | None:
    """The text of data, of which a sample's last character may be cut; None where they are in another encoding."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=len(data) < SAMPLE_SIZE)
    except UnicodeDecodeError:
        return None


def open_bytes(path: str | Path) -> BinaryIO:
    """The bytes of a file, unpacked where its name ends in .gz, .bz2 or .xz, within `Limits`.

    UserError when it cannot be opened, and while it is read: damaged, or a bomb.
    """
    if (held := held_content(path)) is not None:
        return cast(BinaryIO, io.BufferedReader(io.BytesIO(held), SAMPLE_SIZE))
    try:
        file = Path(path).open("rb")  # noqa: SIM115
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    stream = unpack(Counted(file), Limits()) if str(path).endswith(PACKED) else file
    if stream is None:
        file.close()
        raise UserError(f"{path}: is not packed; take {Path(path).suffix} off its name")
    return cast(BinaryIO, io.BufferedReader(_UnpackedBytes(stream, file, path), SAMPLE_SIZE))


def read_whole(path: str | Path, limit: int, mend: str = "cut it in several files") -> bytes:
    """All bytes of a file; no more memory is taken than there are bytes. Raises UserError where they are more than the
    limit.

    `mend` says what to do then.
    """
    data = bytearray()
    with open_bytes(path) as file:
        while piece := file.read(SAMPLE_SIZE):
            data += piece
            if len(data) > limit:
                raise bad_input(path, None, f"larger than {limit // MIB:,} MiB", mend)
    return bytes(data)


def read_text(path: str | Path, limit: int = Limits().whole_size) -> str:
    """A whole file as text, without byte order mark.

    UserError where it is damaged, larger than `limit` bytes, or in no known encoding.
    """
    data = read_whole(path, limit)
    encoding = detect_encoding(data)
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
    """The lines of a text file in order, decoded one by one, so that one bad line spoils no other.

    A line over `limit` bytes, one that is not in the file's encoding and one with binary noise come with text None and
    the reason. Raises UserError for a damaged archive, and for a file that begins with a MiB of blanks: it would unpack
    to millions of empty lines before it said nothing.
    """
    with open_bytes(path) as file:
        sample = cast(io.BufferedReader, file).peek(SAMPLE_SIZE)[:SAMPLE_SIZE]
        if len(sample) == SAMPLE_SIZE and not sample.strip():
            raise bad_input(path, 1, "a MiB of blanks at its beginning", "expected text")
        encoding = detect_encoding(sample, fallbacks)
        if encoding in _WIDE:
            yield from _text_lines(file, encoding, limit)
            return
        if encoding == "utf-8-sig":
            file.read(len(codecs.BOM_UTF8))
            encoding = "utf-8"
        number = 0
        while data := file.readline(limit + 1):
            number += 1
            if len(data) > limit and not data.endswith(b"\n"):
                while (rest := file.readline(limit)) and not rest.endswith(b"\n"):
                    pass
                yield TextLine(number, None, f"a line over {limit // MIB} MiB")
                continue
            yield _decode(number, data, encoding)


def held_lines(
    path: str | Path,
    fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS,
    line_bytes: int = LINE_BYTES,
    copies: int = COPIES,
) -> Iterator[TextLine]:
    """The lines of a file that will be held, as `open_lines` gives them.

    A line counts as `copies` times its text and `line_bytes` more. Raises UserError, with file and line, before they
    take too much.
    """
    budget = MemoryBudget(path)
    for line in open_lines(path, fallbacks):
        budget.take(copies * sys.getsizeof(line.text) + line_bytes, line.number)
        yield line


def numbered_lines(lines: Iterable[TextLine], path: str | Path, expected: str) -> Iterator[tuple[int, str]]:
    """The number and the text of each line. UserError, ending in `expected`, at one that cannot be read."""
    for line in lines:
        if line.text is None:
            raise bad_input(path, line.number, line.reason, expected)
        yield line.number, line.text


def require_room(path: str | Path, text: str, marks: str) -> str:
    """The text, each of whose values begins with one of the marks. Raises UserError where these will take too much."""
    MemoryBudget(path).take(COPIES * sys.getsizeof(text) + VALUE_BYTES * sum(map(text.count, marks)))
    return text


class MemoryBudget:
    """Memory budget of a file whose lines are held."""

    def __init__(self, path: str | Path, most: int | None = None) -> None:
        self._path = path
        self._most = self._left = most or Limits().held

    def take(self, size: int, line: int | None = None) -> None:
        """Count what has been read, or is going to be held. Raises UserError, with file and line, where that is too
        much."""
        self._left -= size
        if self._left < 0:
            what = f"takes more than {self._most // MIB} MiB of memory"
            raise bad_input(self._path, line, what, "cut it in several files")


def _decode(number: int, data: bytes, encoding: str) -> TextLine:
    """A numbered line of bytes as text; without text but with a reason where it does not decode."""
    if b"\0" in data:
        return TextLine(number, None, "binary noise")
    try:
        return TextLine(number, data.decode(encoding).rstrip("\r\n"))
    except UnicodeDecodeError:
        return TextLine(number, None, f"not {encoding} text")


def _text_lines(file: IO[bytes], encoding: str, limit: int) -> Iterator[TextLine]:
    """Yields the lines of a file as text, U+FFFD for damaged bytes; a line over `limit` has a reason in place of its
    text."""
    with io.TextIOWrapper(file, encoding, errors="replace", newline="\n") as text:
        number = 0
        while line := text.readline(limit):
            number += 1
            if len(line) == limit and not line.endswith("\n"):
                while (rest := text.readline(limit)) and not rest.endswith("\n"):
                    pass
                yield TextLine(number, None, f"a line over {limit // MIB} MiB")
                continue
            yield TextLine(number, line.rstrip("\r\n"))


class _UnpackedBytes(io.RawIOBase):
    """The bytes of a file, unpacked; an error of reading is raised with the file's name. Buffers come full."""

    def __init__(self, stream: BinaryIO, file: BinaryIO, path: str | Path) -> None:
        self._stream = stream
        self._file = file
        self._path = path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except LimitError as error:
            raise UserError(f"{self._path}: {error}; unpack it yourself if it is meant to be so") from error
        except DAMAGE as error:
            raise UserError(f"{self._path}: damaged ({reason_of(error)}); fetch the file again") from error
        buffer[: len(data)] = data
        if hearer := _hearers.get(str(self._path)):
            hearer(self._file.tell())
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
