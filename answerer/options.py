"""Options that the commands of several tasks share, as click's decorators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from answerer.models import UNTRAINED
from answerer.run import Outputs
from indexer.cli.program import metadata_command
from indexer.cli.types import MOST, SEED, Address, InputFile, LanguageCode, OutputPath
from indexer.files.paths import STDOUT

Function = TypeVar("Function", bound=Callable[..., Any])

model_option = click.option(
    "--model",
    metavar="MODEL",
    type=InputFile(words=(UNTRAINED,)),
    help="A model of `classical-qa answer train` for this task, or none to answer untrained "
    "[the program's own].",
)
folds_option = click.option(
    "--folds", type=click.IntRange(2, MOST), default=5, help="Folds of the cross-validation [5]."
)
seed_option = click.option("--seed", type=SEED, default=0, help="Seed of the folds [0].")


questions_argument = click.argument("source", metavar="QUESTIONS", type=InputFile())


def language_option(text: str) -> Callable[[Function], Function]:
    """Adds --language CODE; `text` is its help."""
    return click.option("--language", type=LanguageCode(), help=text)


def index_option(default: str) -> Callable[[Function], Function]:
    """Adds --index ADDRESS; the help says that without it `default` is searched."""
    return click.option(
        "--index", metavar="ADDRESS", type=Address(), help=f"The index to ask [{default}]."
    )


_METADATA = click.option(
    "--metadata", is_flag=True, help="Say in OUT.ir-metadata.yml how the run was made."
)
_TRACE = click.option(
    "--trace",
    metavar="TRACE.jsonl",
    type=OutputPath(begins=b"{"),
    help="Write the evidence of every answer here.",
)
_ALLOW_UNANSWERED = click.option(
    "--allow-unanswered",
    is_flag=True,
    help="Write the run even if more than half of the questions find nothing to be answered from.",
)


def output_options(*inside: str, searches: bool = False) -> Callable[[Any], Any]:
    """Adds -o OUT (by default stdout), --trace and --metadata, for a task that searches an index
    --allow-unanswered too: the function gets their values as one `Outputs`, which `write_run`
    takes. With patterns of files in `inside`, OUT may be a folder of such files.

    UserError, before any work, if OUT is not a file or folder and metadata are wanted, or if they
    would go over another file.
    """
    output_option = click.option(
        "-o",
        "output",
        metavar="OUT",
        type=OutputPath(inside=inside),
        default=STDOUT,
        help="Where the submission goes [stdout].",
    )
    options = [output_option, _METADATA, _TRACE, *([_ALLOW_UNANSWERED] if searches else [])]

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def with_outputs(
            *,
            output: str,
            trace: str | None,
            metadata: bool,
            allow_unanswered: bool = False,
            **values: Any,
        ) -> None:
            command = metadata_command(output) if metadata else None
            function(outputs=Outputs(output, trace, command, allow_unanswered), **values)

        for option in reversed(options):
            option(with_outputs)
        return with_outputs

    return decorate
