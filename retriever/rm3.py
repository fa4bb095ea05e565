"""RM3: a query expanded by the terms of its best documents, as Anserini's Rm3Reranker does it.

Source: Abdul-Jaleel and others, UMass at TREC 2004; castorini/anserini, Rm3Reranker.java.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retriever.term_counts import TermCounts, Weighting

if TYPE_CHECKING:
    from indexer.engines.contract import Searcher

# Anserini's filters of terms that a document may give.
MOST_COMMON = 0.1  # share of the documents that hold the term, at most
SHORTEST, LONGEST = 2, 20  # characters of a term in Latin letters or digits


@dataclass(frozen=True)
class Rm3:
    """Settings of the expansion; the defaults are Anserini's."""

    documents: int = 10
    """how many of the best documents give terms"""
    terms: int = 10
    """how many terms are added at most"""
    original_weight: float = 0.5
    """share of the query's own terms in all weights, 0 to 1"""


def expanded(
    query: Mapping[str, int],
    searcher: Searcher,
    counts: TermCounts,
    weighting: Weighting,
    settings: Rm3,
) -> dict[str, float]:
    """The weighted terms of a query (its terms with their counts): its own, sharing
    `original_weight` by their counts, and those of its best documents, sharing the rest.

    A term weighs in a document by its share of the document's most frequent `terms` terms, and in
    all by the sum of these times the documents' scores; equal weights are ordered by term. A query
    of which nothing is found keeps its counts.
    """
    hits = dict(counts.best(query, settings.documents, weighting))
    feedback = [
        (Counter(document.payload.split(" ")), hits[document.doc_id])
        for found in searcher.lookup("doc_id", list(hits))
        for document in found
    ]
    most = MOST_COMMON * len(counts.doc_ids)
    terms = {term for of_document, _ in feedback for term in of_document if _is_word(term)}
    allowed = {term for term in terms if counts.document_frequency(term) <= most}
    model = _relevance_model(feedback, allowed, settings.terms)
    if not model:
        return dict(query)
    total, own = sum(query.values()), settings.original_weight
    return {
        term: own * query.get(term, 0) / total + (1 - own) * model.get(term, 0.0)
        for term in {**query, **model}
    }


def _relevance_model(
    documents: Sequence[tuple[Counter[str], float]], allowed: set[str], size: int
) -> dict[str, float]:
    """The `size` heaviest terms of documents (counts of terms, score), their weights adding up to
    1; {} without any."""
    weights: dict[str, float] = {}
    for counts, score in documents:
        heaviest = _heaviest({term: n for term, n in counts.items() if term in allowed}, size)
        total = sum(heaviest.values())
        for term, count in heaviest.items():
            weights[term] = weights.get(term, 0.0) + score * count / total
    best = _heaviest(weights, size)
    total = sum(best.values())
    return {term: weight / total for term, weight in best.items()}


def _heaviest(weights: Mapping[str, float], size: int) -> dict[str, float]:
    """The `size` heaviest terms, falling, equal ones by term."""
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:size])


def _is_word(term: str) -> bool:
    """Whether a term may be added: letters and digits, of 2 to 20 characters where they are
    Latin."""
    return term.isalnum() and (not term.isascii() or SHORTEST <= len(term) <= LONGEST)
