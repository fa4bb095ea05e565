"""What `compare`, `report` and `plot` are given alike: a task, its gold, runs, and their traces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from indexer.cli.parameters import TEXT, InputPath

Command = TypeVar("Command", bound=Callable[..., Any])


def run_arguments(metavar: str) -> Callable[[Command], Command]:
    """The arguments TASK GOLD and RUNS, as `task`, `gold` and `runs`; files, or folders of XML files."""
    files = InputPath(("**/*.xml",), path_type=Path)

    def with_arguments(command: Command) -> Command:
        command = click.argument("runs", nargs=-1, required=True, metavar=metavar, type=files)(command)
        return click.argument("task", type=TEXT)(click.argument("gold", type=files)(command))

    return with_arguments


def traces_option(why: str) -> Callable[[Command], Command]:
    """The option `--trace` of a command for several runs, as `traces`; its help says what they are for."""
    return click.option(
        "--trace",
        "traces",
        multiple=True,
        metavar="TRACE.jsonl",
        type=InputPath(path_type=Path),
        help=f"The trace of each run, in the order of the runs: {why}.",
    )
