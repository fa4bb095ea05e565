"""The Elasticsearch engine: an index is a set of aliases on a server, one for each part."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from elasticsearch import Elasticsearch

from indexer.address import Location, nothing_there
from indexer.engines import scoring
from indexer.engines.connection import (
    NOT_FOUND,
    OURS,
    SECONDS_TO_GREET,
    cause_of,
    connect,
    passes,
    retry,
    talking,
)
from indexer.engines.contract import (
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
)
from indexer.engines.errors import IndexGone, TransientError
from indexer.engines.scoring import exact_score, exact_search
from indexer.files.errors import UserError

Scored = tuple[float, str]
"""A score and the doc_id that has it."""

SEARCHES_AT_ONCE = 200  # searches of one msearch request: bounds its size
MOST_HITS = 10_000  # Elasticsearch's default of index.max_result_window
FIRST_PAGE = 50
PAGE = 2_000
VALUES_AT_ONCE = 50_000  # below Elasticsearch's default of index.max_terms_count (65,536)
AFTER_ALL_IDS = "\U0010ffff"
SHOWN = ["doc_id", "text", "keys", "payload"]


def alias_of(location: Location, metadata: Metadata, part: str) -> str:
    """Alias by which a part is searched: the index's own name for the main part, `NAME.PART` for
    the others."""
    return location.name if part == metadata.parts[0].name else f"{location.name}.{part}"


class ElasticsearchSearcher:
    """One part of an open index (`searching.Searcher`). Many queries go in one `msearch`; term
    statistics are those of all shards (DFS).

    Requests are retried while the server is away. A response that lacks the result of a shard is
    not accepted. Errors of the server are UserErrors; an invalid query raises as `clauses` does.
    """

    def __init__(self, location: Location, client: Elasticsearch, part: Part, index: str) -> None:
        """Sends no request; `index` is the name of the concrete index or of its alias."""
        self._location = location
        self._client = client
        self._part = part
        self._index = index
        self._length: int | None = None
        self._gone = (
            f"the index {location.shown}, or a part of it, was deleted or replaced while it was "
            f"in use: give the "
            "command again, or build it again"
        )

    def __len__(self) -> int:
        """The number of documents, asked for once."""
        if self._length is None:  # requested once: a published index does not change
            (self._length,) = self._counts([{"match_all": {}}])
        return self._length

    def search(
        self, queries: Sequence[Query], k: int, exact: bool = False
    ) -> list[list[ScoredDocument]]:
        """The k best hits of each query, best first; those whose scores agree to 5 digits are tied
        and come by doc_id. With `exact`, scores are rounded to these digits and the same on both
        engines. [] for each query if k is 0 or less."""
        if exact:
            return exact_search(self.search, self.exact_scores, queries, k)
        if k <= 0:
            return [[] for _ in queries]
        engine_queries = [self._query(query) for query in queries]
        size = min(k + scoring.FIRST_MARGIN, MOST_HITS)
        rankings: list[list[Scored]] = []
        documents: dict[str, Document] = {}
        for response in self._msearch(
            [{"query": query, "size": size, "_source": SHOWN} for query in engine_queries]
        ):
            pairs = [
                (_single(hit["_score"]), _document(hit["_source"]))
                for hit in response["hits"]["hits"]
            ]
            documents.update((document.doc_id, document) for _, document in pairs)
            rankings.append([(score, document.doc_id) for score, document in pairs])
        # Documents beyond those requested may be among the k best, or tie with the last.
        full = [number for number, hits in enumerate(rankings) if len(hits) == size]
        tied = [
            n
            for n in full
            if size < k or scoring.tie_is_open([score for score, _ in rankings[n]], k)
        ]
        for number, hits in zip(
            tied, self._pages_of_ties([engine_queries[number] for number in tied], k), strict=True
        ):
            rankings[number] = hits
        best = [scoring.best(hits, k) for hits in rankings]
        missing = {doc_id: None for hits in best for _, doc_id in hits if doc_id not in documents}
        documents.update(
            (document.doc_id, document)
            for document in self._pages(_holding("doc_id", list(missing)))
        )
        return [
            [ScoredDocument(doc_id, score, documents[doc_id]) for score, doc_id in hits]
            for hits in best
        ]

    def count(self, queries: Sequence[Query]) -> list[int]:
        """For each query, the number of documents that hold at least one of its terms and fulfil
        its `where`."""
        return self._counts([self._query(query) for query in queries])

    def lookup(self, key: str, values: Sequence[str]) -> list[list[Document]]:
        """For each value, the documents with it in a key field (or as doc_id), ordered by doc_id;
        [] for none. Raises KeyError for an unknown key field."""
        self._part.check_key(key)
        return group_by_value(list(self._pages(_holding(key, values))), key, values)

    def scan(self) -> Iterator[Document]:
        return self._pages({"match_all": {}})

    def explain(self, query: Query, doc_ids: Sequence[str]) -> list[Mapping[str, float]]:
        """For each doc_id, in order, what each term of the query that the document has adds to its
        score, by the names of `clauses`; {} for one that does not match or does not exist."""
        query_terms = clauses(query, self._part)
        names = list(query_terms)
        added: dict[str, dict[str, float]] = {doc_id: {} for doc_id in doc_ids}
        different = list(added) if query_terms else []
        # Every clause is named by its number, and reports what it gives to the score.
        should = [
            {"match": {f"terms.{field}": {"query": term, "boost": weight, "_name": str(number)}}}
            for number, (field, term, weight) in enumerate(query_terms.values())
        ]
        for start in range(0, len(different), MOST_HITS):
            few = different[start : start + MOST_HITS]
            narrowed = [_holding("doc_id", few), *([_holding(*query.where)] if query.where else [])]
            for hit in self._search(
                query={"bool": {"should": should, "minimum_should_match": 1, "filter": narrowed}},
                size=len(few),
                source_includes=["doc_id"],
                search_type="dfs_query_then_fetch",
                include_named_queries_score=True,
            ):
                added[hit["_source"]["doc_id"]] = {
                    names[int(number)]: _single(part)
                    for number, part in hit["matched_queries"].items()
                }
        return [added[doc_id] for doc_id in doc_ids]

    def exact_scores(
        self, queries: Sequence[Query], doc_ids: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        """BM25 in double precision of at most 10,000 doc_ids of each query, in their order; 0.0 for
        one that does not match or does not exist."""
        numbers = [number for number, ids in enumerate(doc_ids) if ids]
        searches = []
        for number in numbers:
            among = {
                "must": [self._query(queries[number])],
                "filter": [_holding("doc_id", doc_ids[number])],
            }
            size = len(doc_ids[number])
            searches.append(
                {"query": {"bool": among}, "size": size, "_source": ["doc_id"], "explain": True}
            )
        results = [[0.0] * len(ids) for ids in doc_ids]
        for number, response in zip(numbers, self._msearch(searches), strict=True):
            hits = response["hits"]["hits"]
            weights = [term.weight for term in clauses(queries[number], self._part).values()]
            scores = {
                hit["_source"]["doc_id"]: exact_score(hit["_explanation"], weights) for hit in hits
            }
            results[number] = [scores.get(doc_id, 0.0) for doc_id in doc_ids[number]]
        return results

    def _pages_of_ties(self, queries: Sequence[Mapping[str, Any]], k: int) -> list[list[Scored]]:
        """For each query the k best hits and those that may tie with the k-th, as (score, doc_id),
        read in pages ordered by falling score, then doc_id.

        Of documents with exactly the same score the first k by doc_id are enough: the following
        ones are skipped.
        """
        hits: list[list[Scored]] = [[] for _ in queries]
        after: list[dict[str, Any]] = [{}] * len(queries)
        size, unfinished = min(max(k, FIRST_PAGE), MOST_HITS), list(range(len(queries)))
        while unfinished:
            order = {"sort": [{"_score": "desc"}, {"doc_id": "asc"}], "track_scores": True}
            page = {"size": size, "_source": False, **order}
            searches = [
                {"query": queries[number], **page, **after[number]} for number in unfinished
            ]
            going_on = []
            for number, response in zip(unfinished, self._msearch(searches), strict=True):
                page_hits = response["hits"]["hits"]
                hits[number] += [(_single(hit["_score"]), hit["sort"][1]) for hit in page_hits]
                scores = [score for score, _ in hits[number]]
                if len(page_hits) == size and (len(scores) < k or scoring.tie_is_open(scores, k)):
                    score, doc_id = page_hits[-1]["sort"]
                    after[number] = {
                        "search_after": [
                            score,
                            AFTER_ALL_IDS if scores.count(scores[-1]) >= k else doc_id,
                        ]
                    }
                    going_on.append(number)
            size, unfinished = min(4 * size, MOST_HITS), going_on
        return hits

    def _pages(self, query: Mapping[str, Any]) -> Iterator[Document]:
        """Yields every document that matches an Elasticsearch query, ordered by doc_id, read in
        pages."""
        after: list[Any] | None = None
        while True:
            hits = self._search(
                query={"bool": {"filter": [query]}},
                size=PAGE,
                source_includes=SHOWN,
                sort=[{"doc_id": "asc"}],
                search_after=after,
            )
            for hit in hits:
                yield _document(hit["_source"])
            if len(hits) < PAGE:
                return
            after = hits[-1]["sort"]

    def _counts(self, queries: Sequence[Mapping[str, Any]]) -> list[int]:
        """Number of documents that match each Elasticsearch query."""
        responses = self._msearch(
            [{"query": query, "size": 0, "track_total_hits": True} for query in queries]
        )
        return [int(response["hits"]["total"]["value"]) for response in responses]

    def _search(self, **arguments: Any) -> list[Mapping[str, Any]]:
        """The hits of one search, of all shards."""
        search = partial(
            self._client.search, index=self._index, allow_partial_search_results=False, **arguments
        )
        return list(
            retry(self._location, partial(search, track_total_hits=False), self._gone)["hits"][
                "hits"
            ]
        )

    def _msearch(self, searches: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """Yields the response to each search body, in order; searches with a transient error are
        repeated."""
        for start in range(0, len(searches), SEARCHES_AT_ONCE):
            batch = dict(enumerate(searches[start : start + SEARCHES_AT_ONCE]))
            answers: dict[int, Mapping[str, Any]] = {}
            retry(self._location, partial(self._answer_rest, batch, answers), self._gone)
            yield from (answers[number] for number in batch)

    def _answer_rest(
        self, batch: Mapping[int, Mapping[str, Any]], answers: dict[int, Mapping[str, Any]]
    ) -> None:
        """Sends the searches of a batch that lack a response and stores the responses in `answers`,
        by their numbers.

        Raises UserError if a search failed for good, else TransientError if one failed for now.
        """
        rest = {number: body for number, body in batch.items() if number not in answers}
        header = {"allow_partial_search_results": False}
        lines = [
            line for body in rest.values() for line in (header, {"track_total_hits": False, **body})
        ]
        answer = self._client.msearch(
            index=self._index, searches=lines, search_type="dfs_query_then_fetch"
        )
        troubles: list[UserError] = []
        for number, response in zip(rest, answer["responses"], strict=True):
            if "error" in response:
                kind = TransientError if passes(response["status"]) else UserError
                line = (
                    f"the Elasticsearch at {self._location.shown} refused: "
                    f"{cause_of(response['error'])}"
                )
                troubles.append(
                    IndexGone(self._gone) if response["status"] == NOT_FOUND else kind(line)
                )
            elif response["timed_out"] or response["_shards"]["failed"]:
                line = f"the Elasticsearch at {self._location.shown}: some shards gave no answer"
                troubles.append(TransientError(line))
            else:
                answers[number] = response
        for trouble in sorted(troubles, key=lambda error: isinstance(error, TransientError)):
            raise trouble

    def _query(self, query: Query) -> dict[str, Any]:
        """The query in Elasticsearch's query language: one `match` clause for all terms of the same
        field and weight.

        `where` becomes a filter, which does not change scores; no terms match nothing.
        """
        groups: dict[tuple[str, float], list[str]] = {}
        for field, term, weight in clauses(query, self._part).values():
            groups.setdefault((field, weight), []).append(term)
        terms = [
            {"match": {f"terms.{field}": {"query": " ".join(words), "boost": weight}}}
            for (field, weight), words in groups.items()
        ]
        if not terms:
            return {"match_none": {}}
        if query.where is None:
            return terms[0] if len(terms) == 1 else {"bool": {"should": terms}}
        return {
            "bool": {"should": terms, "minimum_should_match": 1, "filter": [_holding(*query.where)]}
        }


def _holding(key: str, values: Sequence[str]) -> dict[str, Any]:
    """Filter for documents with one of the values in a key field (or doc_id), of which only
    `findable` ones count; none match nothing."""
    field, texts = "doc_id" if key == "doc_id" else f"keys.{key}", findable(values)
    groups = [
        {"terms": {field: texts[start : start + VALUES_AT_ONCE]}}
        for start in range(0, len(texts), VALUES_AT_ONCE)
    ]
    return {"bool": {"should": groups, "minimum_should_match": 1}} if groups else {"match_none": {}}


def _document(source: Mapping[str, Any]) -> Document:
    """A document from its stored source; terms are not stored."""
    return Document(source["doc_id"], source["text"], {}, source.get("keys", {}), source["payload"])


def _single(score: float) -> float:
    """The single-precision number that a server meant by the short decimal it printed."""
    return float(struct.unpack("f", struct.pack("f", score))[0])


@contextmanager
def open_client(location: Location) -> Iterator[Elasticsearch]:
    """Context manager with a client that is closed at its end; errors of the server are UserErrors
    of one line."""
    client = connect(location)
    try:
        with talking(location):
            yield client
    finally:
        client.close()


def open_index(location: Location, seconds: float = SECONDS_TO_GREET) -> Index:
    """Opens the index behind an alias. Raises UserError if it does not exist, if this program did
    not build it or another version of it did, or if no server answers within `seconds`."""
    client = connect(location)
    with ExitStack() as refused:
        refused.callback(client.close)
        with talking(location):
            greeting = client.options(request_timeout=seconds)
            mappings = greeting.indices.get_mapping(index=location.name, ignore_unavailable=True)
        indexes = {str(name): our_metadata(about) for name, about in mappings.items()}
        if not indexes:
            raise nothing_there(location, names(location))
        concrete, ours = next(iter(indexes.items()))
        stem, _, number = concrete.rpartition(".")
        if len(indexes) > 1 or "metadata" not in ours or stem != f"{ours['name']}.{ours['part']}":
            raise UserError(
                f"the index {location.shown} was not built by this program: choose another name"
            )
        metadata = from_json(ours["metadata"], location.shown)
        refused.pop_all()
    parts = {
        part.name: ElasticsearchSearcher(
            location, client, part, f"{ours['name']}.{part.name}.{number}"
        )
        for part in metadata.parts
    }
    return Index(location.shown, "elasticsearch", metadata, parts, client.close)


def our_metadata(about: Mapping[str, Any]) -> dict[str, Any]:
    """The part of an index's `_meta` that is this program's, from the server's description of the
    index; {} for an index of another program."""
    ours: dict[str, Any] = about["mappings"].get("_meta", {}).get(OURS, {})
    return ours


def names(location: Location) -> list[str]:
    """Sorted names of the indexes that this program published on the location's servers."""
    with open_client(location) as client:
        indexes = client.indices.get(index="*").values()
    return sorted(
        {
            name
            for about in indexes
            if (name := str(our_metadata(about).get("name"))) in about["aliases"]
        }
    )
