"""NTCIR QA Lab essays, end to end: an answer sheet in, the same sheet with its essays out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from answerer.formats.answer_sheet import Expression, Sheet
from answerer.ntcir.essay.answering import answer_essays, trace_rows
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.options import essay_options
from answerer.ntcir.essay.writing import packages_of
from answerer.ntcir.run_type import RunType
from answerer.ntcir.sheets import SUBMISSION, filled, left_as_they_were, sheet_of
from answerer.run import Asked, indexes_options, open_asked
from answerer.submission import Submission, hand_in, one_file, tell
from answerer.trace import Trace, open_trace
from indexer.cli.parameters import InputPath
from indexer.files.errors import UserError
from indexer.languages.language import Language
from retriever.queries import language_of

RUN_TYPE = RunType("essay/e2e", "e2e", ("answer_sheet",))


@click.command(
    epilog="Example: python -m answerer ntcir-essay samples/essay-en.xml -o essay.run.xml --trace essay.run.jsonl"
)
@click.argument("sheet_path", metavar="SHEET.xml", type=InputPath())
@indexes_options("textbook-LANGUAGE of the sheet")
@essay_options
def command(
    sheet_path: str,
    asked: Asked,
    method: str,
    language: Language | None,
    model_path: str | None,
    schema: str | None,
    output: str,
    trace_path: str | None,
) -> None:
    """Write the essays of an NTCIR QA Lab answer sheet, each within its limit and with every keyword.

    Methods: ilp, sentences by an exact small program over learned weights; keywords-first, the baseline: a sentence
    for each keyword and then the first retrieved.
    """
    with open_trace(trace_path) as trace:
        written = answer(sheet_path, asked, method, language, model_path, schema, trace, named=output)
        hand_in(written, output)
    tell(written)


def answer(
    source: str | Sheet,
    asked: Asked,
    method: str,
    language: Language | None,
    model_path: str | None,
    schema: str | None,
    trace: Trace,
    named: str = SUBMISSION,
) -> Submission:
    """A sheet with its essays written. Where it does not fit the schema given, the error calls it as `named`."""
    sheet = sheet_of(source, language)
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
    return one_file(filled(sheet, answers, named, schema), notes=notes)
