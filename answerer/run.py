"""What every task of the answerer shares: its options, and how it finds its index."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import click

from answerer.metadata import metadata_option
from answerer.models import UNTRAINED
from indexer.address import require
from indexer.cli.parameters import IndexAddress, InputPath, OutputPath, once
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.languages.language import Language
from retriever.joint.opening import open_indexes
from retriever.joint.rules import DEFAULT, RULES, Rule

Command = TypeVar("Command", bound=Callable[..., Any])


class Asked(NamedTuple):
    """The indexes that a user names (none: the task's own), and how their scores are combined; or one that is open."""

    addresses: tuple[str, ...] = ()
    rule: Rule = DEFAULT
    opened: Index | None = None


def output_option(command: Command) -> Command:
    """-o OUT: where the submission goes; --metadata."""
    return click.option(
        "-o", "output", metavar="OUT", type=OutputPath(), default="-", help="Where the submission goes [stdout]."
    )(metadata_option(command))


def index_option(default: str) -> Callable[[Command], Command]:
    """--index ADDRESS; `default` says in the help what is taken without it."""
    return click.option(
        "--index",
        "address",
        multiple=True,
        callback=once(),
        metavar="ADDRESS",
        type=IndexAddress(),
        help=f"The index to ask [{default}].",
    )


def indexes_options(default: str) -> Callable[[Command], Command]:
    """--index ADDRESS, as often as there are sources, and --combine; they reach the command as one `Asked`."""

    def with_options(command: Command) -> Command:
        @wraps(command)
        def asking(*, addresses: tuple[str, ...], combine: Rule | None, **given: Any) -> Any:
            if combine and len(addresses) < 2:
                raise UserError("--combine is for several sources: give --index two times or more")
            return command(asked=Asked(addresses, combine or DEFAULT), **given)

        index = click.option(
            "--index",
            "addresses",
            multiple=True,
            metavar="ADDRESS",
            type=IndexAddress(),
            help=f"The index to ask; give several to ask each and combine what they say [{default}].",
        )
        rules = click.option(
            "--combine", type=click.Choice(RULES), help=f"How the scores of several indexes become one [{DEFAULT}]."
        )
        return cast(Command, index(rules(asking)))

    return with_options


def trace_option(command: Command) -> Command:
    """--trace TRACE.jsonl: the evidence behind every answer."""
    return click.option(
        "--trace",
        "trace_path",
        metavar="TRACE.jsonl",
        type=OutputPath(),
        help="Write the evidence of every answer here.",
    )(command)


class ModelPath(InputPath):
    """A model's file, or `none`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | Path:
        return UNTRAINED if value == UNTRAINED else super().convert(value, param, ctx)


def model_option(command: Command) -> Command:
    """--model MODEL: what `answerer train` wrote, or `none`."""
    return click.option(
        "--model",
        "model_path",
        metavar="MODEL",
        type=ModelPath(),
        help="A model of `answerer train` for this task, or none to answer untrained [the program's own].",
    )(command)


def named(address: str | None) -> Asked:
    """What is asked where a user names one index, or none."""
    return Asked((address,) if address else ())


def open_task_index(address: str | None, kind: str, language: Language | None = None) -> Index:
    """The index a task asks: the one addressed, else `textbook-LANGUAGE` or the one named like its kind.

    UserError, one line, when none is there (with both remedies), or when it is of another kind or language.
    """
    return open_asked(named(address), kind, language)


def open_asked(asked: Asked, kind: str, language: Language | None = None) -> Index:
    """The indexes a task asks, several as one, else its own. UserError as `open_indexes` and `open_task_index` say."""
    if asked.opened is not None:
        require(asked.opened, kind, language)
        return asked.opened
    addresses = asked.addresses or (f"{kind}-{language}" if language else kind,)
    return open_indexes(addresses, kind, language, asked.rule)
