"""Explanation of a document's score term by term, in one shape for both engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.engines.contract import Document, Query, ScoredDocument
from indexer.sources.textbook.schema import decode_place

if TYPE_CHECKING:
    from indexer.engines.searching import Searcher


class Evidence(NamedTuple):
    """A document found for a query; `terms` maps each matching term to its contribution to the
    score.

    `title` is the heading of a textbook's passage, with its page if that is stored, "" without
    one."""

    doc_id: str
    text: str
    score: float
    terms: dict[str, float]
    title: str = ""


def most_first(terms: Mapping[str, float]) -> dict[str, float]:
    """The terms of a score with their shares of it, sorted by falling share (compared to 4
    decimals), ties by term."""
    return dict(sorted(terms.items(), key=lambda item: (-round(item[1], 4), item[0])))


def explain_hits(
    searcher: Searcher, query: Query, hits: Sequence[ScoredDocument]
) -> list[Evidence]:
    """The evidence of each hit in order, its terms sorted by falling contribution to the score."""
    terms_of_hits = searcher.explain(query, [hit.doc_id for hit in hits])
    return [
        Evidence(
            hit.doc_id,
            hit.document.text,
            hit.score,
            most_first(terms),
            citation_of(hit.document),
        )
        for hit, terms in zip(hits, terms_of_hits, strict=True)
    ]


def citation_of(document: Document) -> str:
    """The title of a passage with its page; of a collection's document, whose payload is not a
    page, its title alone."""
    reference = decode_place(document)
    return (reference if reference.paragraph else reference._replace(page="")).citation
