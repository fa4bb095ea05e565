"""NTCIR QA Lab essays, end to end: an answer sheet in, the same sheet with its essays out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from answerer.formats.answer_sheet import Expression, Sheet
from answerer.ntcir.essay.answering import DEFAULT_METHOD, answer_essays, trace_rows
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.writing import METHODS, packages_of
from answerer.ntcir.sheets import filled, language_option, left_as_they_were, sheet_argument, sheet_of, validate_option
from answerer.run import Asked, indexes_options, model_option, open_asked, task_command
from answerer.submission import Submission, one_file
from answerer.trace import Trace
from indexer.files.errors import UserError
from indexer.languages.language import Language
from retriever.queries import language_of

essay_options = (
    click.option(
        "--method", type=click.Choice(list(METHODS)), default=DEFAULT_METHOD, help=f"Of essays [{DEFAULT_METHOD}]."
    ),
    language_option,
    model_option,
    validate_option,
)


def answer(
    source: str | Sheet,
    asked: Asked,
    method: str,
    language: Language | None,
    model_path: str | None,
    schema: str | None,
    trace: Trace,
) -> Submission:
    """A sheet with its essays written. UserError where it does not fit the schema given."""
    sheet = sheet_of(source, language, asked.opened)
    sections = sheet.essays
    if not sections:
        raise UserError(f"{sheet.file}: no section asks for an essay; `answerer ntcir-term` answers term questions")
    index = open_asked(asked, "textbook", sheet.language)
    spoken = language_of(index)
    model, file = essay_model(model_path, spoken)
    answers: dict[str, Sequence[Sequence[Expression]]] = {}
    parameters = {"model": file, "sheet": Path(sheet.file).name}
    trace.run("ntcir-essay", method, parameters, index, packages=(*spoken.packages, *packages_of(method)))
    for one in answer_essays(sections, index, model, method):
        answers[one.section.section_id] = one.expressions
        for row in trace_rows(one):
            trace.question(row)
    notes = left_as_they_were(sheet, answers, "no essays; `ntcir-sheet` fills terms too")
    return one_file(filled(sheet, answers, schema), notes=notes)


command = task_command(
    answer,
    """Write the essays of an NTCIR QA Lab answer sheet, each within its limit and with every keyword.

    Methods: ilp, sentences by an exact small program over learned weights; keywords-first, the baseline: a sentence
    for each keyword and then the first retrieved.
    """,
    "ntcir-essay samples/essay-en.xml -o essay.run.xml --trace essay.run.jsonl",
    sheet_argument,
    indexes_options("textbook-LANGUAGE of the sheet"),
    *essay_options,
)
