"""Interface of the engines to who searches an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from indexer.engines.contract import Document, Query, ScoredDocument


class Searcher(Protocol):
    """One part of an open index. Every method takes many questions at once, in one round trip."""

    def search(
        self, queries: Sequence[Query], k: int, exact: bool = False
    ) -> list[list[ScoredDocument]]:
        """The k best documents of each query, best first, one list a query (shorter, or empty,
        where fewer match).

        Order: by score rounded to 5 significant digits, falling, then by doc_id; the same on both
        engines, but where a score lies on the edge of its fifth digit. `exact` rounds every
        score and settles those too. A hit's document has its text,
        keys and payload, and no terms.
        """

    def count(self, queries: Sequence[Query]) -> list[int]:
        """For each query, number of documents that hold at least one of its terms; 0 without
        terms."""

    def lookup(self, key: str, values: Sequence[str]) -> list[list[Document]]:
        """The documents that hold a value in a key field (or as "doc_id"), ordered by doc_id, one
        list a value; [] for an unknown value. Documents come without terms."""

    def scan(self) -> Iterator[Document]:
        """Yields every document, ordered by doc_id, without terms."""

    def explain(self, query: Query, doc_ids: Sequence[str]) -> list[Mapping[str, float]]:
        """For each of `doc_ids`, in order, what each matching term (named as `contract.clauses`
        does) adds to the document's score, in single precision; {} for a document that does not
        match."""

    def __len__(self) -> int:
        """Number of documents the part holds."""
