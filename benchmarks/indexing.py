"""What indexing costs beside its parts: MeCab alone, tantivy alone, a bare `streaming_bulk`; ratios
in one run.

    QA_DATA=… python benchmarks/indexing.py --sentences 1000000
    QA_DATA=… python benchmarks/indexing.py --elasticsearch http://localhost:9200 --sentences 100000

Sentences of the Japanese books are drawn at random (a fixed seed) into passages of three to seven:
real sentences, repeated, so that words and names grow less than in a real text of that size. Every
step runs in a process of its own, one after the other; embedded ones are told by their processor
time, which others on the machine hardly change. The memory is that of the largest process.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
from packs import pack

from indexer.cli.program import run_program
from indexer.engines.contract import Document, Part
from indexer.languages.japanese import JAPANESE

PART = Part("sentences", ("text",), ("paragraph",))
CHUNK = 2_000


def write_passages(book: Path, sentences: int, target: Path) -> None:
    """A JSON-lines textbook of that many sentences."""
    chance, split = random.Random(0), JAPANESE.analyser().sentences
    pool = [
        each for line in book.open(encoding="utf-8") for each in split(json.loads(line)["text"])
    ]
    with target.open("w", encoding="utf-8") as file:
        while sentences > 0:
            drawn = chance.choices(pool, k=min(chance.randint(3, 7), sentences))
            sentences -= len(drawn)
            file.write(json.dumps({"text": "".join(drawn)}, ensure_ascii=False) + "\n")


def sentences_of(passages: Path) -> list[str]:
    split = JAPANESE.analyser().sentences
    return [
        each for line in passages.open(encoding="utf-8") for each in split(json.loads(line)["text"])
    ]


def documents_of(passages: Path) -> Iterator[Document]:
    """Ready documents, analysed."""
    terms = JAPANESE.analyser().terms
    for number, text in enumerate(sentences_of(passages)):
        yield Document(
            f"s-{number:07d}", text, {"text": terms(text)}, {"paragraph": (f"p-{number // 5:07d}",)}
        )


def mecab_alone(passages: Path, _: str) -> float:
    """Every sentence parsed, every node's surface and feature read."""
    from indexer.analysis.japanese import first_node

    texts = sentences_of(passages)
    start, read = time.process_time(), 0
    for text in texts:
        node = first_node(text)
        while node:
            read += len(node.surface) + len(node.feature)
            node = node.next
    return time.process_time() - start


def tantivy_alone(passages: Path, _: str) -> float:
    """Ready terms and texts of the sentences into one tantivy index, committed and merged."""
    import tantivy

    ready = [
        (document.doc_id, document.text, " ".join(document.terms["text"]))
        for document in documents_of(passages)
    ]
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("doc_id", tokenizer_name="raw", index_option="basic")
    schema.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    schema.add_bytes_field("stored", stored=True)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        index = tantivy.Index(schema.build(), path=folder)
        writer = index.writer(128_000_000, 1)
        for doc_id, text, terms in ready:
            entry = tantivy.Document()
            entry.add_text("doc_id", doc_id)
            entry.add_text("terms", terms)
            entry.add_bytes("stored", text.encode())
            writer.add_document(entry)
        writer.commit()
        writer.wait_merging_threads()
        return time.process_time() - start


def bulk_action(document: Document) -> dict[str, Any]:
    """A document as `streaming_bulk` takes it, for an index set up as ours are."""
    return {
        "_id": document.doc_id,
        "doc_id": document.doc_id,
        "text": document.text,
        "payload": "",
        "terms": {"text": " ".join(document.terms["text"])},
        "keys": {"paragraph": list(document.keys["paragraph"])},
    }


def bare_bulk(passages: Path, url: str) -> float:
    """Ready documents by the client's `streaming_bulk`, into an index set up as ours are, and a
    refresh."""
    from elasticsearch import Elasticsearch
    from elasticsearch.helpers import streaming_bulk

    from indexer.engines.bulk import mapping

    ready = list(map(bulk_action, documents_of(passages)))
    with Elasticsearch(url, request_timeout=600) as client:
        client.indices.delete(index="benchmark-bare", ignore_unavailable=True)
        settings = {"number_of_replicas": 0, "refresh_interval": "-1"}
        client.indices.create(index="benchmark-bare", mappings=mapping(PART), settings=settings)
        start = time.perf_counter()
        for _ in streaming_bulk(
            client, ready, chunk_size=CHUNK, max_retries=5, index="benchmark-bare"
        ):
            pass
        client.indices.refresh(index="benchmark-bare")
        spent = time.perf_counter() - start
        client.indices.delete(index="benchmark-bare")
    return spent


def our_writer(passages: Path, url: str) -> float:
    """The same ready documents through the engine's writer, until the last one can be found."""
    from indexer.engines.contract import Metadata
    from indexer.engines.opening import builder_for

    ready = list(documents_of(passages))
    address = f"{url}/benchmark-ours"
    start = time.perf_counter()
    writer = builder_for(address).build(address, Metadata("textbook", (PART,), JAPANESE, {}))
    for first in range(0, len(ready), 1_000):
        writer.add(PART.name, ready[first : first + 1_000])
    writer.searcher(PART.name)
    spent = time.perf_counter() - start
    writer.publish()
    remove(url, "benchmark-ours")
    return spent


def remove(url: str, name: str) -> None:
    """Delete an index of ours with all of its parts."""
    from elasticsearch import Elasticsearch

    with Elasticsearch(url) as client:
        for index in sorted(client.indices.get(index=f"{name}.*", expand_wildcards="all")):
            client.indices.delete(index=index)


STEPS: dict[str, Callable[[Path, str], float]] = {
    step.__name__: step for step in (mecab_alone, tantivy_alone, bare_bulk, our_writer)
}


def in_a_process(step: str, passages: Path, url: str = "") -> float:
    """The seconds of one step."""
    told = subprocess.run(
        [
            sys.executable,
            __file__,
            "--step",
            step,
            "--elasticsearch",
            url,
            "--passages",
            str(passages),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(told.stdout)


class Spent(NamedTuple):
    """What a command took: seconds, seconds of processor time, and the largest process's memory in
    MB."""

    seconds: float
    processor: float
    memory: float


def indexer_command(passages: Path, address: str, jobs: int, *options: str) -> Spent:
    """What `python -m indexer textbook` takes, its start included."""
    command = [
        sys.executable,
        "-m",
        "indexer",
        "textbook",
        str(passages),
        "--language",
        "ja",
        "--index",
        address,
    ]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--jobs", str(jobs), *options], stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise click.ClickException("the indexer failed")
    return Spent(
        time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    )


def embedded_ratios(passages: Path, sentences: int) -> None:
    mecab, own = in_a_process("mecab_alone", passages), in_a_process("tantivy_alone", passages)
    print(f"sentences\t{sentences}")
    print(f"MeCab alone\t{mecab:.1f} s")
    print(f"tantivy alone\t{own:.1f} s")
    for option in ("--no-names", "--names"):
        spent = {}
        for jobs in (1, 2):
            folder = passages.parent / f"index-{jobs}"
            spent[jobs] = indexer_command(passages, str(folder), jobs, option)
            size = sum(path.stat().st_size for path in folder.rglob("*")) / 1_000_000
            shutil.rmtree(folder)
        one, two = spent[1], spent[2]
        ratio = one.processor / (mecab + own)
        print(
            f"indexer {option}\t{one.processor:.1f} s, {one.memory:.0f} MB\t{ratio:.2f} x (MeCab "
            f"+ tantivy)",
            end="",
        )
        print(
            f"\t{1e6 * one.processor / sentences:.0f} s a million sentences, index of {size:.0f} MB"
        )
        print(
            f"the same --jobs 2\t{two.memory:.0f} MB\t{one.seconds / two.seconds:.2f} times as "
            f"fast by the clock"
        )


def elasticsearch_ratios(passages: Path, sentences: int, url: str) -> None:
    pairs = [
        (in_a_process("bare_bulk", passages, url), in_a_process("our_writer", passages, url))
        for _ in range(3)
    ]
    bare, ours = (statistics.median(spent) for spent in zip(*pairs, strict=True))
    whole = indexer_command(passages, f"{url}/benchmark-whole", 1)
    remove(url, "benchmark-whole")
    print(f"sentences\t{sentences}")
    print(f"streaming_bulk of ready documents\t{sentences / bare:.0f} a second")
    print(
        f"our writer, ready documents\t{sentences / ours:.0f} a second\t{bare / ours:.2f} x the "
        f"bare rate"
    )
    print(f"indexer, both parts, analysis, merging\t{whole.seconds:.1f} s, {whole.memory:.0f} MB")


@click.command()
@click.option("--sentences", default=100_000, help="How many sentences.")
@click.option(
    "--elasticsearch",
    "url",
    default="",
    help="A server: measures loading it instead of the embedded engine.",
)
@click.option("--step", type=click.Choice(sorted(STEPS)), hidden=True)
@click.option("--passages", type=click.Path(path_type=Path), hidden=True)
def main(sentences: int, url: str, step: str | None, passages: Path | None) -> None:
    """Measure indexing beside its parts."""
    if step and passages:
        print(STEPS[step](passages, url))
        return
    book = pack("textbook", "jawiki-world-history.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "passages.jsonl"
        write_passages(book, sentences, made)
        if url:
            elasticsearch_ratios(made, sentences, url)
        else:
            embedded_ratios(made, sentences)


if __name__ == "__main__":
    run_program(main, "python benchmarks/indexing.py")
