"""More text for exams: textbooks, further books, all in one index, and both asked apart, on
pseudo-exams.

    QA_DATA=… python benchmarks/several_sources.py WORK --seed 2

The further books are the 17 of `history-books-en.jsonl.bz2`. Questions are made of the textbook
OpenStax (its sentences left out of the indexes), and of Myers' and van Loon's histories of the
world, whose books are then no source at all: no weights were learned on them. Beside the right
answers stands how far the scores of true statements lie above those of false ones, in standard
deviations within a question (d'), and how high they lie. What was asked once stays in WORK.
"""

from __future__ import annotations

import bz2
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from packs import pack

from answerer.formats.answer_table import read_answer_table
from answerer.formats.exam.parts import ExamQuestion
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import choose, method
from evaluation.significance import estimate
from evaluation.tables import print_rows
from indexer.address import open_index
from indexer.cli.program import run_program
from indexer.engines.scoring import round_score
from retriever.federated import shares

METHODS = ("slqal", "names")
K = 5
TEXTBOOKS = ("openstax-world-history.jsonl", "wells-short-history.txt")
FURTHER = "history-books-en.jsonl.bz2"
ASKED = ("myers-general", "vanloon-mankind")
"""The further books that questions are made of, by the first part of their paragraphs' ids."""


class Set(NamedTuple):
    """Pseudo-questions, and the files that the two sources that answer them are made of."""

    name: str
    books: tuple[str, ...]
    swaps: str
    questions: int
    further: str
    fold: str = ""


SETS = tuple(
    Set(f"{name}-{swaps}", books, swaps, questions, further, fold)
    for name, books, questions, further, fold in (
        ("other", tuple(f"{book}.jsonl" for book in ASKED), 1000, "15-books.jsonl", ""),
        ("own", TEXTBOOKS[:1], 3000, "17-books.jsonl", "1/6"),
    )
    for swaps in ("far", "near")
)


def run(*arguments: str | Path) -> None:
    """One of our programs; its output is not shown."""
    subprocess.run([sys.executable, "-m", *map(str, arguments)], check=True, capture_output=True)


def files_of(work: Path, names: Sequence[str]) -> list[Path]:
    return [pack("textbook", name) if name in TEXTBOOKS else work / name for name in names]


def split(work: Path) -> None:
    """The further books into files: those that questions are made of, all of them, and the
    others."""
    if (work / "15-books.jsonl").exists():
        return
    lines = (
        bz2.decompress(pack("textbook", FURTHER).read_bytes()).decode().splitlines(keepends=True)
    )
    work.mkdir(parents=True, exist_ok=True)
    book_of = [json.loads(line)["id"].rpartition("-")[0] for line in lines]
    for book in ASKED:
        (work / f"{book}.jsonl").write_text(
            "".join(n for n, own in zip(lines, book_of, strict=True) if own == book)
        )
    (work / "17-books.jsonl").write_text("".join(lines))
    others = "".join(line for line, own in zip(lines, book_of, strict=True) if own not in ASKED)
    (work / "15-books.jsonl").write_text(others)


def exam_of(each: Set, seed: int, work: Path) -> Path:
    """The folder of the questions of a set."""
    folder = work / f"{each.name}-{seed}"
    if not (folder / "exam.xml").exists():
        fold = ["--fold", each.fold] if each.fold else []
        made = [
            "--questions",
            str(each.questions),
            "--seed",
            str(seed),
            "--swaps",
            each.swaps,
            *fold,
        ]
        run("evaluation", "pseudo-exam", *files_of(work, each.books), *made, "-o", folder)
    return folder


def indexes(each: Set, seed: int, work: Path) -> dict[str, Path]:
    """The textbooks, the further books, and all in one index; without the sources of questions of a
    book itself."""
    further = each.further.partition(".")[0]
    setups = {
        "textbooks": TEXTBOOKS,
        "further books": (each.further,),
        "one index": (*TEXTBOOKS, each.further),
    }
    addresses = {
        "textbooks": "textbooks",
        "further books": further,
        "one index": f"textbooks-and-{further}",
    }
    made = {}
    for setup, names in setups.items():
        own = bool(each.fold) and names[0] in TEXTBOOKS
        address = work / f"index-{addresses[setup]}{f'-without-{seed}' if own else ''}"
        if not address.exists():
            without = ["--without", left_out(seed, work)] if own else []
            run("indexer", "textbook", *files_of(work, names), "--index", address, *without)
        made[setup] = address
    return made


def left_out(seed: int, work: Path) -> Path:
    """The sources of all questions that are made of the textbook itself."""
    path = work / f"without-{seed}.txt"
    path.write_text(
        "".join((exam_of(one, seed, work) / "without.txt").read_text() for one in SETS if one.fold)
    )
    return path


def scores_by(
    name: str, questions: Sequence[ExamQuestion], address: Path, kept: Path
) -> list[list[float]]:
    """What a method by an index gives each choice of each question."""
    if not kept.exists():
        index = open_index(str(address))
        answered = method(name).answer(questions, index, K, False)
        kept.write_text(
            json.dumps([[verdict.score for verdict in one.verdicts] for one in answered])
        )
        index.close()
    found: list[list[float]] = json.loads(kept.read_text())
    return found


def setups_of(alone: Mapping[str, list[list[float]]]) -> Iterator[tuple[str, list[list[float]]]]:
    """Each source alone, one index, and the two sources asked apart."""
    yield from alone.items()
    pairs = zip(alone["textbooks"], alone["further books"], strict=True)
    yield "max", [[sum(column) for column in zip(*shares(pair), strict=True)] for pair in pairs]


def figures(
    questions: Sequence[ExamQuestion], gold: Sequence[str], scores: Sequence[Sequence[float]]
) -> dict[str, float]:
    """The share of right answers; the mean score of true and of false statements, and how far these
    lie apart."""
    right = [
        float(choose(q, row) == answer)
        for q, answer, row in zip(questions, gold, scores, strict=True)
    ]
    true, false, within = [], [], []
    for question, answer, row in zip(questions, gold, scores, strict=True):
        odd = [choice.number == answer for choice in question.choices]
        values = np.array([round_score(score) for score in row])
        is_true = np.array(odd) if question.asks == "T" else ~np.array(odd)
        true.append(values[is_true].mean())
        false.append(values[~is_true].mean())
        within += [
            values[group] - values[group].mean() for group in (is_true, ~is_true) if group.sum() > 1
        ]
    spread = float(np.sqrt(np.concatenate(within).var()))
    share = estimate(right)
    apart = float(np.mean(true) - np.mean(false)) / spread
    return {"share": share.mean, "standard error": share.standard_error, "true": float(np.mean(true)),
            "false": float(np.mean(false)), "apart": apart}  # fmt: skip


def measured(each: Set, seed: int, work: Path) -> Iterator[dict[str, object]]:
    folder = exam_of(each, seed, work)
    questions = read_exam(folder / "exam.xml").questions
    table = {row.column: row.answer for row in read_answer_table(folder / "gold.xml").answers}
    gold = [table[question.answer_column] for question in questions]
    made = indexes(each, seed, work)
    for name in METHODS:
        alone = {
            setup: scores_by(
                name, questions, address, folder / f"{name}-{setup.replace(' ', '-')}.json"
            )
            for setup, address in made.items()
        }
        for setup, scores in setups_of(alone):
            about = {
                "set": each.name,
                "seed": seed,
                "questions": len(questions),
                "method": name,
                "sources": setup,
            }
            yield {**about, **figures(questions, gold, scores)}


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
@click.argument("work", type=click.Path(path_type=Path))
@click.option("--seed", default=2, help="Of the questions [2].")
@click.option("--only", default="", help="Only sets whose names hold this.")
def main(work: Path, seed: int, only: str) -> None:
    split(work)
    for each in SETS:
        if only in each.name:
            print_rows(list(measured(each, seed, work)), "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/several_sources.py")
