"""`--metadata`: a description of the run in a file beside the submission, version 0.1 of [ir_metadata]."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from answerer.trace import headers_kept
from indexer.cli.parameters import about_option
from indexer.files.atomic import is_special
from indexer.files.errors import UserError
from indexer.files.output_paths import STDOUT
from indexer.paths import claim_output
from retriever.provenance import about

Command = TypeVar("Command", bound=Callable[..., Any])


def metadata_option(command: Command) -> Command:
    """Adds --metadata and --about: OUT.ir-metadata.yml is written beside -o OUT after the command has succeeded.

    Submission and trace are the same with and without it; times and machines are in this file alone. The command raises
    UserError if -o does not name a file or folder.
    """

    @wraps(command)
    def with_metadata(*, metadata: bool, about_file: str | None, output: str, **given: Any) -> Any:
        if not metadata and about_file is None:
            return command(output=output, **given)
        if output == STDOUT or is_special(Path(output)):
            raise UserError("--metadata describes a file or a folder of files: name it with -o")
        about(about_file)  # refused before any work
        from indexer.files.atomic import write_text
        from retriever.provenance import (
            SUBMISSION,
            described_files,
            resources_since,
            run_metadata,
            seconds_used,
            sidecar_of,
            yaml_text,
        )

        sidecar = sidecar_of(output)
        claim_output("--metadata", str(sidecar))
        begun = seconds_used()
        with headers_kept() as headers:
            result = command(output=output, **given)
        if headers:
            made = run_metadata(Path(output).stem, headers[-1])
            more = {SUBMISSION: described_files(output), "resources": resources_since(begun)}
            write_text(sidecar, yaml_text({**made, **more}))
        return result

    option = click.option("--metadata", is_flag=True, help="Say in OUT.ir-metadata.yml how the run was made.")
    return cast(Command, option(about_option(with_metadata)))
