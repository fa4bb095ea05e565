"""Time of a topic in a batch beside bm25s (its numba backend, where numba is installed), in one
run: `python benchmarks/batch_speed.py`.

For each collection of $QA_DATA, milliseconds a topic at k 1000: opening the index with its term
counts (once), ranking with the topics' analysis, the analysis alone, the run's lines; of bm25s its
search of the same terms, given as lists of words and as numbers. A figure is the least of several
rounds, in which both take turns. bm25s has doc_ids and texts no more than we: numbers and scores.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time

import bm25s
import click
from packs import pack
from reproduce import query_topics

from indexer import build_collection
from indexer.cli.program import run_program
from retriever import open_index
from retriever.queries import terms_of
from retriever.topics import read_topics

HERE = Path(__file__).parent
ROUNDS = 7


def milliseconds(action: Callable[[], object], topics: int) -> float:
    """What an action takes of a processor for one of its topics; both use one thread."""
    begun = process_time()
    action()
    return (process_time() - begun) / topics * 1000


def compare(settings: dict[str, str], folder: str, k: int) -> str:
    """The line of a collection."""
    build_collection(pack(settings["documents"]), f"{folder}/index")
    renumber = "--renumber" in settings.get("topic_options", "")
    topics_file = query_topics(pack(settings["topics"]), Path(folder))
    topics = {topic.query_id: topic.text for topic in read_topics(topics_file, renumber=renumber)}
    begun = perf_counter()
    with open_index(f"{folder}/index") as index:
        rankings = index.rank(topics, k)
        first = (perf_counter() - begun) * 1000
        analyse = terms_of(index.engine_index)
        payloads = [document.payload.split(" ") for document in index.engine_index.part().scan()]
        queries = [analyse(text) for text in topics.values()]
        backend = "numba" if find_spec("numba") else "numpy"
        model = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend=backend)
        model.index(payloads, show_progress=False)
        depth = min(k, len(payloads))
        numbers = [
            [model.vocab_dict[term] for term in query if term in model.vocab_dict]
            for query in queries
        ]
        tokenized = bm25s.tokenization.Tokenized(ids=numbers, vocab=model.vocab_dict)
        actions: dict[str, Callable[[], object]] = {
            "rank": lambda: index.rank(topics, k),
            "analysis": lambda: [analyse(text) for text in topics.values()],
            "lines": rankings.to_trec,
            "bm25s": lambda: model.retrieve(queries, k=depth, show_progress=False),
            "bm25s numbers": lambda: model.retrieve(tokenized, k=depth, show_progress=False),
        }
        least = {name: milliseconds(action, len(topics)) for name, action in actions.items()}
        for _ in range(ROUNDS):
            for name, action in actions.items():
                least[name] = min(least[name], milliseconds(action, len(topics)))
    times = ", ".join(f"{name} {value:.3f}" for name, value in least.items())
    ratio = least["rank"] / least["bm25s"]
    search = (least["rank"] - least["analysis"]) / least["bm25s"]
    return (
        f"{settings['name']}: {len(payloads):,} documents, {len(topics)} topics, opened and ranked "
        f"in {first:.0f} ms; ms a topic: {times} ({model.backend}); ratio {ratio:.2f}, without "
        f"analysis {search:.2f}"
    )


@click.command()
@click.option("-k", default=1000)
def main(k: int) -> None:
    """Measure batches of topics on the collections of benchmarks/collections."""
    for path in sorted((HERE / "collections").glob("*.toml")):
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            print(compare(settings, folder, k), flush=True)


if __name__ == "__main__":
    run_program(main, "python benchmarks/batch_speed.py")
