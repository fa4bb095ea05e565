"""The speed of answering exams: the whole program embedded; the query phase on Elasticsearch
against single requests.

    QA_DATA=… python benchmarks/exam.py
    QA_DATA=… python benchmarks/exam.py --elasticsearch http://localhost:9200 --copies 20

The books are the English ones of the data pack, the exams its English development exams. `--copies`
indexes the books several times over, for a larger index.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click
from packs import pack

from indexer.address import locate
from indexer.cli.program import run_program
from indexer.engines.contract import Query
from indexer.engines.elasticsearch import SHOWN, ElasticsearchSearcher
from indexer.engines.opening import open_index

K = 5
ROUNDS = 9
WARM_ROUNDS = 20  # the server's virtual machine compiles what is hot after some thousand searches


def books(folder: Path, copies: int) -> list[Path]:
    """The books, and copies of them under other names."""
    originals = [
        *sorted(pack("textbook").glob("openstax*.jsonl")),
        *sorted(pack("textbook").glob("wells*.txt")),
    ]
    links = []
    for copy in range(copies):
        for book in originals:
            link = folder / f"copy{copy}-{book.name}"
            link.symlink_to(book)
            links.append(link)
    return links


def build(files: Sequence[Path], address: str) -> None:
    command = [
        sys.executable,
        "-m",
        "indexer",
        "textbook",
        *map(str, files),
        "--language",
        "en",
        "--index",
        address,
    ]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def exams() -> list[Path]:
    return sorted(pack("ntcir-mc", "en", "input").rglob("*.xml"))


def whole_program(address: str, exam: Path) -> float:
    """Seconds of `python -m answerer ntcir-mc EXAM`, process start included: the median of some
    rounds."""
    command = [
        sys.executable,
        "-m",
        "answerer",
        "ntcir-mc",
        str(exam),
        "--index",
        address,
        "--method",
        "slqal",
    ]
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


def exam_queries(address: str, exam: Path) -> list[Query]:
    """SLQAL's query of every choice of an exam."""
    from answerer.formats.exam.read import read_exam
    from answerer.ntcir.multiple_choice.baselines import choice_queries
    from retriever.queries import analyser_of

    index = open_index(address)
    analyse = analyser_of(index)
    queries = choice_queries(read_exam(exam).questions, analyse)
    index.close()
    return queries


def one_request_each(address: str, queries: Sequence[Query]) -> float:
    """As the peers do it: a search request for every choice, one after the other, through the
    official client."""
    from elasticsearch import Elasticsearch

    location = locate(address)
    with Elasticsearch(list(location.servers)) as client:
        client.cluster.health()
        start = time.perf_counter()
        for query in queries:
            text = " ".join(term.term for term in query.terms)
            client.search(
                index=location.name,
                query={"match": {"terms.text": text}},
                size=K,
                source_includes=SHOWN,
                search_type="dfs_query_then_fetch",
            )
        return time.perf_counter() - start


def all_at_once(address: str, queries: Sequence[Query]) -> float:
    """Our query phase, ties closed."""
    index = open_index(address)
    part = index.part()
    if not isinstance(part, ElasticsearchSearcher):
        raise click.ClickException(f"{address} is not on Elasticsearch")
    start = time.perf_counter()
    part.search(queries, K)
    spent = time.perf_counter() - start
    index.close()
    return spent


def query_phase(address: str) -> None:
    """Both ways in turn on the same warm server; the medians and their ratio for each exam."""
    for exam in exams():
        queries = exam_queries(address, exam)
        for _ in range(WARM_ROUNDS):
            all_at_once(address, queries), one_request_each(address, queries)
        pairs = [
            (one_request_each(address, queries), all_at_once(address, queries))
            for _ in range(ROUNDS)
        ]
        each, at_once = (statistics.median(spent) for spent in zip(*pairs, strict=True))
        print(
            f"{exam.name}\t{len(queries)} queries\tone request each {each:.3f} s\tours "
            f"{at_once:.3f} s"
            f"\t{each / at_once:.1f} times as fast"
        )


@click.command()
@click.option(
    "--elasticsearch", "url", default="", help="A server: measures the query phase there."
)
@click.option("--copies", default=1, help="How many times the books are indexed.")
def main(url: str, copies: int) -> None:
    """Measure answering exams."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"{url}/benchmark-exam" if url else str(Path(folder) / "index")
        build(books(Path(folder), copies), address)
        if url:
            query_phase(address)
            return
        for exam in exams():
            print(f"{exam.name}\twhole program, embedded: {whole_program(address, exam):.2f} s")


if __name__ == "__main__":
    run_program(main, "python benchmarks/exam.py")
