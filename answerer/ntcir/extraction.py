"""NTCIR QA Lab extraction: an answer sheet in, ranked passages for each essay question out."""

from __future__ import annotations

from pathlib import Path

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
from answerer.ntcir.sheets import essay_sheet, language_option, textbook_options
from answerer.options import Asked, model_option, open_asked, task_command
from answerer.run import Questions, Run, one_file
from answerer.trace import TraceCandidate, TraceQuestion
from answerer.unanswered import Unanswered
from indexer.files.messages import warn
from indexer.languages.language import Language
from retriever.learning.model import Model
from retriever.provenance import describe
from retriever.queries import analyser_of, language_of, sources_of


def extract(
    pool: CandidatePool, section: Section, model: Model
) -> list[tuple[CandidateSentence, TraceCandidate]]:
    """The passages for a section, best first, together within ten times its length limit
    ([QALab3]): each with its first sentence.

    A passage joins the candidate sentences of one paragraph; its score is the weight of its
    distinct terms divided by the square root of its length. Passages that no longer fit are
    skipped. [] for a pool without terms.
    """
    most, unit = length_allowed(section.answers[0].limit, pool.language)
    known = concepts(pool)
    worth = weights(model, pool, known, most)
    places = {term: place for place, term in enumerate(known.terms)}
    paragraphs: dict[str, list[CandidateSentence]] = {}
    for candidate in pool.candidates:
        paragraphs.setdefault(candidate.paragraph, []).append(candidate)
    passages = []
    for candidates in paragraphs.values():
        first, text = (
            candidates[0],
            pool.language.joiner.join(candidate.text for candidate in candidates),
        )
        held = list(
            dict.fromkeys(places[term] for candidate in candidates for term in candidate.terms)
        )
        # By the root neither one sentence nor the longest paragraph comes first by its length
        # alone.
        root = float(np.sqrt(max(measure(text, unit), 1)))
        evidence = first.evidence(
            text, {known.terms[place]: float(worth[place]) / root for place in held}
        )
        score = float(worth[held].sum()) / root
        passage = TraceCandidate(
            id=first.doc_id, text=text, score=score, features=first.features, evidence=(evidence,)
        )
        passages.append((first, passage))
    kept, space = [], TIMES_THE_LIMIT * most
    for first, passage in sorted(passages, key=lambda one: (-one[1].score, one[1].id)):
        if (length := measure(passage.text, unit)) <= space:
            kept.append((first, passage))
            space -= length
    return kept


def answer(
    source: str | Sheet,
    asked: Asked,
    language: Language | None,
    model_path: str | None,
    evidence: bool,
) -> Run:
    """Extracts passages for the essay questions of a sheet. Returns an extraction file. Warns about
    sections without passages. Raises UserError for a sheet without essay sections."""
    sheet = essay_sheet(source, language, asked.opened)
    index = open_asked(asked, "textbook", sheet.language)
    spoken = language_of(index)
    model, file = essay_model(model_path, spoken)
    analyser = analyser_of(index)
    pools = find_candidates(
        index, [read_question(section, analyser, spoken) for section in sheet.essays], analyser
    )
    # Passages of a single index do not name their source.
    sources = sources_of(index)
    source_types = {
        one.address if len(sources) > 1 else "": str(
            one.metadata.settings.get("source_type", "QALAB3")
        ).upper()
        for one in sources
    }
    parameters = {
        "model": file,
        "sheet": Path(sheet.file).name,
        "source_type": ", ".join(dict.fromkeys(source_types.values())),
        "sources": [Path(name).name for name, _ in index.metadata.sources],
    }
    topics, rows = {}, Questions()
    for section, pool in zip(sheet.essays, pools, strict=True):
        found = extract(pool, section, model)
        if not found:
            warn(f"{section.section_id}: no passage found")
        best = found[0][1].score if found and found[0][1].score > 0 else 1.0
        topics[section.section_id] = [
            ExtractedPassage(
                rank=rank,
                source_id=first.source_id,
                source_type=source_types[first.source],
                score=f"{passage.score:.6g}",
                normalized=float(f"{passage.score / best:.6g}"),
                text=passage.text,
            )
            for rank, (first, passage) in enumerate(found, 1)
        ]
        row = TraceQuestion(
            question_id=section.section_id,
            shape="extraction",
            question=section.focused_instruction,
            system=(f"{len(found)} passages",),
            candidates=tuple(passage for _, passage in found),
        )
        if evidence:
            rows.append(row)
    return Run(
        task="ntcir-extraction",
        method="concepts",
        parameters=parameters,
        index=describe(index),
        packages=("lxml", "numpy", *spoken.packages),
        sources=[source] if isinstance(source, str) else [],
        files=one_file(topics_text(topics, "PASSAGE")),
        questions=rows,
        unanswered=Unanswered(
            [name for name, passages in topics.items() if not passages], len(topics), index.address
        ),
    )


command = task_command(
    answer,
    "Find passages for the essay questions of an answer sheet, ranked, within ten times each "
    "answer's limit.",
    "ntcir-extraction samples/essay-en.xml -o extraction.xml",
    *textbook_options,
    language_option,
    model_option,
)
