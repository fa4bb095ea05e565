"""Scores NTCIR-18 U4 Table QA: accuracy of cells and values [U4]."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from answerer.formats.u4 import read_answers
from evaluation.contract import Figures
from evaluation.runs import RunFile
from evaluation.tasks.results import Reported, measure_figures, measures_command
from evaluation.tasks.u4 import gold, judged_answers
from indexer.files.validation import FileName

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

__all__ = ["asked_in", "command", "gold", "report_questions", "score"]

TASK = "u4-tqa"


def report_questions(gold: Path, run: RunFile) -> Reported:
    """Every question of the gold in its order, scored by value (`judged_answers`)."""
    return judged_answers(gold, run, cells=True)


command = measures_command(
    TASK,
    "Accuracy of a run by value, which ranks the runs, and by cell; values are compared as the "
    "organisers compare them.\n\nA run with a question too few or too many is refused. Of a folder "
    "of runs the accuracy of each is printed.",
    "evaluate u4-tqa samples/u4-tqa.gold.json cells.json",
    report_questions,
)


def score(gold: FileName, run: AnyRun, *, interval: bool = False) -> Figures:
    """The accuracy of a run by value and by cell, with its standard errors over questions and over
    reports, and whether each question's are right; with `interval` also the 95 % bootstrap
    intervals. Raises UserError for what the command refuses."""
    return measure_figures(TASK, report_questions, gold, run, interval)


def asked_in(path: Path, _gold: bool) -> frozenset[str]:
    """The ids of the questions that a file answers."""
    return frozenset(read_answers(path, cells=True))
