"""NTCIR-18 U4 Table QA: the cell of a report's table that answers, and its value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from answerer.run import Outputs, Run, write_run
from answerer.u4.task import CELLS, answer_task, command_options
from indexer.cli.types import Command
from indexer.files.validation import FileName
from retriever.opened import AnyIndex


@click.command(
    cls=Command,
    example="answer u4-tqa samples/u4-tqa.questions.json --reports samples/u4-reports.tar.xz "
    "-o cells.json",
)
@command_options
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Answer questions on tables of securities reports: the official questions in, the filled
    answer sheet out.

    Only question, doc_id and table_id are read. A question whose report is not there is left
    unanswered.
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
    """The run with the cell and its value for each question of a file, or of its object by ids,
    from `reports` (a folder or archive) or an index (UserError for both), by default `reports`. A
    question whose report or table is absent has an empty answer, with a warning. `model` is a file
    (by default the packaged one); without `evidence` the run has no trace."""
    return answer_task(CELLS, source, reports=reports, index=index, model=model, evidence=evidence)
