"""Tasks that fill answer sheets: their options, and the sections answered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet, write_sheet
from answerer.options import Asked, indexes_options, open_asked
from answerer.run import Questions, Run, one_file
from answerer.trace import TraceQuestion
from answerer.unanswered import Unanswered
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.parameters import LANGUAGE, argument, input_path, option
from retriever.provenance import describe
from retriever.queries import language_of

sheet_argument = argument("source", metavar="SHEET.xml", type=input_path)
textbook_options = (sheet_argument, indexes_options("textbook-LANGUAGE of the sheet"))
language_option = option(
    "--language", type=LANGUAGE, help="The language to answer in [the sheet's]."
)


def sheet_of(source: str | Sheet, language: Language | None, index: Index | None = None) -> Sheet:
    """Reads a sheet from a file; a `Sheet` is returned unchanged. `language` chooses the locale of
    a bilingual sheet; if None, the language of `index` does. Raises UserError for any other type of
    `source`."""
    of_index = index.metadata.language if index else None
    if isinstance(source, Sheet):
        return source
    if not isinstance(source, str):
        raise UserError(
            f"SHEET.xml: expected a file, or what `read_sheet` gave, not {type(source).__name__}"
        )
    return read_sheet(source, language, of_index)


def essay_sheet(
    source: str | Sheet, language: Language | None, index: Index | None = None
) -> Sheet:
    """As `sheet_of`; raises UserError also for a sheet without essay sections."""
    sheet = sheet_of(source, language, index)
    if not sheet.essays:
        raise UserError(
            f"{sheet.file}: no section asks for an essay; `answerer ntcir-term` answers term "
            f"questions"
        )
    return sheet


def answer_sections(
    task: str,
    source: str | Sheet,
    asked: Asked,
    language: Language | None,
    evidence: bool,
    method: str = "",
    model_path: str | None = None,
) -> Run:
    """Fills the terms (`ntcir-term`), the essays (`ntcir-essay`) or both (`ntcir-sheet`) of a sheet
    from a textbook index, with the evidence in the order of the sheet.

    `source` is a file or a sheet, `asked` names the index; essays are written by `method` with the
    weights in the file `model_path` (None: the default). Warns about unanswered terms. Raises
    UserError for a sheet without terms or essays, unless both are filled.
    """
    sheet = (essay_sheet if task == "ntcir-essay" else sheet_of)(source, language, asked.opened)
    if task == "ntcir-term" and not sheet.terms:
        raise UserError(
            f"{sheet.file}: no section asks for a term; `answerer ntcir-essay` writes essays"
        )
    index = open_asked(asked, "textbook", sheet.language)
    spoken = language_of(index)
    answers: dict[str, Sequence[Sequence[Expression]]] = {}
    without: list[str] = []
    rows: list[TraceQuestion] = []
    methods, parameters, packages = (
        list[str](),
        dict[str, Any](),
        ["lxml", "numpy", *spoken.packages],
    )
    if (
        task != "ntcir-essay" or method == "ilp"
    ):  # the terms' ranking, or the essays' integer program
        packages.append("scipy")
    left, warnings = "neither text nor term", list[str]()
    # Each kind loads its own modules: a sheet of terms needs none of those that write essays.
    if task == "ntcir-term":
        left = "no terms; `ntcir-sheet` fills essays too"
    else:
        from answerer.ntcir.essay import task as essay
        from answerer.ntcir.essay.concepts import essay_model

        model, parameters["model"] = essay_model(model_path, spoken)
        written = essay.answer_essays(sheet.essays, index, model, method)
        answers |= {one.section.section_id: one.expressions() for one in written}
        # A closing clause names keywords even if nothing was found.
        without += [one.section.section_id for one in written if not one.pool.candidates]
        rows += [row for one in written for row in essay.trace_rows(one)] if evidence else []
        methods.append(method)
    if task == "ntcir-essay":
        left = "no essays; `ntcir-sheet` fills terms too"
    else:
        from answerer.ntcir.term import task as term
        from answerer.ntcir.term.ranking import ASKED

        found = term.answer_terms(sheet.terms, index)
        answers |= {one.section.section_id: one.expressions for one in found}
        without += [one.section.section_id for one in found if not any(one.texts)]
        rows += term.trace_rows(found, index) if evidence else []
        if empty := [one.section.section_id for one in found if not all(one.texts)]:
            warnings.append(f"no candidate for all answers of: {', '.join(empty)}")
        methods.append("weighted-signals")
        parameters["weights"] = ASKED
    parameters["sheet"] = Path(sheet.file).name
    order = {section.section_id: place for place, section in enumerate(sheet.sections)}
    others = ", ".join(
        section.section_id for section in sheet.sections if section.section_id not in answers
    )
    notes = (f"left as they were ({left}): {others}",) if others else ()
    return Run(
        task=task,
        method=", ".join(methods),
        parameters=parameters,
        index=describe(index),
        packages=packages,
        sources=[source] if isinstance(source, str) else [],
        files=one_file(write_sheet(sheet, answers)),
        questions=Questions(sorted(rows, key=lambda row: order[row.question_id])),
        warnings=warnings,
        notes=notes,
        unanswered=Unanswered(without, len(answers), index.address),
    )
