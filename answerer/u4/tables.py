"""NTCIR-18 U4 Table Retrieval: the table of a report that answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from answerer.run import Outputs, Run, write_run
from answerer.u4.task import TABLES, answer_task, command_options
from indexer.cli.types import Command
from indexer.files.validation import FileName
from retriever.opened import AnyIndex


@click.command(
    cls=Command,
    example="answer u4-tr samples/u4-tr.questions.json --reports samples/u4-reports.tar.xz "
    "-o tables.json",
)
@command_options
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Find the answering tables of securities reports: the official questions in, the filled answer
    sheet out.

    Only question and doc_id are read, with an index only question: all its reports are searched. A
    question whose report is not there is left unanswered.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Mapping[str, Any],
    *,
    reports: FileName | None = None,
    index: AnyIndex | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """The run with the table for each question of a file, or of its object by ids, from the folder
    or archive `reports`, or from an index (UserError for both; without either the index called
    reports); with an index all its reports are searched. A question whose report is absent has an
    empty answer, with a warning. `model` is a file (by default the packaged one); without
    `evidence` the run has no trace."""
    return answer_task(TABLES, source, reports=reports, index=index, model=model, evidence=evidence)
