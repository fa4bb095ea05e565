"""NTCIR QA Lab combination runs: every section of a sheet filled, terms and essays in one go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from answerer.formats.answer_sheet import Expression, Sheet
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.task import answer_essays, essay_options
from answerer.ntcir.essay.task import trace_rows as essay_rows
from answerer.ntcir.essay.writing import packages_of
from answerer.ntcir.sheets import filled_sheet, sheet_argument, sheet_of
from answerer.ntcir.term.ranking import ASKED
from answerer.ntcir.term.task import answer_terms, unfilled_warning
from answerer.ntcir.term.task import trace_rows as term_rows
from answerer.run import Asked, indexes_options, open_asked, task_command
from answerer.submission import Submission
from answerer.trace_writer import Trace
from indexer.languages.language import Language
from retriever.queries import language_of


def answer(
    source: str | Sheet,
    asked: Asked,
    method: str,
    language: Language | None,
    model_path: str | None,
    schema: str | None,
    trace: Trace,
) -> Submission:
    """Fills the term and essay sections of a sheet from a textbook index and writes the trace. Warns about unanswered
    terms. Raises UserError if the result does not fit the XML schema in the file `schema`."""
    sheet = sheet_of(source, language, asked.opened)
    index = open_asked(asked, "textbook", sheet.language)
    spoken = language_of(index)
    model, file = essay_model(model_path, spoken)
    essays = answer_essays(sheet.essays, index, model, method)
    terms = answer_terms(sheet.terms, index)
    answers: dict[str, Sequence[Sequence[Expression]]] = {one.section.section_id: one.expressions for one in essays}
    answers |= {one.section.section_id: one.expressions for one in terms}
    parameters = {"model": file, "weights": ASKED, "sheet": Path(sheet.file).name}
    packages = (*spoken.packages, "scipy", *packages_of(method))
    trace.run("ntcir-sheet", f"{method}, weighted-signals", parameters, index, packages=packages)
    if trace.active:  # the rows of both kinds, in the order of the sheet
        rows = [row for one in essays for row in essay_rows(one)] + list(term_rows(terms, index))
        order = {section.section_id: place for place, section in enumerate(sheet.sections)}
        for row in sorted(rows, key=lambda row: order[row.question_id]):
            trace.question(row)
    return filled_sheet(sheet, answers, schema, "neither text nor term", warnings=unfilled_warning(terms))


command = task_command(
    answer,
    """Fill an answer sheet that mixes term questions and essays (a combination run).

    Sections that ask for a drawing or the number of a choice are left as they are, and named.
    """,
    "ntcir-sheet samples/sheet-en.xml -o sheet.run.xml --trace sheet.run.jsonl",
    sheet_argument,
    indexes_options("textbook-LANGUAGE of the sheet"),
    *essay_options,
)
