"""The time of a whole exam, process start included, and of its searches beside one HTTP search a choice.

    python benchmarks/exam_speed.py EXAM.xml indexes/textbook-en --repeat 10
    python benchmarks/exam_speed.py EXAM.xml http://localhost:9200/textbook-en

Everything is measured in turns in one run, medians of --repeat turns. Against an embedded index: the whole
process beside a Python that only loads what every program needs (click, tantivy). Against Elasticsearch: the
query phase as the system does it (one msearch of all choices, every term counted over all shards, ties closed)
beside the usual loop: one `search` with a `match` query for each choice, on the same warm server.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from answerer.formats.exam import read_exam
from answerer.ntcir.multiple_choice.methods import METHODS
from answerer.ntcir.multiple_choice.slqal import validation_queries
from evaluation.tables import print_rows
from indexer.address import locate, open_index
from indexer.engines.contract import Index, Query
from retriever.queries import analyser_of

BARE = "import click, tantivy"


def whole_process(exam: str, address: str, method: str, turns: int) -> list[dict[str, object]]:
    """Wall and processor time of an answered exam, and of a Python that only starts."""
    answering = ["-m", "answerer", "ntcir-mc", exam, "--index", address, "--method", method, "-o", os.devnull]
    commands: dict[str, list[str]] = {
        "python that only starts": ["-c", BARE],
        f"answerer ntcir-mc ({method})": answering,
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            times[name].append(timed([sys.executable, *command]))
    rows = [median_row(name, found) for name, found in times.items()]
    first = rows[0]["wall_s"]
    return [{**row, "ratio": float(str(row["wall_s"])) / float(str(first))} for row in rows]


def timed(command: Sequence[str]) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    before = os.times()
    start = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, used


def median_row(name: str, found: Sequence[tuple[float, float]]) -> dict[str, object]:
    walls, used = zip(*found, strict=True)
    return {
        "what": name,
        "wall_s": statistics.median(walls),
        "best_wall_s": min(walls),
        "processor_s": statistics.median(used),
    }


def query_phase(exam: str, address: str, index: Index, k: int, turns: int) -> list[dict[str, object]]:
    """Seconds for all searches of an exam: in one call, and one HTTP request after the other."""
    analyser = analyser_of(index)
    queries = [query for question in read_exam(exam).questions for query in validation_queries(question, analyser)]
    searcher = index.part()
    ways: Mapping[str, Callable[[], object]] = {
        "one HTTP search a choice": one_by_one(address, queries, k),
        "all choices in one call": lambda: searcher.search(queries, k),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(turns + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if turn:  # the first turn warms the server
                times[name].append(time.perf_counter() - start)
    slow = statistics.median(times["one HTTP search a choice"])
    return [
        {
            "what": name,
            "searches": len(queries),
            "wall_s": statistics.median(found),
            "faster": slow / statistics.median(found),
        }
        for name, found in times.items()
    ]


def one_by_one(address: str, queries: Sequence[Query], k: int) -> Callable[[], object]:
    """The loop that is usually written: a match query a choice, sent and waited for."""
    from elasticsearch import Elasticsearch

    location = locate(address)
    client = Elasticsearch(list(location.servers))
    texts = [" ".join(term.term for term in query.terms) for query in queries]

    def ask() -> object:
        return [
            client.search(index=location.name, query={"match": {"terms.text": text}}, size=k)["hits"]["hits"]
            for text in texts
        ]

    return ask


@click.command()
@click.argument("exam")
@click.argument("address")
@click.option("--method", type=click.Choice(list(METHODS)), default="slqal", show_default=True)
@click.option("-k", "k", default=5, show_default=True)
@click.option("--repeat", default=10, show_default=True)
def main(exam: str, address: str, method: str, k: int, repeat: int) -> None:
    """Measure one exam against one index."""
    index = open_index(address, "textbook")
    if index.engine == "elasticsearch":
        print_rows(query_phase(exam, address, index, k, repeat), "table")
    print_rows(whole_process(exam, address, method, repeat), "table")


if __name__ == "__main__":
    main()
