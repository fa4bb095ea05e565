"""Interface of the engines: the types that go in and come out, whichever engine answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from indexer.document import Document, Part
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.location import Location


class IndexGone(UserError):  # noqa: N818 - what it says, not how it is raised
    """The open index no longer exists: it was deleted, or replaced by one that may be opened in its place."""


class Metadata(NamedTuple):
    """Metadata of an index, stored with it as JSON.

    `kind` is one of `indexer.registry`. `parts` are its collections, the main one first.
    `language` is None where every document has its own (datasets). `settings` holds the build options that change
    the index (unit, source type, glossary lines); `sources` the files it was built from, each with its size in
    bytes, and `content` a hash of what is in them. `documents` counts the documents of each part. `versions` are those
    of the packages that made them.
    """

    kind: str
    parts: tuple[Part, ...]
    language: Language | None
    settings: Mapping[str, Any]
    sources: tuple[tuple[str, int], ...] = ()
    documents: Mapping[str, int] = {}
    versions: Mapping[str, str] = {}
    version: int = 1
    content: str = ""


class QueryTerm(NamedTuple):
    """A term looked for in a field; its BM25 score is multiplied by the weight."""

    field: str
    term: str
    weight: float = 1.0


class Query(NamedTuple):
    """A disjunction of weighted terms: a document's score is the sum over the terms that it holds.

    A term given twice counts twice. `where` narrows the answer to documents that hold one of the values
    in that key field, without changing any score. A query without terms finds nothing.
    """

    terms: tuple[QueryTerm, ...]
    where: tuple[str, tuple[str, ...]] | None = None


class Hit(NamedTuple):
    """A document found: `score` is BM25 (`similarity`, times K1 + 1), higher is better."""

    doc_id: str
    score: float
    document: Document


class Explanation(NamedTuple):
    """Contribution of each term to a document's score; they add up to `score` (single precision)."""

    doc_id: str
    score: float
    terms: Mapping[str, float]


class Searcher(Protocol):
    """One part of an open index. Every method takes many questions at once, in one round trip."""

    def search(self, queries: Sequence[Query], k: int, exact: bool = False) -> list[list[Hit]]:
        """The k best documents of each query, best first, one list a query (shorter, or empty, where fewer match).

        Order: by score rounded to 5 significant digits, falling, then by doc_id; the same on both engines, but where a
        score lies on the edge of its fifth digit. `exact` (for queries whose terms all weigh 1) rounds every score and
        settles those too. A hit's document has its text, keys and payload, and no terms.
        """

    def count(self, queries: Sequence[Query]) -> list[int]:
        """For each query, number of documents that hold at least one of its terms."""

    def lookup(self, key: str, values: Sequence[str]) -> list[list[Document]]:
        """The documents that hold a value in a key field, ordered by doc_id, one list a value.

        `key` may be "doc_id". An unknown value gives an empty list. Documents come without terms.
        """

    def scan(self) -> Iterator[Document]:
        """Yields every document, ordered by doc_id, without terms."""

    def explain(self, query: Query, doc_ids: Sequence[str]) -> list[Explanation]:
        """Explains the score of each document, in the order of `doc_ids`; a document that does not match has score
        0."""

    def __len__(self) -> int:
        """Number of documents the part holds."""


@runtime_checkable
class Index(Protocol):
    """An open index: what it knows of itself, and its parts."""

    @property
    def address(self) -> str: ...

    @property
    def engine(self) -> str: ...

    @property
    def metadata(self) -> Metadata: ...

    def part(self, name: str | None = None) -> Searcher:
        """The part of that name, by default the main part. KeyError when the index has no such part."""

    def close(self) -> None: ...


class Standing(NamedTuple):
    """Description of the index at an address, whatever version wrote it, and when it was put there.

    `sources` are the names of its files; `when` is the local time, to the minute; `documents` those of all parts;
    `analysis` the version of the analysis (`indexer.registry.ANALYSIS`), None for a kind without one.
    """

    kind: str
    language: str | None
    sources: tuple[str, ...]
    when: str
    documents: int = 0
    analysis: int | None = None


class Share(Protocol):
    """The share of one of several processes in an index that is being built."""

    def add(self, part: str, documents: Sequence[Document]) -> Any:
        """Write documents; what the writer counts of those that have terms, without which none is written."""

    def commit(self) -> None:
        """Make what is written safe, on the disk or the server."""

    def end(self) -> None:
        """Write no more; what is not committed is lost."""


class Crew(Protocol):
    """The processes that write shares of an index."""

    def commit(self) -> None:
        """Have each commit its share."""

    def close(self) -> None:
        """End them, whatever they are at; what is not committed is lost."""


class Writer(Protocol):
    """An index being built aside; nothing of it is seen until `publish`.

    Other processes of the machine may write its documents, too, each a separate share. `finished_sources` are those
    that an earlier, interrupted build of the same sources and settings already wrote: their documents are kept and
    must not be written again.
    """

    @property
    def finished_sources(self) -> frozenset[str]: ...

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of documents in each part so far, including those of an interrupted build."""

    def add(self, part: str, documents: Sequence[Document]) -> None:
        """Write documents; their doc_ids are new to the part."""

    def finish_source(self, source: str, costly: bool = False) -> None:
        """Record that all of a source is written: a build started again resumes after it.

        Small sources are made durable several at a time, a `costly` one at once.
        """

    def share(self, number: int) -> Callable[[], Share] | None:
        """A picklable function that opens the share of that number in the calling process; None where shares cannot be
        joined."""

    def lead(self, crew: Crew) -> None:
        """Takes over a crew of workers, to commit whenever this writer does and to end with the build."""

    def count(self, part: str, written: Any) -> None:
        """Count documents that the crew has written, by what its shares gave for them."""

    def join(self) -> None:
        """End the crew, which has committed all and writes no more, and put its shares together with the rest."""

    def searcher(self, part: str) -> Searcher:
        """A searcher over the documents written to a part so far (for documents derived from others)."""

    def publish(self) -> Metadata:
        """Check the counts and put the new index in the old one's place, in one step; its final metadata."""

    def abandon(self) -> None:
        """Close without publishing; what finished stays aside for the next build to resume."""

    def discard(self) -> None:
        """Close without publishing, and remove all that was written aside."""


class Engine(Protocol):
    """An engine: opens, builds, describes and deletes indexes."""

    def open(self, address: str) -> Index:
        """The index at an address. UserError, one line with both remedies, when none is there."""

    def standing(self, address: str) -> Standing | None:
        """Describes the index at an address; None without an index of this program."""

    def names(self, location: Location) -> list[str]:
        """The names of the indexes of ours beside a location: in its folder's folder, or on its servers; sorted."""

    def size(self, address: str) -> int:
        """The bytes that an index takes on disk; on a cluster all its copies."""

    def remove(self, address: str) -> None:
        """Remove an index and what an interrupted build of it left. Raises UserError where none is there."""

    def build(self, address: str, metadata: Metadata) -> Writer:
        """A build aside. It resumes an interrupted one whose kind, parts, settings and sources are the same."""
