"""Builds the commands that score a task: gold and a run, or golds and a folder of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from evaluation.registry import Scoring, scoring
from evaluation.runs import check_run, warn_of_training
from evaluation.tables import TREC_EVAL, Tables, measures_format_option, print_rows
from indexer.cli.parameters import LANGUAGE, InputPath, Option, command_of
from indexer.files.errors import UserError

_FOR_TREES = ("golds", "run", "interval", "format")


def gold_and_run(
    name: str,
    metavar: tuple[str, str] = ("GOLD", "RUN"),
    passed: Sequence[str] = (),
    *,
    folder_is_run: bool = False,
    gold_in_run: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds the arguments GOLD and RUN, passed to the command as `gold` and `run`; for a folder an overview is printed.

    `passed` are the options that apply to a tree of runs too; any other, except --interval and --format, is refused
    there. With `folder_is_run` a folder of results for different exams is one run for the command; with `gold_in_run` a
    run contains its gold, and the argument GOLD is optional.
    """

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def score_run_or_tree(golds: tuple[Path, ...], run: Path, **options: Any) -> Any:
            from retriever.provenance import read_metadata

            task = scoring(name)
            if run.is_dir() and not (folder_is_run and len(golds) == 1 and _is_one_run(task, run)):
                return _print_overview(task, golds, run, passed)
            if gold_in_run and golds in ((), (run,)):
                warn_of_training(run, run, read_metadata(run))
                return command(gold=run, run=run, **options)
            if len(golds) != 1:
                raise UserError(f"{len(golds)} gold files for the one run {run}: several are for a folder of runs")
            if golds[0].is_dir() and not folder_is_run:
                raise UserError(f"{golds[0]}: is a folder; name the gold file of {run}")
            check_run(golds[0], run)
            return command(gold=golds[0], run=run, **options)

        path = InputPath(("**",), path_type=Path)
        run_argument = click.argument("run", metavar=f"{metavar[1]}|TREE", type=path)
        golds_shown = f"[{metavar[0]}...]" if gold_in_run else f"{metavar[0]}..."
        return click.argument("golds", nargs=-1, required=not gold_in_run, metavar=golds_shown, type=path)(
            run_argument(score_run_or_tree)
        )

    return add


def _is_one_run(task: Scoring, folder: Path) -> bool:
    """Whether a folder is one run; imported here because only folders need it."""
    from evaluation.overview import is_one_run

    return is_one_run(task, folder)


def _print_overview(task: Scoring, golds: Sequence[Path], tree: Path, passed: Sequence[str]) -> None:
    """Prints the overview of a tree of runs. Raises UserError for options that are for a single run."""
    from evaluation.overview import overview, read_exams, read_runs, score_runs

    context = click.get_current_context()
    for param in context.command.params:
        given = context.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
        if given and param.name not in (*_FOR_TREES, *passed):
            raise UserError(f"{param.opts[0]} is for a single run; {tree} is a folder of runs")
    form = context.params["format"]
    if form == TREC_EVAL:
        raise UserError(f"--format {form} is for a single run; {tree} is a folder of runs")
    options = {name: context.params[name] for name in passed}
    if not golds:
        raise UserError(f"{tree}: a folder of runs is scored against gold files; name them before it")
    exams = read_exams(task, golds, options)
    runs = read_runs(task, tree, exams, options)
    if not runs:
        raise UserError(f"{tree}: no run that answers {', '.join(exam.name for exam in exams)[:200]}")
    scored, answered = score_runs(task, runs, exams, options)
    print_rows(overview(task, scored, answered, context.params.get("interval", False), form == "table"), form)


sheet_language_option = click.option("--language", type=LANGUAGE, help="The language of a bilingual sheet.")


def score_command(
    name: str,
    tables: Callable[..., Tables],
    text: str,
    example: str,
    *options: Option,
    row: str = "question",
    **arguments: Any,
) -> click.Command:
    """Builds the command `evaluation TASK GOLD RUN`, which prints the `tables` of the two and the task's options.

    `text` is the help, `row` the unit of a row of -q; `arguments` are further ones of `gold_and_run`.
    """

    def print_tables(gold: Path, run: Path, by_question: bool, format: str, **given: Any) -> Tables:  # noqa: A002
        found = tables(gold, run, **given)
        if format == TREC_EVAL and found.trec_eval:
            print_rows(found.trec_eval(by_question), format)
        else:
            print_rows(found.by_question() if by_question else found.summary(), format)
        return found

    all_options: tuple[Option, ...] = (
        gold_and_run(name, **arguments),
        click.option("-q", "by_question", is_flag=True, help=f"One row a {row}."),
        *options,
        click.option("--interval", is_flag=True, help=f"Show 95 % bootstrap intervals over the {row}s."),
        measures_format_option,
    )
    return command_of(print_tables, text, f"evaluation {name} {example}", all_options)
