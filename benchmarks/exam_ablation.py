"""What each family of signals of the multiple-choice method is worth: alone and removed, trained on
other exams.

Run: python benchmarks/exam_ablation.py --train FOLDER INDEX --train FOLDER INDEX --test FOLDER
INDEX A FOLDER is what `make_pseudo_exam.py` wrote, its INDEX one built without its
sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from answerer.formats.answer_table import read_answer_table
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.names.signals import NAMES
from answerer.ntcir.multiple_choice.names.training import (
    SignalExamples,
    examples_of,
    fit,
    join_examples,
    right,
    scores_by,
)
from evaluation.tables import print_rows
from indexer.address import open_index
from indexer.cli.program import run_program

FAMILIES = {
    "pointwise mutual information": ("pmi",),
    "words right beside": ("local",),
    "retrieval by the rest": ("relevance", "share", "best", "near"),
    "latent semantic analysis": ("latent",),
    "dates": ("date",),
}
ALWAYS = ("is_",)


def columns(examples: SignalExamples, kept: Sequence[int]) -> SignalExamples:
    """The examples with these signals only."""
    return replace(examples, rows=examples.rows[:, kept], rival_rows=examples.rival_rows[:, kept])


def share(train: Sequence[SignalExamples], test: SignalExamples, kept: Sequence[int]) -> float:
    """The share of test questions answered rightly by weights of these signals, and of their
    contrast with rivals."""
    learned, asked = (
        fit(join_examples([columns(each, kept) for each in train])),
        columns(test, kept),
    )
    return float(right(asked, scores_by(*learned, asked)).mean())


def without_rivals(examples: SignalExamples) -> SignalExamples:
    """The examples as if no name had a rival."""
    return replace(examples, rival_of=examples.rival_of[:0], rival_rows=examples.rival_rows[:0])


def read(folder: str, address: str) -> SignalExamples:
    """The examples of a pseudo-exam over its index."""
    exam = read_exam(Path(folder) / "exam.xml")
    gold = {row.column: row.answer for row in read_answer_table(Path(folder) / "gold.xml").answers}
    index = open_index(address, "textbook", exam.language)
    return examples_of(
        [(question, gold[question.answer_column]) for question in exam.questions], index
    )


@click.command()
@click.option(
    "--train", "train", type=(str, str), multiple=True, required=True, metavar="FOLDER INDEX"
)
@click.option("--test", "test", type=(str, str), required=True, metavar="FOLDER INDEX")
def main(train: tuple[tuple[str, str], ...], test: tuple[str, str]) -> None:
    """Print the ablation table."""
    sets, asked = [read(*one) for one in train], read(*test)
    every = list(range(len(NAMES)))
    rows: list[dict[str, object]] = [{"family": "all", "alone": share(sets, asked, every)}]
    always = [place for place in every if NAMES[place].startswith(ALWAYS)]
    alone = share([without_rivals(each) for each in sets], without_rivals(asked), every)
    rows.append({"family": "contrast with rivals", "removed": alone})
    for family, beginnings in FAMILIES.items():
        own = [place for place in every if NAMES[place].startswith(beginnings)]
        rest = [place for place in every if place not in own]
        rows.append(
            {
                "family": family,
                "alone": share(sets, asked, sorted({*always, *own})),
                "removed": share(sets, asked, rest),
            }
        )
    print_rows(rows, "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/exam_ablation.py")
