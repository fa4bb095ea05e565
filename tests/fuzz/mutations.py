"""Inputs made worse at random: bytes, lines, numbers, marks, encodings; what is packed is also
damaged inside."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import re
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial

from tests.fuzz.structure import in_json, in_xml

LONGEST = 600_000
"""Bytes of the largest input that is made."""

ODD = [
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1b[2J\x1b]0;x\x07",
        b"\x1b$B",
        b"\r",
        b"\n\n",
        b"\t",
        b"\x0c",
        b"\x85",
    ),
    *(
        "\u2028",
        "\u202e",
        "\u0661\u0662",
        "\u00bd",
        "\u2460",
        "\U0001d7cf",
        "\u3000",
        "\ufeff",
        "e\u0301",
        "\uffff",
    ),
    *(
        "NaN",
        "-Infinity",
        "1e999",
        "-1",
        "0",
        "9" * 400,
        "1" * 5000,
        "0x1F",
        "1_000",
        "null",
        "true",
        "[]",
        "{}",
        '""',
    ),
    *(
        "[" * 3000,
        '{"a":' * 3000,
        "<a>" * 300,
        "(" * 3000,
        '"',
        "'",
        "\\",
        "\\ud800",
        "\\u0000",
        '{"a":1,"a":2}',
    ),
    *(
        "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
        "<!DOCTYPE x [",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&x;",
        "&#0;",
        "<?",
    ),
    *(
        "../../../up",
        "/etc/passwd",
        "=1+1",
        "%s{0}",
        "|||",
        "_|_",
        "#",
        ",",
        ";",
        "\t\t\t",
        "-" * 3000,
        "{{" * 2000,
    ),
]
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")
_ENCODINGS = ("utf-16", "utf-8-sig", "cp932", "euc-jp", "gb18030", "iso-2022-jp", "latin-1")
_PACKINGS: dict[bytes, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    b"BZh": (bz2.decompress, bz2.compress),
    b"\x1f\x8b": (gzip.decompress, partial(gzip.compress, mtime=0)),
    b"\xfd7zXZ": (lzma.decompress, lzma.compress),
}


def mutated(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    """The bytes, made worse in one to four ways; two times in three inside, where they are
    packed."""
    if draw.random() < 0.67:
        for start, (unpack, pack) in _PACKINGS.items():
            if data.startswith(start):
                return pack(mutated(unpack(data), draw, others))
        if data.startswith(b"PK\x03\x04"):
            return _in_zip(data, draw, others)
        if data[257:262] == b"ustar":
            return _in_tar(data, draw, others)
    start = data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    ways = [*WAYS, *STRUCTURED[start] * len(WAYS)] if start in STRUCTURED else WAYS
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        data = draw.choice(ways)(data, draw, others)[:LONGEST]
    return data


def _in_zip(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        infos = old.infolist()
        chosen = draw.choice(infos)
        for info in infos:
            inside = old.read(info)
            timeless = zipfile.ZipInfo(info.filename)
            new.writestr(
                timeless,
                mutated(inside, draw, others) if info is chosen else inside,
                zipfile.ZIP_DEFLATED,
            )
    return file.getvalue()


def _in_tar(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as old, tarfile.open(fileobj=file, mode="w") as new:
        infos = old.getmembers()
        chosen = draw.choice(infos)
        for info in infos:
            content = old.extractfile(info)
            inside = content.read() if content else b""
            if info is chosen:
                inside = mutated(inside, draw, others)
                info.size = len(inside)
                info.type = draw.choice(
                    (info.type, info.type, info.type, tarfile.SYMTYPE, tarfile.CHRTYPE)
                )
            new.addfile(info, io.BytesIO(inside))
    return file.getvalue()


Way = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def _span(data: bytes, draw: random.Random, longest: int = 400) -> tuple[int, int]:
    start = draw.randrange(len(data) + 1)
    return start, min(len(data), start + draw.randrange(draw.choice((2, 20, longest))))


def _flip(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = draw.randrange(len(data))
    return (
        data[:place]
        + bytes([draw.choice((draw.randrange(256), data[place] ^ 1 << draw.randrange(8)))])
        + data[place + 1 :]
    )


def _delete(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, draw)
    return data[:start] + data[end:]


def _repeat(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, draw)
    return data[:end] + data[start:end] * draw.choice((1, 2, 40, 5_000)) + data[end:]


def _odd(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, draw, 10)
    odd = draw.choice(ODD)
    return (
        data[:start]
        + (odd if isinstance(odd, bytes) else odd.encode())
        + data[draw.choice((start, end)) :]
    )


def _number(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data[: 2**16]))
    if not found:
        return data
    one = draw.choice(found)
    new = draw.choice(
        (
            b"0",
            b"-1",
            b"1e308",
            b"99999999999999999999",
            b"NaN",
            b"",
            b"2147483648",
            b"0.5",
            b"7" * 4_400,
        )
    )
    return data[: one.start()] + new + data[one.end() :]


def _lines(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    """A line left out, doubled, moved or emptied, or all line ends changed."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(5):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case 3:
            lines[one] = b"\n"
        case _:
            end = draw.choice((b"\r\n", b"\r", b"\x0b\n", "\u2028".encode(), b" \n"))
            return b"".join(line.rstrip(b"\r\n") + end for line in lines)
    return b"".join(lines)


def _splice(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    other = draw.choice(others)
    return data[: draw.randrange(len(data) + 1)] + other[draw.randrange(len(other) + 1) :]


def _cut(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


def _encode(data: bytes, draw: random.Random, _: Sequence[bytes]) -> bytes:
    return data.decode("utf-8", "replace").encode(draw.choice(_ENCODINGS), "replace")


WAYS: Sequence[Way] = (
    _flip,
    _flip,
    _delete,
    _repeat,
    _odd,
    _odd,
    _odd,
    _number,
    _number,
    _lines,
    _lines,
    _splice,
    _cut,
    _encode,
)
STRUCTURED: dict[bytes, Sequence[Way]] = {b"{": (in_json,), b"[": (in_json,), b"<": (in_xml,)}
