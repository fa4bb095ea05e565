"""Why a document answered: its score term by term, in one shape for both engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexer.engines.contract import Hit, Query, Searcher


class Evidence(NamedTuple):
    """A document found for a query; `terms` maps each term that it holds to what that gave to the score."""

    doc_id: str
    text: str
    score: float
    terms: dict[str, float]


def explain_hits(searcher: Searcher, query: Query, hits: Sequence[Hit]) -> list[Evidence]:
    """The evidence of each hit in order, its terms by what they gave, falling (ties by term)."""
    explanations = searcher.explain(query, [hit.doc_id for hit in hits])
    return [
        Evidence(
            hit.doc_id,
            hit.document.text,
            hit.score,
            dict(sorted(explanation.terms.items(), key=lambda item: (-round(item[1], 4), item[0]))),
        )
        for hit, explanation in zip(hits, explanations, strict=True)
    ]
