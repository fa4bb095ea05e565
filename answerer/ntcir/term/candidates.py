"""Candidates for the answer of a term question: every stretch of the passages found that may answer
it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import eq
from typing import NamedTuple

from answerer.ntcir.term.entity_types import ANSWERS, NAMED, Span
from answerer.ntcir.term.japanese import head_of, interrogative_spans
from answerer.ntcir.term.language import Places, TermLanguage
from answerer.ntcir.term.questions import TermQuestion, gap_spans, query_terms, without_gaps
from answerer.trace import TraceCandidate, TraceEvidence
from indexer.analysis.analyser import Analyser
from indexer.analysis.text import plain_letters
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, TEXT_FIELD, holds_sentences
from retriever.bm25 import idf_in
from retriever.passages import Passage, search_passages
from retriever.queries import union_query

# of an agreement in a sentence that covers nothing of the question; not sensitive from .1 to .5
_LEAST = 0.2
_NAMED_BY = 0.3  # the least weight of a text whose words are not candidates
_AFTER = 12  # characters behind a candidate that show its role


class Retrieval(NamedTuple):
    """The search result of one question: its terms with weights, the idf of each term, and
    passages, best first."""

    terms: dict[str, float]
    idf: dict[str, float]
    passages: list[Passage]

    @property
    def weights(self) -> dict[str, float]:
        """The terms that the book has → weight of their text times idf."""
        return {term: idf * self.terms[term] for term, idf in self.idf.items()}


def retrieve(
    questions: Sequence[TermQuestion], index: Index, analyser: Analyser
) -> list[Retrieval]:
    """Searches the passages of each question, with three requests to the index for all of them."""
    weights = [query_terms(question, analyser) for question in questions]
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    rarity = idf_in(part, sorted({term for terms in weights for term in terms}))
    return [
        Retrieval(terms, {term: rarity[term] for term in terms if term in rarity}, passages)
        for terms, passages in zip(weights, search_passages(index, weights, analyser), strict=True)
    ]


class AnswerContext:
    """The words around the answer's position in the question (its gap or interrogative).

    They are compared with the words around each candidate. `weights` are those of the question's
    terms by their nearness to it, with the sum 1; empty without gap or interrogative. `focus` is
    the focus of the question.
    """

    def __init__(
        self, question: str, focus: str, weights: Mapping[str, float], language: TermLanguage
    ) -> None:
        self._language = language
        folded = language.fold(question)
        spans = gap_spans(folded) or interrogative_spans(folded, focus)
        self._around = [language.around(folded[:start], folded[end:]) for start, end in spans]
        near = {}
        if spans:
            for term, places in language.places(folded, weights).items():
                # Words near the gap say more about what fills it.
                gap = min(distance(span, slot) for span in places for slot in spans)
                near[term] = weights[term] / math.log2(2 + gap / language.tools.STRIDE)
        total = sum(near.values()) or 1.0
        self.weights = {term: weight / total for term, weight in near.items()}

    def agreement(self, before: str, after: str, coverage: float) -> float:
        """Fraction, 0–1, of the `REACH` words (or characters) on each side of the answer's position
        that also surround a candidate, counted outwards to the first that differs.

        `before` and `after` are the texts around the candidate; the value is scaled by `_LEAST` +
        (1 − `_LEAST`) · `coverage`, the coverage (0–1) of the candidate's sentence; `_LEAST` is
        0.2. 0 for a question without gap or interrogative; the greatest for several gaps.
        """
        if not self._around:
            return 0.0
        left, right = self._language.around(before, after)
        most = max(_common(sides[0], left) + _common(sides[1], right) for sides in self._around)
        return most / (2 * self._language.tools.REACH) * (_LEAST + (1 - _LEAST) * coverage)


def proximity(
    span: tuple[int, int], places: Places, weights: Mapping[str, float], stride: float
) -> float:
    """Proximity of terms to a span of a sentence: Σ weight / log2(2 + distance of the term's
    nearest place / stride). `places` maps a term to its character spans in the sentence; terms
    without a weight count nothing."""
    total = 0.0
    for term, where in places.items():
        if term in weights:
            total += weights[term] / math.log2(
                2 + min(distance(span, place) for place in where) / stride
            )
    return total


def distance(span: tuple[int, int], other: tuple[int, int]) -> int:
    """Characters between two stretches, 0 if they touch or overlap."""
    return max(0, span[0] - other[1], other[0] - span[1])


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Number of equal items at the beginning of both."""
    return sum(takewhile(bool, map(eq, first, second)))


@dataclass(slots=True)
class TermCandidate:
    """A possible answer with evidence from all its mentions.

    `best` is the passage, and `span` the mention in it, where the question's terms are nearest.
    `paragraphs` maps a paragraph (doc_id) to the score of its best passage. `hints` are entity
    types suggested by neighbouring words. `features` has the greatest value of all mentions;
    `score` and `probability` are set by ranking.
    """

    text: str
    span: Span
    best: Passage
    paragraphs: dict[str, float] = field(default_factory=dict)
    hints: set[str] = field(default_factory=set)
    features: dict[str, float] = field(default_factory=dict)
    score: float = 0.0
    probability: float = 0.0


class CandidateMention(NamedTuple):
    """A span of a passage that may answer a question.

    `sentence` is the passage's cleaned text in lower case, `key` the span's; `places` are the
    places of the question's terms in the sentence. `inside` and `coverage`, 0–1, are the weight
    fractions of these terms that the sentence, and the sentence with its title, contain; `near`,
    0–1, is their proximity to the span.
    """

    passage: Passage
    span: Span
    sentence: str
    key: str
    places: Places
    inside: float
    coverage: float
    near: float

    @property
    def before(self) -> str:
        """What the sentence has before the mention."""
        return self.sentence[: self.span.start]

    @property
    def after(self) -> str:
        """What the sentence has behind the mention."""
        return self.sentence[self.span.end :]


def collect(
    question: TermQuestion,
    retrieved: Retrieval,
    language: TermLanguage,
    spans: Callable[[str], Iterable[Span]],
    look: Callable[[CandidateMention], tuple[str, Mapping[str, float]] | None],
    meant: Mapping[str, Places] | None = None,
) -> list[TermCandidate]:
    """The candidates that the `spans` of the passages mention, in order of first appearance,
    without those whose text, case folded and without accents, is in a text of the question with a
    weight of at least `_NAMED_BY` (0.3), as whole words where blanks part words.

    `look` gives the key of a mention's candidate and the mention's features, or None for a mention
    that is left out. Of each feature a candidate has the greatest of its mentions, and text, span
    and best passage of the mention with the greatest proximity; also the features of its passages'
    scores. `meant` maps the text of a passage to the places of words that stand for terms of the
    question.
    """
    weights, candidates = retrieved.weights, dict[str, TermCandidate]()
    total = sum(weights.values()) or 1.0
    # What the question says is not its answer; faint context may say it.
    text = " ".join(
        language.fold(without_gaps(text)) for text, weight in question.texts if weight >= _NAMED_BY
    )
    question_text = plain_letters(text) if language.spaced else text
    for passage in retrieved.passages:
        sentence = language.tools.clean(passage.text)
        folded = sentence.casefold()
        if len(folded) != len(sentence):  # a letter whose folding is longer would shift every place
            folded = sentence.lower() if len(sentence.lower()) == len(sentence) else sentence
        places = (meant or {}).get(passage.text, {}) | language.places(folded, weights)
        terms = {*places, *language.places(language.fold(passage.heading), weights)}
        # In one order: sums of floats that differ in the last digit would part equal candidates.
        inside, coverage = (
            sum(weights[term] for term in weights if term in words) / total
            for words in (places, terms)
        )
        for span in spans(sentence):
            key = language.fold(span.text)
            # a repeat are whole words of the question, where blanks part words
            plain = plain_letters(key) if language.spaced else key
            if plain in question_text and (
                not language.spaced or re.search(rf"\b{re.escape(plain)}\b", question_text)
            ):
                continue
            near = proximity((span.start, span.end), places, weights, language.tools.STRIDE) / total
            looked = look(
                CandidateMention(passage, span, folded, key, places, inside, coverage, near)
            )
            if looked is None:
                continue
            candidate = candidates.setdefault(looked[0], TermCandidate(span.text, span, passage))
            paragraph = passage.paragraph or passage.doc_id
            candidate.paragraphs[paragraph] = max(
                passage.score, candidate.paragraphs.get(paragraph, 0.0)
            )
            if span.hint:
                candidate.hints.add(span.hint)
            if near > candidate.features.get("proximity", 0.0):
                candidate.best, candidate.span, candidate.text = passage, span, span.text
            values = {"proximity": near, "coverage": coverage, "whole": span.whole / 2, **looked[1]}
            candidate.features |= {
                name: float(max(value, candidate.features.get(name, 0.0)))
                for name, value in values.items()
            }
    for candidate in candidates.values():
        scores = sorted(candidate.paragraphs.values(), reverse=True)
        candidate.features |= {"passage": scores[0], "three passages": sum(scores[:3]) / 3}
    return list(candidates.values())


def find_candidates(
    question: TermQuestion, retrieved: Retrieval, language: TermLanguage
) -> list[TermCandidate]:
    """The candidate answers in the retrieved passages, in order of first appearance. Left out are
    texts of the question itself, readings of a word in brackets (`is_reading`), and candidates of
    another shape if a time or number is asked for."""
    tools = language.tools
    slots = AnswerContext(question.text, language.fold(question.focus), retrieved.weights, language)
    shapes = question.classes & {"time", "number"}

    def look(mention: CandidateMention) -> tuple[str, Mapping[str, float]] | None:
        span = mention.span
        if shapes and not shapes & ANSWERS.get(span.shape, frozenset()):
            return None
        if is_reading(mention.before, mention.key, question.text):
            return None
        features = dict.fromkeys(
            tools.roles(mention.before, mention.after[:_AFTER]), mention.coverage
        )
        features["slot context"] = slots.agreement(mention.before, mention.after, mention.coverage)
        features["slot proximity"] = proximity(
            (span.start, span.end), mention.places, slots.weights, tools.STRIDE
        )
        return span.key or mention.key, features

    return collect(question, retrieved, language, language.spans, look)


_READ = re.compile("[ァ-ヺー]*[ぁ-ん][ぁ-んァ-ヺー]*")
_READS = re.compile(r"[一-鿿々][^()]?\([ぁ-んァ-ヺー・=]*$")


def is_reading(before: str, text: str, question: str) -> bool:
    """True if kana, with hiragana among them, open the brackets behind a word with kanji, and the
    question `question` does not ask for a reading (読み方, 何と読む)."""
    return (
        bool(_READ.fullmatch(text) and _READS.search(before))
        and "読み" not in question
        and "読む" not in question
    )


# Sentences with the noun that is asked for, the best by BM25, that are read for hyponyms of it.
READ = 300  # bounds the time of one question
_AT_ONCE = 25  # nouns whose hits are in memory at once


def set_hypernyms(
    feature: str,
    lists: Sequence[tuple[str, Sequence[TermCandidate]]],
    index: Index,
    language: TermLanguage,
) -> None:
    """Sets a feature of the candidates of each pair (noun, candidates) that are names: ln(1 +
    mentions as a hyponym of the noun in the `READ` (300) best passages for it). Candidates of a
    noun without terms keep what they have.

    The patterns are those of Hearst (1992, Automatic acquisition of hyponyms), in the words of each
    language; a compound noun is reduced to its head (三大宗教: 宗教). One request for 25 nouns.
    """
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    terms = {noun: sorted(set(language.terms(noun))) for noun, _ in lists}
    nouns = [noun for noun, words in terms.items() if words]
    for start in range(0, len(nouns), _AT_ONCE):
        some = nouns[start : start + _AT_ONCE]
        for noun, hits in zip(
            some, part.search([union_query(terms[noun]) for noun in some], READ), strict=True
        ):
            head = head_of(language.fold(noun))
            sentences = [language.fold(hit.document.text) for hit in hits]
            # one text is looked through once for each name, not 300: most names are in none
            together = "\0".join(["", *sentences, ""])
            for candidate in (
                candidate
                for other, candidates in lists
                if other == noun
                for candidate in candidates
                if candidate.span.shape in NAMED
            ):
                name, count = language.fold(candidate.text), 0
                start = together.find(name) if name else -1
                while start >= 0:
                    end = start + len(name)
                    before = together[together.rfind("\0", 0, start) + 1 : start]
                    after = together[end : together.find("\0", end)]
                    count += language.tools.is_said_to_be(before, after, head)
                    start = together.find(name, end)
                candidate.features[feature] = math.log1p(count)


def trace_candidates(
    question: str,
    candidates: Sequence[TermCandidate],
    features: Sequence[Mapping[str, float]],
    index: Index,
    language: TermLanguage,
) -> tuple[TraceCandidate, ...]:
    """Candidates, best first, as a trace shows them: with the rank as id, the features given for
    each, and its best passage with the score contribution of each term of the question text
    `question`."""
    query = Query(
        tuple(QueryTerm(TEXT_FIELD, term) for term in sorted(set(language.terms(question))))
    )
    shown = []
    for rank, (candidate, values) in enumerate(zip(candidates, features, strict=True), 1):
        passage = candidate.best
        found_alone = passage.is_sentence and holds_sentences(index.metadata)
        (terms,) = index.part((SENTENCES if found_alone else PARAGRAPHS).name).explain(
            query, [passage.doc_id]
        )
        evidence = TraceEvidence(
            doc_id=passage.doc_id,
            title=passage.citation,
            text=passage.text,
            score=passage.score,
            terms=dict(terms),
        )
        row = TraceCandidate(
            id=str(rank),
            text=candidate.text,
            score=candidate.score,
            probability=candidate.probability or None,  # of a ranking without probabilities it is 0
            features=dict(values),
            evidence=(evidence,),
        )
        shown.append(row)
    return tuple(shown)
