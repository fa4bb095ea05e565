"""What the module of a scored task has, and scoring from Python by the official measures of any
task."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from evaluation.registry import scoring
from indexer.files.validation import FileName

if TYPE_CHECKING:
    import click

    from evaluation.runs import AnyRun
    from evaluation.tables import Figures
    from evaluation.tasks.results import Reported


class Scoring(Protocol):
    """What the module of a task has. A module may further have `gold(path, language)`, which yields
    the right answers of a file as `ReportedQuestion`s, for `explain`; `GOLD_IN_FOLDERS = True`
    where it takes a folder too; `RANKS_CANDIDATES = True` for a task whose candidates come with the
    question; `pooled(gold, run)`, which yields the id of each question with the `PoolItem`s that
    assessors judge of the run, best first, for a task where that is not the run's answer; and
    `NOT_POOLED`, why its runs have nothing to judge.
    """

    command: click.Command
    """`evaluation TASK GOLD RUN`."""
    score: Callable[..., Figures]
    """What Python calls: `score(gold, run, *, …)`, with the command's options."""
    report_questions: Callable[..., Reported]
    """`report_questions(gold, run, …)`: the questions of the gold in order as the run answered
    them, which are compared, reported and printed; every option has a default."""
    asked_in: Callable[[Path, bool], frozenset[str]]
    """`asked_in(path, gold)`: the questions of a gold file, or of a run, by what names them in
    both; empty for a file of another task."""


def score(task: str, gold: FileName, run: AnyRun, **options: Any) -> Figures:
    """Scores a run against its gold by the official measures of a task; for `trec`, a TREC run or
    the rankings of `OpenIndex.search` against qrels (`evaluation.trec_measures.score`).

    It calls the function `score` of the task's module in `evaluation.tasks`; `options` are that
    task's own, named as the command's (`interval=True`, `rules="tool"`). The evidence of a run from
    `answerer.answer` is used as `trace` if the task takes one. Raises UserError for anything that
    the command refuses, TypeError for an option that the task does not have.
    """
    if task == "trec":
        from evaluation.trec_measures import score as score_trec

        return score_trec(gold, run, **options)
    return scoring(task).score(gold, run, **options)
