"""Where the answers are looked for: the best sentences and paragraphs of the textbook for each question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from answerer.ntcir.term.questions import TermQuestion, terms_without_requests, without_gaps
from indexer.analysis import Analyser
from indexer.engines.contract import Hit, Index, Query, QueryTerm, Searcher

FIELD = "text"
SENTENCES, PARAGRAPHS = 60, 30  # how many are asked of the index
READ_PARAGRAPHS = 8  # how many of the paragraphs are read whole
PARAGRAPH_SHARE = 0.5  # of a paragraph's score in that of its sentences


class Passage(NamedTuple):
    """A sentence with its scores: `score` = sentence BM25 + half of its paragraph's, the best being 1.

    `alone` is the share of its own BM25 in the best sentence's, 0 where it was only read in its paragraph.
    """

    doc_id: str
    paragraph: str
    title: str
    text: str
    score: float
    alone: float

    @property
    def is_sentence(self) -> bool:
        """Whether `doc_id` is that of a sentence, not of a paragraph."""
        return self.alone > 0


class Retrieved(NamedTuple):
    """What was found for a question: its weighted terms, their idf, and the passages in order of score."""

    terms: dict[str, float]
    idf: dict[str, float]
    passages: list[Passage]


def query_terms(question: TermQuestion, analyser: Analyser) -> dict[str, float]:
    """The terms of the question and its context, each with the weight of the heaviest text that holds it."""
    weights: dict[str, float] = {}
    for text, weight in question.texts:
        for term in terms_without_requests(analyser.terms(without_gaps(text))):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def retrieve(questions: Sequence[TermQuestion], index: Index, analyser: Analyser) -> list[Retrieved]:
    """The passages of each question; three round trips to the index for all of them."""
    weights = [query_terms(question, analyser) for question in questions]
    paragraphs = index.part("paragraphs")
    has_sentences = any(part.name == "sentences" for part in index.metadata.parts)
    sentences = index.part("sentences") if has_sentences else paragraphs
    idf = _idf(sentences, sorted({term for each in weights for term in each}))
    queries = [_query(each) for each in weights]
    sentence_hits = sentences.search(queries, SENTENCES) if has_sentences else [[] for _ in questions]
    paragraph_hits = paragraphs.search(queries, PARAGRAPHS)
    return [
        Retrieved(each, {term: idf[term] for term in each if idf[term]}, _passages(hits, wide, analyser))
        for each, hits, wide in zip(weights, sentence_hits, paragraph_hits, strict=True)
    ]


def _query(weights: dict[str, float]) -> Query:
    return Query(tuple(QueryTerm(FIELD, term, weight) for term, weight in sorted(weights.items())))


def _idf(part: Searcher, terms: Sequence[str]) -> dict[str, float]:
    """BM25's idf of each term, 0 for a term that the index does not hold."""
    counts = part.count([Query((QueryTerm(FIELD, term),)) for term in terms])
    total = len(part)
    return {
        term: math.log(1 + (total - count + 0.5) / (count + 0.5)) if count else 0.0
        for term, count in zip(terms, counts, strict=True)
    }


def _passages(sentences: Sequence[Hit], paragraphs: Sequence[Hit], analyser: Analyser) -> list[Passage]:
    """The sentences found and those of the best paragraphs, each once, scores relative to the best."""
    wide = {hit.doc_id: hit.score for hit in paragraphs}
    best_alone = sentences[0].score if sentences else 1.0
    found: dict[tuple[str, str], Passage] = {}
    for hit in sentences:
        paragraph = _key(hit, "paragraph")
        score = hit.score + PARAGRAPH_SHARE * wide.get(paragraph, 0.0)
        passage = Passage(
            hit.doc_id,
            paragraph,
            _key(hit, "title"),
            hit.document.text,
            score,
            hit.score / best_alone,
        )
        found[paragraph, hit.document.text] = passage
    for hit in paragraphs[:READ_PARAGRAPHS]:
        for text in analyser.sentences(hit.document.text):
            passage = Passage(
                hit.doc_id,
                hit.doc_id,
                _key(hit, "title"),
                text,
                PARAGRAPH_SHARE * hit.score,
                0.0,
            )
            found.setdefault((hit.doc_id, text), passage)
    best = max((passage.score for passage in found.values()), default=1.0)
    relative = [passage._replace(score=float(f"{passage.score / best:.5g}")) for passage in found.values()]
    return sorted(relative, key=lambda passage: (-passage.score, passage.doc_id))


def _key(hit: Hit, name: str) -> str:
    return next(iter(hit.document.keys.get(name, ())), "")
