"""NTCIR QA Lab term questions: an answer sheet in, the same sheet with its terms out."""

from __future__ import annotations

from pathlib import Path

from answerer.formats.answer_sheet import Sheet
from answerer.ntcir.sheets import filled, language_option, left_as_they_were, sheet_argument, sheet_of, validate_option
from answerer.ntcir.term.answering import answer_terms, trace_rows, without_candidates
from answerer.ntcir.term.weights import ASKED
from answerer.run import Asked, indexes_options, open_asked, task_command
from answerer.submission import Submission, one_file
from answerer.trace import Trace
from indexer.files.errors import UserError
from indexer.languages.language import Language


def answer(
    source: str | Sheet, asked: Asked, language: Language | None, schema: str | None, trace: Trace
) -> Submission:
    """A sheet with its terms filled. UserError where it does not fit the schema given."""
    sheet = sheet_of(source, language, asked.opened)
    sections = sheet.terms
    if not sections:
        raise UserError(f"{sheet.file}: no section asks for a term; `answerer ntcir-essay` writes essays")
    index = open_asked(asked, "textbook", sheet.language)
    answered = answer_terms(sections, index)
    parameters = {"weights": ASKED, "sheet": Path(sheet.file).name}
    packages = ("lxml", "numpy", "scipy", *sheet.language.packages)
    trace.run("ntcir-term", "weighted-signals", parameters, index, packages=packages)
    for row in trace_rows(answered, index) if trace.wanted else ():
        trace.question(row)
    answers = {one.section.section_id: one.expressions for one in answered}
    notes = left_as_they_were(sheet, answers, "no terms; `ntcir-sheet` fills essays too")
    return one_file(filled(sheet, answers, schema), without_candidates(answered), notes)


command = task_command(
    answer,
    """Answer the term questions of an NTCIR QA Lab answer sheet with names, dates and numbers of the textbook.

    A glossary given to the indexer (--terms, with kinds, dates and aliases) teaches which kind a name is of.
    """,
    "ntcir-term samples/term-en.xml -o term.run.xml --trace term.run.jsonl",
    sheet_argument,
    indexes_options("textbook-LANGUAGE of the sheet"),
    language_option,
    validate_option,
)
