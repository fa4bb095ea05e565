"""The speed of answering exams: the whole program on an embedded index.

    QA_DATA=… python benchmarks/exam.py

The books are the English ones of the data pack, the exams its English development exams.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click
from packs import pack

from indexer.cli.program import run_program

ROUNDS = 9


def build(files: Sequence[Path], address: str) -> None:
    command = [
        sys.executable,
        "-m",
        "indexer",
        "textbook",
        *map(str, files),
        "--language",
        "en",
        "--index",
        address,
    ]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def whole_program(address: str, exam: Path) -> float:
    """Seconds of `python -m answerer ntcir-mc EXAM`, process start included: the median of some
    rounds."""
    command = [
        sys.executable,
        "-m",
        "answerer",
        "ntcir-mc",
        str(exam),
        "--index",
        address,
        "--method",
        "slqal",
    ]
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


@click.command()
def main() -> None:
    """Measure answering exams."""
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "index")
        books = [
            *sorted(pack("textbook").glob("openstax*.jsonl")),
            *sorted(pack("textbook").glob("wells*.txt")),
        ]
        build(books, address)
        for exam in sorted(pack("ntcir-mc", "en", "input").rglob("*.xml")):
            print(f"{exam.name}\twhole program, embedded: {whole_program(address, exam):.2f} s")


if __name__ == "__main__":
    run_program(main, "python benchmarks/exam.py")
