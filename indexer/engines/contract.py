"""Interface of the engines to who searches: the types that go in and come out, whichever engine
answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from indexer.document import Document
from indexer.engines.metadata import Metadata
from indexer.engines.query import Query, QueryTerm, ScoredDocument
from indexer.files.errors import UserError

if TYPE_CHECKING:
    from indexer.analysis.glossary import Glossary

__all__ = [
    "Explanation",
    "Index",
    "IndexGone",
    "Metadata",
    "Query",
    "QueryTerm",
    "ScoredDocument",
    "Searcher",
    "TransientError",
]


class IndexGone(UserError):  # noqa: N818 - what it says, not how it is raised
    """The open index no longer exists: it was deleted, or replaced by one that may be opened in its
    place."""


class TransientError(UserError):
    """A server that is away, starting, full or busy: the same request may succeed a little
    later."""


class Explanation(NamedTuple):
    """Contribution of each term to a document's score; they add up to `score` (single
    precision)."""

    doc_id: str
    score: float
    terms: Mapping[str, float]


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

    def explain(self, query: Query, doc_ids: Sequence[str]) -> list[Explanation]:
        """Explains the score of each document, in the order of `doc_ids`; a document that does not
        match has score 0."""

    def __len__(self) -> int:
        """Number of documents the part holds."""


@dataclass(frozen=True)
class Index:
    """An open index: what it knows of itself, and its parts.

    A build that replaces it meanwhile never mixes with it: an embedded index answers from the files
    that were opened, a query to one on a server raises IndexGone.
    """

    address: str
    engine: str
    metadata: Metadata
    parts: Mapping[str, Searcher]
    close: Callable[[], None]
    folder: Path | None = None
    """where this build of an embedded index lies, and what is computed from it may be kept"""

    def part(self, name: str | None = None) -> Searcher:
        """The part of that name, by default the main part. KeyError when the index has no such
        part."""
        return self.parts[name or self.metadata.parts[0].name]

    @cached_property
    def glossary(self) -> Glossary:
        """The glossary stored in the index, empty if it was built without one; parsed once. Raises
        UserError for a damaged one."""
        from indexer.analysis.glossary import Glossary

        try:
            return Glossary.from_lines(self.metadata.settings.get("glossary", []))
        except (TypeError, ValueError) as error:
            raise UserError(
                f"the glossary of the index {self.address} is damaged ({error}): build it again"
            ) from None
