"""Options and arguments that the commands of evaluation share, as click's decorators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from evaluation.tables import FORMATS
from indexer.cli.types import InputFile, PlainText, in_order
from indexer.files.errors import UserError

Function = TypeVar("Function", bound=Callable[..., Any])

format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", help="Form of output [table]."
)
"""Adds the option that every command which prints figures has; its value goes to `print_rows`."""


FILES = InputFile(inside=("**",))
"""The type of the arguments `golds` and `run`: a file, or a folder of files that are scored in one
go."""


def scored_files_arguments(
    golds: str, run: str, rows: str = "question"
) -> Callable[[Function], Function]:
    """Adds the arguments GOLD... and RUN, passed as `golds` (none only if its metavar has brackets)
    and `run`, and -q, passed as `by_question`; `rows` names what a row of -q is of."""
    required = not golds.startswith("[")
    return in_order(
        click.argument("golds", nargs=-1, required=required, metavar=golds, type=FILES),
        click.argument("run", metavar=run, type=FILES),
        click.option("-q", "by_question", is_flag=True, help=f"One row a {rows}."),
    )


def interval_option(of: str) -> Callable[[Function], Function]:
    """Adds --interval, passed as `interval`; `of` is the plural of what is resampled."""
    return click.option(
        "--interval", is_flag=True, help=f"Show 95 % bootstrap intervals over the {of}."
    )


def by_option(*groups: str) -> Callable[[Function], Function]:
    """Adds --by, repeatable and passed as `by`, for `rows_of_groups`, which checks it; `groups` are
    the (two or more) divisions of the task's questions that its help names."""
    return click.option(
        "--by",
        multiple=True,
        metavar="GROUP",
        type=PlainText(),
        help=f"Also by {', '.join(groups[:-1])} or {groups[-1]}.",
    )


def refuse_by_question(by_question: bool, interval: bool, by: Sequence[str] = ()) -> None:
    """Raises UserError for -q together with --by, as each has a table to itself, and for -q
    together with --interval, as single questions have none."""
    if by_question and by:
        raise UserError("-q and --by are two tables: give one of them")
    if by_question and interval:
        raise UserError("-q and --interval: intervals are of the means: give one of them")


def run_arguments(metavar: str) -> Callable[[Function], Function]:
    """Adds the arguments TASK, GOLD and runs, passed as `task`, `gold` and `runs` (one or more):
    files, or folders of XML. The task is not checked."""
    files = InputFile(inside=("**/*.xml",))
    return in_order(
        click.argument("task", type=PlainText()),
        click.argument("gold", type=files),
        click.argument("runs", nargs=-1, required=True, metavar=metavar, type=files),
    )
