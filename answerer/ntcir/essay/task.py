"""NTCIR QA Lab essays, end to end: an answer sheet in, the same sheet with its essays out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.formats.answer_sheet import Expression, Section, Sheet
from answerer.formats.keywords import uses
from answerer.ntcir.essay.candidates import CandidatePool, find_candidates, read_question
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.writing import METHODS, Essay, write_essays
from answerer.ntcir.sheets import filled_sheet, require_essays, sheet_and_index, sheet_options
from answerer.run import Outputs, Run, Unanswered, paths_of, write_run
from answerer.trace import TraceCandidate, TraceQuestion
from indexer.analysis.analyser import Analyser
from indexer.cli.types import Command
from indexer.engines.contract import Index
from indexer.files.messages import warn
from indexer.files.validation import FileName, validate_choice
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from retriever.learning.model import Model
from retriever.opened import AnyIndex
from retriever.provenance import describe
from retriever.queries import analyser_of, language_of

DEFAULT_METHOD = "ilp"
_TRACED = 20  # candidates of a trace that were not chosen
# The packages that a method computes with, besides the language's.
PACKAGES = {"ilp": ("lxml", "numpy", "scipy"), "keywords-first": ("lxml", "numpy")}
_UNCOVERED = 8  # concepts that a trace lists as not covered

method_option = click.option(
    "--method",
    type=click.Choice([*METHODS]),
    default=DEFAULT_METHOD,
    help=f"Of essays [{DEFAULT_METHOD}].",
)


@click.command(
    cls=Command,
    example="answer ntcir-essay samples/essay-en.xml -o essay.run.xml --trace essay.run.jsonl",
)
@sheet_options(method_option)
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Write the essays of an NTCIR QA Lab answer sheet, each within its limit and with every
    keyword.

    Methods: ilp, sentences by an exact small program over learned weights; keywords-first, the
    baseline: a sentence for each keyword and then the first retrieved.
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
    """Writes the essays of a sheet from a textbook index, by default `textbook-LANGUAGE` of the
    sheet, by a method of `METHODS` with the concept weights of the file `model` (None: the
    program's own). A bilingual sheet is read in `language`, else in that of `index`; without
    `evidence` the run has no trace. Raises UserError for a sheet without essay sections."""
    validate_choice(method, METHODS, "method")
    with sheet_and_index(source, index, language_named(language)) as (sheet, opened):
        require_essays(sheet)
        concepts, file = essay_model(model, language_of(opened), paths_of(source))
        written = answer_essays(sheet.essays, opened, concepts, method)
    answers = {result.section.section_id: result.expressions() for result in written}
    files, notes = filled_sheet(sheet, answers, "no essays; `ntcir-sheet` fills terms too")
    return Run(
        task="ntcir-essay",
        method=method,
        parameters={"model": file, "sheet": Path(sheet.file).name},
        index=describe(opened),
        packages=(*PACKAGES[method], *language_of(opened).packages),
        sources=paths_of(source),
        files=files,
        questions=[row for result in written if evidence for row in trace_rows(result)],
        notes=notes,
        unanswered=Unanswered(without_candidates(written), len(written), opened.address),
    )


def without_candidates(written: Sequence[SectionEssays]) -> list[str]:
    """The ids, in order, of the sections whose pool has no candidate sentence; their essays may
    still name keywords in a closing clause."""
    return [result.section.section_id for result in written if not result.pool.candidates]


class SectionEssays(NamedTuple):
    """A section, the essay for each of its answers, and the pool of candidate sentences."""

    section: Section
    essays: tuple[Essay, ...]
    pool: CandidatePool

    def expressions(self, cited: bool = False) -> list[list[Expression]]:
        """The expressions for the sheet, a list for each answer; an empty list, for an empty essay,
        leaves the answer unchanged. `cited`: with the ids of the sources used, each once, in their
        order."""
        sources = [
            [self.pool.candidates[option.candidate].source_id for option in essay.chosen]
            for essay in self.essays
        ]
        ids = [tuple(dict.fromkeys(source_ids)) if cited else None for source_ids in sources]
        return [
            [Expression(essay.text, source_ids)] if essay.text else []
            for essay, source_ids in zip(self.essays, ids, strict=True)
        ]


def answer_essays(
    sections: Sequence[Section], index: Index, model: Model, method: str
) -> list[SectionEssays]:
    """An essay for each answer of each section, in order (end-to-end: retrieval and writing).
    Raises UserError for an index built without sentences."""
    analyser = analyser_of(index)
    questions = [read_question(section, analyser, language_of(index)) for section in sections]
    return write_sections(
        sections, find_candidates(index, questions, analyser), analyser, model, method
    )


def write_sections(
    sections: Sequence[Section],
    pools: Sequence[CandidatePool],
    analyser: Analyser,
    model: Model,
    method: str,
) -> list[SectionEssays]:
    """Writes the essays of each section from its pool, by a method of `METHODS`. Warns about unused
    keywords and empty essays. `sections` and `pools` are parallel."""
    tasks = [
        (pool, answer.limit)
        for section, pool in zip(sections, pools, strict=True)
        for answer in section.answers
    ]
    written = iter(write_essays(tasks, analyser, model, method))
    results = []
    for section, pool in zip(sections, pools, strict=True):
        essays, name = tuple(next(written) for _ in section.answers), section.section_id
        for essay in essays:
            limit = f"{essay.limit} {essay.unit}"
            if essay.unused:
                warn(f"{name}: no room for {', '.join(essay.unused)} in {limit}")
            if not essay.text:
                warn(f"{name}: nothing found to write in {limit}")
        results.append(SectionEssays(section, essays, pool))
    return results


def trace_rows(result: SectionEssays) -> Iterator[TraceQuestion]:
    """Yields the trace record of each essay of a section.

    A record has the chosen sentences in reading order and the 20 best unchosen ones, both scored by
    the weights of their concepts, the sentence or clause that uses each keyword (or "unused"), the
    8 heaviest uncovered concepts, the fraction of concept weight covered, the length and limit.
    """
    pool, keywords = result.pool, result.pool.question.printed_keywords
    for essay in result.essays:
        # A concept counts once, however many sentences mention it.
        covered = {term for option in essay.chosen for term in option.terms}
        worth = {term: weight for term, weight in essay.weights.items() if weight > 0}
        missing = sorted(worth.keys() - covered, key=lambda term: (-worth[term], term))
        total = sum(worth.values())
        used = {}
        for keyword in keywords:
            users = (
                pool.candidates[o.candidate].doc_id for o in essay.chosen if uses(keyword, o.text)
            )
            used[keyword] = next(
                users, "closing clause" if keyword in essay.in_clause else "unused"
            )
        chosen = {option.candidate: option for option in essay.chosen}
        # The others are shown by what they would have earned, not by how they were found.
        terms = [
            dict.fromkeys(chosen.get(n, candidate).terms)
            for n, candidate in enumerate(pool.candidates)
        ]
        scores = [sum(essay.weights.get(term, 0.0) for term in words) for words in terms]
        others = sorted(
            (n for n in range(len(scores)) if n not in chosen), key=lambda n: (-scores[n], n)
        )
        rows = []
        for number in [*sorted(chosen), *others[:_TRACED]]:
            candidate = pool.candidates[number]
            weights = {term: essay.weights[term] for term in terms[number] if term in essay.weights}
            in_use = sum(uses(keyword, candidate.text) for keyword in keywords)
            row = TraceCandidate(
                id=candidate.doc_id,
                text=chosen.get(number, candidate).text,
                score=scores[number],
                chosen=number in chosen,
                features=candidate.features | {"keywords": in_use},
                evidence=(candidate.evidence(candidate.text, weights),),
            )
            rows.append(row)
        yield TraceQuestion(
            question_id=result.section.section_id,
            shape="essay",
            question=result.section.focused_instruction,
            system=(essay.text,) if essay.text else (),
            length=essay.length,
            limit=essay.limit,
            unit=essay.unit or "",
            covered=sum(weight for term, weight in worth.items() if term in covered) / total
            if total
            else 0.0,
            uncovered={term: worth[term] for term in missing[:_UNCOVERED]},
            keywords=used,
            candidates=tuple(rows),
        )
