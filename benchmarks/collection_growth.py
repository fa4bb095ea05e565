"""Time and memory of indexing and ranking made-up passages of a test collection, beside bm25s.

`python benchmarks/collection_growth.py 100000 1000000`: for each number of passages, seconds and
peak memory of the build (a process of its own), of reading the term counts, and milliseconds a topic
of 200 topics at k 1000, also of bm25s (with numba, where it is installed) on the same terms.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import click

WORDS, LENGTH, TOPICS, TOPIC_LENGTH = 50_000, 50, 200, 6
# Letters that make words which Porter's stemmer leaves apart.
LETTERS = "bdfgklmnprtvz"


def texts(count: int, length: int, seed: int) -> Iterator[str]:
    """Yields texts of words whose frequencies follow Zipf's law."""
    rng = random.Random(seed)
    words = []
    for number in range(WORDS):
        digits = ""
        while number or not digits:
            number, digit = divmod(number, len(LETTERS))
            digits += LETTERS[digit] + "a"
        words.append(digits + "k")
    weights = list(accumulate(1 / (rank + 10) for rank in range(WORDS)))
    for _ in range(count):
        yield " ".join(rng.choices(words, cum_weights=weights, k=length))


def build(count: int, folder: str) -> None:
    """Builds the index; prints seconds and peak memory."""
    from indexer import build_collection

    path = Path(folder) / "corpus.tsv"
    with path.open("w") as file:
        file.writelines(f"p{n}\t{text}\n" for n, text in enumerate(texts(count, LENGTH, 1)))
    begun = time.monotonic()
    build_collection(path, f"{folder}/index", language="en")
    seconds = time.monotonic() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count:,} passages: built in {seconds:.0f} s, peak {peak:.0f} MB")


def rank(count: int, folder: str) -> None:
    """Ranks the topics with our term counts and with bm25s."""
    from retriever import open_index
    from retriever.queries import terms_of

    topics = {str(n): text for n, text in enumerate(texts(TOPICS, TOPIC_LENGTH, 2))}
    with open_index(f"{folder}/index") as index:
        begun = time.monotonic()
        index.rank({"warm": "x"})
        read = time.monotonic() - begun
        times = []
        for _ in range(2):
            begun = time.monotonic()
            index.rank(topics, 1000)
            times.append((time.monotonic() - begun) / TOPICS * 1000)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{count:,}: counts read in {read:.1f} s, {times[0]:.2f} ms a topic, again "
            f"{times[1]:.2f}; peak {peak:.0f} MB"
        )
        analyse = terms_of(index.engine_index)
        payloads = [document.payload.split(" ") for document in index.engine_index.part().scan()]
        queries = [analyse(text) for text in topics.values()]
    import bm25s

    try:
        model = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
    except ImportError:
        model = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    model.index(payloads, show_progress=False)
    model.retrieve(queries, k=1000, show_progress=False)
    begun = time.monotonic()
    model.retrieve(queries, k=1000, show_progress=False)
    print(f"{count:,}: bm25s ({model.backend}) {(time.monotonic() - begun) / TOPICS * 1000:.2f} ms")


@click.command()
@click.argument("counts", type=int, nargs=-1, required=True)
@click.option("--step", type=click.Choice(("build", "rank")), hidden=True)
@click.option("--folder", hidden=True)
def main(counts: tuple[int, ...], step: str | None, folder: str | None) -> None:
    """Measure indexing and ranking of COUNTS made-up passages."""
    if step and folder:
        (build if step == "build" else rank)(counts[0], folder)
        return
    for count in counts:
        with tempfile.TemporaryDirectory() as place:
            for name in ("build", "rank"):
                words = [str(count), "--step", name, "--folder", place]
                subprocess.run([sys.executable, __file__, *words], check=True)


if __name__ == "__main__":
    main()
