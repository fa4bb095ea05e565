"""The embedded engine: an index is a folder on disk, searched by tantivy; no server.

The folder has `metadata.json`, and a numbered folder that holds a tantivy index for each part.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from typing import TypeVar, cast

import tantivy
from tantivy import Occur, Order

from indexer.address import Location, nothing_there
from indexer.engines import scoring
from indexer.engines.contract import (
    TOKENIZER,
    Document,
    Index,
    Metadata,
    Part,
    Query,
    ScoredDocument,
    clauses,
    findable,
    from_json,
    group_by_value,
    pause_garbage_collection,
)
from indexer.files.errors import UserError
from indexer.files.paths import INDEX_METADATA, index_names

_TANTIVY_LOCK = ".tantivy-meta.lock"
VALUES_AT_ONCE = 1_000  # values of one query: bounds its size
SCANNED_AT_ONCE = 500_000  # doc_ids of one search of a scan: bounds its memory
WORTH_THREADS = 8  # queries for a thread: for fewer a thread costs more than it saves
# hits beyond k: they cost little without their documents, and an open tie costs the search once
# more
MARGIN = 10

_DECODE = (
    json.JSONDecoder().raw_decode
)  # a quarter of the time of json.loads, which looks for encodings and blanks

Scored = tuple[float, tuple[int, int]]
"""A score, and the document that has it: its segment, and its number there."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class EmbeddedSearcher:
    """One part of an open index (`searching.Searcher`), in one tantivy index. Many queries run in
    threads: tantivy searches without Python's lock. Damage is a UserError; an invalid query raises
    as `clauses` does."""

    part: Part
    schema: tantivy.Schema
    searcher: tantivy.Searcher

    def __len__(self) -> int:
        return int(self.searcher.num_docs)

    @pause_garbage_collection()
    def search(
        self, queries: Sequence[Query], k: int, exact: bool = False
    ) -> list[list[ScoredDocument]]:
        """The k best hits of each query, best first; those whose scores agree to 5 digits are tied
        and come by doc_id. With `exact`, scores are rounded to these digits and the same on both
        engines. [] for each query if k is 0 or less."""
        if exact:
            return scoring.exact_search(self.search, self.exact_scores, queries, k)
        if k <= 0:
            return [[] for _ in queries]
        engine_queries = [_tantivy_query(self.schema, self.part, query) for query in queries]
        with damage_caught(self.part.name):
            rankings = _in_threads(
                lambda query: _search_with_ties(self.searcher, query, k), engine_queries
            )
            # Outside of threads, where Python's own work gains nothing: every document once, in the
            # order of the store, whose blocks are unpacked one by one.
            addresses = sorted({address for hits in rankings for _, address in hits})
            documents = {
                address: _document(self.searcher, tantivy.DocAddress(*address))
                for address in addresses
            }
        hits_of = [
            [ScoredDocument(documents[at].doc_id, score, documents[at]) for score, at in scored]
            for scored in rankings
        ]
        return [
            sorted(hits, key=lambda hit: scoring.sort_key(hit.score, hit.doc_id))[:k]
            for hits in hits_of
        ]

    def count(self, queries: Sequence[Query]) -> list[int]:
        """For each query, the number of documents that hold at least one of its terms and fulfil
        its `where`."""
        engine_queries = [_tantivy_query(self.schema, self.part, query) for query in queries]
        with damage_caught(self.part.name):
            return _in_threads(lambda query: _count(self.searcher, query), engine_queries)

    def lookup(self, key: str, values: Sequence[str]) -> list[list[Document]]:
        """For each value, the documents with it in a key field (or as doc_id), ordered by doc_id;
        [] for none. Raises KeyError for an unknown key field."""
        self.part.check_key(key)
        texts, documents = findable(values), dict[str, Document]()
        with damage_caught(self.part.name):
            for start in range(0, len(texts), VALUES_AT_ONCE):
                holding = _holding(self.schema, key, texts[start : start + VALUES_AT_ONCE])
                batch = [
                    _document(self.searcher, address)
                    for _, address in _matches(self.searcher, holding)
                ]
                documents.update((document.doc_id, document) for document in batch)
        return group_by_value(list(documents.values()), key, values)

    def scan(self) -> Iterator[Document]:
        """Yields every document, ordered by doc_id, each read when it is yielded."""
        everything = tantivy.Query.all_query()
        with damage_caught(self.part.name):
            for start in range(0, len(self), SCANNED_AT_ONCE):
                result = self.searcher.search(
                    everything,
                    SCANNED_AT_ONCE,
                    count=False,
                    offset=start,
                    order_by_field="doc_id",
                    order=Order.Asc,
                )
                for _, address in result.hits:
                    yield _document(self.searcher, address)

    def explain(self, query: Query, doc_ids: Sequence[str]) -> list[Mapping[str, float]]:
        """For each doc_id, in order, what each term of the query that the document has adds to its
        score, by the names of `clauses`; {} for one that does not match or does not exist."""
        among = _holding(self.schema, "doc_id", doc_ids)
        added: dict[str, dict[str, float]] = {doc_id: {} for doc_id in doc_ids}
        with damage_caught(self.part.name):
            for name, term in clauses(query, self.part).items():
                alone = _tantivy_query(self.schema, self.part, Query((term,), query.where))
                for score, address in _matches(self.searcher, alone, among):
                    added[_document(self.searcher, address).doc_id][name] = score
        return [added[doc_id] for doc_id in doc_ids]

    def exact_scores(
        self, queries: Sequence[Query], doc_ids: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        """BM25 in double precision of the given doc_ids of each query, in their order; 0.0 for one
        that does not match or does not exist."""
        results = []
        for query, ids in zip(queries, doc_ids, strict=True):
            engine_query = _tantivy_query(self.schema, self.part, query)
            weights = [term.weight for term in clauses(query, self.part).values()]
            among = _holding(self.schema, "doc_id", ids)
            scores: dict[str, float] = {}
            with damage_caught(self.part.name):
                for _, address in _matches(self.searcher, engine_query, among):
                    explained = json.loads(engine_query.explain(self.searcher, address).to_json())
                    doc_id = _document(self.searcher, address).doc_id
                    scores[doc_id] = scoring.exact_score(explained, weights)
            results.append([scores.get(doc_id, 0.0) for doc_id in ids])
        return results


def _tantivy_query(schema: tantivy.Schema, part: Part, query: Query) -> tantivy.Query:
    """The query as tantivy's; `where` becomes a second condition with score 0, no terms match
    nothing."""
    terms = []
    for field, term, weight in clauses(query, part).values():
        scored = tantivy.Query.term_query(schema, f"terms_{field}", term, "freq")
        terms.append(
            (Occur.Should, tantivy.Query.boost_query(scored, weight) if weight != 1.0 else scored)
        )
    if not terms:
        return tantivy.Query.empty_query()
    any_term = terms[0][1] if len(terms) == 1 else tantivy.Query.boolean_query(terms)
    if query.where is None:
        return any_term
    return tantivy.Query.boolean_query(
        [(Occur.Must, any_term), (Occur.Must, _holding(schema, *query.where))]
    )


def _holding(schema: tantivy.Schema, key: str, values: Sequence[str]) -> tantivy.Query:
    """Query for documents with one of the values in a key field (or doc_id), of which only
    `findable` ones count, with score 0; none match nothing."""
    field = "doc_id" if key == "doc_id" else f"key_{key}"
    one_each = [
        (Occur.Should, tantivy.Query.term_query(schema, field, value, "basic"))
        for value in findable(values)
    ]
    return tantivy.Query.const_score_query(tantivy.Query.boolean_query(one_each), 0.0)


def _count(searcher: tantivy.Searcher, query: tantivy.Query) -> int:
    """Number of documents that match."""
    # tantivy's stub lacks `count`.
    return int(searcher.search(query, 1, count=True).count)  # type: ignore[attr-defined]


def _matches(
    searcher: tantivy.Searcher, query: tantivy.Query, among: tantivy.Query | None = None
) -> list[tuple[float, tantivy.DocAddress]]:
    """Every document that matches a query (and `among`, which scores 0), as (score, address) in no
    particular order."""
    if among is not None:
        query = tantivy.Query.boolean_query([(Occur.Must, query), (Occur.Must, among)])
    # tantivy allocates memory for as many hits as are asked for: they are counted first
    count = _count(searcher, query)
    return list(searcher.search(query, count, count=False).hits) if count else []


def _search_with_ties(searcher: tantivy.Searcher, query: tantivy.Query, k: int) -> list[Scored]:
    """The k best hits of a tantivy query and all that tie with the k-th (in 5 digits), as (score,
    (segment, number)), best first; ties are in no order of doc_ids yet.

    More hits are requested until none beyond them can tie with the k-th.
    """
    # tantivy allocates memory for as many hits as are requested.
    most = max(1, int(searcher.num_docs))
    limit = min(k + MARGIN, most)
    ranking = searcher.search(query, limit, count=False).hits
    while limit == len(ranking) < most and scoring.tie_is_open([score for score, _ in ranking], k):
        limit = min(4 * limit, most)
        ranking = searcher.search(query, limit, count=False).hits
    hits = ranking[:k]
    if len(ranking) > k:
        last = scoring.round_score(ranking[k - 1][0])
        hits += takewhile(lambda hit: scoring.round_score(hit[0]) == last, ranking[k:])
    return [(score, (address.segment_ord, address.doc)) for score, address in hits]


def _document(searcher: tantivy.Searcher, address: tantivy.DocAddress) -> Document:
    """The document at an address, from its stored form, without terms."""
    stored, _ = _DECODE(searcher.doc(address)["stored"][0].decode())
    doc_id, text, *further = stored
    return Document(doc_id, text, {}, *further)


def _in_threads(answer: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    """Results of a function for all items, in order; from 16 items on in threads, one for every 8
    items (`WORTH_THREADS`), at most one for each CPU."""
    workers = min(os.cpu_count() or 1, len(items) // WORTH_THREADS)
    if workers <= 1:
        return [answer(item) for item in items]
    some = [items[first : first + WORTH_THREADS] for first in range(0, len(items), WORTH_THREADS)]
    with ThreadPoolExecutor(workers) as pool:
        return list(chain.from_iterable(pool.map(lambda few: [answer(item) for item in few], some)))


def open_index(location: Location) -> Index:
    """Opens the index in a folder. Raises UserError if it does not exist, is damaged or may not be
    read."""
    damage: Exception | None = None
    # A build may replace the index between the reading of its metadata and of its parts.
    for _ in range(3):
        try:
            folder, metadata = read_metadata(location)
            parts = {}
            for part in metadata.parts:
                index = open_part(folder / part.name)
                parts[part.name] = EmbeddedSearcher(part, index.schema, index.searcher())
            return Index(location.shown, "embedded", metadata, parts, parts.clear, folder)
        except PermissionError as error:
            path = error.filename
            raise UserError(
                f"the index {location.shown} cannot be read ({path}): no permission"
            ) from None
        except (ValueError, OSError) as error:
            damage = error
    raise UserError(f"the index {location.shown} is damaged ({damage}): build it again")


def read_metadata(location: Location) -> tuple[Path, Metadata]:
    """Returns the folder of the generation that is served, which holds the index's parts, and the
    metadata.

    Raises UserError if the index does not exist or its metadata is damaged or of another version,
    OSError if it may not be read.
    """
    folder = cast("Path", location.folder)  # None is served by Elasticsearch
    path = folder / INDEX_METADATA
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise nothing_there(location, index_names(folder.parent)) from None
    except ValueError:
        raise UserError(
            f"the index {location.shown} is damaged ({path} is not JSON): build it again"
        ) from None
    metadata = from_json(stored, location.shown)
    return folder / str(stored.get("generation")), metadata


def open_part(folder: Path) -> tantivy.Index:
    """Opens the tantivy index in a folder and registers its tokenizer, which tantivy does not
    store.

    tantivy locks a file of the folder while it opens: where that cannot be written (another user's
    index), it is opened through links in a temporary folder. Raises ValueError for a damaged index,
    OSError for one that is missing or may not be read, UserError without a temporary folder.
    """
    with damage_caught():
        try:
            index = tantivy.Index.open(str(folder))
        except ValueError:
            if os.access(folder / _TANTIVY_LOCK, os.W_OK):
                raise
            index = _open_read_only(folder)
    # terms come joined by single spaces; nothing else may be done to them
    whitespace = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(TOKENIZER, whitespace)
    return index


def _open_read_only(folder: Path) -> tantivy.Index:
    """Opens the tantivy index in a folder that cannot be written, through links in a temporary
    folder. Raises PermissionError for a file that may not be read, UserError without a temporary
    folder."""
    from indexer.files.atomic import temporary_folder

    files = [file for file in folder.absolute().iterdir() if file.suffix != ".lock"]
    for file in files:
        file.open("rb").close()  # tantivy reports a file that it may not read as damage
    try:
        with temporary_folder() as aside:
            for file in files:
                (aside / file.name).symlink_to(file)
            return tantivy.Index.open(str(aside))
    except OSError:
        raise UserError(
            f"the index in {folder} is read-only, and opening it needs a folder for temporary "
            f"files: "
            "set TMPDIR to a writable folder"
        ) from None


@contextmanager
def damage_caught(part: str = "") -> Iterator[None]:
    """Context manager that turns tantivy's ValueError or PanicException over a damaged file into a
    UserError of one line that names the part; without a part, into a ValueError."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        if not part:
            raise ValueError(error) from None
        raise UserError(
            f"an index is damaged in its part {part} ({error}): build it again"
        ) from None
