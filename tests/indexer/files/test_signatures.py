"""Files that are not text are told by their first bytes, and texts are not taken for them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sqlite3
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from indexer.files.archive import members
from indexer.files.encoding import read_text
from indexer.files.signatures import binary_form
from tests.refusals import raises_at

EVERY_BYTE = bytes(range(256))


def zip_of(member: str, content: bytes = b"x") -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr(member, content)
    return file.getvalue()


def tar() -> bytes:
    with tarfile.open(fileobj=(file := io.BytesIO()), mode="w") as archive:
        archive.addfile(tarfile.TarInfo("x"))
    return file.getvalue()


def database() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("create table x (y)")
        return connection.serialize()


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a PNG image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("a JPEG image", b"\xff\xd8\xff\xe0\0\x10JFIF"),
        ("a GIF image", b"GIF89a\x01\0"),
        ("a TIFF image", b"II*\0\x08\0\0\0"),
        ("a WebP image", b"RIFF\x24\0\0\0WEBPVP8 "),
        ("an HEIF or AVIF image", b"\0\0\0\x18ftypheic"),
        ("an MP4 or QuickTime film", b"\0\0\0\x18ftypisom"),
        ("packed with gzip", gzip.compress(b"Akbar")),
        ("packed with bzip2", bz2.compress(b"Akbar")),
        ("packed with xz", lzma.compress(b"Akbar")),
        ("a zip archive", zip_of("book.txt")),
        ("a DOCX document", zip_of("word/document.xml")),
        ("an Excel workbook", zip_of("xl/workbook.xml")),
        ("an EPUB book", zip_of("mimetype", b"application/epub+zip")),
        ("a tar archive", tar()),
        ("a RAR archive", b"Rar!\x1a\x07\x01\0"),
        ("a 7z archive", b"7z\xbc\xaf\x27\x1c\0\x04"),
        ("a SQLite database", database()),
        ("a program", Path(sys.executable).resolve().read_bytes()[:100]),
        (
            "an old Word or Office file (DOC, XLS, PPT)",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0",
        ),
        ("a PDF document", b"%PDF-1.7\n"),
        ("text in UTF-16 without a byte order mark", "Akbar ruled.".encode("utf-16-be")),
        ("text in UTF-32", "Akbar ruled.".encode("utf-32")),
        ("binary data", EVERY_BYTE),
    ],
)
def test_what_a_file_is(name: str, head: bytes) -> None:
    form = binary_form(head)
    assert form is not None
    assert form[0] == name


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc-jp", "iso-2022-jp", "gb18030"]
)
def test_text_is_text_in_every_encoding(encoding: str) -> None:
    assert binary_form("アクバル帝が治めた。\f\r\nPNG, GIF89, ZIP\n".encode(encoding)) is None


@pytest.mark.parametrize(
    "text", ["", "PAR1 is a format.\n", "BM25 ranks.\n", "MZ\n", "ID3\n", "7z, Rar! and ustar\n"]
)
def test_words_about_formats_are_text(text: str) -> None:
    assert binary_form(text.encode()) is None


def test_a_damaged_line_does_not_make_a_text_binary() -> None:
    assert binary_form(b"Akbar ruled.\n" * 10 + b"\0\0\1\2\n") is None


@pytest.mark.parametrize(
    ("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_what_is_packed_is_told_by_what_is_in_it(tmp_path: Path, ending: str, pack: object) -> None:
    assert callable(pack)
    path = tmp_path / f"book.txt{ending}"
    path.write_bytes(pack(b"Akbar ruled."))
    assert read_text(path) == "Akbar ruled."


def test_an_image_in_place_of_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.tar"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    with raises_at(path) as refused:
        list(members(path))
    assert "a PNG image; expected an archive" in str(refused.value)
    for archive in (tar(), gzip.compress(tar()), zip_of("x")):
        path.write_bytes(archive)
        assert [member.name for member in members(path)] == ["x"]
    path.write_bytes(zip_of("word/document.xml"))
    assert [member.name for member in members(path)] == ["word/document.xml"]
