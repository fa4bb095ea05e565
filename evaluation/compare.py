"""`python -m evaluation compare TASK GOLD RUN1 RUN2...`: every run against the first, with how sure that is."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from evaluation.registry import TASKS
from evaluation.tables import format_option, print_rows
from indexer.files.errors import UserError

QuestionScores = Callable[[Path, Path], Mapping[str, float]]


def question_scores(task: str) -> QuestionScores:
    """What scores each question of a task: `question_scores(gold, run)` of its module, higher is better.

    UserError for an unknown task, and for one whose module offers no scores by question.
    """
    if task not in TASKS:
        raise UserError(f"{task}: no such task; expected one of {', '.join(TASKS)}")
    found: QuestionScores | None = getattr(importlib.import_module(TASKS[task][0]), "question_scores", None)
    if found is None:
        raise UserError(f"{task} has no scores by question: its runs cannot be compared")
    return found


@click.command(epilog="Example: python -m evaluation compare ntcir-mc gold.xml slqal.xml new.xml")
@click.argument("task")
@click.argument("gold", type=click.Path(exists=True, path_type=Path))
@click.argument("runs", nargs=-1, required=True, metavar="RUN1 RUN2...", type=click.Path(exists=True, path_type=Path))
@click.option("--seed", type=int, default=0, help="Of the bootstrap and the randomisation [0].")
@format_option
def command(task: str, gold: Path, runs: tuple[Path, ...], seed: int, format: str) -> None:  # noqa: A002
    """Mean score of each run with its standard error and 95 % interval, and its difference from the first run.

    p is two-sided, by a paired randomisation test over the questions of the gold.
    """
    from evaluation.significance import compare, estimate

    score = question_scores(task)
    if len(runs) < 2:
        raise UserError("one run: expected at least two to compare")
    scored = [score(gold, run) for run in runs]
    if not scored[0]:
        raise UserError(f"{gold}: no question to compare")
    rows: list[dict[str, object]] = []
    for run, scores in zip(runs, scored, strict=True):
        if set(scores) != set(scored[0]):
            raise UserError(f"{run}: other questions than in {runs[0]}; expected runs of one gold")
        own = estimate([scores[name] for name in sorted(scores)], seed)
        row: dict[str, object] = {
            "run": str(run),
            "questions": len(scores),
            "mean": own.mean,
            "standard error": own.standard_error,
            "low": own.low,
            "high": own.high,
        }
        if run is not runs[0]:
            against = compare(scored[0], scores, seed)
            row |= {
                "difference": against.difference,
                "difference low": against.low,
                "difference high": against.high,
                "p": against.p,
            }
        rows.append(row)
    print_rows(rows, format)
