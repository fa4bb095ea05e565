"""Scoring: the record by which the runs of a task are scored, and the command `evaluation TASK`
that is built from it.

The record of a task (`answerer.registry`) names the module that has its `Scoring`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answerer.registry import tasks
from answerer.task import load
from evaluation.tasks.results import measure_tables, names_of
from indexer.files.errors import UserError
from indexer.files.validation import validate_choice

if TYPE_CHECKING:
    from evaluation.tables import Tables
    from evaluation.tasks.results import Reported
    from indexer.parameters import CommandLine, Parameter

# Commands that are not tasks: name: (module whose `command` is the command, one line of help).
TOOLS: dict[str, tuple[str, str]] = {
    "export": ("evaluation.trec", "Gold and run of a ranking task in the formats of TREC."),
    "trec": ("evaluation.trec_measures", "Any TREC run by the measures of ir_measures."),
    "compare": (
        "evaluation.scoring",
        "Runs of one task against each other: difference, interval, randomisation test.",
    ),
    "pool": (
        "evaluation.pool",
        "The answers of a tree of runs, each once, for assessors, by priority.",
    ),
    "explain": (
        "evaluation.explain",
        "Why questions were answered so: a trace, read on a terminal.",
    ),
    "report": (
        "evaluation.report.command",
        "A page of runs: figures, charts, and why every question was answered so.",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How the runs of a task are scored; `help`, `example` (its words after the task) and `options`
    are the command's.

    `reported(gold, run, **options)` returns the questions of the gold in order, as the run answered
    them, which are compared and reported; all options have defaults, and `tree_options` are those
    that apply to a tree of runs too. `tables(reported, interval, **options)` returns the figures
    that the command prints. For trees, `asked_in(path, gold, **tree_options)` gives the questions
    of a gold file, or of a run, by what names them in both; empty for a file of another task.
    `ranks` is true for tasks whose candidates come with the question. `row` is the unit of a row of
    -q. With `folder_is_run` a folder of results for different exams is one run; with `gold_in_run`
    a run contains its gold, and the argument GOLD is optional. `write(gold, run, reported,
    **written)` is called after the tables, with the values of the options `written`, which name
    further files.
    """

    help: str
    example: str
    reported: Callable[..., Reported]
    tables: Callable[..., Tables] = measure_tables
    options: Sequence[Parameter] = ()
    tree_options: Sequence[str] = ()
    asked_in: Callable[..., frozenset[str]] = lambda *_, **__: frozenset()
    ranks: bool = False
    row: str = "question"
    metavar: tuple[str, str] = ("GOLD", "RUN")
    folder_is_run: bool = False
    gold_in_run: bool = False
    written: Sequence[Parameter] = ()
    write: Callable[..., None] = lambda *_, **__: None


def scorable() -> list[str]:
    """The names of the tasks that can be scored."""
    return [name for name, task in tasks().items() if task.scoring]


def commands() -> Mapping[str, tuple[Callable[[], CommandLine], str]]:
    """The command of every task that can be scored, built on demand, with its line of help."""
    scored = {name: task.scoring for name, task in tasks().items() if task.scoring}
    return {
        name: (partial(score_command, name, place), line) for name, (place, line) in scored.items()
    }


def scoring(name: str) -> Scoring:
    """The scoring of a task. Raises UserError if there is not such a task, or it cannot be
    scored."""
    record = tasks()[validate_choice(name, scorable(), "task")]
    found: Scoring = load(record.scoring[0] if record.scoring else None)
    return found


def read_reported(task: Scoring, gold: Path, runs: Sequence[Path]) -> list[Reported]:
    """Reads the questions of a gold as each of the runs answered them. Raises UserError for a gold
    without questions, and for runs with different questions."""
    reports = [task.reported(gold, run) for run in runs]
    names = names_of(reports[0].questions)
    if not names:
        raise UserError(f"{gold}: no question in it")
    for run, reported in zip(runs, reports, strict=True):
        if names_of(reported.questions) != names:
            raise UserError(f"{run}: other questions than in {runs[0]}; expected runs of one gold")
    return reports


def score_command(name: str, place: Scoring | str) -> CommandLine:
    """Builds the command `evaluation TASK GOLD RUN|TREE` of the task `name`; `place` is its
    scoring, or where it is."""
    from evaluation.tables import format_option
    from indexer.parameters import CommandLine, argument, flag, input_path

    task = load(place)
    path = partial(input_path, ("**",), path_type=Path)
    golds_shown = f"[{task.metavar[0]}...]" if task.gold_in_run else f"{task.metavar[0]}..."
    parameters = (
        argument("golds", path, golds_shown, multiple=True, required=not task.gold_in_run),
        argument("run", path, f"{task.metavar[1]}|TREE"),
        flag("-q", "by_question", help=f"One row a {task.row}."),
        *task.written,
        *task.options,
        flag("--interval", help=f"Show 95 % bootstrap intervals over the {task.row}s."),
        format_option,
    )
    example = f"evaluation {name} {task.example}"
    return CommandLine(
        run=partial(print_score, task), help=task.help, example=example, parameters=parameters
    )


def print_score(task: Scoring, golds: tuple[Path, ...], run: Path, **given: Any) -> None:
    """Prints the tables of a run, or the overview of a tree of runs; `given` are the values of the
    options."""
    from evaluation.runs import check_run
    from evaluation.tables import print_rows

    if run.is_dir() and print_tree(task, golds, run, given):
        return
    # The result file of SelQA holds the gold ([SelQA-Challenge]).
    if task.gold_in_run and golds in ((), (run,)):
        gold = run
    else:
        if len(golds) != 1:
            raise UserError(
                f"{len(golds)} gold files for the one run {run}: several are for a folder of runs"
            )
        gold = golds[0]
        if gold.is_dir() and not task.folder_is_run:
            raise UserError(f"{gold}: is a folder; name the gold file of {run}")
        check_run(gold, run)
    options = {one.name: given[one.name] for one in task.options}
    reported = task.reported(gold, run, **options)
    found = task.tables(reported, given["interval"], **options)
    print_rows(found.by_question() if given["by_question"] else found.summary(), given["format"])
    task.write(gold, run, reported, **{one.name: given[one.name] for one in task.written})


def print_tree(
    task: Scoring, golds: tuple[Path, ...], tree: Path, given: Mapping[str, Any]
) -> bool:
    """Prints the overview of a tree of runs; returns False, without printing, for a folder that is
    one run. Raises UserError for options other than the task's `tree_options`, --interval and
    --format that are not at their defaults."""
    from evaluation.overview import read_questions, tree_rows
    from evaluation.tables import print_rows

    if task.folder_is_run and len(golds) == 1 and not any(path.is_dir() for path in tree.iterdir()):
        # Files that answer different exams are one run; scoring says what is wrong with a file that
        # cannot be read.
        asked, _ = read_questions(task, sorted(tree.glob("*.xml")), False, {})
        if len(asked) == len(set(asked.values())):
            return False
    # An option that is given its own default changes nothing, and is let pass.
    refused = ["-q"] if given["by_question"] else []
    refused += [
        one.display_name
        for one in (*task.options, *task.written)
        if one.name not in task.tree_options and given[one.name] != one.default
    ]
    if refused:
        raise UserError(f"{refused[0]} needs a single run; {tree} is a folder of runs")
    options, form = {name: given[name] for name in task.tree_options}, given["format"]
    print_rows(tree_rows(task, golds, tree, options, given["interval"], form == "table"), form)
    return True
