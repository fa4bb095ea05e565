"""The share of right words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from last_word import words_in

from evaluation.contract import Figures
from evaluation.options import format_option
from evaluation.runs import RunFile, scored_files
from evaluation.tables import print_rows
from evaluation.tasks.results import Reported, ReportedQuestion, measure_rows
from indexer.cli.types import Command, InputFile
from indexer.files.validation import FileName
from indexer.languages.language import Language

if TYPE_CHECKING:
    from evaluation.runs import AnyRun


@click.command(cls=Command, example="evaluate last-word gold.xml run.xml")
@click.argument("given", metavar="GOLD", type=InputFile())
@click.argument("run", type=InputFile())
@format_option
def command(given: Path, run: Path, form: str) -> None:
    """The share of right words."""
    print_rows(score(given, run).rows, form)


def score(gold: FileName, run: AnyRun) -> Figures:
    gold_path, run_path, _ = scored_files("last-word", gold, run)
    questions = report_questions(gold_path, run_path).questions
    return Figures("last-word", measure_rows(questions, interval=False))


def report_questions(gold: Path, run: RunFile) -> Reported:
    pairs = zip(words_in(gold), words_in(run), strict=True)
    questions = [
        ReportedQuestion(
            str(number), right == word, (right,), answer=word, measures={"right": right == word}
        )
        for number, (right, word) in enumerate(pairs)
    ]
    return Reported("right", questions)


def asked_in(path: Path, _gold: bool) -> frozenset[str]:
    return frozenset([f"{len(words_in(path))} words"])


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    for number, word in enumerate(words_in(path)):
        yield ReportedQuestion(str(number), gold=(word,))
