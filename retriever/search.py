"""Search with queries in plain words, for Python programs, the command `retriever` and the other
packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, overload

from indexer.address import Location
from indexer.engines.contract import Document, Metadata, Query, pause_garbage_collection
from indexer.engines.opening import open_index as open_engine_index
from indexer.files.errors import UserError
from indexer.files.messages import counted
from indexer.files.validation import validate_count, validate_text, validate_texts
from retriever.explain import Evidence, explain_hits
from retriever.opened import Address, as_address
from retriever.queries import counted_query, source_id_of, terms_of, text_part

if TYPE_CHECKING:
    import pandas

    from indexer.engines.contract import Index
    from indexer.engines.searching import Searcher
    from retriever.rankings import Rankings
    from retriever.rm3 import Rm3
    from retriever.weighting import Scorer, Weighting


class Hit(NamedTuple):
    """A document found: `score` is BM25, higher is better; `title` is its heading, "" without one,
    with the page in a book of pages (`River valleys, p. 212`).

    `source_id` is the document's id in the source (of a textbook's passage what its file calls the
    text), else "".
    """

    doc_id: str
    score: float
    title: str
    text: str
    source_id: str = ""


class Hits(list[Hit]):
    """The hits of a query, best first: a list that a notebook shows as a table (the first 20)."""

    def to_frame(self) -> pandas.DataFrame:
        """A row a hit, with a column for each field of `Hit`, as a table of pandas. Raises
        UserError if pandas is not installed."""
        from indexer.frames import frame

        return frame([hit._asdict() for hit in self], Hit._fields)

    def _repr_html_(self) -> str:
        from indexer.frames import html_table

        return html_table([hit._asdict() for hit in self], counted(len(self), "hits"))


class OpenIndex:
    """An open index: `with` closes it, as `close` does.

    Several threads may search it at once. Sent to a process of a pool, it is opened there again; a
    copy inherited by a fork can be searched too if the index is embedded.
    """

    def __init__(self, address: str | Location) -> None:
        self._location = address
        self._index = open_engine_index(address)
        self._closed = False
        self._scorer: Scorer | None = None
        self._terms: Callable[[str], list[str]] | None = None
        self._analysing = Lock()  # stemmers and taggers serve one thread at a time

    @property
    def address(self) -> str:
        """The address as messages show it: a folder, or a URL without password."""
        return self._index.address

    @property
    def engine(self) -> str:
        """`embedded` or `elasticsearch`."""
        return self._index.engine

    @property
    def metadata(self) -> Metadata:
        """Metadata of the index: kind, language, parts, settings, sources, counts, versions."""
        return self._index.metadata

    @property
    def engine_index(self) -> Index:
        """The index under the engines' contract. Raises UserError once it is closed."""
        if self._closed:
            raise UserError(f"the index {self.address} is closed: open it again")
        return self._index

    def part(self, name: str | None = None) -> Searcher:
        """A part of the index (by default the main one), to be asked with queries of terms, looked
        up and read through.

        Raises KeyError for a name that no part has, UserError once the index is closed.
        """
        return self.engine_index.part(None if name is None else validate_text(name, "part"))

    @overload
    def search(  # type: ignore[overload-overlap]  # a string is asked as a whole
        self, query: str, k: int = 10, *, part: str | None = None, exact: bool = False
    ) -> Hits: ...

    @overload
    def search(  # type: ignore[overload-overlap]  # a mapping is not a list
        self, query: Mapping[str, str], k: int = 10, *, part: str | None = None, exact: bool = False
    ) -> Rankings: ...

    @overload
    def search(
        self, query: Iterable[str], k: int = 10, *, part: str | None = None, exact: bool = False
    ) -> list[Hits]: ...

    def search(
        self,
        query: str | Mapping[str, str] | Iterable[str],
        k: int = 10,
        *,
        part: str | None = None,
        exact: bool = False,
    ) -> Hits | Rankings | list[Hits]:
        """The k best documents for a query in plain words, best first; for several queries, such a
        list for each; for a mapping of topic ids to queries, `Rankings` without texts, to be
        written as a TREC run (`to_trec`) or a table (`to_frame`), as by `rank`.

        In an index of a collection a mapping is scored with exact document lengths, as by
        `retrieve --topics`; a query and a list are scored by the engine, which rounds lengths above
        40 terms, as by `retrieve QUERY`, so that scores differ a little.

        Scored by BM25 (k1 1.2, b 0.75); a term counts as often as the query holds it; equal scores
        (to 5 significant digits) are ordered by doc_id. Nothing is found for a query without terms.
        `part` names another part than the main one. Many queries in one call are asked together,
        which is quickest. With `exact` scores have 5 digits, the same on both engines, whose own
        sums differ in the fifth about once in 500 scores. UserError for a k that is not a whole
        number from 1, for a part that is not there or has no text, for a query that is not a text,
        and where the server of an index does not answer.
        """
        if isinstance(query, Mapping):
            return self.rank(query, k, part=part)
        # A string is an iterable of strings too: it is one query.
        searcher, queries = self._ask(
            [query] if isinstance(query, str) else validate_texts(query, "query"), k, part
        )
        kind = self.metadata.kind
        title = titles_of(kind, part or self.metadata.parts[0].name)
        # Thousands of hits are made at once, and none of them is garbage.
        with pause_garbage_collection():
            results = [
                Hits(
                    Hit(
                        doc_id,
                        score,
                        title(document),
                        document.text,
                        source_id_of(kind, document),
                    )
                    for doc_id, score, document in hits
                )
                for hits in searcher.search(queries, k, exact)
            ]
        return results[0] if isinstance(query, str) else results

    def rank(
        self,
        topics: Mapping[str, str],
        k: int = 1000,
        *,
        part: str | None = None,
        weighting: Weighting | None = None,
        rm3: Rm3 | None = None,
    ) -> Rankings:
        """The k best documents of each topic (id to query) by doc_id and score, in the order of the
        topics, as `retriever.rankings.rank_topics` makes them: of a collection by `weighting` (BM25
        by default), with `rm3` after expanding the queries; of other indexes by the engine's BM25,
        UserError with either; empty without hits. Term counts are read once. UserError for a k
        below 1, an unknown `part`, an id with blanks, a query that is not a text, and for what is
        of another type."""
        from retriever.rankings import BM25, Rankings, rank_topics
        from retriever.rm3 import Rm3
        from retriever.term_counts import term_counts_of
        from retriever.weighting import Scorer, Weighting

        self._ask([], k, part)
        for label, value, kind, expected in (
            ("topics", topics, Mapping, "queries by their ids"),
            ("weighting", weighting, Weighting | None, "a Weighting"),
            ("rm3", rm3, Rm3 | None, "an Rm3"),
        ):
            if not isinstance(value, kind):
                raise UserError(f"{label}: expected {expected}, not {type(value).__name__}")
        weighting = weighting or BM25
        with self._analysing:
            if self.metadata.kind == "collection" and (
                self._scorer is None or self._scorer.weighting != weighting
            ):
                counts = self._scorer.counts if self._scorer else term_counts_of(self.engine_index)
                self._scorer = Scorer(counts, weighting)
            return Rankings(
                rank_topics(
                    self.engine_index,
                    topics,
                    k,
                    part=part,
                    weighting=weighting,
                    rm3=rm3,
                    scorer=self._scorer,
                )
            )

    def explain(self, query: str, k: int = 10, *, part: str | None = None) -> list[Evidence]:
        """The k best documents for a query as `search` finds them, each with the share of every
        term in its score.

        Terms are sorted by their shares, falling. Errors as for `search`.
        """
        searcher, queries = self._ask([validate_text(query, "query")], k, part)
        return explain_hits(searcher, queries[0], searcher.search(queries, k)[0])

    def close(self) -> None:
        """Let go of files and connections; once more does nothing."""
        if not self._closed:
            self._closed = True
            self._index.close()

    def _ask(self, texts: Sequence[str], k: int, part: str | None) -> tuple[Searcher, list[Query]]:
        """The searcher of a part (None: of the first part with text), and the queries of several
        texts, each with the terms of its text. Raises UserError for an unknown part, and
        for `k` below 1."""
        validate_count(k, "k")
        searcher = text_part(
            self.engine_index, None if part is None else validate_text(part, "part")
        )
        with self._analysing:
            if self._terms is None:
                self._terms = terms_of(self._index)
            return searcher, [counted_query(self._terms(text)) for text in texts]

    def __enter__(self) -> OpenIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[OpenIndex], tuple[str | Location]]:
        return OpenIndex, (self._location,)

    def __repr__(self) -> str:
        return str(self._index)


def open_index(address: Address) -> OpenIndex:
    """The index at an address: a name (`indexes/NAME`, or on `$ELASTICSEARCH_URL` where that is
    set), a folder, a URL.

    UserError, one line with the remedy, where no index is there, or none that this version can
    read.
    """
    return OpenIndex(as_address(address))


def titles_of(kind: str, part: str) -> Callable[[Document], str]:
    """The function that returns the title of a document, for a part of an index of a kind: of a
    textbook with the page, of a collection or dataset its title, of a table its caption, of a block
    of a dataset its table's title; "" without one, and for other kinds."""
    if kind in ("textbook", "collection"):
        from indexer.sources.textbook.schema import decode_place, title_of

        if kind == "collection":
            return title_of
        return lambda document: decode_place(document).citation
    if kind == "tables":
        from indexer.sources.tables.schema import decode_table

        return lambda document: decode_table(document.payload).caption
    if kind == "datasets":
        from indexer.sources.datasets.schema import DATASETS, decode_block, decode_dataset

        if part == DATASETS.name:
            return lambda document: decode_dataset(document.payload).title
        return lambda document: decode_block(document.payload).table.title
    return lambda document: ""
