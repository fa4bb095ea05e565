"""NTCIR QA Lab sheets that mix term questions and essays: all filled in one run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from answerer.formats.answer_sheet import Expression, Sheet
from answerer.ntcir.essay.task import DEFAULT_METHOD, method_option
from answerer.ntcir.essay.writing import METHODS
from answerer.ntcir.sheets import filled_sheet, sheet_and_index, sheet_options
from answerer.run import Outputs, Run, Unanswered, paths_of, write_run
from indexer.cli.types import Command
from indexer.files.validation import FileName, validate_choice
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from retriever.opened import AnyIndex
from retriever.provenance import describe
from retriever.queries import language_of


@click.command(
    cls=Command,
    example="answer ntcir-sheet samples/sheet-en.xml -o sheet.run.xml --trace sheet.run.jsonl",
)
@sheet_options(method_option)
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Fill an answer sheet that mixes term questions and essays (a combination run).

    Sections that ask for a drawing or the number of a choice are left as they are, and named.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Sheet,
    *,
    index: AnyIndex | None = None,
    method: str = DEFAULT_METHOD,
    language: Language | str | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """Fills the terms and the essays of a sheet as `ntcir-term` and `ntcir-essay` do; a sheet may
    lack either; other sections are left as they are, with a note. `method` is that of the essays;
    raises UserError if it is unknown. The trace is in the order of the sheet, empty without
    `evidence`. A bilingual sheet is read in `language`, else in that of `index`. Warns of sections
    with fewer candidate terms than answers."""
    from answerer.ntcir.essay import task as essay
    from answerer.ntcir.essay.concepts import essay_model
    from answerer.ntcir.term import task as term
    from answerer.ntcir.term.ranking import ASKED

    validate_choice(method, METHODS, "method")
    with sheet_and_index(source, index, language_named(language)) as (sheet, opened):
        concepts, file = essay_model(model, language_of(opened), paths_of(source))
        written = essay.answer_essays(sheet.essays, opened, concepts, method)
        answered = term.answer_terms(sheet.terms, opened)
        rows = []
        if evidence:
            rows = [row for result in written for row in essay.trace_rows(result)]
            rows += term.trace_rows(answered, opened)
    answers: dict[str, Sequence[Sequence[Expression]]] = {}
    answers |= {result.section.section_id: result.expressions() for result in written}
    answers |= {result.section.section_id: result.expressions for result in answered}
    files, notes = filled_sheet(sheet, answers, "neither text nor term")
    position = {section.section_id: number for number, section in enumerate(sheet.sections)}
    return Run(
        task="ntcir-sheet",
        method=f"{method}, {term.METHOD}",
        parameters={"model": file, "weights": ASKED, "sheet": Path(sheet.file).name},
        index=describe(opened),
        packages=(*term.PACKAGES, *language_of(opened).packages),
        sources=paths_of(source),
        files=files,
        questions=sorted(rows, key=lambda row: position[row.question_id]),
        warnings=term.without_all_answers(answered),
        notes=notes,
        unanswered=Unanswered(
            [*essay.without_candidates(written), *term.without_answer(answered)],
            len(answers),
            opened.address,
        ),
    )
