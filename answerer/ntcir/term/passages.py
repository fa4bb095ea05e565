"""Where the answers are looked for: the best sentences and paragraphs of the textbook for each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from answerer.ntcir.term.questions import TermQuestion, terms_without_requests, without_gaps
from indexer.analysis import Analyser
from indexer.engines.contract import Hit, Index, Query
from indexer.engines.scoring import rounded
from indexer.sources.textbook import schema
from retriever.joint.index import source_of
from retriever.queries import weighted_query
from retriever.term_counts import idf_in

FIELD = schema.TEXT_FIELD
SENTENCES, PARAGRAPHS = 60, 30  # how many are asked of the index
READ_PARAGRAPHS = 8  # how many of the paragraphs are read whole
PARAGRAPH_SHARE = 0.5  # of a paragraph's score in that of its sentences


class Passage(NamedTuple):
    """A sentence with its scores: `score` = sentence BM25 + half of its paragraph's, the best being 1.

    `alone` is the share of its own BM25 in the best sentence's, 0 where it was only read in its paragraph. `source` is
    the address of the index that it is from, where several were asked as one, else "". `citation` is the title with the
    page.
    """

    doc_id: str
    paragraph: str
    title: str
    text: str
    score: float
    alone: float
    source: str = ""
    citation: str = ""

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
    paragraphs = index.part(schema.PARAGRAPHS.name)
    has_sentences = schema.holds_sentences(index.metadata)
    sentences = index.part(schema.SENTENCES.name) if has_sentences else paragraphs
    rarity = idf_in(sentences, sorted({term for each in weights for term in each}))
    queries = [by_term(each) for each in weights]
    sentence_hits = sentences.search(queries, SENTENCES) if has_sentences else [[] for _ in questions]
    paragraph_hits = paragraphs.search(queries, PARAGRAPHS)
    return [
        Retrieved(each, {term: rarity[term] for term in each if term in rarity}, _passages(hits, wide, analyser))
        for each, hits, wide in zip(weights, sentence_hits, paragraph_hits, strict=True)
    ]


def by_term(weights: Mapping[str, float]) -> Query:
    """The query of weighted terms in the order of the terms, however they were gathered."""
    return weighted_query(dict(sorted(weights.items())))


def _passages(sentences: Sequence[Hit], paragraphs: Sequence[Hit], analyser: Analyser) -> list[Passage]:
    """The sentences found and those of the best paragraphs, each once, scores relative to the best."""
    wide = {hit.doc_id: hit.score for hit in paragraphs}
    best_alone = sentences[0].score if sentences else 1.0
    passages: dict[tuple[str, str], Passage] = {}
    for hit in sentences:
        place, source = schema.decode_place(hit.document), source_of(hit.document)
        score = hit.score + PARAGRAPH_SHARE * wide.get(place.paragraph, 0.0)
        alone = hit.score / best_alone
        passage = Passage(
            hit.doc_id, place.paragraph, place.title, hit.document.text, score, alone, source, place.citation
        )
        passages[place.paragraph, hit.document.text] = passage
    for hit in paragraphs[:READ_PARAGRAPHS]:
        place, source = schema.decode_place(hit.document), source_of(hit.document)
        for text in analyser.sentences(hit.document.text):
            score = PARAGRAPH_SHARE * hit.score
            passage = Passage(hit.doc_id, hit.doc_id, place.title, text, score, 0.0, source, place.citation)
            passages.setdefault((hit.doc_id, text), passage)
    best = max((passage.score for passage in passages.values()), default=1.0)
    relative = [passage._replace(score=rounded(passage.score / best)) for passage in passages.values()]
    return sorted(relative, key=lambda passage: (-passage.score, passage.doc_id))
