"""The steps of benchmarks/growth.py, each to be run in a process of its own: loads and queries of
ready terms."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from indexer.engines.contract import Document, Part
from indexer.languages.japanese import JAPANESE

PART = Part("sentences", ("text",), ("paragraph",))
K = 10
CHUNK = 2_000


def ready(folder: Path) -> Iterator[Document]:
    """The sentences with their terms, as `growth.py` wrote them: a line each, terms between
    blanks."""
    with (folder / "terms.txt").open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            terms = line.split()
            yield Document(
                f"s-{number:09d}",
                "".join(terms),
                {"text": terms},
                {"paragraph": (f"p-{number // 5:08d}",)},
            )


def queries(folder: Path) -> list[list[str]]:
    return [line.split() for line in (folder / "queries.txt").read_text("utf-8").splitlines()]


def writer_build(folder: Path, place: str) -> None:
    """Our engine's writer over ready terms."""
    from indexer.engines.contract import Metadata
    from indexer.engines.opening import builder_for

    writer = builder_for(place).build(place, Metadata("textbook", (PART,), JAPANESE, {}))
    documents = ready(folder)
    while batch := list(islice(documents, CHUNK)):
        writer.add(PART.name, batch)
    writer.publish()


def tantivy_build(folder: Path, place: str) -> None:
    """A bare tantivy loop over the same."""
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("doc_id", tokenizer_name="raw", index_option="basic")
    schema.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    schema.add_bytes_field("stored", stored=True)
    Path(place).mkdir(parents=True)
    index = tantivy.Index(schema.build(), path=place)
    writer = index.writer(128_000_000, 1)
    for document in ready(folder):
        entry = tantivy.Document()
        entry.add_text("doc_id", document.doc_id)
        entry.add_text("terms", " ".join(document.terms["text"]))
        entry.add_bytes("stored", document.text.encode())
        writer.add_document(entry)
    writer.commit()
    writer.wait_merging_threads()


def bulk_build(folder: Path, place: str) -> None:
    """A bare `streaming_bulk` into an index set up as ours are, refreshed and merged as ours
    are."""
    from elasticsearch import Elasticsearch
    from elasticsearch.helpers import streaming_bulk
    from indexing import bulk_action

    from indexer.engines.bulk import mapping

    url, name = place.rsplit("/", 1)
    documents = map(bulk_action, ready(folder))
    with Elasticsearch(url, request_timeout=3_600) as client:
        settings = {"number_of_replicas": 0, "refresh_interval": "-1"}
        client.indices.create(index=name, mappings=mapping(PART), settings=settings)
        for _ in streaming_bulk(client, documents, chunk_size=CHUNK, max_retries=5, index=name):
            pass
        client.indices.refresh(index=name)
        client.indices.forcemerge(index=name, max_num_segments=1)


def bm25s_build(folder: Path, place: str) -> None:
    """bm25s over the same terms, with Lucene's idf."""
    import bm25s

    found = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    found.index([list(document.terms["text"]) for document in ready(folder)], show_progress=False)
    found.save(place)


def timed(asked: int, answer: Callable[[], object]) -> dict[str, float]:
    """Queries a second, by the clock and by the processor time of this process."""
    begun, spent = time.perf_counter(), time.process_time()
    answer()
    return {
        "asked": asked,
        "by the clock": asked / (time.perf_counter() - begun),
        "of processor time": asked / max(time.process_time() - spent, 1e-9),
    }


def our_queries(folder: Path, place: str) -> dict[str, float]:
    """All queries in one call, texts and all; once before, to warm up."""
    from indexer.engines.contract import Query, QueryTerm
    from indexer.engines.opening import open_index

    asked = [Query(tuple(QueryTerm("text", term) for term in terms)) for terms in queries(folder)]
    part = open_index(place).part()
    part.search(asked[:20], K)
    return timed(len(asked), lambda: part.search(asked, K))


def tantivy_queries(folder: Path, place: str) -> dict[str, float]:
    """A bare tantivy loop that fetches the stored texts; ties stay open."""
    import tantivy
    from tantivy import Occur, Query

    index = tantivy.Index.open(place)
    searcher = index.searcher()

    def ask(terms: list[str]) -> list[bytes]:
        one_each = [
            (Occur.Should, Query.term_query(index.schema, "terms", term, "freq")) for term in terms
        ]
        hits = searcher.search(Query.boolean_query(one_each), K, count=False).hits
        return [searcher.doc(address)["stored"][0] for _, address in hits]

    asked = queries(folder)
    for terms in asked[:20]:
        ask(terms)
    return timed(len(asked), lambda: [ask(terms) for terms in asked])


def bulk_queries(folder: Path, place: str) -> dict[str, float]:
    """A bare `msearch` of the same terms, by shards' own statistics of one shard."""
    from elasticsearch import Elasticsearch

    url, name = place.rsplit("/", 1)
    asked = queries(folder)
    with Elasticsearch(url, request_timeout=3_600) as client:

        def ask(some: list[list[str]]) -> None:
            lines: list[dict[str, Any]] = []
            for terms in some:
                lines += [{}, {"query": {"match": {"terms.text": " ".join(terms)}}, "size": K}]
            client.msearch(index=name, searches=lines)

        ask(asked[:20])
        return timed(
            len(asked),
            lambda: [ask(asked[first : first + 200]) for first in range(0, len(asked), 200)],
        )


def bm25s_queries(folder: Path, place: str) -> dict[str, float]:
    """bm25s as it is installed here (without numba unless that is there), numbers of documents
    only."""
    import bm25s

    found = bm25s.BM25.load(place)
    asked = queries(folder)
    found.retrieve(asked[:5], k=K, show_progress=False)
    return timed(len(asked), lambda: found.retrieve(asked, k=K, show_progress=False))


def lookups(folder: Path, place: str) -> dict[str, float]:
    """Subjects of a knowledge base looked up by their names, all in one call, as linking does."""
    from indexer.engines.opening import open_index
    from indexer.sources.triples.schema import fold

    names = [fold(line.strip()) for line in (folder / "names.txt").read_text("utf-8").splitlines()]
    part = open_index(place).part()
    part.lookup("alias", names[:20])
    return timed(len(names), lambda: part.lookup("alias", names))


STEPS: dict[str, Callable[[Path, str], Any]] = {
    step.__name__: step
    for step in (
        writer_build,
        tantivy_build,
        bulk_build,
        bm25s_build,
        our_queries,
        tantivy_queries,
        bulk_queries,
        bm25s_queries,
        lookups,
    )
}


@click.command(help=__doc__)
@click.argument("step", type=click.Choice(list(STEPS)))
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("place")
def main(step: str, folder: Path, place: str) -> None:
    print(json.dumps(STEPS[step](folder, place)))


if __name__ == "__main__":
    main()
