"""NTCIR QA Lab combination runs: every section of a sheet filled, terms and essays in one go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import click

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet
from answerer.ntcir.essay.answering import (
    DEFAULT_METHOD,
    Written,
    answer_essays,
    essay_model,
    essay_sections,
    sheet_language,
)
from answerer.ntcir.essay.answering import trace_rows as essay_rows
from answerer.ntcir.essay.task import finish, language_option, validate_option
from answerer.ntcir.essay.writing import METHODS
from answerer.ntcir.term.answering import TermAnswer, answer_terms, term_sections
from answerer.ntcir.term.answering import trace_rows as term_rows
from answerer.ntcir.term.weights import WEIGHTS
from answerer.run import index_option, model_option, open_task_index, output_option, trace_option
from answerer.trace import Trace, open_trace
from indexer.analysis import Language
from indexer.engines.contract import Index


@click.command(epilog="Example: python -m answerer ntcir-sheet samples/sheet-en.xml -o run.xml --trace trace.jsonl")
@click.argument("sheet_path", metavar="SHEET.xml")
@index_option("textbook-LANGUAGE of the sheet")
@click.option(
    "--method", type=click.Choice(list(METHODS)), default=DEFAULT_METHOD, help=f"Of essays [{DEFAULT_METHOD}]."
)
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
    """Fill an answer sheet that mixes term questions and essays (a combination run).

    Sections that ask for a drawing or the number of a choice are left as they are, and named.
    """
    sheet = read_sheet(sheet_path, language)
    index = open_task_index(address, "textbook", language or sheet_language(sheet))
    model = essay_model(model_path, cast(Language, index.metadata.language))
    essays = answer_essays(essay_sections(sheet), index, model, method)
    terms = answer_terms(term_sections(sheet.sections), index)
    answers: dict[str, Sequence[Sequence[Expression]]] = {one.section.section_id: one.expressions for one in essays}
    answers |= {one.section.section_id: one.expressions for one in terms}
    with open_trace(trace_path) as trace:
        parameters = {"model": model_path or "default", "weights": WEIGHTS, "sheet": Path(sheet_path).name}
        trace.run("ntcir-sheet", f"{method}, weighted-signals", parameters, index)
        if trace.wanted:
            _trace(trace, sheet, essays, terms, index)
        finish(sheet, answers, output, schema)
    empty = [one.section.section_id for one in terms if not all(one.texts)]
    if empty:
        click.echo(f"no candidate for all answers of: {', '.join(empty)}", err=True)
    left = [section.section_id for section in sheet.sections if section.section_id not in answers]
    if left:
        click.echo(f"left as they were (neither text nor term): {', '.join(left)}", err=True)


def _trace(trace: Trace, sheet: Sheet, essays: Sequence[Written], terms: Sequence[TermAnswer], index: Index) -> None:
    """The rows of both kinds, in the order of the sheet."""
    rows = [row for one in essays for row in essay_rows(one)]
    rows += [dict(row) for row in term_rows(terms, index)]
    order = {section.section_id: place for place, section in enumerate(sheet.sections)}
    for row in sorted(rows, key=lambda row: order[str(row["question_id"])]):
        trace.question(row)
