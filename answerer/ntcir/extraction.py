"""NTCIR QA Lab extraction: an answer sheet in, ranked passages for each essay question out."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerer.formats.answer_sheet import Section, Sheet
from answerer.formats.length_limit import measure
from answerer.formats.topics import TIMES_THE_LIMIT, ExtractedPassage, ExtractedTopic, extraction_text
from answerer.ntcir.essay.candidates import CandidatePool, CandidateSentence, find_candidates, read_question
from answerer.ntcir.essay.concepts import concepts, essay_model, weights
from answerer.ntcir.essay.writing import length_allowed
from answerer.ntcir.sheets import language_option, sheet_of, textbook_options
from answerer.run import Asked, model_option, open_asked, task_command
from answerer.submission import Submission, one_file
from answerer.trace import TraceCandidate, TraceEvidence, TraceQuestion
from answerer.trace_writer import Trace
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.languages.language import Language
from retriever.learning.model import Model
from retriever.queries import analyser_of, language_of, sources_of


class RankedPassage(NamedTuple):
    """A passage with its score: the sum of its concept weights divided by the square root of its length. `terms` maps
    each concept to its contribution to the score; `candidate` is the first sentence of the passage."""

    candidate: CandidateSentence
    text: str
    score: float
    terms: dict[str, float]


def extract(pool: CandidatePool, section: Section, model: Model) -> list[RankedPassage]:
    """The passages for a section, best first, together within ten times its length limit ([QALab3]).

    A passage joins the candidate sentences of one paragraph; its score is the weight of its distinct terms divided by
    the square root of its length. Passages that no longer fit are skipped. [] for a pool without terms.
    """
    most, unit = length_allowed(section.answers[0].limit, pool.language)
    known = concepts(pool)
    if not known.terms:
        return []
    worth = weights(model, pool, known, most)
    places = {term: place for place, term in enumerate(known.terms)}
    paragraphs: dict[str, list[CandidateSentence]] = {}
    for candidate in pool.candidates:
        paragraphs.setdefault(candidate.paragraph, []).append(candidate)
    passages = []
    for candidates in paragraphs.values():
        text = pool.language.joiner.join(candidate.text for candidate in candidates)
        held = list(dict.fromkeys(places[term] for candidate in candidates for term in candidate.terms))
        # By the root neither one sentence nor the longest paragraph comes first by its length alone.
        root = float(np.sqrt(max(measure(text, unit), 1)))
        shares = {known.terms[place]: float(worth[place]) / root for place in held}
        passages.append(RankedPassage(candidates[0], text, float(worth[held].sum()) / root, shares))
    kept, space = [], TIMES_THE_LIMIT * most
    for passage in sorted(passages, key=lambda one: (-one.score, one.candidate.doc_id)):
        if (length := measure(passage.text, unit)) <= space:
            kept.append(passage)
            space -= length
    return kept


def answer(
    source: str | Sheet, asked: Asked, language: Language | None, model_path: str | None, trace: Trace
) -> Submission:
    """Extracts passages for the essay questions of a sheet. Returns an extraction file. Warns about sections without
    passages. Raises UserError for a sheet without essay sections."""
    sheet = sheet_of(source, language, asked.opened)
    sections = sheet.essays
    if not sections:
        raise UserError(f"{sheet.file}: no section asks for an essay; extraction is for essay questions")
    index = open_asked(asked, "textbook", sheet.language)
    spoken = language_of(index)
    model, file = essay_model(model_path, spoken)
    analyser = analyser_of(index)
    pools = find_candidates(index, [read_question(section, analyser, spoken) for section in sections], analyser)
    # Passages of a single index do not name their source.
    sources = sources_of(index)
    source_types = {
        one.address if len(sources) > 1 else "": str(one.metadata.settings.get("source_type", "QALAB3")).upper()
        for one in sources
    }
    topics = []
    parameters = {
        "model": file,
        "sheet": Path(sheet.file).name,
        "source_type": ", ".join(dict.fromkeys(source_types.values())),
        "sources": [Path(name).name for name, _ in index.metadata.sources],
    }
    trace.run("ntcir-extraction", "concepts", parameters, index, packages=("lxml", "numpy", *spoken.packages))
    for section, pool in zip(sections, pools, strict=True):
        ranked = extract(pool, section, model)
        if not ranked:
            warn(f"{section.section_id}: no passage found")
        best = ranked[0].score if ranked and ranked[0].score > 0 else 1.0
        passages, candidates = [], []
        for rank, (first, text, score, terms) in enumerate(ranked, 1):
            normalized = float(f"{score / best:.6g}")
            kind = source_types[first.source]
            passages.append(ExtractedPassage(rank, first.source_id, kind, f"{score:.6g}", normalized, text))
            evidence = TraceEvidence(
                doc_id=first.paragraph,
                title=first.citation,
                text=text,
                score=first.paragraph_score,
                terms=terms,
                source=first.source,
            )
            features = {"sentence score": first.sentence_score, "paragraph score": first.paragraph_score}
            candidates.append(
                TraceCandidate(id=first.doc_id, text=text, score=score, features=features, evidence=(evidence,))
            )
        topics.append(ExtractedTopic(section.section_id, section.line, tuple(passages)))
        row = TraceQuestion(
            question_id=section.section_id,
            shape="extraction",
            question=section.focused_instruction,
            system=(f"{len(ranked)} passages",),
            candidates=tuple(candidates),
        )
        trace.question(row)
    return one_file(extraction_text(topics))


command = task_command(
    answer,
    "Find passages for the essay questions of an answer sheet, ranked, within ten times each answer's limit.",
    "ntcir-extraction samples/essay-en.xml -o extraction.xml",
    *textbook_options,
    language_option,
    model_option,
)
