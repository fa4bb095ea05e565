"""What is wrong with a file is said in plain words, not in those of a parser."""

from __future__ import annotations

import gzip
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.__main__ import main
from indexer.files.archive import members
from indexer.files.errors import UserError
from indexer.files.json_objects import json_objects, parse_json
from indexer.files.xml import parse_xml

# words of the messages of json, expat and libxml2, csv, zlib, zipfile and Python
_PARSERS = re.compile(
    r"Expecting|delimiter|Extra data|Unterminated|Invalid |Exceeds|codec|byte 0x|line \d+ column"
    r"|Premature|xmlParse|AttValue|Start ?Tag|EntityRef|PCDATA|Specification|XML_PARSE|Bad CRC"
    r"|BadZip|central directory|Compressed file|NoneType|Error -\d|\bint\b|\bdict\b|\bstr\b"
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a" 1}', "no colon behind a key, at character 6"),
        ("{a: 1}", "a key without double quotes, at character 2"),
        ("[1 2]", "no comma between two values, at character 4"),
        ('["abc]', "a text whose quotes do not close, at character 2"),
        ('"a\tb"', "a line break or control character within quotes, at character 3"),
        ('"\\q"', "a backslash that begins no escape, at character 2"),
        ('{"a": [1, 2', "its end is missing"),
        ("{} {}", "more text behind its end, at character 4"),
        ("yes", "a value is missing, or a text without quotes, at character 1"),
        ("9" * 5000, "a number of more than 4,300 digits"),
    ],
)
def test_faults_of_json(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(fault)}$"):
        parse_json(text)


def test_a_fault_of_json_over_several_lines_has_its_own_line() -> None:
    with pytest.raises(UserError, match=r"^f:3: no JSON \(no comma between two values, at"):
        list(json_objects('[{"a": 1,\n"b": 2\n"c": 3}]', "f", "expected objects"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<a>\n<b>\n</a>", "f:3: not XML (</a> does not end <b> of line 2)"),
        ("<a>\n<b>", "f:2: not XML (<b> of line 2 does not end: the file is cut off)"),
        ("<a>R & D</a>", "f:1: not XML (an & or < that begins no entity or tag: write &amp;"),
        ("<a>&nbsp;</a>", "f:1: not XML (an entity that is not XML's own)"),
        ("<a x=1/>", "f:1: not XML (an attribute without quotes)"),
        ("<a x='1' x='2'/>", "f:1: not XML (an attribute twice in one tag)"),
        ("<a>\x01</a>", "f:1: not XML (a character that XML forbids)"),
        ("<a/>\n<b/>", "f:2: not XML (more text behind the end of the first element)"),
        ("text", "f:1: not XML (it does not begin with a tag)"),
        ("<a>" * 300, "f:1: not XML (elements nested too deeply)"),
    ],
)
def test_faults_of_xml(text: str, fault: str) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(fault)}"):
        parse_xml(text.encode(), name="f")


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-40])
    return path


def zipped(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", "Agra " * 99)
    return folder / "a.zip"


def changed(folder: Path) -> Path:
    path = zipped(folder)
    data = bytearray(path.read_bytes())
    data[14] ^= 1  # of the checksum in the first header (APPNOTE 4.3.7)
    data[data.index(b"PK\x01\x02") + 16] ^= 1  # and in the list at the end
    path.write_bytes(data)
    return path


def locked(folder: Path) -> Path:
    path = zipped(folder)
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag of encryption (APPNOTE 4.4.4)
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    return path


def emptied(folder: Path) -> Path:
    zipfile.ZipFile(folder / "a.zip", "w").close()
    return folder / "a.zip"


def packed(folder: Path) -> Path:
    (folder / "a.tar.gz").write_bytes(gzip.compress(b"Agra " * 9999))
    return cut(folder / "a.tar.gz")


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda folder: cut(zipped(folder)), "archive not read on after 0 members (damaged)"),
        (changed, "damaged (its content does not fit its checksum)"),
        (locked, "damaged (locked with a password)"),
        (emptied, "an empty archive"),
        (packed, "archive not read on after 0 members (its end is missing)"),
    ],
)
def test_faults_of_archives(tmp_path: Path, make: Callable[[Path], Path], fault: str) -> None:
    (member,) = members(str(make(tmp_path)))
    assert member.reason == fault


@pytest.mark.parametrize(
    "name",
    ["a.jsonl", "a.xml", "a.txt", "a.trec", "a.tsv", "a.txt.gz", "a.pdf", "a.docx", "a.html"],
)
@pytest.mark.parametrize(
    "data",
    [
        b'{"text": "Agra',
        b'{"text" 5}',
        b"<textbook><page><p>Agra</page></textbook>",
        b"<mediawiki><page>",
        b"<DOC><DOCNO>1</DOCNO><TEXT>a",
        b"\x1f\x8b\x08\x00Agra",
        b"%PDF-1.7\n1 0 obj",
        b"PK\x03\x04word/document.xml",
        b"\xff\xfe\x00",
        b"\x81\x8d\x8f" * 9,
    ],
)
def test_no_book_is_refused_in_the_words_of_a_parser(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    arguments = ["textbook", str(tmp_path / name), "--index", str(tmp_path / "index")]
    told = CliRunner().invoke(main, arguments)
    message = f"{told.stderr}{told.exception if isinstance(told.exception, UserError) else ''}"
    assert told.exception is None or isinstance(told.exception, UserError | SystemExit)
    assert not _PARSERS.search(message.replace(str(tmp_path), ""))
