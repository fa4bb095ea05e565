"""NTCIR-18 U4 Table Retrieval: the table of a report that answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from answerer.options import allow_unanswered_option, index_option, model_option, output_options
from answerer.run import Run, write_run
from answerer.u4.task import TABLES, answer_task, reports_option
from indexer.cli.types import Command, InputFile
from indexer.files.validation import FileName
from retriever.search import AnyIndex


@click.command(
    cls=Command,
    example="answerer u4-tr samples/u4-tr.questions.json --reports samples/u4-reports.tar.xz "
    "-o tables.json",
)
@click.argument("source", metavar="QUESTIONS", type=InputFile())
@reports_option(required=False)
@index_option("reports")
@model_option
@output_options()
@allow_unanswered_option
def command(
    source: Path,
    output: str,
    trace: str | None,
    metadata: str | None,
    allow_unanswered: bool,
    **options: Any,
) -> None:
    """Find the answering tables of securities reports: the official questions in, the filled answer sheet out.

    Only question and doc_id are read, with an index only question: all its reports are searched. A question whose report is not there is left unanswered.
    """
    run = answer(source, evidence=trace is not None, **options)
    write_run(run, output, trace=trace, metadata=metadata, allow_unanswered=allow_unanswered)


def answer(
    source: FileName | Mapping[str, Any],
    *,
    reports: FileName | None = None,
    index: AnyIndex | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """The run of `answer_task`; without `reports`, `index` is by default the index `reports`."""
    return answer_task(TABLES, source, reports=reports, index=index, model=model, evidence=evidence)
