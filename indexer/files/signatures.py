"""What a file is that is not text, by its first bytes: images, archives, packed files,
documents of word processors, programs, databases."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from indexer.files.errors import bad_input

SIGNED = 2**16
"""Bytes by which a file that is not text is recognised."""
PACKED = (".gz", ".bz2", ".xz")
"""Endings of the packed files that readers unpack."""
BinaryForm = tuple[str, str]
"""What bytes are ("a PNG image"), and what to do so that their text can be read, "" for nothing."""

_UNPACK = "unpack it, and name the files in it"
_SAVE = "save it as .docx or PDF, or as text where neither is read"
_RECOGNISE = "type its text, or scan it with text recognition"
_RENAME = "end its name in {}, so that it is unpacked"

# Beginnings of files by their formats' specifications, in the order of Unix's `file` database; a
# dot is any byte.
_SIGNATURES: tuple[tuple[bytes, BinaryForm], ...] = (
    (rb"\x89PNG\r\n", ("a PNG image", _RECOGNISE)),
    (rb"\xff\xd8\xff", ("a JPEG image", _RECOGNISE)),
    (rb"GIF8[79]a", ("a GIF image", _RECOGNISE)),
    (rb"II\*\x00|MM\x00\*", ("a TIFF image", _RECOGNISE)),
    (rb"RIFF....WEBP", ("a WebP image", _RECOGNISE)),
    (rb"BM....\x00\x00\x00\x00", ("a BMP image", _RECOGNISE)),
    (rb"\x00\x00\x01\x00", ("an icon", "")),
    (rb"8BPS\x00", ("a Photoshop image", "")),
    (rb"\x00...ftyp(?:heic|heix|avif|mif1)", ("an HEIF or AVIF image", _RECOGNISE)),
    (rb"\x00...ftyp", ("an MP4 or QuickTime film", "")),
    (rb"RIFF....(?:WAVE|AVI )|OggS\x00|ID3[\x02-\x04]|fLaC\x00", ("a sound or film", "")),
    (rb"\x1a\x45\xdf\xa3", ("a Matroska or WebM film", "")),
    (rb"\x1f\x8b", ("packed with gzip", _RENAME.format(".gz"))),
    (rb"BZh[1-9]1AY&SY", ("packed with bzip2", _RENAME.format(".bz2"))),
    (rb"\xfd7zXZ\x00", ("packed with xz", _RENAME.format(".xz"))),
    (rb"\x28\xb5\x2f\xfd", ("packed with zstd", "unpack it")),
    (rb"\x04\x22\x4d\x18|\x1f\x9d|LZIP\x01", ("a packed file", "unpack it")),
    (rb".{257}ustar[\x00 ]", ("a tar archive", _UNPACK)),
    (rb"Rar!\x1a\x07", ("a RAR archive", _UNPACK)),
    (rb"7z\xbc\xaf\x27\x1c", ("a 7z archive", _UNPACK)),
    (rb"MSCF\x00|..-lh\d-|!<arch>\n", ("an archive", _UNPACK)),
    (rb"%PDF-\d", ("a PDF document", "save its text (`pdftotext`)")),
    (rb"%!PS", ("a PostScript document", "make a PDF of it (`ps2pdf`)")),
    (rb"\{\\rtf", ("an RTF document", _SAVE)),
    (
        # a DOCX or XLSX under a password, by the name of its stream in UTF-16 (MS-OFFCRYPTO)
        rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1.*E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k",
        ("a document that is locked with a password", "save a copy without a password"),
    ),
    (
        rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        ("an old Word or Office file (DOC, XLS, PPT)", "save it as .docx, a table as CSV"),
    ),
    (rb"AT&TFORM", ("a DjVu document", "make a PDF of it")),
    (rb".{60}BOOKMOBI", ("a Mobipocket book", "make an EPUB of it")),
    (rb"ITSF[\x02-\x04]\x00", ("a CHM document", "save its pages as HTML")),
    (rb"SQLite format 3\x00", ("a SQLite database", "")),
    (rb".{4}Standard (?:Jet|ACE) DB", ("an Access database", "")),
    (rb"PAR1\x15", ("a Parquet table", "save it as CSV or JSON lines")),
    (rb"\x89HDF\r\n", ("an HDF5 file", "")),
    (rb"\x93NUMPY", ("an array of NumPy", "")),
    (rb"\x80[\x02-\x05](?:\x95|[\]}(])", ("a pickle of Python", "")),
    (rb"\x7fELF|MZ.{58}..\x00\x00|\xcf\xfa\xed\xfe", ("a program", "")),
    (rb"\xca\xfe\xba\xbe", ("a class of Java, or a program", "")),
    (rb"wOF[F2]|OTTO\x00|\x00\x01\x00\x00\x00", ("a font", "")),
)
_ARCHIVES = ("a tar", "packed with", "binary data")  # names of what may hold members

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
# Documents that are zips, by a member or by the type that the first member holds.
_ZIPPED = (
    (b"word/document.xml", ("a DOCX document", "save it as text")),
    (b"xl/workbook.xml", ("an Excel workbook", "save it as CSV")),
    (b"ppt/presentation.xml", ("a PowerPoint presentation", _SAVE)),
    (b"application/epub+zip", ("an EPUB book", "save it as text")),
    (b"application/vnd.oasis.opendocument", ("an OpenDocument file", _SAVE)),
)

# Bytes that no text has but by damage: control characters except tab, line ends, form feed, escape.
_CONTROLS = bytes((*range(9), *range(14, 27), *range(28, 32)))
_FEWEST_CONTROLS = 8  # a line of noise in a short text may have fewer
_BINARY_SHARE = 0.05  # of bytes that are controls; random bytes have .10, a damaged text far fewer
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def binary_form(head: bytes) -> BinaryForm | None:
    """(What it is, remedy or "") of a file by its first bytes, at best 64 KiB or more, if they are
    not text; None for text and for no bytes.

    Known formats are recognised by signatures; text in UTF-32 with a byte order mark, and in UTF-16
    without one, is recognised too. Other bytes are binary data if NUL is among them and more than 8
    of them and one in 20 are control characters, unless a byte order mark of UTF-8 or UTF-16 is
    before them.
    """
    if head.startswith(_ZIP):
        zipped = (form for mark, form in _ZIPPED if mark in head)
        return next(zipped, ("a zip archive", _UNPACK))
    for begin, form in _SIGNATURES:
        if re.match(begin, head, re.DOTALL):
            return form
    if head.startswith(codecs.BOM_UTF32_LE) or head.startswith(codecs.BOM_UTF32_BE):
        return ("text in UTF-32", "save it as UTF-8")
    return _form_of_noise(head) if b"\0" in head and not head.startswith(_BOMS) else None


def _form_of_noise(head: bytes) -> BinaryForm | None:
    """`binary_form` of bytes of no known format with NUL among them."""
    # Every second byte of Latin text in UTF-16 is NUL.
    even, odd = (half.count(0) / max(1, len(half)) for half in (head[::2], head[1::2]))
    if max(even, odd) > 0.5 and min(even, odd) < 0.05:
        return ("text in UTF-16 without a byte order mark", "save it as UTF-8")
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return (
        ("binary data", "") if controls > max(_FEWEST_CONTROLS, _BINARY_SHARE * len(head)) else None
    )


# The headers of a message (RFC 5322), of which one says that it is in MIME's format (RFC 2045).
_MESSAGE = re.compile(
    rb"\s*+(?:[!-9;-~]++:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*?MIME-Version\s*:", re.IGNORECASE
)


def is_web_archive(head: bytes) -> bool:
    """Whether a file's first bytes are those of a page saved as one file (MHT), or of another
    message that holds HTML. False for e-mail of text alone."""
    return _MESSAGE.match(head[:SIGNED]) is not None and b"text/html" in head.lower()


def refuse_no_archive(path: str | Path, head: bytes) -> None:
    """Raises UserError, with what a file is, if its first bytes are of a known format that is not a
    tar or zip archive, packed or not; documents that are zips are archives, and text and unknown
    bytes pass."""
    form = None if head.startswith(_ZIP) else binary_form(head)  # a DOCX is a zip of its members
    if form and not form[0].startswith(_ARCHIVES):
        raise bad_input(path, None, form[0], "expected an archive (tar, zip)")


def refuse_binary(path: str | Path, head: bytes, expected: str = "") -> None:
    """Raises UserError, with what a file is and what to do, if its first bytes are not text.
    `expected` are the forms that its reader knows."""
    if form := binary_form(head):
        remedies = filter(None, (form[1], f"expected {expected or 'a file of text'}"))
        raise bad_input(path, None, form[0], "; ".join(remedies))
