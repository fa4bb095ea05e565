"""BM25 where no engine scores: the same idf and the same saturation as both engines'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from indexer.engines.scoring import K1, B
from indexer.files.arrays import Float64Array

if TYPE_CHECKING:
    from indexer.engines.searching import Searcher

Number = TypeVar("Number", float, Float64Array)


def idf(documents: float | Float64Array, with_term: Number) -> Number:
    """log(1 + (N − n + ½) / (n + ½)) of a term, or of each: N `documents`, n of them `with_term`;
    always positive.

    Source: [BM25], with Lucene's 1 + inside the log.
    """
    return cast("Number", np.log1p((documents - with_term + 0.5) / (with_term + 0.5)))


def term_score(
    weight: Number, count: Number, length: Number, average: Number, k1: float = K1, b: float = B
) -> Number:
    """BM25 score of a term in a document: weight × count (k1 + 1) / (count + k1 (1 − b + b length /
    average)) [BM25].

    `weight` is the term's idf times its weight in the query, `count` its frequency in the document,
    `length` the document's length in terms, `average` the mean length of the collection's documents
    (above 0).
    """
    return weight * count * (k1 + 1) / (count + k1 * (1 - b + b * length / average))


def documents_with(searcher: Searcher, terms: Sequence[str]) -> dict[str, int]:
    """Document frequency of each term in the field `text`, 0 included, counted in one call."""
    from indexer.engines.contract import Query, QueryTerm
    from retriever.queries import TEXT_FIELD

    counts = searcher.count([Query((QueryTerm(TEXT_FIELD, term),)) for term in terms])
    return dict(zip(terms, counts, strict=True))


def idf_in(searcher: Searcher, terms: Sequence[str]) -> dict[str, float]:
    """The idf of each term that some document holds, over the documents of the searcher; counted in
    one call."""
    counts = {term: count for term, count in documents_with(searcher, terms).items() if count}
    rarity = idf(len(searcher), np.array(list(counts.values()), np.float64))
    return dict(zip(counts, rarity.tolist(), strict=True))
