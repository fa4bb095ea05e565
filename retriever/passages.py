"""Search of passages: the best sentences and paragraphs of a textbook for weighted terms, ranked
together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from indexer.analysis.analyser import Analyser
from indexer.engines.contract import Index, Query, ScoredDocument
from indexer.engines.scoring import round_score
from indexer.engines.searching import Searcher
from indexer.sources.textbook import schema
from retriever.queries import weighted_query


class Passage(NamedTuple):
    """A sentence found for a question; `score` is relative to the best passage of the question,
    which has 1.

    `doc_id` is that of the sentence, or of the paragraph if the sentence was only found in it;
    `paragraph` is the paragraph's. `alone` is the sentence's own BM25 relative to the best
    sentence's, 0 if it was only found in its paragraph. `citation` is the title with
    the page.
    """

    doc_id: str
    paragraph: str
    title: str
    text: str
    score: float
    alone: float
    citation: str = ""

    @property
    def heading(self) -> str:
        """The title without the numbers of sections, which are not words of the text."""
        return schema.without_number(self.title)

    @property
    def is_sentence(self) -> bool:
        """True if `doc_id` is that of a sentence, False for a paragraph."""
        return self.alone > 0


# Depths that gave the most answers of NIILC-QA (docs/figures/ntcir-term.md): sentence hits,
# paragraph hits, and paragraphs of which every sentence is read.
_SENTENCES, _PARAGRAPHS, _READ = 60, 30, 8
_PARAGRAPH_WEIGHT = 0.5  # the fraction of a paragraph's score that its sentences get


def search_passages(
    index: Index, weights: Sequence[Mapping[str, float]], analyser: Analyser
) -> list[list[Passage]]:
    """For each question (term → weight) its passages, best first, ties by doc_id; [] without hits;
    two round trips for all questions.

    Passages are the 60 best sentences, where the index has sentences, and all sentences of the 8
    best paragraphs. A score is the BM25 of the sentence (0 if only its paragraph was found) plus
    half of that of its paragraph (0 beyond the 30 best), relative to the best passage.
    """
    # In code point order, so that sums of floats do not depend on the order given.
    queries = [weighted_query(dict(sorted(terms.items()))) for terms in weights]
    sentences: list[list[ScoredDocument]] = [[] for _ in weights]
    if schema.holds_sentences(index.metadata):
        sentences = [
            list(hits) for hits in index.part(schema.SENTENCES.name).search(queries, _SENTENCES)
        ]
    wide = index.part(schema.PARAGRAPHS.name).search(queries, _PARAGRAPHS)
    return [_passages(*hits, analyser) for hits in zip(sentences, wide, strict=True)]


class _ScoredText(NamedTuple):
    """A sentence to consider: that of a sentence hit, or one of a paragraph hit.

    `position` is the hit's in the textbook; `alone` the sentence's own score, 0 for those of
    a paragraph.
    """

    hit: ScoredDocument
    position: schema.Place
    text: str
    alone: float


def _passages(
    sentences: Sequence[ScoredDocument], paragraphs: Sequence[ScoredDocument], analyser: Analyser
) -> list[Passage]:
    """The passages of one question's sentence hits, and of every sentence of the 8 (`_READ`) best
    paragraphs, best first, ties by doc_id; a text occurs once in a paragraph. Scores are relative
    to the best passage (`search_passages`), those by the sentence `alone` to the best sentence."""
    wide = {hit.doc_id: hit.score for hit in paragraphs}
    best_alone = sentences[0].score if sentences else 1.0
    texts = [
        _ScoredText(hit, schema.decode_place(hit.document), hit.document.text, hit.score)
        for hit in sentences
    ]
    # A sentence that shares no word with the question may still answer it next to one that does.
    for hit in paragraphs[:_READ]:
        reference = schema.decode_place(hit.document)
        texts += [
            _ScoredText(hit, reference, text, 0.0) for text in analyser.sentences(hit.document.text)
        ]
    passages: dict[tuple[str, str], Passage] = {}
    for scored in texts:
        reference, text, alone = scored.position, scored.text, scored.alone
        # A paragraph found is itself the paragraph of its sentences.
        paragraph = reference.paragraph if alone else scored.hit.doc_id
        if not alone and (paragraph, text) in passages:
            continue
        passages[paragraph, text] = Passage(
            doc_id=scored.hit.doc_id,
            paragraph=paragraph,
            title=reference.title,
            text=text,
            score=alone + _PARAGRAPH_WEIGHT * wide.get(paragraph, 0.0),
            alone=alone / best_alone,
            citation=reference.citation,
        )
    # Relative scores: what a BM25 of 12 means differs from question to question.
    best = max((passage.score for passage in passages.values()), default=1.0)
    relative = [
        passage._replace(score=round_score(passage.score / best)) for passage in passages.values()
    ]
    return sorted(relative, key=lambda passage: (-passage.score, passage.doc_id))


def rank_paragraphs(
    hits: Sequence[ScoredDocument],
    k: int,
    section_weight: float,
    title_weight: float,
    title_share: Callable[[str], float],
) -> dict[str, float]:
    """doc_id → score of the k best paragraphs, best first, relative to the best; ties by doc_id; {}
    without hits.

    A paragraph scores its BM25 relative to the best one's, plus `section_weight` times that of its
    section (the sum of the three best hits with its title / 3, relative to the best section), plus
    `title_weight` times `title_share(title)`: the fraction, 0 to 1, of its title that the question
    contains.
    """
    if not hits:
        return {}
    titles = {hit.doc_id: schema.title_of(hit.document) for hit in hits}
    hit_scores = {hit.doc_id: round_score(hit.score) for hit in hits}
    by_title: dict[str, list[float]] = {}
    for doc_id, title in titles.items():
        by_title.setdefault(title, []).append(hit_scores[doc_id])
    # Divided by three whatever there are: a single good paragraph does not make a good section.
    section = {
        title: sum(sorted(scores, reverse=True)[:3]) / 3 for title, scores in by_title.items()
    }
    best, top = hit_scores[hits[0].doc_id], max(section.values())
    shares = {title: title_share(title) for title in by_title}
    scores = {
        doc_id: hit_scores[doc_id] / best
        + section_weight * section[title] / top
        + title_weight * shares[title]
        for doc_id, title in titles.items()
    }
    chosen = sorted(scores, key=lambda doc_id: (-scores[doc_id], doc_id))[:k]
    return {doc_id: scores[doc_id] / scores[chosen[0]] for doc_id in chosen}


def search_among(
    part: Searcher, queries: Sequence[Query], key: str, values: Sequence[Sequence[str]], k: int
) -> list[Sequence[ScoredDocument]]:
    """For queries[i] the k best documents whose key `key` has one of values[i]; one round trip for
    all."""
    within = [
        Query(query.terms, (key, tuple(members)))
        for query, members in zip(queries, values, strict=True)
    ]
    return list(part.search(within, k))
