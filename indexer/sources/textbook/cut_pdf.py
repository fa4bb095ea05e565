"""A PDF whose end is missing, as after a download that stopped: its pages put together again."""

from __future__ import annotations

import re
import zlib

from indexer.files.inputs import MIB

_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})[ \r\n\t]++\d{1,5}[ \r\n\t]++obj(?![a-zA-Z])")
_PAGE = re.compile(rb"/Type\s*+/Page(?![a-zA-Z])")
_PACKED = re.compile(rb"/Type\s*+/ObjStm(?![a-zA-Z])")  # a stream of objects (ISO 32000-1, 7.5.7)
_LOCKED = re.compile(rb"/Filter\s*+/Standard(?![a-zA-Z])")  # how an encrypted file is unlocked
_FIRST = re.compile(rb"/First\s++(\d{1,9})")
_MOST = 64 * MIB  # bytes of the streams of objects of a file, unpacked


def is_cut(data: bytes) -> bool:
    """Returns whether the mark of a PDF's end is missing in its last 1,024 bytes (ISO 32000-1,
    annex H, note 18)."""
    return b"%%EOF" not in data[-1024:]


def complete_pdf(data: bytes) -> bytes | None:
    """The PDF with a new catalogue of the pages that are whole in it, in the order of the file;
    None without such a page, or if it is encrypted."""
    objects = _objects(data)
    pages = [number for number, body in objects.items() if _PAGE.search(_dictionary(body))]
    if not pages or any(_LOCKED.search(_dictionary(body)) for body in objects.values()):
        return None
    root = max(objects) + 1
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    written = [b"%d 0 obj\n%s\nendobj" % (number, body) for number, body in objects.items()]
    written += [
        b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj" % (root, root + 1),
        b"%d 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj" % (root + 1, kids, len(pages)),
    ]
    end = b"trailer\n<< /Size %d /Root %d 0 R >>\n%%%%EOF\n" % (root + 2, root)
    return b"\n".join([b"%PDF-1.7", *written, end])


def _objects(data: bytes) -> dict[int, bytes]:
    """The bodies of the whole objects of a PDF by their numbers, without `obj` and `endobj`; the
    last of those with one number. Streams of objects are unpacked, up to 64 MiB in all, and are not
    among them."""
    objects: dict[int, bytes] = {}
    position = unpacked = 0
    while match := _OBJECT.search(data, position):
        position = data.find(b"endobj", match.end())
        if position < 0:
            break
        body = data[match.end() : position].strip()
        if not _PACKED.search(_dictionary(body)):
            objects[int(match[1])] = body
        elif unpacked < _MOST:
            for number, inner in _unpack_objects(body, _MOST - unpacked):
                objects[number] = inner
                unpacked += len(inner)
    return objects


def _dictionary(body: bytes) -> bytes:
    """What comes before the stream of an object."""
    return body.partition(b"stream")[0]


def _unpack_objects(body: bytes, limit: int) -> list[tuple[int, bytes]]:
    """The numbers and bodies of the objects in a stream of objects, of which `limit` bytes are
    unpacked; [] if it cannot be unpacked."""
    head, _, stream = body.partition(b"stream")
    first = _FIRST.search(head)
    try:
        content = zlib.decompressobj().decompress(stream.lstrip(b"\r").lstrip(b"\n"), limit)
        start = int(first[1]) if first else 0
        numbers = list(map(int, content[:start].split()))
    except (zlib.error, ValueError):
        return []
    starts = [start + offset for offset in numbers[1::2]]
    ends = [*starts[1:], len(content)]
    return [
        (number, content[begin:end].strip())
        for number, begin, end in zip(numbers[::2], starts, ends, strict=False)
    ]
