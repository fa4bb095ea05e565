"""Speed of reading tables and of answering, beside the bare library's loop over the same files in
the same run.

Reads $QA_DATA/datasearch. Rates are per second of processor time (one core).
Run: QA_DATA=... python benchmarks/datasets_speed.py
"""

from __future__ import annotations

import csv
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from lxml import html
from openpyxl import load_workbook
from packs import pack
from python_calamine import CalamineWorkbook

from answerer.datasearch.tables.library import datasets_of
from answerer.datasearch.task import DEFAULT_WEIGHTS, derive, rank, score_all
from indexer.__main__ import main as index
from indexer.cli.program import run_program
from indexer.engines.opening import open_index
from indexer.files.archive import members
from indexer.formats.datasearch import read_questions
from indexer.languages.english import ENGLISH
from indexer.tables.files import read_grids
from indexer.tables.table import read_table

REPEATS = 5


def read(data: bytes) -> int:
    """Our way: grids as shown, header paths; how many tables."""
    return sum(1 for _ in map(read_table, read_grids(data, ENGLISH)))


def bare_csv(data: bytes) -> int:
    return len(list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))))


def bare_html(data: bytes) -> int:
    return sum(len(cell.text_content()) for cell in html.fromstring(data.decode()).iter("td", "th"))


def bare_calamine(data: bytes) -> int:
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return sum(
        len(book.get_sheet_by_name(name).to_python(skip_empty_area=False))
        for name in book.sheet_names
    )


def bare_openpyxl(data: bytes) -> int:
    """The other library that gives number formats."""
    book = load_workbook(io.BytesIO(data))
    return sum(
        len(cell.number_format)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
    )


def rate(function: Callable[[bytes], int], files: list[bytes]) -> float:
    """Files a second of processor time, the best of several rounds."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        for data in files:
            function(data)
        best = min(best, time.process_time() - start)
    return len(files) / best


def answering(folder: Path) -> float:
    """Questions a second of processor time over tables that are read and prepared."""
    names = ("data_search_e_collection.jsonl.bz2", "data_search_e_data.tar.bz2")
    with tempfile.TemporaryDirectory() as out:
        index.main(
            ["datasets", *(str(folder / name) for name in names), "--index", f"{out}/i"],
            standalone_mode=False,
        )
        opened = open_index(f"{out}/i")
        prepared = list(datasets_of(opened, read_questions(folder / "questions.tsv")))
        start = time.process_time()
        count = 0
        for dataset, asked in prepared:
            for question in asked:
                derivations = derive(question.text, dataset.views)
                rank(derivations, score_all(derivations, DEFAULT_WEIGHTS))
                count += 1
        return count / (time.process_time() - start)


@click.command(help=__doc__)
def main() -> None:
    found = {
        m.name: m.data
        for m in members(pack("datasearch", "data_search_e_data.tar.bz2"))
        if m.data is not None
    }
    for suffix, bare, name in (
        (".csv", bare_csv, "csv.reader"),
        (".html", bare_html, "lxml"),
        (".xlsx", bare_calamine, "calamine without formats"),
        (".xlsx", bare_openpyxl, "openpyxl"),
    ):
        files = [data for file, data in found.items() if file.endswith(suffix)]
        ours, theirs = rate(read, files), rate(bare, files)
        print(f"{suffix:6} {ours:8.0f} tables/s; {name} {theirs:.0f}/s; ratio {ours / theirs:.2f}")
    print(f"{answering(pack('datasearch')):.0f} questions/s on read tables")


if __name__ == "__main__":
    run_program(main, "python benchmarks/datasets_speed.py")
