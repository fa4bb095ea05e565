"""Candidates for the answer of a term question: every stretch of the passages found that may answer it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from answerer.ntcir.term.entity_types import ANSWERS, Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, gap_spans, query_terms
from answerer.trace import TraceEvidence
from indexer.analysis.analyser import Analyser
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, TEXT_FIELD, holds_sentences
from retriever.bm25 import idf_in
from retriever.passages import Passage, search_passages

_LEAST = 0.2  # of an agreement in a sentence that covers nothing of the question; not sensitive from .1 to .5
_NAMED_BY = 0.3  # the least weight of a text whose words are not candidates
_AFTER = 12  # characters behind a candidate that show its role


class Retrieval(NamedTuple):
    """The search result of one question: its terms with weights, the idf of each term, and passages, best first."""

    terms: dict[str, float]
    idf: dict[str, float]
    passages: list[Passage]

    @property
    def weights(self) -> dict[str, float]:
        """The terms that the book has, by the weight of their text times idf."""
        return {term: idf * self.terms[term] for term, idf in self.idf.items()}


def retrieve(questions: Sequence[TermQuestion], index: Index, analyser: Analyser) -> list[Retrieval]:
    """Searches the passages of each question, with three requests to the index for all of them."""
    weights = [query_terms(question, analyser) for question in questions]
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    rarity = idf_in(part, sorted({term for each in weights for term in each}))
    return [
        Retrieval(each, {term: rarity[term] for term in each if term in rarity}, passages)
        for each, passages in zip(weights, search_passages(index, weights, analyser), strict=True)
    ]


class AnswerContext:
    """The words around the answer's position in the question (its gap or interrogative).

    They are compared with the words around each candidate. `weights` are those of the question's terms by their
    nearness to it, with the sum 1; empty without gap or interrogative.
    """

    def __init__(self, asked: str, focus: str, weights: Mapping[str, float], language: TermLanguage) -> None:
        """`focus` is the focus of the question `asked`, `weights` maps its terms to weights."""
        self._language = language
        folded = language.fold(asked)
        spans = gap_spans(folded) or language.tools.interrogative_spans(folded, focus)
        self._around = [language.around(folded[:start], folded[end:]) for start, end in spans]
        near = {}
        for term, places in language.places(folded, weights).items() if spans else ():
            # Words near the gap say more about what fills it.
            gap = min(distance(place, slot) for place in places for slot in spans)
            near[term] = weights[term] / math.log2(2 + gap / language.tools.STRIDE)
        total = sum(near.values()) or 1.0
        self.weights = {term: weight / total for term, weight in near.items()}

    def agreement(self, before: str, after: str, coverage: float) -> float:
        """Fraction, 0–1, of the words (or characters) around the answer's position that also surround a candidate.

        `before` and `after` are the texts around the candidate; the value is scaled by `_LEAST` + (1 − `_LEAST`) ·
        `coverage`, the coverage (0–1) of the candidate's sentence. 0 for a question without gap or interrogative.
        """
        if not self._around:
            return 0.0
        left, right = self._language.around(before, after)
        most = max(_common(own[0], left) + _common(own[1], right) for own in self._around)
        return most / (2 * self._language.tools.REACH) * (_LEAST + (1 - _LEAST) * coverage)


def proximity(
    here: tuple[int, int],
    places: Mapping[str, Sequence[tuple[int, int]]],
    weights: Mapping[str, float],
    stride: float,
) -> float:
    """Proximity of terms to a span of a sentence: Σ weight / log2(2 + distance / stride). `places` maps a term to its
    character spans in the sentence; terms without a weight count nothing."""
    total = 0.0
    for term, where in places.items():
        if term in weights:
            total += weights[term] / math.log2(2 + min(distance(here, place) for place in where) / stride)
    return total


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Characters between two stretches, 0 if they touch or overlap."""
    return max(0, one[0] - other[1], other[0] - one[1])


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the common beginning."""
    alike = [one == other for one, other in zip(first, second, strict=False)]
    return alike.index(False) if False in alike else len(alike)


@dataclass(slots=True)
class TermCandidate:
    """A possible answer with evidence from all its mentions.

    `best` is the passage, and `span` the mention in it, where the question's terms are nearest: `proximity`, 0–1.
    `coverage` is the greatest weight fraction of the question's terms in a sentence with the candidate. `paragraphs`
    and `sources` map a paragraph (doc_id) and, with several indexes, an index (address) to the score of its best
    passage. `roles` maps a role such as "definition" to the best coverage of a sentence with that role; `whole` is 0–2
    (see `Span`); `hints` counts entity types suggested by neighbouring words. `context` and `context_proximity` are the
    best `AnswerContext` values. `features` are set by `ranking.py`.
    """

    text: str
    span: Span
    best: Passage
    paragraphs: dict[str, float] = field(default_factory=dict)
    sources: dict[str, float] = field(default_factory=dict)
    proximity: float = 0.0
    coverage: float = 0.0
    roles: dict[str, float] = field(default_factory=dict)
    whole: int = 0
    hints: dict[str, int] = field(default_factory=dict)
    context: float = 0.0
    context_proximity: float = 0.0
    features: dict[str, float] = field(default_factory=dict)
    score: float = 0.0


def find_candidates(question: TermQuestion, retrieved: Retrieval, language: TermLanguage) -> list[TermCandidate]:
    """The candidate answers in the retrieved passages, in order of first appearance. Names in the question itself are
    left out, and so are candidates of another shape if a time or number is asked for."""
    found: dict[str, TermCandidate] = {}
    tools = language.tools
    weights = retrieved.weights
    total = sum(weights.values()) or 1.0
    focus = language.fold(question.focus)
    # What the question says is not its answer; faint context may say it.
    named = " ".join(language.fold(text) for text, weight in question.texts if weight >= _NAMED_BY)
    slots = AnswerContext(question.question_text, focus, weights, language)
    asks_reading = tools.asks_reading(question.question_text)
    shapes = question.classes & {"time", "number"}
    for passage in retrieved.passages:
        sentence = tools.clean(passage.text)
        folded = sentence.casefold()
        if len(folded) != len(sentence):  # a letter whose folding is longer would shift every place
            folded = sentence.lower() if len(sentence.lower()) == len(sentence) else sentence
        places = language.places(folded, weights)
        held = {*places, *language.places(language.fold(passage.title), weights)}
        coverage = sum(weights[term] for term in held) / total
        for span in language.spans(sentence):
            here, before, after = (span.start, span.end), folded[: span.start], folded[span.end :]
            key = language.fold(span.text)
            if shapes and not shapes & ANSWERS.get(span.shape, frozenset()):
                continue
            if key in named and language.is_repeat(key, named):
                continue
            if tools.is_reading(before, key) and not asks_reading:
                continue
            one = found.setdefault(span.key or key, TermCandidate(span.text, span, passage))
            paragraph = passage.paragraph or passage.doc_id
            one.paragraphs[paragraph] = max(passage.score, one.paragraphs.get(paragraph, 0.0))
            if passage.source:
                one.sources[passage.source] = max(passage.score, one.sources.get(passage.source, 0.0))
            one.coverage, one.whole = max(one.coverage, coverage), max(one.whole, span.whole)
            if span.hint:
                one.hints[span.hint] = one.hints.get(span.hint, 0) + 1
            near = proximity(here, places, weights, tools.STRIDE) / total
            one.context_proximity = max(one.context_proximity, proximity(here, places, slots.weights, tools.STRIDE))
            if near > one.proximity:
                one.proximity, one.best, one.span, one.text = near, passage, span, span.text
            for role in tools.roles(before, after[:_AFTER]):
                one.roles[role] = max(coverage, one.roles.get(role, 0.0))
            one.context = max(one.context, slots.agreement(before, after, coverage))
    return list(found.values())


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
