"""The files that fuzzing begins with: the samples, what the examples of all commands make of them,
odd workbooks."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import xlwt

from tests.fuzz.further import FILES
from tests.fuzz.targets import commands
from tests.indexer.sources.textbook.documents.made import column, pdf
from tests.indexer.tables.open_data import CENSUS_CSV, milk_workbook, write_tar, write_zip
from tests.indexer.tables.test_files import HTML, pdf_table
from tests.places import ROOT, SAMPLES
from tests.programs import run

NESTED = (
    b"<table><tfoot><tr><td>Sum<td>9</tfoot><thead><tr><td>Farm<td>Goats</thead>"
    b"<tr hidden><td>Draft<td>0<tr><td>East<td>9<table><tr><td>June<td>4</table></table>"
)


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """The working folder is another one in the block."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def on_one_machine() -> Iterator[None]:
    """What metadata say of the machine is the same everywhere in the block."""
    with (
        patch("os.cpu_count", lambda: 2),
        patch("platform.machine", lambda: "x86_64"),
        patch("platform.system", lambda: "Linux"),
        patch("platform.release", lambda: "6.1"),
    ):
        yield


def make_corpus(folder: Path) -> None:
    """Fill a new folder, with the same bytes whenever and wherever."""
    shutil.copytree(SAMPLES, folder / "samples")
    for name, data in _open_data().items():
        (folder / name).write_bytes(data)
    write_tar(folder / "open.tar", _open_data(), "w")
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    pdf(folder / "quiz.pdf", [[*column(QUIZ[:4]), *column(QUIZ[4:8], x=220)], column(QUIZ[8:])])
    (folder / "quiz.docx").write_bytes(_word_quiz())
    (folder / "quiz.qti.xml").write_text(QTI, "utf-8")
    package = {"imsmanifest.xml": b"<manifest/>", "quiz/quiz.xml": QTI.encode()}
    (folder / "package.zip").write_bytes(write_zip(package))
    for benchmark, *words in (
        ("degraded_essays.py", SAMPLES / "essay-en.gold.xml", folder / "worse"),
        ("make_pseudo_exam.py", SAMPLES / "textbook-en.jsonl", "-o", folder / "exam"),
    ):
        subprocess.run(
            [sys.executable, ROOT / "benchmarks" / benchmark, *words],
            capture_output=True,
            check=True,
        )
    with inside(folder), on_one_machine():
        waiting = list(commands().values())
        while waiting:
            failed = [(words, ended.err) for words in waiting if (ended := run(*words)).status]
            assert len(failed) < len(waiting), failed
            waiting = [words for words, _ in failed]


QUIZ = [
    *("1. Who built the Taj Mahal?", "A. Akbar", "B. Shah Jahan", "C. Babur"),
    *("2. Who wrote the Comedy?", "A. Dante", "B. Luther", "C. Calvin"),
    *("3. Vienna is in France.   True   False", "Answers", "1. B   2. A   3. False"),
]


QTI = """<?xml version="1.0"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment><section>
<item ident="i1" title="Mausoleum"><presentation>
<material><mattext texttype="text/html">&lt;p&gt;Who built the Taj Mahal?&lt;/p&gt;</mattext></material>
<response_lid ident="r"><render_choice>
<response_label ident="a"><material><mattext>Akbar</mattext></material></response_label>
<response_label ident="b"><material><mattext>Shah Jahan</mattext></material></response_label>
</render_choice></response_lid></presentation><resprocessing><respcondition>
<conditionvar><varequal respident="r">b</varequal></conditionvar><setvar action="Set">100</setvar>
</respcondition></resprocessing></item></section></assessment></questestinterop>
"""


def _word_quiz() -> bytes:
    """A quiz in Word whose numbers and letters are automatic, with a choice in bold type."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="%{depth + 1}."/></w:lvl>'
        for depth, form in enumerate(("decimal", "upperLetter"))
    )
    body = "".join(
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{int(line[0] in "ABC")}"/><w:numId w:val="1"/></w:numPr>'
        f"</w:pPr><w:r><w:rPr>{'<w:b/>' if 'Jahan' in line else ''}</w:rPr><w:t>{line[3:]}</w:t></w:r></w:p>"
        for line in QUIZ[:8]
    )
    table = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    lists = (
        f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    files = {
        "word/document.xml": f"<w:document {space}><w:body>{table}{body}</w:body></w:document>",
        "word/numbering.xml": f"<w:numbering {space}>{lists}</w:numbering>",
    }
    return write_zip({name: text.encode() for name, text in files.items()})


def _open_data() -> dict[str, bytes]:
    old = io.BytesIO()
    book = xlwt.Workbook()
    sheet = book.add_sheet("Farms")
    for row in range(4):
        for cell in range(3):
            sheet.write(row, cell, row * cell if row and cell else f"name {row}{cell}")
    sheet.row(2).hidden = True
    book.save(old)
    data = {
        "milk.xlsx": milk_workbook(),
        "farms.xls": old.getvalue(),
        "farms.html": HTML,
        "farms.pdf": pdf_table([["Farm", "Year"], ["Goat", "2019"]]),
        "half.pdf": pdf_table([["Farm", "Year"], ["Ox", "2021"]])[:-300],  # its end is missing
        "nested.html": NESTED,
        "census.csv": CENSUS_CSV.encode("cp932"),
        "farms.json": b'{"data": [{"Farm": "Goat", "Year": 2019}, {"Farm": "Cow", "Year": '
        b'2020.5}, {"Farm": "Ox"}]}',
        "farms.rows.xml": b"<?xml version='1.0'?><rows><row a='1'><b>x</b></row><row a='2'><b>y "
        b"&amp;</b></row></rows>",
    }
    return {**data, "farms.zip": write_zip(data)}
