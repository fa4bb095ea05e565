"""Scores NTCIR-18 U4 Table Retrieval: accuracy of tables [U4]."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from answerer.formats.u4 import read_answers
from evaluation.contract import Figures
from evaluation.options import format_option, interval_option, scored_files_arguments
from evaluation.runs import RunFile, gold_of, scored_files
from evaluation.tasks.results import Reported, measure_figures, print_measures, printed_tree
from evaluation.tasks.u4 import gold, judged_answers
from indexer.cli.types import Command
from indexer.files.validation import FileName

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

__all__ = ["asked_in", "command", "gold", "report_questions", "score"]

TASK = "u4-tr"


@click.command(cls=Command, example="evaluate u4-tr samples/u4-tr.gold.json tables.json")
@scored_files_arguments("GOLD...", "RUN|TREE")
@interval_option("questions")
@format_option
def command(
    golds: tuple[Path, ...], run: Path, by_question: bool, interval: bool, form: str
) -> None:
    """Accuracy of a run: the share of questions with the gold's table.

    A run with a question too few or too many is refused. Of a folder of runs the accuracy of each
    is printed.
    """
    if printed_tree(TASK, golds, run, interval, form, {"-q": by_question}):
        return
    reported = report_questions(gold_of(golds, run), run)
    print_measures(reported, by_question, interval, form)


def score(gold: FileName, run: AnyRun, *, interval: bool = False) -> Figures:
    """The accuracy of a run by tables, with its standard errors over questions and over reports,
    and whether each question's is right; with `interval` also the 95 % bootstrap interval. Raises
    UserError for what the command refuses."""
    gold_path, run_path, _ = scored_files(TASK, gold, run)
    reported = report_questions(gold_path, run_path)
    return measure_figures(TASK, reported, interval)


def report_questions(gold: Path, run: RunFile) -> Reported:
    """Every question of the gold in its order, scored by table (`judged_answers`)."""
    return judged_answers(gold, run, cells=False)


def asked_in(path: Path, _gold: bool) -> frozenset[str]:
    """The ids of the questions that a file answers."""
    return frozenset(read_answers(path, cells=False))
