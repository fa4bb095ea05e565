"""How many documents hold a term, and so how rare it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indexer.engines.contract import Query, QueryTerm, Searcher
from retriever.bm25 import idf
from retriever.queries import TEXT_FIELD


def documents_with(searcher: Searcher, terms: Sequence[str]) -> dict[str, int]:
    """How many documents hold each of the terms, counted in one call."""
    counts = searcher.count([Query((QueryTerm(TEXT_FIELD, term),)) for term in terms])
    return dict(zip(terms, counts, strict=True))


def idf_in(searcher: Searcher, terms: Sequence[str]) -> dict[str, float]:
    """The idf of each term that some document holds, over the documents of the searcher; counted in one call."""
    counts = {term: count for term, count in documents_with(searcher, terms).items() if count}
    rarity = idf(len(searcher), np.array(list(counts.values()), np.float64))
    return dict(zip(counts, rarity.tolist(), strict=True))
