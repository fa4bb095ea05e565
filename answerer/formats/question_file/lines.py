"""The lines of a question file in any encoding and with line ends of any system, and lines joined to texts again."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from pathlib import Path

from indexer.files.encoding import SAMPLE_SIZE, detect_encoding, read_whole, require_room
from indexer.files.errors import bad_input
from indexer.files.xml import SIZE_LIMIT
from indexer.languages.english import ENGLISH

_PEEK = 4096  # bytes
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def file_bytes(path: str | Path) -> bytes:
    """All bytes of a question file, of XML or any other form. UserError for more than 64 MiB."""
    return read_whole(path, SIZE_LIMIT, "expected a question file")


def beginning(data: bytes) -> str:
    """How a file begins, as text, for telling its form; characters that cannot be read are replaced."""
    sample = data[:SAMPLE_SIZE]
    return sample.decode(_encoding(sample), "replace")


def _encoding(data: bytes) -> str:
    """The encoding of a file: where every zero byte is the first of two, or every one the second, UTF-16."""
    zeros = [data[first:_PEEK:2].count(0) for first in (0, 1)]
    if min(zeros) == 0 < max(zeros) and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16-be" if zeros[0] else "utf-16-le"
    return detect_encoding(data, ENGLISH.encodings)


def text_of_file(data: bytes, path: str | Path) -> str:
    """The text of a question file's bytes, its line ends as `\\n`.

    Encodings: by byte order mark; UTF-8; EUC-JP, Shift_JIS and Windows-1252, which holds Latin-1; UTF-16 without a
    mark by its zero bytes. UserError with file and line where none fits.
    """
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise bad_input(
            path, data.count(b"\n", 0, error.start) + 1, f"not {encoding} text", "save the file as UTF-8"
        ) from None
    if "\0" in text:
        raise bad_input(
            path, text.count("\n", 0, text.index("\0")) + 1, "binary data", "expected a file of questions, as text"
        )
    require_room(path, text, "\n")
    if "\n" not in text:
        return text.replace("\r", "\n")
    return text.replace("\r\n", "\n").replace("\r", "\v")  # a break inside a line: lines are counted by one mark


def joined(lines: Iterable[str]) -> str:
    """Lines as one text: a blank between them, none beside Japanese or Chinese characters; blanks squeezed."""
    text = ""
    for line in lines:
        words = " ".join(line.split())
        if text and words:
            text += "" if _WIDE.match(text[-1]) or _WIDE.match(words[0]) else " "
        text += words
    return text
