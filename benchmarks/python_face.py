"""What Python's face costs beside the engine: `python benchmarks/python_face.py BOOK.jsonl`.

Builds an index of the book in a passing folder, asks it the book's own titles and beginnings of
sentences as plain strings, and prints, all of one run: the time to import `retriever`, what a query
of a batch costs the engine, what `search` costs beside it (analysis of the questions, hits with
titles), and peak memory. Processor time decides, the best of several repeats.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from indexer.cli.program import run_program
from retriever.queries import terms_of, union_query

_IMPORT = (
    "import time; start = time.process_time(); import retriever; print(time.process_time() - start)"
)
_REPEATS = 3


def best(work: Callable[[], object]) -> tuple[float, float]:
    """Processor time and wall time, in seconds, of the repeat that took least of the first."""
    times = []
    for _ in range(_REPEATS):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(times)


def import_seconds() -> float:
    """What `import retriever` takes in a new process, least of several."""
    words = [sys.executable, "-c", _IMPORT]
    return min(
        float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    )


def questions_of(path: str, number: int) -> list[str]:
    """Plain queries of the book's own words: the first eight words of sentences, over and over."""
    from retriever import open_index

    with open_index(path) as index:
        texts = [" ".join(one.text.split()[:8]) for one in index.part().scan()]
    return [texts[place % len(texts)] for place in range(number)]


@click.command()
@click.argument("book", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--queries", type=click.IntRange(1), default=10_000, help="How many queries are asked [10,000]."
)
@click.option("-k", "k", type=click.IntRange(1), default=10, help="How many documents each [10].")
def main(book: Path, queries: int, k: int) -> None:
    """Time `search` of many plain strings against the engine's own batch of the same queries."""
    from indexer import build_textbook
    from retriever import open_index

    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/index"
        built = build_textbook(book, address, names=False)
        asked = questions_of(address, queries)
        with open_index(address) as index:
            analyse, searcher = terms_of(index.engine_index), index.part()
            made = [union_query(analyse(text)) for text in asked]
            engine, engine_wall = best(lambda: searcher.search(made, k))
            face, face_wall = best(lambda: index.search(asked, k))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    click.echo(f"{built}")
    click.echo(f"import retriever: {import_seconds() * 1000:.1f} ms")
    click.echo(
        f"engine, {queries:,} queries in a batch: {engine / queries * 1000:.3f} ms a query "
        f"(processor time)"
    )
    ratios = f"{face / engine:.3f} times the engine ({face_wall / engine_wall:.3f} by the clock)"
    click.echo(f"search, the same as plain strings: {ratios}")
    click.echo(f"peak memory: {peak:,.0f} MB")


if __name__ == "__main__":
    run_program(main, "python benchmarks/python_face.py")
