"""What a billion sentences and ten billion triples would cost on Elasticsearch, computed from the
measured figures.

    python benchmarks/scale.py              (the table)
    python benchmarks/scale.py --write      (into docs/operators.md, after a change of figures)

Every number is one of docs/figures/figures.toml (the runs growth-sentences and growth-triples), one
of Elastic's rules below, or a product of these. What grows is taken to grow in proportion: see figures.toml for how far that was measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import NamedTuple

import click
from figures import read_runs

from indexer.cli.program import run_program

PAGE = Path(__file__).resolve().parents[1] / "docs" / "operators.md"
DRAWN = re.compile(r"(<!-- computed: [^\n]*-->\n).*?(<!-- end of what is computed -->)", re.DOTALL)

SHARD_GB, SHARD_DOCUMENTS = 50, 200_000_000
"""Shards of 10 to 50 GB, of up to 200 million documents: elastic.co, Size your shards."""
NODE_GB, HEAP_GB = 64, 31
"""The heap takes half of a machine's memory at most, and stays below about 32 GB: elastic.co, Set
the JVM heap size."""
REQUEST_MB = 100  # http.max_content_length: the largest request, and so the largest document
REPLICAS = 1
NODE_CORES = 16
PARAGRAPH = 5  # sentences, in the corpus that was measured
FACTS = 4.97  # of a subject, in the knowledge base that was measured


class Cost(NamedTuple):
    """A line of the table: what it is of, for sentences and for triples, and by what it is
    computed."""

    what: str
    sentences: str
    triples: str
    by: str


def costs(found: Mapping[str, float]) -> list[Cost]:
    """The table, of figures by their names."""
    sentences, triples = 1e9 / 100_000, 1e10 / 1_000_000
    disk = [
        found["growth-sentences.es-disk"] * sentences / 1e3,
        found["growth-triples.es-disk"] * triples / 1e3,
    ]
    documents = [1e9 * (1 + 1 / PARAGRAPH), 1e10 / FACTS]
    shards = [
        max(ceil(room / SHARD_GB), ceil(many / SHARD_DOCUMENTS))
        for room, many in zip(disk, documents, strict=True)
    ]
    stored = [room * (1 + REPLICAS) for room in disk]
    nodes = [ceil(room / (NODE_GB - HEAP_GB)) for room in stored]
    ours = [
        found["growth-sentences.es-build"] * sentences / 3600,
        found["growth-triples.es-build"] * triples / 3600,
    ]
    servers = [
        found["growth-sentences.es-server"] * sentences * (1 + REPLICAS) / 3600,
        found["growth-triples.es-server"] * triples * (1 + REPLICAS) / 3600,
    ]
    query = _postings(found) * 1e9 + shards[0] * found["growth-sentences.es-asking"] / 1e3
    return [
        Cost("documents", *map(_many, documents), "sentences and paragraphs; subjects"),
        Cost("disk, one copy", *(f"{room:,.0f} GB" for room in disk), "measured disk × size"),
        Cost("primary shards", *map(str, shards), "50 GB or 200 million documents each"),
        Cost(
            "nodes of 64 GB that keep it all in memory",
            *map(str, nodes),
            "two copies, in what the heap of 31 GB leaves to the file cache",
        ),
        Cost(
            "our processes, hours of a core",
            *(f"{each:,.0f}" for each in ours),
            "measured processor time × size",
        ),
        Cost(
            "the servers, hours of a core",
            *(f"{each:,.0f}" for each in servers),
            "the same, for two copies",
        ),
        Cost(
            "queries of 1 to 12 terms a second, nodes with 16 cores each",
            f"{nodes[0] * NODE_CORES / query:,.0f}",
            "–",
            "growth of bare tantivy's time a query × size, and a warm server's time for 100,000 "
            "sentences a shard",
        ),
        Cost(
            "memory of the process that counts names",
            f"{_names_memory(found) * 1e9 / 1e6:,.0f} GB",
            "–",
            "measured growth of memory with names × size",
        ),
        Cost(
            "sentences at which the document `layout` is too large",
            _many(REQUEST_MB * 1e6 / (found["growth-sentences.layout"] / 100_000)),
            "–",
            "100 MB a request against its measured size",
        ),
    ]


def _postings(found: Mapping[str, float]) -> float:
    """Seconds of a core that a query takes more for a sentence more: its terms' postings are all
    looked at."""
    large = 1 / found["growth-sentences.100k-tantivy-queries"]
    small = 1 / found["growth-sentences.5k-tantivy-queries"]
    return (large - small) / (100_000 - 5_000)


def _names_memory(found: Mapping[str, float]) -> float:
    """KB of memory that a sentence takes where names are counted."""
    more = (
        found["growth-sentences.10m-indexer-memory"] - found["growth-sentences.1m-indexer-memory"]
    )
    return more * 1e3 / (10_000_000 - 1_000_000)


def _many(number: float) -> str:
    return f"{number / 1e9:,.1f} billion" if number >= 1e9 else f"{number / 1e6:,.0f} million"


def drawn(page: str, found: Mapping[str, float]) -> str:
    """The page with its table."""
    lines = ["| computed | 1 billion sentences | 10 billion triples | by |", "|---|---|---|---|"]
    lines += [
        f"| {cost.what} | {cost.sentences} | {cost.triples} | {cost.by} |" for cost in costs(found)
    ]
    return DRAWN.sub(lambda place: place[1] + "\n" + "\n".join(lines) + "\n\n" + place[2], page)


def measured() -> dict[str, float]:
    """The published figures by their names."""
    return {
        figure.name: float(figure.parts["value"]) for run in read_runs() for figure in run.figures
    }


@click.command(help=__doc__)
@click.option("--write", is_flag=True, help="Draw docs/operators.md again.")
def main(write: bool) -> None:
    found = measured()
    if write:
        PAGE.write_text(drawn(PAGE.read_text("utf-8"), found), "utf-8")
    for cost in costs(found):
        click.echo("\t".join(cost))


if __name__ == "__main__":
    run_program(main, "python benchmarks/scale.py")
