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
    for benchmark, *words in (
        ("degraded_essays.py", SAMPLES / "essay-en.gold.xml", folder / "worse"),
        ("make_pseudo_exam.py", SAMPLES / "textbook-en.jsonl", "-o", folder / "exam"),
    ):
        subprocess.run(
            [sys.executable, ROOT / "benchmarks" / benchmark, *words],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        )
    with inside(folder), on_one_machine():
        waiting = list(commands().values())
        while waiting:
            failed = [(words, ended.err) for words in waiting if (ended := run(*words)).status]
            assert len(failed) < len(waiting), failed
            waiting = [words for words, _ in failed]


def _open_data() -> dict[str, bytes]:
    old = io.BytesIO()
    book = xlwt.Workbook()
    sheet = book.add_sheet("Farms")
    for row in range(4):
        for column in range(3):
            sheet.write(row, column, row * column if row and column else f"name {row}{column}")
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
