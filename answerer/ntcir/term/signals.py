"""Candidates with their signals: what speaks for each stretch of the passages being the answer."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from answerer.ntcir.term.kinds import KindModel
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.languages.spans import ANSWERS, NAMED, Span
from answerer.ntcir.term.passages import Passage, Retrieved
from answerer.ntcir.term.questions import TermQuestion, gap_spans, gaps

_LEAST = 0.2  # of an agreement in a sentence that holds nothing of the question


class Slots:
    """Where the answer would stand in the question, found once and compared with every candidate.

    Nothing agrees where the question has no slot.
    """

    def __init__(self, asked: str, focus: str, weights: Mapping[str, float], language: TermLanguage) -> None:
        """`weights` are those of the question's terms; one that stands near a slot keeps more of its own."""
        self._language, self._stride = language, language.tools.stride
        folded = language.fold(asked)
        spans = gap_spans(folded) or language.tools.reader.interrogative_spans(folded, focus)
        self._around = [language.around(folded[:start], folded[end:]) for start, end in spans]
        near = {}
        for term, places in language.places(folded, weights).items() if spans else ():
            gap = min(distance(place, slot) for place in places for slot in spans)
            near[term] = weights[term] / math.log2(2 + gap / self._stride)
        total = sum(near.values()) or 1.0
        self._weights = {term: weight / total for term, weight in near.items()}

    def context(self, before: str, after: str, coverage: float) -> float:
        """How far the text around a candidate is that around a slot, 0 to 1, more where its sentence covers more."""
        if not self._around:
            return 0.0
        left, right = self._language.around(before, after)
        most = max(_common(own[0], left) + _common(own[1], right) for own in self._around)
        return most / (2 * self._language.tools.reach) * (_LEAST + (1 - _LEAST) * coverage)

    def proximity(self, start: int, end: int, places: Mapping[str, Sequence[tuple[int, int]]]) -> float:
        """How near a candidate the question's terms stand, those near the slot above all, 0 to 1."""
        total = 0.0
        for term, where in places.items():
            if term in self._weights:
                gap = min(distance(place, (start, end)) for place in where)
                total += self._weights[term] / math.log2(2 + gap / self._stride)
        return total


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How many characters lie between two stretches, 0 where they touch or overlap."""
    return max(0, one[0] - other[1], other[0] - one[1])


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many of the first members are the same."""
    alike = [one == other for one, other in zip(first, second, strict=False)]
    return alike.index(False) if False in alike else len(alike)


Signals = dict[str, float]
# The signals of `in_book`, by the names that the exam has for them.
IN_BOOK = {
    "found with": "relevance_paragraph",
    "ranked with": "share_paragraph",
    "best paragraph": "best_paragraph",
    "found beside": "near_paragraph",
    "beside names": "pmi_window",
    "names' sections": "pmi_section",
    "latent": "latent_rest",
    "latent log": "latent_log_rest",
}
KINDS_IN_BOOK = ("name of the book", "kind in the book", "other kind in the book")
_MISMATCH = 0.1  # a class less likely than this speaks against the candidate


@dataclass(slots=True)
class Candidate:
    """One answer text, however often it stands in the passages: `best` is the passage where it is nearest.

    `sources` has the score of the best passage of each index, where several were asked as one.
    """

    text: str
    span: Span
    best: Passage
    paragraphs: dict[str, float] = field(default_factory=dict)
    sources: dict[str, float] = field(default_factory=dict)
    proximity: float = 0.0
    coverage: float = 0.0
    roles: dict[str, float] = field(default_factory=dict)
    apposition: float = 0.0
    neighbours: float = 0.0
    whole: int = 0
    hints: dict[str, int] = field(default_factory=dict)
    slot_context: float = 0.0
    slot_proximity: float = 0.0
    signals: Signals = field(default_factory=dict)
    score: float = 0.0


def candidates(question: TermQuestion, retrieved: Retrieved, language: TermLanguage) -> list[Candidate]:
    """Every candidate of the passages that the question does not hold itself, in order of first appearance."""
    collector = _Collector(question, retrieved, language)
    for passage in retrieved.passages:
        collector.read(passage)
    return list(collector.found.values())


class _Collector:
    """Goes through the passages of one question and keeps the best of every signal for each candidate."""

    def __init__(self, question: TermQuestion, retrieved: Retrieved, language: TermLanguage) -> None:
        self.found: dict[str, Candidate] = {}
        self._language = language
        self._weights = {term: idf * retrieved.terms[term] for term, idf in retrieved.idf.items()}
        self._total = sum(self._weights.values()) or 1.0
        self._focus = language.fold(question.focus)
        self._own = " ".join(language.fold(text) for text, weight in question.texts if weight >= 0.3)
        self._gaps = [language.finder.neighbours(*gap) for gap in gaps(language.fold(question.asked))]
        self._slots = Slots(question.asked, self._focus, self._weights, language)
        self._asks_reading = self._language.tools.reader.asks_reading(question.asked)
        self._shapes = question.classes & {"time", "number"}

    def read(self, passage: Passage) -> None:
        sentence = self._language.finder.clean(passage.text)
        folded = sentence.casefold()
        if len(folded) != len(sentence):  # a letter whose folding is longer would shift every place
            folded = sentence.lower() if len(sentence.lower()) == len(sentence) else sentence
        places = self._language.places(folded, self._weights)
        title = self._language.fold(passage.title)
        in_title = self._language.places(title, self._weights)
        coverage = sum(self._weights[term] for term in {*places, *in_title}) / self._total
        focus = [match.span() for match in re.finditer(re.escape(self._focus), folded)] if self._focus else []
        for span in self._language.finder.spans(sentence):
            if self._shapes and not self._shapes & ANSWERS.get(span.shape, frozenset()):
                continue
            key = self._language.fold(span.text)
            if key in self._own and self._language.is_repeat(key, self._own):
                continue
            if self._language.finder.is_reading(folded[: span.start], key) and not self._asks_reading:
                continue
            name = span.key or key
            candidate = self.found.get(name)
            if candidate is None:
                candidate = self.found[name] = Candidate(span.text, span, passage)
            self._add(candidate, span, passage, places, coverage)
            for role in self._language.finder.roles(folded[: span.start], folded[span.end : span.end + 12]):
                candidate.roles[role] = max(coverage, candidate.roles.get(role, 0.0))
            for left, right in self._gaps:
                around = self._language.finder.neighbours(folded[: span.start], folded[span.end :])
                same = ((left == around[0] != "") + (right == around[1] != "")) / 2
                candidate.neighbours = max(candidate.neighbours, same)
            fits = self._slots.context(folded[: span.start], folded[span.end :], coverage)
            candidate.slot_context = max(candidate.slot_context, fits)
            if focus:
                self._add_focus(candidate, span, folded, focus, coverage)

    def _add(
        self,
        candidate: Candidate,
        span: Span,
        passage: Passage,
        places: Mapping[str, Sequence[tuple[int, int]]],
        coverage: float,
    ) -> None:
        paragraph = passage.paragraph or passage.doc_id
        candidate.paragraphs[paragraph] = max(passage.score, candidate.paragraphs.get(paragraph, 0.0))
        if passage.source:
            candidate.sources[passage.source] = max(passage.score, candidate.sources.get(passage.source, 0.0))
        candidate.coverage = max(candidate.coverage, coverage)
        candidate.whole = max(candidate.whole, span.whole)
        if span.hint:
            candidate.hints[span.hint] = candidate.hints.get(span.hint, 0) + 1
        proximity = 0.0
        for term, where in places.items():
            gap = min(distance((span.start, span.end), place) for place in where)
            proximity += self._weights[term] / math.log2(2 + gap / self._language.tools.stride)
        proximity /= self._total
        near_slot = self._slots.proximity(span.start, span.end, places)
        candidate.slot_proximity = max(candidate.slot_proximity, near_slot)
        if proximity > candidate.proximity:
            candidate.proximity, candidate.best, candidate.span, candidate.text = proximity, passage, span, span.text

    def _add_focus(
        self, candidate: Candidate, span: Span, folded: str, focus: Sequence[tuple[int, int]], coverage: float
    ) -> None:
        gap = min(distance((span.start, span.end), place) for place in focus)
        if gap <= self._language.tools.apposition_gap and coverage > candidate.apposition:
            before, after = folded[: span.start], folded[span.end :]
            if self._language.finder.in_apposition(before, after, self._focus):
                candidate.apposition = coverage


def set_signals(question: TermQuestion, ranked: Sequence[Candidate], language: TermLanguage) -> None:
    """Fill each candidate's signals; 0 for those of `hypernyms`, `put_back` and `in_book`, which ask the index."""
    terms, unit = set(language.terms(question.asked)), language.tools.reader.unit_of(question.asked)
    for candidate in ranked:
        candidate.signals = _signals(question, candidate, language, terms, unit)


def _signals(question: TermQuestion, one: Candidate, language: TermLanguage, terms: set[str], unit: str) -> Signals:
    span, text, focus = one.span, one.text, language.fold(question.focus)
    key = language.fold(text)
    scores = sorted(one.paragraphs.values(), reverse=True)
    typed = type_share(question, one, language.kinds)
    own = language.terms(text)
    named = span.shape in NAMED
    return {
        "passage": scores[0],
        "three passages": sum(scores[:3]) / 3,
        "proximity": one.proximity,
        "coverage": one.coverage,
        "apposition": one.apposition,
        "gap's neighbours": one.neighbours,
        "type": typed,
        "other type": float(typed < _MISMATCH),
        "ends with focus": float(bool(focus) and key != focus and key.endswith(focus)),
        "kind is focus": float(_kind_is(focus, language.kinds.kinds_of.get(text, ()))),
        "hypernym": 0.0,
        "unit": language.tools.reader.counts_in(key, language.finder.clean(one.best.text)[span.end :], unit)
        if unit
        else 0.0,
        "of": one.roles.get("of", 0.0),
        "glossed": one.roles.get("glossed", 0.0),
        "definition": one.roles.get("definition", 0.0),
        "whole": one.whole / 2,
        "single character": float(len(text) == 1),
        "latin": float(not language.language.spaced and named and text.isascii()),
        "proper noun": float(named and span.speech in language.proper_speech),
        "question's words": float(any(term in terms for term in own)),
        "slot context": one.slot_context,
        "slot proximity": one.slot_proximity,
        "unasked name": float(not question.firm and bool(focus) and named and span.speech in language.proper_speech),
        "put back": 0.0,
        "association": 0.0,
        **dict.fromkeys((*IN_BOOK, *KINDS_IN_BOOK), 0.0),
    }


def type_share(question: TermQuestion, one: Candidate, kinds: KindModel) -> float:
    """How likely the candidate is of a class that the question asks for, 0 to 1; 0.5 where it does not say."""
    answers = ANSWERS.get(one.span.shape, frozenset())
    if answers & question.classes:
        return 1.0
    if one.span.shape not in NAMED:
        return 0.0
    if not question.firm:
        return 0.5
    shares = kinds.classes(one.text, one.span.speech, one.hints)
    return sum(shares.get(label, 0.0) for label in sorted(question.classes))


def _kind_is(focus: str, kinds: Sequence[str]) -> bool:
    return bool(focus) and any(kind and (focus.endswith(kind) or kind.endswith(focus)) for kind in kinds)
