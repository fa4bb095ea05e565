"""Registry of scoring: the `Scoring` of every task that can be scored, in the module that the task's record names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.registry import tasks
from answerer.task import load
from indexer.files.errors import UserError
from indexer.files.validation import validate_choice

if TYPE_CHECKING:
    from evaluation.tables import Tables
    from evaluation.tasks.ranked_lists import Ranked
    from evaluation.tasks.results import Reported
    from indexer.parameters import CommandLine

# Commands that are not tasks: name: (module whose `command` is the command, one line of help).
TOOLS: dict[str, tuple[str, str]] = {
    "export": ("evaluation.trec", "Gold and run of a ranking task in the formats of TREC."),
    "trec": ("evaluation.trec_measures", "Any TREC run by the measures of ir_measures."),
    "compare": (
        "evaluation.comparison",
        "Runs of one task against each other: difference, interval, randomisation test.",
    ),
    "pool": ("evaluation.pool", "The answers of a tree of runs, each once, for assessors, by priority."),
    "explain": ("evaluation.explain.command", "Why questions were answered so: a trace, read on a terminal."),
    "report": ("evaluation.report.command", "A page of runs: figures, charts, and why every question was answered so."),
    "plot": ("evaluation.charts", "The charts of the report as SVG, PNG or PDF, for papers."),
    "pseudo-exam": ("evaluation.pseudo_exam.command", "Make an exam with known answers out of a textbook."),
}


class GoldAnswer(NamedTuple):
    """The right answer to a question, as the reader that a task's `gold` names gives it without a run.

    `question_id` and `exam` ("" for any) are those of the trace.

    `texts` are right answers, `candidate_ids` the right candidates if these come with the question; `asked` is the text
    of a question that is known by its number alone.
    """

    question_id: str
    texts: tuple[str, ...] = ()
    candidate_ids: frozenset[str] = frozenset()
    exam: str = ""
    asked: str = ""


def _nothing(_path: Path, _gold: bool, **_: object) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """The functions that score the runs of a task.

    `command` is `evaluation TASK`; `tables` takes gold, run and its options by their names, and returns the figures
    that it prints. `reported(gold, run)` gives the questions of the gold in order, as the run answered them: what
    `compare` compares and a report shows; it takes the options that the command passes on for trees (`gold_and_run`).
    For trees of runs, `asked_in(path, gold, **options)` gives the questions of a gold file, or of a run, by what names
    them in both; empty for a file of another task.
    `ranked(gold, run)`, for tasks whose candidates come with the question, gives the candidates' scores in the run:
    what `export` writes.
    """

    command: CommandLine
    reported: Callable[..., Reported]
    tables: Callable[..., Tables] | None = None
    asked_in: Callable[..., frozenset[str]] = _nothing
    ranked: Callable[[Path, Path], list[Ranked]] | None = None


def scorable() -> list[str]:
    """The names of the tasks that can be scored."""
    return [name for name, task in tasks().items() if task.scoring]


def commands() -> Mapping[str, tuple[Callable[[], CommandLine], str]]:
    """The command of every task that can be scored, loaded on demand, with its line of help."""
    return {
        name: (partial(_command, name), task.scoring[1]) for name, task in tasks().items() if task.scoring is not None
    }


def _command(name: str) -> CommandLine:
    return scoring(name).command


def scoring(name: str) -> Scoring:
    """The scoring of a task. Raises UserError if there is not such a task, or it cannot be scored."""
    named = tasks()[validate_choice(name, scorable(), "task")].scoring
    # The record of another distribution may name anything.
    found = load(named[0]) if named else None
    if not isinstance(found, Scoring):
        raise TypeError(f"{name}: {found!r} is not a Scoring")
    return found


def ranking(name: str) -> Callable[[Path, Path], list[Ranked]]:
    """The function (gold, run) → candidates with their scores, of a task whose candidates come with the question.
    Raises UserError for any other task."""
    found = scoring(name).ranked
    if found is None:
        known = [one for one in scorable() if scoring(one).ranked]
        raise UserError(
            f"{name} does not rank given candidates; expected one of {', '.join(known)}; "
            "`export` takes other tasks' candidates from --trace"
        )
    return found
