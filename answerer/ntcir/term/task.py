"""NTCIR QA Lab term questions: an answer sheet in, the same sheet with its terms out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.formats.answer_sheet import Expression, Section, Sheet
from answerer.formats.length_limit import exceeds
from answerer.ntcir.sheets import filled_sheet, sheet_and_index, sheet_argument
from answerer.ntcir.term.candidates import TermCandidate, trace_candidates
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion, section_question
from answerer.ntcir.term.ranking import ASKED, GAP, rank_candidates
from answerer.options import index_option, language_option, output_options
from answerer.run import Outputs, Run, Unanswered, paths_of, write_run
from answerer.trace import TraceQuestion
from indexer.cli.types import Command
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.files.validation import FileName
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from retriever.opened import AnyIndex
from retriever.provenance import describe
from retriever.queries import language_of

SHOWN = 10  # candidates of the trace
METHOD = "weighted-signals"
PACKAGES = ("lxml", "numpy", "scipy")
"""Packages that the ranking of terms computes with, besides the language's."""


@click.command(
    cls=Command,
    example="answer ntcir-term samples/term-en.xml -o term.run.xml --trace term.run.jsonl",
)
@sheet_argument
@index_option("textbook-LANGUAGE of the sheet")
@language_option("The language to answer in [the sheet's].")
@output_options(searches=True)
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Answer the term questions of an NTCIR QA Lab answer sheet with names, dates and numbers of
    the textbook.

    A glossary given to the indexer (--terms, with kinds, dates and aliases) teaches which kind a
    name is of.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Sheet,
    *,
    index: AnyIndex | None = None,
    language: Language | str | None = None,
    evidence: bool = True,
) -> Run:
    """Fills the terms of a sheet from a textbook index, by default `textbook-LANGUAGE` of the
    sheet. Warns of sections without a candidate for all answers. Raises UserError for a sheet
    without term sections."""
    with sheet_and_index(source, index, language_named(language)) as (sheet, opened):
        if not sheet.terms:
            raise UserError(
                f"{sheet.file}: no section asks for a term; `classical-qa answer "
                f"ntcir-essay` writes essays"
            )
        answered = answer_terms(sheet.terms, opened)
        questions = tuple(trace_rows(answered, opened)) if evidence else ()
    answers = {result.section.section_id: result.expressions for result in answered}
    files, notes = filled_sheet(sheet, answers, "no terms; `ntcir-sheet` fills essays too")
    return Run(
        task="ntcir-term",
        method=METHOD,
        parameters={"weights": ASKED, "sheet": Path(sheet.file).name},
        index=describe(opened),
        packages=(*PACKAGES, *language_of(opened).packages),
        sources=paths_of(source),
        files=files,
        questions=questions,
        warnings=without_all_answers(answered),
        unanswered=Unanswered(without_answer(answered), len(answered), opened.address),
        notes=notes,
    )


class TermAnswer(NamedTuple):
    """An answered section: the text for each of its answers ("" if unanswered), and the candidates,
    best first."""

    section: Section
    question: TermQuestion
    texts: tuple[str, ...]
    ranked: Sequence[TermCandidate]

    @property
    def expressions(self) -> tuple[tuple[Expression, ...], ...]:
        """The expressions of each answer, as the writer of sheets takes them; an empty tuple
        without a text."""
        return tuple((Expression(text),) if text else () for text in self.texts)


def select_answers(
    section: Section,
    ranked: Sequence[TermCandidate],
    language: TermLanguage,
    taken: Sequence[str] = (),
) -> tuple[str, ...]:
    """The texts of a section's answers, in order; "" if no remaining candidate fits the limit.

    Candidates are taken best first; one that is too long is replaced by a shorter glossary name. No
    text, case folded, repeats, contains or is part of another, or one of `taken`, the answers to
    sections with the same instruction. An ordered list of dates, or of glossary names with dates,
    is sorted by time.
    """
    chosen: list[str] = []
    for answer in section.answers:
        others = [language.fold(text) for text in (*taken, *chosen) if text]
        chosen.append("")
        for candidate in ranked:
            entries = language.entries.get(candidate.text, ())
            names = {name for entry in entries for name in (entry.term, *entry.aliases)}
            shortest = sorted(names, key=lambda name: (len(name), name))
            text = next(
                (name for name in (candidate.text, *shortest) if not exceeds(name, answer.limit)),
                "",
            )
            # An answer that is part of another names the same.
            key = language.fold(text)
            if text and not any(key in other or other in key for other in others):
                chosen[-1] = text
                break
    if section.answer_set_type == "ordered_list":
        years = [year for year in map(language.first_year, chosen) if year is not None]
        # Ordered lists of dated answers ask for an order of time.
        if len(years) == len(chosen):
            chosen = [
                text
                for _, text in sorted(zip(years, chosen, strict=True), key=lambda dated: dated[0])
            ]
    return tuple(chosen)


def answer_terms(sections: Sequence[Section], index: Index) -> list[TermAnswer]:
    """Answers term sections from a textbook index, in order, those with the same instruction by
    different texts; its language and glossary are those of the index."""
    language = index_language(index)
    questions = [section_question(section, language.language) for section in sections]
    ranked = rank_candidates(questions, index, language)
    answers: list[TermAnswer] = []
    taken: dict[str, list[str]] = {}
    for section, question, best_first in zip(sections, questions, ranked, strict=True):
        siblings = taken.setdefault(section.instruction_text, [])
        texts = select_answers(section, best_first, language, siblings)
        siblings += texts
        answers.append(TermAnswer(section, question, texts, best_first))
    return answers


def without_all_answers(answers: Sequence[TermAnswer]) -> list[str]:
    """The warning that names the sections of which at least one answer has no text; [] if none."""
    sections = [result.section.section_id for result in answers if not all(result.texts)]
    return [f"no candidate for all answers of: {', '.join(sections)}"] if sections else []


def without_answer(answers: Sequence[TermAnswer]) -> list[str]:
    """The ids of the sections without a text for any of their answers, in order."""
    return [result.section.section_id for result in answers if not any(result.texts)]


def trace_rows(answers: Sequence[TermAnswer], index: Index) -> Iterator[TraceQuestion]:
    """Yields the trace of each section of `answers`, in order, with its `SHOWN` (10) best
    candidates and their features and passages."""
    language = index_language(index)
    for answer in answers:
        section, question = answer.section, answer.question
        shown = answer.ranked[:SHOWN]
        candidates = trace_candidates(
            question.text, shown, [candidate.features for candidate in shown], index, language
        )
        yield TraceQuestion(
            question_id=section.section_id,
            shape=section.answer_type or "term",
            question=question.text,
            system=answer.texts,
            focus=question.focus,
            classes=tuple(sorted(question.classes)) if question.firm else (),
            weights=GAP if question.has_gap else {},
            candidates=candidates,
        )
