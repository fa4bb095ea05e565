"""NTCIR QA Lab essays, end to end: an answer sheet in, the same sheet with its essays out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet
from answerer.formats.answer_sheet_writer import write_sheet
from answerer.formats.schema import validate
from answerer.ntcir.essay.answering import (
    DEFAULT_METHOD,
    answer_essays,
    essay_model,
    essay_sections,
    sheet_language,
    trace_rows,
)
from answerer.ntcir.essay.writing import METHODS
from answerer.run import index_option, model_option, open_task_index, output_option, trace_option
from answerer.trace import open_trace
from indexer.files.atomic import write_bytes
from indexer.files.errors import UserError

validate_option = click.option(
    "--validate", "schema", metavar="SCHEMA.xsd", help="Check the output against your copy of the schema."
)
language_option = click.option(
    "--language", type=click.Choice(["ja", "en"]), help="The language to answer in [the sheet's]."
)


@click.command(epilog="Example: python -m answerer ntcir-essay samples/essay-en.xml -o run.xml --trace trace.jsonl")
@click.argument("sheet_path", metavar="SHEET.xml")
@index_option("textbook-LANGUAGE of the sheet")
@click.option("--method", type=click.Choice(list(METHODS)), default=DEFAULT_METHOD, help=f"[{DEFAULT_METHOD}]")
@language_option
@model_option
@validate_option
@output_option
@trace_option
def command(
    sheet_path: str,
    address: str | None,
    method: str,
    language: str | None,
    model_path: str | None,
    schema: str | None,
    output: str | None,
    trace_path: str | None,
) -> None:
    """Write the essays of an NTCIR QA Lab answer sheet, each within its limit and with every keyword.

    Methods: ilp, sentences by an exact small program over learned weights; exchange, the same aim without
    the program; mmr; keywords-first, a sentence for each keyword and then the first retrieved.
    """
    sheet = read_sheet(sheet_path, language)
    sections = essay_sections(sheet)
    if not sections:
        raise UserError(f"{sheet_path}: no section asks for an essay; `answerer ntcir-term` answers term questions")
    chosen = language or sheet_language(sheet)
    index = open_task_index(address, "textbook", chosen)
    model = essay_model(model_path, index.metadata.language)  # type: ignore[arg-type]
    answers: dict[str, Sequence[Sequence[Expression]]] = {}
    with open_trace(trace_path) as trace:
        trace.run("ntcir-essay", method, {"model": model_path or "default", "sheet": Path(sheet_path).name}, index)
        for one in answer_essays(sections, index, model, method):
            answers[one.section.section_id] = one.expressions
            for row in trace_rows(one):
                trace.question(row)
        finish(sheet, answers, output, schema)
    left = [section.section_id for section in sheet.sections if section.section_id not in answers]
    if left:
        click.echo(f"left as they were (no essays; `ntcir-sheet` fills terms too): {', '.join(left)}", err=True)


def finish(
    sheet: Sheet,
    answers: dict[str, Sequence[Sequence[Expression]]],
    output: str | None,
    schema: str | None,
    src: str | None = None,
) -> None:
    """Write a filled sheet, checked against the schema where one is given, before anything is written."""
    data = write_sheet(sheet, answers, src)
    if schema is not None:
        validate(data, schema, output or "(output)")
    write_bytes(output, data)
