"""The weights of the exam method `names`, learned on pseudo-exams of all books and of all but each.

    QA_DATA=… python benchmarks/pseudo_exams.py WORK

Exams are made by `make_pseudo_exam.py`; all else is done by the commands that a user has.
`WORK/weights-all.json` is the file that comes with the program, `weights-without-BOOK.json` are
those that a book's questions are answered with when the method is measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import click
from packs import pack

from indexer.cli.program import run_program

BOOKS = {
    "openstax": ("OpenStax World History", "openstax-world-history.jsonl"),
    "wells": ("Wells, A Short History of the World", "wells-short-history.txt"),
    "jawiki": ("jawiki-world-history", "jawiki-world-history.jsonl"),
}


class Set(NamedTuple):
    """Questions made of one book and asked of another (or of the same, without their sources)."""

    book: str
    index: str
    swaps: str
    questions: int
    folds: int = 1
    shape: str = "statements"


LEARNED = (
    *(
        Set(book, book, swaps, 3000, 6)
        for book in ("openstax", "wells")
        for swaps in ("far", "near")
    ),
    *(Set("wells", "openstax", swaps, 600) for swaps in ("far", "near")),
    Set("jawiki", "jawiki", "far", 3000, 6),
    *(Set(book, book, "relation", 600, 6) for book in ("openstax", "wells", "jawiki")),
)


def run(*arguments: str) -> None:
    """One of our programs; its output is not shown."""
    subprocess.run([sys.executable, "-m", *arguments], check=True, capture_output=True)


def make_exam(*arguments: str) -> None:
    """Makes a pseudo-exam; what the program prints is not shown."""
    program = str(Path(__file__).with_name("make_pseudo_exam.py"))
    subprocess.run([sys.executable, program, *arguments], check=True, capture_output=True)


def file_of(book: str) -> str:
    return str(pack("textbook", BOOKS[book][1]))


def prepared(each: Set, seed: int, fold: int, folder: Path) -> str:
    """The exam of one fold in a folder, and the address of the index that answers it."""
    make_exam(
        file_of(each.book),
        *("--questions", str(each.questions), "--seed", str(seed)),
        *("--swaps", each.swaps, "--shape", each.shape),
        *("--fold", f"{fold}/{each.folds}", "-o", str(folder)),
    )
    same = each.book == each.index
    address = folder / "index" if same else folder.parent / f"whole-{each.index}"
    if not address.exists():
        without = ["--without", str(folder / "without.txt")] if same else []
        run("indexer", "textbook", file_of(each.index), "--index", str(address), *without)
    return str(address)


def name_of(each: Set) -> str:
    return f"{each.book}-{each.index}-{each.swaps}-{each.shape}"


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
def main(work: Path) -> None:
    """Learn weights on the sets of all books, and of all but each."""
    indexes = {each: prepared(each, 1, 1, work / name_of(each)) for each in LEARNED}
    for book in (*BOOKS, ""):
        used = [each for each in LEARNED if book not in (each.book, each.index)]
        addresses = [word for each in used for word in ("--index", indexes[each])]
        output = work / (f"weights-without-{book}.json" if book else "weights-all.json")
        folders = [str(work / name_of(each)) for each in used]
        run("answerer", "train", "ntcir-mc-names", *folders, *addresses, "-o", str(output))
        if book:
            serve_both(output)


def serve_both(weights: Path) -> None:
    """Let weights learned on English books alone answer Japanese exams: whether they carry over is
    what is measured."""
    model = json.loads(weights.read_text("utf-8"))
    model["settings"]["languages"] = ["en", "ja"]
    weights.write_text(json.dumps(model, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    run_program(main, "python benchmarks/pseudo_exams.py")
