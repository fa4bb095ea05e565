"""Options and arguments that the commands of evaluation share, as click's decorators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from evaluation.tables import FORMATS
from indexer.cli.types import InputFile, PlainText

Function = TypeVar("Function", bound=Callable[..., Any])

format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", help="Form of output [table]."
)
"""Adds the option that every command which prints figures has; its value goes to `print_rows`."""


def golds_argument(metavar: str, required: bool = True) -> Callable[[Function], Function]:
    """Adds the argument for gold files, or folders of them, as `golds`: one for a single run,
    several for a tree."""
    shown = f"{metavar}..." if required else f"[{metavar}...]"
    return click.argument("golds", nargs=-1, required=required, metavar=shown, type=InputFile("**"))


def run_argument(metavar: str) -> Callable[[Function], Function]:
    """Adds the argument for the run, or a tree of runs, as `run`."""
    return click.argument("run", metavar=f"{metavar}|TREE", type=InputFile("**"))


def by_question_option(row: str) -> Callable[[Function], Function]:
    """Adds -q; `row` is what a row of it is of."""
    return click.option("-q", "by_question", is_flag=True, help=f"One row a {row}.")


def interval_option(row: str) -> Callable[[Function], Function]:
    """Adds --interval; `row` is what a figure is the mean over."""
    return click.option(
        "--interval", is_flag=True, help=f"Show 95 % bootstrap intervals over the {row}s."
    )


def run_arguments(metavar: str) -> Callable[[Function], Function]:
    """Adds the arguments TASK, GOLD and runs, passed as `task`, `gold` and `runs`: files, or
    folders of XML."""
    arguments = (
        click.argument("task", type=PlainText()),
        click.argument("gold", type=InputFile("**/*.xml")),
        click.argument(
            "runs", nargs=-1, required=True, metavar=metavar, type=InputFile("**/*.xml")
        ),
    )

    def add_arguments(function: Function) -> Function:
        for argument in reversed(arguments):
            function = argument(function)
        return function

    return add_arguments
