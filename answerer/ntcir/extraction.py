"""NTCIR QA Lab extraction: an answer sheet in, ranked passages for each essay question out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from answerer.formats.answer_sheet import Section, Sheet
from answerer.formats.length_limit import measure
from answerer.formats.topics import TIMES_THE_LIMIT, ExtractedPassage, topics_text
from answerer.ntcir.essay.candidates import (
    CandidatePool,
    CandidateSentence,
    find_candidates,
    read_question,
)
from answerer.ntcir.essay.concepts import concepts, essay_model, weights
from answerer.ntcir.essay.writing import length_allowed
from answerer.ntcir.sheets import require_essays, sheet_and_index, sheet_options
from answerer.run import Outputs, Run, Unanswered, one_file, paths_of, write_run
from answerer.trace import TraceCandidate, TraceQuestion
from indexer.cli.types import Command
from indexer.engines.contract import Index
from indexer.files.messages import counted, warn
from indexer.files.validation import FileName
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from retriever.learning.model import Model
from retriever.opened import AnyIndex
from retriever.provenance import describe
from retriever.queries import analyser_of, language_of


def extract(
    pool: CandidatePool, section: Section, model: Model
) -> list[tuple[CandidateSentence, TraceCandidate]]:
    """The passages for a section, best first, together within ten times its length limit
    ([QALab3]; without one as of `length_allowed`): each with its first sentence.

    A passage joins the candidate sentences of one paragraph; its score is the weight of its
    distinct terms divided by the square root of its length; equal ones are in the order of their
    ids. Passages that no longer fit are skipped. [] for a pool without candidates.
    """
    most, unit = length_allowed(section.answers[0].limit, pool.language)
    vocabulary = concepts(pool)
    worth = weights(model, pool, vocabulary, most)
    places = {term: position for position, term in enumerate(vocabulary.terms)}
    paragraphs: dict[str, list[CandidateSentence]] = {}
    for candidate in pool.candidates:
        paragraphs.setdefault(candidate.paragraph, []).append(candidate)
    passages = []
    for candidates in paragraphs.values():
        first = candidates[0]
        text = pool.language.joiner.join(candidate.text for candidate in candidates)
        positions = list(
            dict.fromkeys(places[term] for candidate in candidates for term in candidate.terms)
        )
        # By the root neither one sentence nor the longest paragraph comes first by its length
        # alone.
        root = float(np.sqrt(max(measure(text, unit), 1)))
        evidence = first.evidence(
            text,
            {vocabulary.terms[position]: float(worth[position]) / root for position in positions},
        )
        score = float(worth[positions].sum()) / root
        passage = TraceCandidate(
            id=first.doc_id, text=text, score=score, features=first.features, evidence=(evidence,)
        )
        passages.append((first, passage))
    chosen, space = [], TIMES_THE_LIMIT * most
    for first, passage in sorted(passages, key=lambda pair: (-pair[1].score, pair[1].id)):
        if (length := measure(passage.text, unit)) <= space:
            chosen.append((first, passage))
            space -= length
    return chosen


@click.command(
    cls=Command,
    example="answer ntcir-extraction samples/essay-en.xml -o extraction.xml",
)
@sheet_options()
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Find passages for the essay questions of an answer sheet, ranked, within ten times each
    answer's limit."""
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Sheet,
    *,
    index: AnyIndex | None = None,
    language: Language | str | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """Extracts passages for the essay questions of a sheet: a run of one extraction file. Warns
    about sections without passages. Raises UserError for a sheet without essay sections.

    The index is by default `textbook-LANGUAGE` of the sheet, and the model the program's own for
    the language. A bilingual sheet is read in `language`, else in that of the index. Without
    `evidence` the run has no trace."""
    with sheet_and_index(source, index, language_named(language)) as (sheet, opened):
        return _answer(require_essays(sheet), opened, model, paths_of(source), evidence)


def _answer(
    sheet: Sheet,
    index: Index,
    weights_file: FileName | None,
    sources: Sequence[str],
    evidence: bool,
) -> Run:
    """The run of `answer` from an open index: for each essay section its passages from rank 1, each
    with its score and that as a fraction of the best; a section without any is warned of."""
    spoken = language_of(index)
    model, file = essay_model(weights_file, spoken, sources)
    analyser = analyser_of(index)
    pools = find_candidates(
        index, [read_question(section, analyser, spoken) for section in sheet.essays], analyser
    )
    source_type = str(index.metadata.settings.get("source_type", "QALAB3")).upper()
    parameters = {
        "model": file,
        "sheet": Path(sheet.file).name,
        "source_type": source_type,
        "sources": [Path(name).name for name, _ in index.metadata.sources],
    }
    topics, rows = {}, list[TraceQuestion]()
    for section, pool in zip(sheet.essays, pools, strict=True):
        passages = extract(pool, section, model)
        if not passages:
            warn(f"{section.section_id}: no passage found")
        best = passages[0][1].score if passages and passages[0][1].score > 0 else 1.0
        topics[section.section_id] = [
            ExtractedPassage(
                rank=rank,
                source_id=first.source_id,
                source_type=source_type,
                score=f"{passage.score:.6g}",
                normalized=float(f"{passage.score / best:.6g}"),
                text=passage.text,
            )
            for rank, (first, passage) in enumerate(passages, 1)
        ]
        row = TraceQuestion(
            question_id=section.section_id,
            shape="extraction",
            question=section.focused_instruction,
            system=(counted(len(passages), "passages"),),
            candidates=tuple(passage for _, passage in passages),
        )
        if evidence:
            rows.append(row)
    return Run(
        task="ntcir-extraction",
        method="concepts",
        parameters=parameters,
        index=describe(index),
        packages=("lxml", "numpy", *spoken.packages),
        sources=sources,
        files=one_file(topics_text(topics, "PASSAGE")),
        questions=rows,
        unanswered=Unanswered(
            [name for name, passages in topics.items() if not passages], len(topics), index.address
        ),
    )
