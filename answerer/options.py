"""Options that the tasks' commands share, the commands made of a task's functions, and how a task
opens its index."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from answerer.models import UNTRAINED
from answerer.run import Run, write_run
from answerer.unanswered import require_answers
from indexer.files.errors import UserError
from indexer.files.paths import STDOUT, claim_output, is_special
from indexer.parameters import (
    CommandLine,
    Parameter,
    address_option,
    flag,
    input_path,
    option,
    output_path,
)

if TYPE_CHECKING:
    from indexer.engines.contract import Index
    from indexer.languages.language import Language


class Asked(NamedTuple):
    """Addresses of the indexes that a user names (empty: the task's default), or an index that is
    already open."""

    addresses: tuple[str, ...] = ()
    opened: Index | None = None


def model_path(*, value: object, named: str) -> object:
    """Checks the path of a model's file, or `none` to answer untrained."""
    return UNTRAINED if value == UNTRAINED else input_path(value=value, named=named)


output_option = option(
    "-o",
    "output",
    metavar="OUT",
    type=output_path,
    default="-",
    help="Where the submission goes [stdout].",
)
metadata_option = flag("--metadata", help="Say in OUT.ir-metadata.yml how the run was made.")
trace_option = option(
    "--trace",
    "trace_path",
    metavar="TRACE.jsonl",
    type=partial(output_path, begins=b"{"),
    help="Write the evidence of every answer here.",
)
model_option = option(
    "--model",
    "model_path",
    metavar="MODEL",
    type=model_path,
    help="A model of `answerer train` for this task, or none to answer untrained [the program's "
    "own].",
)


allow_unanswered_option = flag(
    "--allow-unanswered",
    help="Write the run even if more than half of the questions find nothing to be answered from.",
)


def index_option(default: str) -> Parameter:
    """Declares --index ADDRESS, which the task takes as `asked`; the help says that without it
    `default` is asked."""
    return address_option(
        f"The index to ask [{default}].",
        "asked",
        collect=lambda address: Asked((address,) if address else ()),
    )


def indexes_options(default: str) -> Parameter:
    """Declares --index ADDRESS, which may be repeated; the task takes all as one `asked`."""
    text = f"The index to ask; give several to ask each and combine what they say [{default}]."
    return address_option(text, "asked", multiple=True, collect=Asked)


def task_command(
    answer: Callable[..., Run], text: str, example: str, *parameters: Parameter
) -> CommandLine:
    """Builds the command `answerer TASK`, which calls `answer` and writes the submission to -o, its
    evidence to --trace.

    The parameters have the names of `answer`'s arguments; `text` is the help, `example` its example
    call.
    """

    def run_task(
        output: str,
        trace_path: str | None,
        metadata: bool,
        allow_unanswered: bool = False,
        **given: Any,
    ) -> None:
        """Answers the task, writes the files, and then logs warnings and notes."""
        made_by = metadata_command(output) if metadata else None
        run = answer(**given, evidence=trace_path is not None)
        if not allow_unanswered:
            require_answers(run.unanswered, run.sources)
        write_run(run, output, trace=trace_path, metadata=made_by)

    shared = [output_option, metadata_option, trace_option]
    if any(parameter.name == "asked" for parameter in parameters):  # the task searches an index
        shared.append(allow_unanswered_option)
    return CommandLine(
        run=run_task, help=text, example=f"answerer {example}", parameters=(*parameters, *shared)
    )


def metadata_command(output: str) -> str:
    """The running command, for `--metadata`. Raises UserError, before any work, if -o does not name
    a file or folder, or if the metadata would go over another file of the command."""
    from indexer.cli.program import command_given
    from retriever.provenance import sidecar_of

    if output == STDOUT or is_special(Path(output)):
        raise UserError("--metadata describes a file or a folder of files: name it with -o")
    claim_output("--metadata", str(sidecar_of(output)))
    return command_given()


def open_asked(asked: Asked, kind: str, language: Language | None = None) -> Index:
    """The index that a task answers from: the open one, or the named addresses opened as one; by
    default the address `KIND-LANGUAGE`, or `KIND` without `language`.

    Raises UserError if an index does not exist, is not of this kind or language, or as
    `open_addresses` does.
    """
    from indexer.address import require
    from retriever.queries import open_addresses

    if asked.opened is not None:
        require(asked.opened, kind, language)
        return asked.opened
    addresses = asked.addresses or (f"{kind}-{language}" if language else kind,)
    return open_addresses(addresses, kind, language)
