"""RM3: a query expanded by the terms of its best documents, as Anserini's Rm3Reranker does it.

Source: Abdul-Jaleel and others, UMass at TREC 2004; castorini/anserini, Rm3Reranker.java.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from indexer.files.errors import UserError
from indexer.files.validation import validate_count
from retriever.weighting import Scorer

if TYPE_CHECKING:
    from indexer.engines.searching import Searcher

Number = TypeVar("Number", int, float)

# Anserini's filters of terms that a document may give.
MOST_COMMON = 0.1  # share of the documents that hold the term, at most
SHORTEST, LONGEST = 2, 20  # characters of a term in Latin letters or digits


@dataclass(frozen=True)
class Rm3:
    """Settings of the expansion; the defaults are Anserini's. Raises UserError for numbers below 1
    and a weight that is not from 0 to 1."""

    documents: int = 10
    """how many of the best documents give terms"""
    terms: int = 10
    """how many terms are added at most"""
    original_weight: float = 0.5
    """share of the query's own terms in all weights, 0 to 1"""

    def __post_init__(self) -> None:
        validate_count(self.documents, "documents")
        validate_count(self.terms, "terms")
        if not 0 <= self.original_weight <= 1:
            raise UserError(f"original_weight is {self.original_weight}: expected 0 to 1")


def expanded_queries(
    queries: Sequence[Mapping[str, float]],
    searcher: Searcher,
    scorer: Scorer,
    settings: Rm3,
) -> list[dict[str, float]]:
    """The weighted terms of each query (its terms with their counts): its own, sharing
    `original_weight` by their counts, and those of its best documents, sharing the rest.

    A term weighs in a document by its share of the document's most frequent `terms` terms, and in
    all by the sum of these times the documents' scores; the `terms` heaviest are added, equal ones
    by term. Terms in over a tenth of the collection and those that `_is_word` refuses are left out.
    A query of which nothing is found, or whose documents have no other terms, keeps its counts.
    """
    rankings, counts = list(scorer.best(queries, settings.documents)), scorer.counts
    best = sorted({doc_id for ranking in rankings for doc_id, _ in ranking})
    most = MOST_COMMON * len(counts.doc_ids)
    terms_of: dict[str, dict[str, int]] = {}
    for documents in searcher.lookup("doc_id", best):
        for document in documents:
            terms = Counter(filter(_is_word, document.payload.split(" ")))
            allowed = {
                term: count
                for term, count in terms.items()
                if counts.document_frequency(term) <= most
            }
            terms_of[document.doc_id] = _heaviest(allowed, settings.terms)
    expanded = []
    for query, ranking in zip(queries, rankings, strict=True):
        model = _relevance_model(
            [(terms_of[doc_id], score) for doc_id, score in ranking], settings.terms
        )
        total, weight = sum(query.values()), settings.original_weight
        expanded.append(
            {
                term: weight * query.get(term, 0) / total + (1 - weight) * model.get(term, 0.0)
                for term in {**query, **model}
            }
            if model
            else dict(query)
        )
    return expanded


def _relevance_model(
    documents: Sequence[tuple[Mapping[str, int], float]], size: int
) -> dict[str, float]:
    """The `size` heaviest terms of documents (counts of their heaviest terms, score), their weights
    adding up to 1; {} without any."""
    weights: dict[str, float] = {}
    for counts, score in documents:
        total = sum(counts.values())
        for term, count in counts.items():
            weights[term] = weights.get(term, 0.0) + score * count / total
    best = _heaviest(weights, size)
    whole = sum(best.values())
    return {term: weight / whole for term, weight in best.items()}


def _heaviest(weights: Mapping[str, Number], size: int) -> dict[str, Number]:
    """The `size` heaviest terms, falling, equal ones by term."""
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:size])


def _is_word(term: str) -> bool:
    """Whether a term may be added: letters and digits only, and 2 to 20 characters if all are
    ASCII."""
    return term.isalnum() and (not term.isascii() or SHORTEST <= len(term) <= LONGEST)
