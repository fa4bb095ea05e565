"""Ranks the candidates of term questions: hand-set weights choose those that the index is asked about, learned weights
rank them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerer.ntcir.term.candidates import TermCandidate, find_candidates, retrieve
from answerer.ntcir.term.features import (
    set_association,
    set_association_with_book,
    set_hypernyms,
    set_text_features,
)
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from answerer.trace import TraceCandidate, TraceEvidence, TraceQuestion
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.engines.scoring import round_score
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, TEXT_FIELD, holds_sentences
from retriever.learning.model import packaged_weights
from retriever.passages import Passage

HAND = packaged_weights(__package__)
ASKED = packaged_weights(__package__, "question_weights.json")
# Learned by benchmarks/term_weights.py from real questions, and from sentences with a gap.
GAP = packaged_weights(__package__, "gap_weights.json")

RANKED = 100  # candidates of a question that the index is asked about; 40 to 80 answered the same within 0.5 %
SHOWN = 10  # candidates of the trace


def weights_of(question: TermQuestion) -> Mapping[str, float]:
    """The weights of a question: others for one with a gap to fill."""
    return GAP if question.has_gap else ASKED


def set_scores(candidates: list[TermCandidate], weights: Mapping[str, float]) -> None:
    """Scores the candidates (Σ weight · feature, 5 significant digits) and sorts them, ties by text."""
    for candidate in candidates:
        candidate.score = round_score(sum([weight * candidate.features[name] for name, weight in weights.items()]))
    candidates.sort(key=lambda candidate: (-candidate.score, candidate.text))


def rank_candidates(
    questions: Sequence[TermQuestion], index: Index, language: TermLanguage
) -> list[list[TermCandidate]]:
    """The candidates of each question with their features and scores, best first."""
    ranked = candidates_with_features(questions, index, language)
    for question, candidates in zip(questions, ranked, strict=True):
        set_scores(candidates, weights_of(question))
    return ranked


def candidates_with_features(
    questions: Sequence[TermQuestion], index: Index, language: TermLanguage
) -> list[list[TermCandidate]]:
    """The `RANKED` best candidates of each question by default weights, with all their features set."""
    retrieved = retrieve(questions, index, language.analyser)
    found = [find_candidates(question, each, language) for question, each in zip(questions, retrieved, strict=True)]
    for question, candidates in zip(questions, found, strict=True):
        set_text_features(question, candidates, language)
    set_hypernyms(questions, found, index, language)
    for candidates in found:
        set_scores(candidates, HAND)
    # What follows asks the index about each candidate.
    ranked = [candidates[:RANKED] for candidates in found]
    set_association(ranked, retrieved, index, language)
    set_association_with_book(questions, ranked, retrieved, index, language)
    return ranked


def trace_question(
    question_id: str,
    shape: str,
    question: TermQuestion,
    texts: Sequence[str],
    ranked: Sequence[TermCandidate],
    index: Index,
    language: TermLanguage,
) -> TraceQuestion:
    """The trace record of a question with its `SHOWN` best candidates, their features and passages.

    `texts` are the answers.
    """
    shown = ranked[:SHOWN]
    evidence = [passage_evidence(question.question_text, candidate.best, index, language) for candidate in shown]
    return TraceQuestion(
        question_id=question_id,
        shape=shape,
        question=question.question_text,
        system=tuple(texts),
        focus=question.focus,
        classes=tuple(sorted(question.classes)) if question.firm else (),
        weights=GAP if question.has_gap else {},
        candidates=tuple(
            TraceCandidate(
                id=str(rank),
                text=candidate.text,
                score=candidate.score,
                features=candidate.features
                | {f"from {source}": score for source, score in sorted(candidate.sources.items())},
                evidence=(passage,),
            )
            for rank, (candidate, passage) in enumerate(zip(shown, evidence, strict=True), 1)
        ),
    )


def passage_evidence(asked: str, passage: Passage, index: Index, language: TermLanguage) -> TraceEvidence:
    """A passage as trace evidence, with the score contribution of each term of the question text `asked`."""
    found_alone = passage.is_sentence and holds_sentences(index.metadata)
    part = index.part((SENTENCES if found_alone else PARAGRAPHS).name)
    terms = tuple(QueryTerm(TEXT_FIELD, term) for term in sorted(set(language.terms(asked))))
    explained = part.explain(Query(terms), [passage.doc_id])[0]
    return TraceEvidence(
        doc_id=passage.doc_id,
        title=passage.citation,
        text=passage.text,
        score=passage.score,
        terms=dict(explained.terms),
        source=passage.source,
    )
