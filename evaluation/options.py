"""Options and arguments that the commands of evaluation share, as click's decorators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from evaluation.tables import FORMATS
from indexer.cli.types import InputFile, PlainText
from indexer.files.errors import UserError

Function = TypeVar("Function", bound=Callable[..., Any])

format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", help="Form of output [table]."
)
"""Adds the option that every command which prints figures has; its value goes to `print_rows`."""


RANKS = (1, 3, 5)
"""The N of Accuracy@N where none are chosen."""


class Ranks(click.ParamType[tuple[int, ...]]):
    """Ranks as the user writes them, with commas: `1,2,7`; sorted, each once."""

    name = "ranks"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help shows for a value."""
        return "N,N…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The ranks; fails for anything but whole numbers from 1."""
        if isinstance(value, tuple):
            return ranks_of(value)
        parts = [part.strip() for part in str(value).split(",")]
        if not all(re.fullmatch("0*[1-9][0-9]{0,8}", part) for part in parts):
            self.fail(f"{value!r}: expected whole numbers from 1, such as 1,2,7", param, ctx)
        return ranks_of(map(int, parts))


def ranks_of(ranks: Iterable[int]) -> tuple[int, ...]:
    """The N of Accuracy@N, sorted, each once. Raises UserError for none, and for one below 1."""
    chosen = tuple(sorted(set(ranks)))
    if not chosen or chosen[0] < 1:
        raise UserError(f"at: {list(chosen)}; expected whole numbers from 1, such as 1, 2, 7")
    return chosen


at_option = click.option(
    "--at", type=Ranks(), help=f"The N of Accuracy@N [{','.join(map(str, RANKS))}]."
)
"""Adds the option of the tasks that measure Accuracy@N; None where it is not given."""


def golds_argument(metavar: str, required: bool = True) -> Callable[[Function], Function]:
    """Adds the argument for gold files, or folders of them, as `golds`: one for a single run,
    several for a tree."""
    shown = f"{metavar}..." if required else f"[{metavar}...]"
    return click.argument(
        "golds", nargs=-1, required=required, metavar=shown, type=InputFile(inside=("**",))
    )


def run_argument(metavar: str) -> Callable[[Function], Function]:
    """Adds the argument for the run, or a tree of runs, as `run`."""
    return click.argument("run", metavar=f"{metavar}|TREE", type=InputFile(inside=("**",)))


def by_question_option(row: str) -> Callable[[Function], Function]:
    """Adds -q; `row` is what a row of it is of."""
    return click.option("-q", "by_question", is_flag=True, help=f"One row a {row}.")


def interval_option(row: str) -> Callable[[Function], Function]:
    """Adds --interval; `row` is what a figure is the mean over."""
    return click.option(
        "--interval", is_flag=True, help=f"Show 95 % bootstrap intervals over the {row}s."
    )


def by_option(*groups: str) -> Callable[[Function], Function]:
    """Adds --by for `rows_of_groups`; `groups` are the divisions of the task's questions."""
    return click.option(
        "--by",
        multiple=True,
        metavar="GROUP",
        type=PlainText(),
        help=f"Also by {', '.join(groups[:-1])} or {groups[-1]}.",
    )


def refuse_by_question(by_question: bool, by: Sequence[str]) -> None:
    """Raises UserError for -q together with --by: each has a table to itself."""
    if by_question and by:
        raise UserError("-q and --by are two tables: give one of them")


def run_arguments(metavar: str) -> Callable[[Function], Function]:
    """Adds the arguments TASK, GOLD and runs, passed as `task`, `gold` and `runs`: files, or
    folders of XML."""
    arguments = (
        click.argument("task", type=PlainText()),
        click.argument("gold", type=InputFile(inside=("**/*.xml",))),
        click.argument(
            "runs", nargs=-1, required=True, metavar=metavar, type=InputFile(inside=("**/*.xml",))
        ),
    )

    def add_arguments(function: Function) -> Function:
        for argument in reversed(arguments):
            function = argument(function)
        return function

    return add_arguments
