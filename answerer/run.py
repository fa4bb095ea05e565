"""Options that the tasks' commands share, and how a task opens its index."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from answerer.learned import Learned
from answerer.metadata import metadata_option
from answerer.models import UNTRAINED
from answerer.submission import Submission, hand_in, tell
from answerer.trace import open_trace
from indexer.address import require
from indexer.cli.parameters import (
    SEED,
    InputPath,
    Option,
    OutputPath,
    address_option,
    addresses_option,
    at_least,
    command_of,
)
from indexer.engines.contract import Index
from indexer.files.messages import phase
from indexer.languages.language import Language
from retriever.federated import open_indexes

Command = TypeVar("Command", bound=Callable[..., Any])


class Asked(NamedTuple):
    """Addresses of the indexes that a user names (empty: the task's default), or an index that is already open."""

    addresses: tuple[str, ...] = ()
    opened: Index | None = None


def output_option(command: Command) -> Command:
    """Adds -o OUT, the file of the submission, and --metadata."""
    return click.option(
        "-o", "output", metavar="OUT", type=OutputPath(), default="-", help="Where the submission goes [stdout]."
    )(metadata_option(command))


def task_command(answer: Callable[..., Submission], text: str, example: str, *parameters: Option) -> click.Command:
    """Builds the command `answerer TASK`: the submission of `answer` goes to -o, its evidence to --trace.

    The parameters have the names of `answer`'s arguments; `text` is the help.
    """

    def run_task(output: str, trace_path: str | None, **given: Any) -> None:
        with open_trace(trace_path) as trace:
            submission = answer(**given, trace=trace)
            hand_in(submission, output)
        tell(submission)

    return command_of(run_task, text, f"answerer {example}", (*parameters, output_option, trace_option))


def train_command(learn: Callable[..., Learned], text: str, example: str, *parameters: Option) -> click.Command:
    """Builds the command `answerer train TASK`: prints the figures of what `learn` returns, writes the model to -o.

    The parameters have the names of `learn`'s arguments; `text` is the help.
    """

    def train(output: str, **given: Any) -> None:
        from retriever.learning.model import save_model

        with phase("learning"):
            learned = learn(**given)
        click.echo(learned.report)
        save_model(learned.model, output)

    model = click.option(
        "-o", "output", metavar="MODEL", required=True, type=OutputPath(), help="Where the model goes."
    )
    return command_of(train, text, f"answerer train {example}", (*parameters, model))


folds_option = click.option("--folds", "k", type=at_least(2), default=5, help="Folds of the cross-validation [5].")
trace_option = click.option(
    "--trace",
    "trace_path",
    metavar="TRACE.jsonl",
    type=OutputPath(begins=b"{"),
    help="Write the evidence of every answer here.",
)
seed_option = click.option("--seed", type=SEED, default=0, help="Seed of the folds [0].")


def index_option(default: str) -> Option:
    """Adds --index ADDRESS, passed to the command as an `Asked`; the help says that without it `default` is asked."""

    def with_option(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def asking(*, address: str | None, **given: Any) -> Any:
            return command(asked=asked_index(address), **given)

        return address_option(f"The index to ask [{default}].")(asking)

    return with_option


def indexes_options(default: str) -> Option:
    """Adds --index ADDRESS, which may be repeated; all are passed to the command as one `Asked`."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def asking(*, addresses: tuple[str, ...], **given: Any) -> Any:
            return command(asked=Asked(addresses), **given)

        return addresses_option(f"The index to ask; give several to ask each and combine what they say [{default}].")(
            asking
        )

    return with_options


class ModelPath(InputPath):
    """Parameter type of a model's file, or `none` to answer untrained."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | Path:
        return UNTRAINED if value == UNTRAINED else super().convert(value, param, ctx)


model_option = click.option(
    "--model",
    "model_path",
    metavar="MODEL",
    type=ModelPath(),
    help="A model of `answerer train` for this task, or none to answer untrained [the program's own].",
)


def asked_index(address: str | None) -> Asked:
    """The `Asked` of one address; without an address the task's default."""
    return Asked((address,) if address else ())


def open_asked(asked: Asked, kind: str, language: Language | None = None) -> Index:
    """Opens the indexes a task asks, several as one; by default `textbook-LANGUAGE`, or the one named like its kind.

    Raises UserError if an index does not exist, is of another kind or language, or as `open_indexes` does.
    """
    if asked.opened is not None:
        require(asked.opened, kind, language)
        return asked.opened
    addresses = asked.addresses or (f"{kind}-{language}" if language else kind,)
    return open_indexes(addresses, kind, language)
