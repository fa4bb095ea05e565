"""The encoding of a text of which nobody says it: by its marks, its own declaration, then what its
bytes look like."""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from indexer.files.encoding import (
    ISO_2022_JP,
    SAMPLE_SIZE,
    UTF_16,
    TextLine,
    decode_text,
    has_ideographs_in_words,
    open_bytes,
    open_lines,
    read_whole,
    text_in,
)

ENCODINGS = ("cp932", "euc-jp", "gb18030", "big5hkscs", "cp1252")
"""What texts that are not Unicode are taken for, East Asian or Western."""

_OF_LANGUAGE = {
    "ja": ("cp932", "euc-jp", "cp1252"),
    "zh": ("gb18030", "big5hkscs", "cp1252"),
}
"""Those of them for a text whose language is known: a few ideographs may be words in another."""

_CODECS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
}
"""Encodings that browsers read as another one, which holds them (WHATWG Encoding, 4.2)."""

_LABELS = {"x-sjis": "cp932", "windows-31j": "cp932", "x-euc-jp": "euc-jp", "x-gbk": "gb18030"}
"""Labels of encodings (WHATWG Encoding, 4.2) that Python does not know."""

_DECLARATION = re.compile(
    rb"""<\?xml[^>]{0,200}?\bencoding\s*=\s*["']?([\w.:-]+)"""
    rb"""|<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 4096  # bytes at the beginning of a file; browsers look at 1,024
_LINES = 20_000  # lines beyond ASCII that are looked at
_FITTING = 0.9  # share of them that must be valid in an encoding, the others count as damage
_GUESSED_FROM = 200_000  # bytes; a few hundred characters are enough
_DECISIVE = 2.0  # how much surer of the best encoding than of another one, where that is ruled out
_CONTRADICTED = 0.5  # what the surety of an encoding is worth in which some lines are invalid
_NO_MATCH = 0.1  # chardet's confidence in what it is told to say where nothing fits
_DETECTOR_NAMES = {"euc-jp": "euc_jis_2004"}  # of chardet, where they are not Python's


def declared_encoding(data: bytes) -> str:
    """The encoding that a web page or XML file declares in its first 4,096 bytes, as the codec by
    which browsers read it; "" without a declaration, for an unknown name, and for UTF-16 and
    UTF-32, in which the declaration itself could not be read."""
    declaration = _DECLARATION.search(data[:_DECLARED_WITHIN])
    if declaration is None:
        return ""
    label = (declaration[1] or declaration[2]).decode("ascii", "replace").lower()
    try:
        codec = codecs.lookup(_LABELS.get(label, label))
    except LookupError:
        return ""
    if not getattr(codec, "_is_text_encoding", True):  # rot13, base64
        return ""
    if codec.name.startswith(("utf-16", "utf-32")):  # the declaration itself could not be read
        return ""
    return _CODECS.get(codec.name, codec.name)


def likely_encodings(data: bytes, candidates: Sequence[str] = ENCODINGS) -> tuple[str, ...]:
    """The encodings that the bytes of a text allow, the likeliest first; one, unless others are
    nearly as likely.

    In this order: a byte order mark (`utf-8-sig`, `utf-16`); the escapes of ISO-2022-JP; a declared
    East Asian encoding, if nine in ten of the first 20,000 lines beyond ASCII are valid in it;
    UTF-8, if as many are, or without such lines; another declared encoding, if as many are; of
    `candidates` those in which as many are, by the characters that are usual in them. Where none
    fits, the first of those in which most lines are valid: the reader reports the other lines.
    """
    if data.startswith(codecs.BOM_UTF8):
        return ("utf-8-sig",)
    if data.startswith(UTF_16):
        return ("utf-16",)
    if any(escape in data[:SAMPLE_SIZE] for escape in ISO_2022_JP):
        return ("iso-2022-jp",)
    lines = list(itertools.islice(_foreign_lines(data), _LINES))
    if not lines:
        return ("utf-8",)
    enough = _FITTING * len(lines)
    declared = declared_encoding(data)
    # Bytes of several Western letters are UTF-8 by chance hardly ever, whatever a page declares;
    # short texts in East Asian encodings may be.
    is_utf_8 = _count_fitting(lines, "utf-8") >= enough
    heeded = declared in ENCODINGS[:-1] or not is_utf_8
    if declared and heeded and _count_fitting(lines, declared) >= enough:
        return (declared,)
    if is_utf_8:
        return ("utf-8",)
    fitting = {name: _count_fitting(lines, name) for name in candidates}
    likely = [name for name in candidates if fitting[name] >= enough]
    if not likely:
        return (max(candidates, key=lambda name: fitting[name]),)
    return _rank_encodings(lines, likely, {name for name in likely if fitting[name] == len(lines)})


def open_lines_of_any(path: str | Path, language: str = "") -> Iterator[TextLine]:
    """Yields the lines of a text file, those that cannot be read with text None and a reason (as
    `open_lines`), in the likeliest encoding of its first MiB: of the encodings of `language`, if it
    is `ja` or `zh`, otherwise of all. The UserError for a file that cannot be opened is raised at
    once."""
    with open_bytes(path) as file:
        sample = file.read(SAMPLE_SIZE)
    return open_lines(path, _encodings_of_sample(sample, language))


def read_text_of_any(path: str | Path, limit: int, language: str = "") -> str:
    """A whole file as text, decompressed by its name, line ends unchanged, in the likeliest
    encoding of its first MiB: of the encodings of `language`, if it is `ja` or `zh`, otherwise of
    all. Raises UserError if it is damaged, over `limit` bytes, not text, or not in that
    encoding."""
    data = read_whole(path, limit)
    return decode_text(data, _encodings_of_sample(data[:SAMPLE_SIZE], language)[0], path)


def _encodings_of_sample(sample: bytes, language: str) -> tuple[str, ...]:
    """The `likely_encodings` of a file that begins with `sample`, of those of the language (`ja`,
    `zh`; otherwise of all); never empty. The last line of a full sample, which may be cut, does not
    count."""
    if len(sample) == SAMPLE_SIZE:  # the last line may be cut in a character
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    return likely_encodings(sample, _OF_LANGUAGE.get(language, ENCODINGS))


def _foreign_lines(data: bytes) -> Iterator[bytes]:
    """Yields the lines that are not plain ASCII, without LF."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end]
        if not line.isascii():
            yield line
        start = end + 1


def _count_fitting(lines: Sequence[bytes], encoding: str) -> int:
    """The number of lines that are text in an encoding."""
    return sum(text_in(line, encoding) is not None for line in lines)


def _rank_encodings(
    lines: Sequence[bytes], likely: Sequence[str], whole: set[str]
) -> tuple[str, ...]:
    """The likely encodings of lines by how usual their characters are, best first, without those at
    most half as sure as the best. Those that are not in `whole`, in which all lines are valid,
    count half. Those that read Latin words with ideographs in them are dropped, unless all do. In
    the order of `likely` if nothing is sure; without a line that is valid in all, the first."""
    from chardet import detect_all

    good = [line for line in lines if all(text_in(line, name) is not None for name in likely)]
    sample = b"\n".join(good)[:_GUESSED_FROM]
    sample = sample[: sample.rfind(b"\n")] if len(sample) == _GUESSED_FROM else sample
    sensible = [
        name for name in likely if not has_ideographs_in_words(sample.decode(name, "replace"))
    ]
    names = {_DETECTOR_NAMES.get(name, name): name for name in sensible or likely}
    if len(names) == 1 or not sample:
        return tuple(names.values())[:1]
    results = detect_all(
        sample,
        ignore_threshold=True,
        compat_names=False,
        include_encodings=[*names],
        no_match_encoding=next(iter(names)),
    )
    sure = {
        name: float(result["confidence"]) * (1 if name in whole else _CONTRADICTED)
        for result in results
        if (name := names.get(str(result["encoding"])))
    }
    if not sure or [result["confidence"] for result in results] == [_NO_MATCH]:
        return tuple(names.values())
    ranking = sorted(sure, key=lambda name: -sure[name])
    return tuple(name for name in ranking if sure[name] * _DECISIVE > sure[ranking[0]])
