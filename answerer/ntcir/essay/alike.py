"""Paragraphs of other sections that are most like the question's own: how such subjects are spoken of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from answerer.ntcir.essay.question import Question
from indexer.document import Document
from indexer.engines.contract import Hit, Query
from indexer.sources.textbook import schema
from retriever.bm25 import idf
from retriever.queries import weighted_query

ALIKE = 100
"""So many paragraphs are counted at most."""
SEARCHED_ALIKE = 150
"""So many are looked for, since the section's own are among them."""
_TELLING = 40
_ASKED_WEIGHT = 5.0


def alike_query(
    question: Question, section: Sequence[tuple[str, ...]], frequency: Mapping[str, int], size: int
) -> Query:
    """What finds paragraphs like a question and its section: the question's terms, `_ASKED_WEIGHT` times as heavy as it
    weighs them, and the `_TELLING` terms of the section with the highest (1 + log count) · idf, by 1 + log count.

    `frequency` says how many of `size` paragraphs hold a term; terms of the section that it lacks are left out.
    """
    counts = Counter(term for passage in section for term in passage if frequency.get(term))
    weights = {term: 1 + log(count) for term, count in counts.items()}
    telling = sorted(weights, key=lambda term: (-weights[term] * idf(size, float(frequency[term])), term))[:_TELLING]
    asked = {term: _ASKED_WEIGHT * weight for term, weight in question.terms.items()}
    return weighted_query({**asked, **{term: weights[term] + asked.get(term, 0.0) for term in telling}})


def of_others(hits: Sequence[Hit], title: str) -> list[Document]:
    """The first `ALIKE` paragraphs found that do not stand under a title; with "" for the title, of all."""
    others = [hit.document for hit in hits if not title or schema.title_of(hit.document) != title]
    return others[:ALIKE]
