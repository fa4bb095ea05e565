"""Reading files, packed or not, and text of unknown encoding: whole or line by line, within
limits."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from indexer.files.errors import UserError, bad_input
from indexer.files.inputs import MIB, PACKED_BUFFER, MemoryFile, WatchedFile
from indexer.files.signatures import PACKED, SIGNED, refuse_binary

LINE_LIMIT = 16 * MIB  # bytes of a line
WHOLE_LIMIT = 1024 * MIB  # of a file that is read whole
QUESTION_LIMIT = 64 * MIB  # of such a file of questions, answers, gold
SAMPLE_SIZE = MIB
JAPANESE_ENCODINGS = ("euc-jp", "cp932")

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ISO_2022_JP = (b"\x1b$B", b"\x1b$@", b"\x1b(J")  # escapes to and from Japanese characters
_IDEOGRAPHS = re.compile("[\uff61-\uff9f\u3400-\u9fff]")
_IDEOGRAPH_IN_A_WORD = re.compile(
    rf"(?<![^\x00-\x7f]){_IDEOGRAPHS.pattern}(?![^\x00-\x7f])(?:(?<=[A-Za-z].)|(?=[A-Za-z]))"
)


class TextLine(NamedTuple):
    """A line without its end, numbered from 1; if it cannot be read, `text` is None and `reason`
    says why."""

    number: int
    text: str | None
    reason: str = ""


def detect_encoding(sample: bytes, fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS) -> str:
    """Name of the encoding of a sample: by its byte order mark (`utf-8-sig`, `utf-16`), ISO-2022-JP
    by its escapes, else utf-8 or the first of `fallbacks` that fits; utf-8 if nothing fits, so that
    the reader reports invalid bytes.

    A sample counts as utf-8, the rest as noise, if nine in ten of its non-ASCII characters are
    valid, or of the non-ASCII ones among its first 20,000 lines. An encoding in which most
    ideographs would be single in a word of Latin letters does not fit: `Napoléon` read as
    `Napol駮n`.
    """
    if sample.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if sample.startswith(UTF_16):
        return "utf-16"
    if any(escape in sample for escape in ISO_2022_JP):
        return "iso-2022-jp"
    if len(sample) >= SAMPLE_SIZE:
        sample = (
            sample[: sample.rfind(b"\n") + 1] or sample
        )  # the last line may be cut in a character
    if _is_mostly_utf_8(sample):
        return "utf-8"
    for encoding in fallbacks:
        text = text_in(sample, encoding)
        if text is not None and not has_ideographs_in_words(text):
            return encoding
    return "utf-8"


def _is_mostly_utf_8(sample: bytes) -> bool:
    """Whether nine in ten of the non-ASCII lines of a sample, or of its non-ASCII characters, are
    valid UTF-8: a page of one line may hold one bad byte. True for ASCII."""
    lines = [line for line in sample.split(b"\n")[:20_000] if not line.isascii()]
    if sum(text_in(line, "utf-8") is not None for line in lines) >= 0.9 * len(lines):
        return True
    text = sample.decode("utf-8", "replace")
    foreign = sum(not character.isascii() for character in text)
    return text.count("\ufffd") <= 0.1 * foreign


def has_ideographs_in_words(text: str) -> bool:
    """Returns whether most ideographs of a text are single in a word of Latin letters: it is read
    in an encoding that is not its own (`Napoléon` as `Napol駮n`)."""
    return 2 * len(_IDEOGRAPH_IN_A_WORD.findall(text)) > len(_IDEOGRAPHS.findall(text))


def text_in(data: bytes, encoding: str) -> str | None:
    """Text of bytes in an encoding, None if they are not valid in it."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def open_bytes(path: str | Path) -> BinaryIO:
    """Opens a file for reading, decompressed if its name ends in .gz, .bz2 or .xz. Raises UserError
    if it cannot be opened or is not compressed in spite of its name, or while it is read if it is
    damaged or a decompression bomb. A `MemoryFile` is not decompressed; a `WatchedFile` gets the
    open file."""
    if isinstance(path, MemoryFile):
        return cast(BinaryIO, io.BufferedReader(io.BytesIO(path.content), SAMPLE_SIZE))
    packed = str(path).endswith(PACKED)
    try:
        file = cast(
            io.BufferedReader,
            Path(path).open("rb", PACKED_BUFFER if packed else SAMPLE_SIZE),  # noqa: SIM115
        )
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    if isinstance(path, WatchedFile):
        path.file = file
    return _content_of_packed(file, path) if packed else file


def _content_of_packed(file: io.BufferedReader, path: str | Path) -> BinaryIO:
    """The content of an open packed file. Raises UserError, and closes the file, if it is not
    packed, or while it is read if it is damaged or a decompression bomb."""
    from indexer.files.archive import Limits, unpack

    if (stream := unpack(file, Limits(), str(path))) is None:
        file.close()
        raise UserError(f"{path}: is not compressed; remove {Path(path).suffix} from its name")
    return cast(BinaryIO, io.BufferedReader(stream, SAMPLE_SIZE))


def read_whole(path: str | Path, limit: int) -> bytes:
    """All bytes of a file, decompressed by its name. Raises UserError if they are more than
    `limit`: no more is read."""
    data = bytearray()
    with open_bytes(path) as file:
        while piece := file.read(SAMPLE_SIZE):
            data += piece
            if len(data) > limit:
                raise bad_input(
                    path, None, f"larger than {limit // MIB:,} MiB", "cut it in several files"
                )
    return bytes(data)


def read_text(path: str | Path, limit: int = WHOLE_LIMIT) -> str:
    """A whole file as text, decompressed by its name, without byte order mark, in the detected
    encoding, line ends unchanged.

    Raises UserError if it is damaged, larger than `limit` bytes, not text, or not in that encoding.
    """
    data = read_whole(path, limit)
    return decode_text(data, detect_encoding(data), path)


def decode_text(data: bytes, encoding: str, path: str | Path) -> str:
    """The text of a file's bytes. Raises UserError for bytes of a format that is not text, and with
    file and line for those that do not fit the encoding."""
    refuse_binary(path, data[:SIGNED])
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(path, line, f"not {encoding} text", "save the file as UTF-8") from error


def read_beginning(path: str | Path) -> str:
    """The first MiB of a file, decompressed by its name, as text without byte order mark;
    characters that cannot be read are replaced. Raises UserError if it cannot be opened or
    unpacked."""
    with open_bytes(path) as file:
        data = file.read(SAMPLE_SIZE)
    return data.decode(detect_encoding(data), "replace")


def open_lines(
    path: str | Path, fallbacks: tuple[str, ...] = JAPANESE_ENCODINGS, limit: int = LINE_LIMIT
) -> Iterator[TextLine]:
    """Yields the lines of a text file in order, without line ends and byte order mark, decoded one
    by one, so that a bad line does not affect others.

    A line over `limit` bytes, one that is not in the file's encoding and one with NUL bytes have
    text None and a reason. `fallbacks` are the encodings tried if the file is not UTF-8. Raises
    UserError for a damaged file, one that is not text, and a damaged UTF-16 file or one over
    `WHOLE_LIMIT`, since it is read whole.
    """
    with open_bytes(path) as file:
        sample = cast(io.BufferedReader, file).peek(SAMPLE_SIZE)[:SAMPLE_SIZE]
        refuse_binary(path, sample[:SIGNED])
        encoding = detect_encoding(sample, fallbacks)
        if encoding == "utf-8-sig":
            file.read(len(codecs.BOM_UTF8))
            encoding = "utf-8"
        if encoding == "utf-16":  # its line ends are not single bytes
            file = io.BytesIO(decode_text(read_whole(path, WHOLE_LIMIT), encoding, path).encode())
            encoding = "utf-8"
        number = 0
        while data := file.readline(limit + 1):
            number += 1
            text, reason = None, ""
            if len(data) > limit and not data.endswith(b"\n"):
                while (rest := file.readline(limit)) and not rest.endswith(b"\n"):
                    pass
                reason = f"a line over {limit // MIB} MiB"
            elif b"\0" in data:
                reason = "binary noise"
            elif (text := text_in(data, encoding)) is None:
                reason = f"not {encoding} text"
            yield TextLine(number, text if text is None else text.rstrip("\r\n"), reason)


def numbered_lines(
    lines: Iterable[TextLine], path: str | Path, expected: str
) -> Iterator[tuple[int, str]]:
    """Yields (line number, text) of each line. Raises UserError, ending in `expected`, at a line
    that cannot be read."""
    for line in lines:
        if line.text is None:
            raise bad_input(path, line.number, line.reason, expected)
        yield line.number, line.text
