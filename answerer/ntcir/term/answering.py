"""Answers to the term questions of a sheet: passages, candidates, signals, choice, all sections in few round trips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from answerer.formats.answer_sheet import Expression, Section
from answerer.ntcir.term.choosing import choose
from answerer.ntcir.term.hypernyms import set_hypernyms
from answerer.ntcir.term.in_book import set_in_book
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.passages import FIELD, retrieve
from answerer.ntcir.term.put_back import set_association, set_put_back
from answerer.ntcir.term.questions import TermQuestion, section_question
from answerer.ntcir.term.signals import Candidate, candidates, set_signals
from answerer.ntcir.term.weights import GAP, HAND, set_scores, weights_of
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, holds_sentences

JUDGED = 100  # candidates of a question that the index is asked about: the best by what the passages alone say
SHOWN = 10  # candidates of the trace


class TermAnswer(NamedTuple):
    """A section answered: a text for each of its answers ("" without one), and the candidates, best first."""

    section: Section
    question: TermQuestion
    texts: tuple[str, ...]
    ranked: Sequence[Candidate]

    @property
    def expressions(self) -> tuple[tuple[Expression, ...], ...]:
        """What the writer of sheets takes: the expressions of each answer, an empty tuple without a text."""
        return tuple((Expression(text),) if text else () for text in self.texts)


def answer_terms(sections: Sequence[Section], index: Index) -> list[TermAnswer]:
    """Answer term sections from a textbook index, in order; its language and glossary are those of the index."""
    language = index_language(index)
    questions = [section_question(section, language.language) for section in sections]
    ranked = rank_candidates(questions, index, language)
    answered: list[TermAnswer] = []
    taken: dict[str, list[str]] = {}
    for section, question, best_first in zip(sections, questions, ranked, strict=True):
        siblings = taken.setdefault(section.instruction_text, [])
        texts = choose(section, best_first, language, siblings)
        siblings += texts
        answered.append(TermAnswer(section, question, texts, best_first))
    return answered


def rank_candidates(questions: Sequence[TermQuestion], index: Index, language: TermLanguage) -> list[list[Candidate]]:
    """The candidates of each question with their signals and scores, best first."""
    ranked = judged_candidates(questions, index, language)
    for question, candidates_of in zip(questions, ranked, strict=True):
        set_scores(candidates_of, weights_of(question))
    return ranked


def judged_candidates(questions: Sequence[TermQuestion], index: Index, language: TermLanguage) -> list[list[Candidate]]:
    """The candidates that are ranked at the end, with all their signals: the best by hand weights."""
    retrieved = retrieve(questions, index, language.analyser)
    found = [candidates(question, each, language) for question, each in zip(questions, retrieved, strict=True)]
    for question, every in zip(questions, found, strict=True):
        set_signals(question, every, language)
    set_hypernyms(questions, found, index, language)
    for every in found:
        set_scores(every, HAND)
    ranked = [every[:JUDGED] for every in found]
    set_association(ranked, retrieved, index, language)
    for judged in ranked:
        set_scores(judged, HAND)
    set_put_back(ranked, retrieved, index, language)
    for judged in ranked:
        set_scores(judged, HAND)
    set_in_book(questions, ranked, retrieved, index, language)
    return ranked


def trace_rows(answered: Sequence[TermAnswer], index: Index) -> Iterator[Mapping[str, Any]]:
    """A row of the trace for each section."""
    language = index_language(index)
    for one in answered:
        yield {
            "question_id": one.section.section_id,
            "shape": one.section.answer_type or "term",
            **trace_fields(one.question, one.texts, one.ranked, index, language),
        }


def trace_fields(
    question: TermQuestion, texts: Sequence[str], ranked: Sequence[Candidate], index: Index, language: TermLanguage
) -> dict[str, Any]:
    """What a trace says of a question: its candidates with their signals and the passage that each comes from."""
    shown = ranked[:SHOWN]
    evidence = [_evidence(question, candidate, index, language) for candidate in shown]
    return {
        "asks": None,
        "question": question.asked,
        "system": list(texts),
        "focus": question.focus,
        "classes": sorted(question.classes) if question.firm else [],
        **({"weights": GAP} if question.has_gap else {}),
        "candidates": [
            {
                "id": rank,
                "text": candidate.text,
                "score": candidate.score,
                "signals": candidate.signals
                | {f"from {source}": score for source, score in sorted(candidate.sources.items())},
                "evidence": [passage],
            }
            for rank, (candidate, passage) in enumerate(zip(shown, evidence, strict=True), 1)
        ],
    }


def _evidence(question: TermQuestion, candidate: Candidate, index: Index, language: TermLanguage) -> Mapping[str, Any]:
    """The passage of a candidate, with the terms of the question that it holds and what each gave."""
    passage = candidate.best
    found_alone = passage.is_sentence and holds_sentences(index.metadata)
    part = index.part((SENTENCES if found_alone else PARAGRAPHS).name)
    terms = tuple(QueryTerm(FIELD, term) for term in sorted(set(language.terms(question.asked))))
    explained = part.explain(Query(terms), [passage.doc_id])[0]
    return {
        "doc_id": passage.doc_id,
        "title": passage.title,
        "text": passage.text,
        "score": passage.score,
        "terms": dict(explained.terms),
        **({"source": passage.source} if passage.source else {}),
    }


def without_candidates(answered: Sequence[TermAnswer]) -> tuple[str, ...]:
    """The warning that names the sections of which not all slots found a candidate; nothing where all did."""
    empty = [one.section.section_id for one in answered if not all(one.texts)]
    return (f"no candidate for all answers of: {', '.join(empty)}",) if empty else ()
