"""Files made to do harm, each against the command that would read it: one clear line, and no more
than that file."""

from __future__ import annotations

import json
import struct
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from indexer.files.archive import NESTED, Member, members
from indexer.languages.english import ENGLISH
from indexer.sandbox import Sandbox
from indexer.sources.datasets.build import HiddenText, table_blocks
from tests.indexer.tables.test_workbook import with_sheet
from tests.programs import refused
from tests.refusals import names

pytestmark = pytest.mark.process


def exam(inside: str, before: str = "") -> bytes:
    return f'<?xml version="1.0"?>{before}<exam>{inside}</exam>'.encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (exam("&a;", '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>'), "an entity"),
        (exam("&a;", '<!DOCTYPE x SYSTEM "http://localhost:9/x.dtd">'), "an entity"),
        (exam("<a>" * 100_000 + "</a>" * 100_000), "exam.xml:1: "),
        (exam("<!--" * 25_000), "exam.xml:1: "),
        (exam("<![CDATA[" * 25_000), "exam.xml:1: "),
        (exam("\x1b]0;owned\x07&\x1b[2J;"), "exam.xml:1: "),
    ],
)
def test_an_exam(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "exam.xml"
    file.write_bytes(data)
    assert said in refused("answerer", "ntcir-mc", str(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "selqa.json:1: "),
        ('{"a":' * 100_000, "selqa.json:1: "),
        ('[{"question": NaN}]', "NaN"),
        ('[{"question": "\\ud800", "sentences": ["a"], "candidates": [0]}]', "selqa.json:1: "),
        ("__import__('os').system('true')", "1 columns"),
    ],
)
def test_a_question_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "selqa.json"
    file.write_text(text, "utf-8")
    assert said in refused("answerer", "selqa", str(file))


@pytest.mark.parametrize(
    "text", ["!!python/object/apply:os.system ['true']", "import os; os.abort()", "[" * 100_000]
)
def test_a_model_that_is_code(tmp_path: Path, text: str) -> None:
    (tmp_path / "model.json").write_text(text, "utf-8")
    (tmp_path / "selqa.json").write_text(
        json.dumps([{"question": "a?", "sentences": ["a", "b"], "candidates": [0]}]), "utf-8"
    )
    said = refused(
        "answerer", "selqa", str(tmp_path / "selqa.json"), "--model", str(tmp_path / "model.json")
    )
    assert names(said, "model.json")


def test_a_zip_that_lies_about_a_size_is_not_read_beyond_it() -> None:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"0" * 2**24)
    data = bytearray(file.getvalue())
    for start, size in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = data.index(start) + size
        data[place : place + 4] = struct.pack("<I", 10)
    (member,) = members(bytes(data), limits=NESTED)
    assert member == Member("a.csv", None, "damaged (its content does not fit its checksum)")


def test_a_workbook_of_a_million_empty_rows() -> None:
    cells = '<c t="str"><v>{}</v></c><c><v>{}</v></c>'
    rows = (
        f"<row>{cells.format('Farm', 2019)}</row><row>{cells.format('Goat', 5)}</row>"
        + "<row/>" * 1_000_000
    )
    with Sandbox(table_blocks) as reader:
        *_, block = reader(with_sheet(rows.encode()), ENGLISH)
    assert not isinstance(block, str | HiddenText)
    assert block[1].rows[-1] == ("Goat", "5")
