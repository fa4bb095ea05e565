"""NTCIR QA Lab term questions: an answer sheet in, the same sheet with its terms out."""

from __future__ import annotations

from pathlib import Path

import click

from answerer.formats.answer_sheet import read_sheet
from answerer.ntcir.essay.answering import sheet_language
from answerer.ntcir.essay.task import finish, language_option, validate_option
from answerer.ntcir.term.answering import TermAnswer, answer_terms, term_sections, trace_rows
from answerer.ntcir.term.weights import WEIGHTS
from answerer.run import index_option, open_task_index, output_option, trace_option
from answerer.trace import open_trace
from indexer.files.errors import UserError


@click.command(epilog="Example: python -m answerer ntcir-term samples/term-en.xml -o run.xml --trace trace.jsonl")
@click.argument("sheet_path", metavar="SHEET.xml")
@index_option("textbook-LANGUAGE of the sheet")
@language_option
@validate_option
@output_option
@trace_option
def command(
    sheet_path: str,
    address: str | None,
    language: str | None,
    schema: str | None,
    output: str | None,
    trace_path: str | None,
) -> None:
    """Answer the term questions of an NTCIR QA Lab answer sheet with names, dates and numbers of the textbook.

    A glossary given to the indexer (--terms, with kinds, dates and aliases) teaches which kind a name is of.
    """
    sheet = read_sheet(sheet_path, language)
    sections = term_sections(sheet.sections)
    if not sections:
        raise UserError(f"{sheet_path}: no section asks for a term; `answerer ntcir-essay` writes essays")
    index = open_task_index(address, "textbook", language or sheet_language(sheet))
    answered = answer_terms(sections, index)
    with open_trace(trace_path) as trace:
        trace.run("ntcir-term", "weighted-signals", {"weights": WEIGHTS, "sheet": Path(sheet_path).name}, index)
        for row in trace_rows(answered, index) if trace.wanted else ():
            trace.question(row)
        finish(sheet, {one.section.section_id: one.expressions for one in answered}, output, schema)
    _report(answered, [one.section_id for one in sheet.sections if one not in sections])


def _report(answered: list[TermAnswer], left: list[str]) -> None:
    """What was not filled goes to stderr: nothing is left out silently."""
    empty = [one.section.section_id for one in answered if not all(one.texts)]
    if empty:
        click.echo(f"no candidate for all answers of: {', '.join(empty)}", err=True)
    if left:
        click.echo(f"left as they were (no terms; `ntcir-sheet` fills essays too): {', '.join(left)}", err=True)
