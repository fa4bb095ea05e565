"""How builds and queries grow: sentences, triples and datasets in several sizes, both engines,
beside the bare tools.

    QA_DATA=… python benchmarks/growth.py FOLDER --kind sentences --sizes 100000,1000000
    --elasticsearch URL QA_DATA=… python benchmarks/growth.py FOLDER --kind triples --sizes
    1000000,10000000 python benchmarks/growth.py FOLDER --kind datasets --sizes 1000,10000 python
    benchmarks/growth.py FOLDER --table

Each build and each batch of queries runs in a process of its own, one after the other.
FOLDER/growth.jsonl gets a line for each; what stands there already is not measured again, so that a
run may be stopped, and the large sizes left to those who have the hours. `--table` prints all
lines: time of processors (of the server too, which should be one's own) and by the clock, memory of
the process without mapped files, disk, queries a second of processor time, a whole exam; the ratio
to the bare tool of the same size; the cost of an item against the size before. Sizes that were not
measured say so. Sentences are drawn from the Japanese books: words and names grow less than in a
text of that size.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from datasets_archive import write_collection
from indexing import remove, sentences_of, write_passages
from kb_build import Cost, measured
from packs import pack

from evaluation.tables import print_rows
from indexer.cli.program import run_program
from indexer.languages.japanese import JAPANESE

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).parent
SIZES = {
    "sentences": (100_000, 1_000_000, 10_000_000),
    "triples": (1_000_000, 10_000_000, 43_000_000),
    "datasets": (1_000, 10_000),
}
FACTS = 4.97  # of a subject of benchmarks/huge_kb.py
QUERIES, TERMS = 300, 12
INDEXER = (sys.executable, "-m", "indexer")


class System(NamedTuple):
    """What is measured: how it builds at a place, what asks it, an exam of its own; and whether it
    needs a server."""

    build: Callable[[Path, str], Sequence[str]]
    ask: str = ""
    exam: Callable[[str], Sequence[str]] | None = None
    bare: str = ""
    server: bool = False


def step(name: str) -> Callable[[Path, str], Sequence[str]]:
    return lambda folder, place: (
        sys.executable,
        str(HERE / "growth_steps.py"),
        name,
        str(folder),
        place,
    )


def textbook(*options: str) -> Callable[[Path, str], Sequence[str]]:
    def command(folder: Path, place: str) -> Sequence[str]:
        passages = str(folder / "passages.jsonl")
        return (*INDEXER, "textbook", passages, "--language", "ja", "--index", place, *options)

    return command


def triples(folder: Path, place: str) -> Sequence[str]:
    return (*INDEXER, "triples", str(folder / "facts.kb"), "--index", place)


def bare_triples(folder: Path, place: str) -> Sequence[str]:
    return (
        sys.executable,
        str(HERE / "kb_build.py"),
        str(folder / "facts.kb"),
        place,
        "--only",
        "bare",
    )


def datasets(folder: Path, place: str) -> Sequence[str]:
    return (
        *INDEXER,
        "datasets",
        *map(str, sorted(folder.glob("*.bz2"), key=_archives_last)),
        "--index",
        place,
    )


def _archives_last(path: Path) -> tuple[bool, str]:
    return ".tar" in path.name, path.name


def exam(method: str) -> Callable[[str], Sequence[str]]:
    questions = str(ROOT / "samples" / "sample-exam-ja.xml")
    return lambda place: (
        *(sys.executable, "-m", "answerer", "ntcir-mc", questions),
        *("--index", place, "--method", method, "-o", "-"),
    )


SYSTEMS: Mapping[str, Mapping[str, System]] = {
    "sentences": {
        "indexer --no-names": System(
            textbook("--no-names"), "our_queries", exam("slqal"), "tantivy, ready terms"
        ),
        "indexer": System(textbook(), "our_queries", exam("names"), "tantivy, ready terms"),
        "our writer, ready terms": System(
            step("writer_build"), "our_queries", bare="tantivy, ready terms"
        ),
        "tantivy, ready terms": System(step("tantivy_build"), "tantivy_queries"),
        "bm25s, ready terms": System(
            step("bm25s_build"), "bm25s_queries", bare="tantivy, ready terms"
        ),
        "Elasticsearch: indexer --no-names": System(
            textbook("--no-names"),
            "our_queries",
            exam("slqal"),
            "Elasticsearch: streaming_bulk, ready terms",
            True,
        ),
        "Elasticsearch: our writer, ready terms": System(
            step("writer_build"),
            "our_queries",
            None,
            "Elasticsearch: streaming_bulk, ready terms",
            True,
        ),
        "Elasticsearch: streaming_bulk, ready terms": System(
            step("bulk_build"), "bulk_queries", server=True
        ),
    },
    "triples": {
        "indexer": System(triples, "lookups", bare="tantivy, parsed records"),
        "tantivy, parsed records": System(bare_triples),
        "Elasticsearch: indexer": System(triples, "lookups", server=True),
    },
    "datasets": {
        "indexer": System(datasets),
        "Elasticsearch: indexer": System(datasets, server=True),
    },
}


def prepare(kind: str, size: int, folder: Path) -> None:
    """Write the corpus of a size, unless it is there."""
    if (folder / "ready").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "sentences":
        write_passages(
            pack("textbook", "jawiki-world-history.jsonl"), size, folder / "passages.jsonl"
        )
        _write_terms(folder)
    elif kind == "triples":
        kb, target = pack("nlpcc", "kbqa", "mini_kb_hard.kb"), folder / "facts.kb"
        huge = [
            sys.executable,
            str(HERE / "huge_kb.py"),
            str(kb),
            str(target),
            "--subjects",
            str(round(size / FACTS)),
        ]
        subprocess.run(huge, check=True)
        _write_names(target, folder / "names.txt")
    else:
        write_collection(folder, size)
    (folder / "ready").touch()


def _write_terms(folder: Path) -> None:
    """The sentences as ready terms, and queries of 1 to 12 terms of a sentence each."""
    terms, draw = JAPANESE.analyser().terms, random.Random(1)
    asked: list[str] = []
    sentences = sentences_of(folder / "passages.jsonl")
    every = max(1, len(sentences) // QUERIES)
    with (folder / "terms.txt").open("w", encoding="utf-8") as file:
        for number, text in enumerate(sentences):
            found = terms(text)
            file.write(" ".join(found) + "\n")
            if number % every == 0 and found and len(asked) < QUERIES:
                asked.append(" ".join(found[: draw.randint(1, TERMS)]))
    (folder / "queries.txt").write_text("\n".join(asked), "utf-8")


def _write_names(kb: Path, target: Path) -> None:
    with kb.open(encoding="utf-8") as file:
        subjects = dict.fromkeys(
            line.split(" ||| ")[0] for number, line in enumerate(file) if number % 997 == 0
        )
    target.write_text("\n".join(list(subjects)[:1_000]), "utf-8")


class Server:
    """A server's processor time, and the room of an index on it."""

    def __init__(self, url: str) -> None:
        from elasticsearch import Elasticsearch

        self.url = url
        self._client = Elasticsearch(url, request_timeout=600)

    def processor(self) -> float:
        """Seconds of processor time of all nodes, which look at it once a second only."""
        time.sleep(1.1)
        nodes = self._client.nodes.stats(metric="process")["nodes"].values()
        return sum(node["process"]["cpu"]["total_in_millis"] for node in nodes) / 1000

    def room(self, name: str) -> float:
        """The MB of an index with its parts."""
        found = self._client.indices.stats(index=f"{name}*", metric="store")
        return float(found["_all"]["total"]["store"]["size_in_bytes"]) / 1e6

    def remove(self, name: str) -> None:
        remove(self.url, name)
        self._client.indices.delete(index=name, ignore_unavailable=True)


def run(
    system: System, folder: Path, place: str, server: Server | None
) -> Iterator[tuple[str, Any]]:
    """What building, asking and an exam cost."""
    before = server.processor() if server else 0.0
    built = _quietly(system.build(folder, place))
    on_server = server.processor() - before if server else 0.0
    yield from {
        "processor": built.processors + on_server,
        "of it the server": on_server,
        "clock": built.clock,
        "memory": built.own_memory,
    }.items()
    yield "disk", server.room(place.rsplit("/", 1)[1]) if server else _room(Path(place))
    if system.ask:
        before = server.processor() if server else 0.0
        done = subprocess.run(
            step(system.ask)(folder, place), capture_output=True, check=True, text=True
        )
        yield "queries", json.loads(done.stdout)
        yield "asking, the server", server.processor() - before if server else 0.0
    if system.exam:
        spent = _quietly(system.exam(place))
        yield "exam", {"processor": spent.processors, "clock": spent.clock}


def _quietly(command: Sequence[str]) -> Cost:
    """`measured`, what is said left out."""
    return measured(["bash", "-c", 'exec "$@" >/dev/null 2>&1', "bash", *command])


def _room(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def rows_of(path: Path) -> list[dict[str, Any]]:
    """What has been measured."""
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


COLUMNS = (
    "kind",
    "size",
    "system",
    "processor s",
    "clock s",
    "own MB",
    "disk MB",
    "queries/s",
    "exam s",
    "× the bare",
    "an item, × the size before",
)


def table(measured_rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """A row a kind, size and system, measured or not."""
    found = {(row["kind"], row["size"], row["system"]): row for row in measured_rows}
    rows = []
    for kind, systems in SYSTEMS.items():
        sizes = sorted({*SIZES[kind], *(size for of_kind, size, _ in found if of_kind == kind)})
        for size in sizes:
            for name, system in systems.items():
                row = found.get((kind, size, name))
                head = [kind, f"{size:,}", name]
                if row is None:
                    rows.append([*head, "not measured", *["–"] * 7])
                    continue
                bare = found.get((kind, size, system.bare))
                smaller = [
                    (other, found[kind, other, name])
                    for other in sizes
                    if other < size and (kind, other, name) in found
                ]
                rows.append([*head, *_cells(row), _ratio(row, bare), _growth(size, row, smaller)])
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def _cells(row: Mapping[str, Any]) -> list[str]:
    queries, asked = row.get("queries"), row.get("exam")
    return [
        f"{row['processor']:.1f}"
        + (f" (server {row['of it the server']:.1f})" if row["of it the server"] else ""),
        f"{row['clock']:.0f}",
        f"{row['memory']:.0f}",
        f"{row['disk']:.0f}",
        _rate(queries, row.get("asking, the server", 0.0)) if queries else "–",
        f"{asked['processor']:.1f}" if asked else "–",
    ]


def _rate(queries: Mapping[str, float], on_server: float) -> str:
    """Queries a second of processor time, that of the server counted too."""
    own = queries["asked"] / queries["of processor time"]
    return (
        f"{queries['asked'] / (own + on_server):.0f} ({queries['by the clock']:.0f} by the clock)"
    )


def _ratio(row: Mapping[str, Any], bare: Mapping[str, Any] | None) -> str:
    return f"{row['processor'] / bare['processor']:.2f}" if bare else "–"


def _growth(
    size: int, row: Mapping[str, Any], smaller: Sequence[tuple[int, Mapping[str, Any]]]
) -> str:
    if not smaller:
        return "–"
    before, other = smaller[-1]
    return f"{row['processor'] / size / (other['processor'] / before):.2f}"


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--kind", type=click.Choice(list(SYSTEMS)), multiple=True, help="What grows; all by default."
)
@click.option("--sizes", default="", help="Sizes with commas; by default all of a kind.")
@click.option(
    "--system", "only", multiple=True, help="Only these systems, by their names in the table."
)
@click.option(
    "--elasticsearch",
    "url",
    default="",
    help="A server of one's own; without it those rows are left out.",
)
@click.option(
    "--table", "show", is_flag=True, help="Print what has been measured, and measure nothing."
)
def main(
    folder: Path, kind: tuple[str, ...], sizes: str, only: tuple[str, ...], url: str, show: bool
) -> None:
    path = folder / "growth.jsonl"
    if show:
        print_rows(table(rows_of(path)), "table")
        return
    kinds = kind or tuple(SYSTEMS)
    if set(kinds) - {"datasets"}:
        pack()  # said before any work where the collections are not at hand
    folder.mkdir(parents=True, exist_ok=True)
    for one in kinds:
        for size in [int(each) for each in sizes.split(",")] if sizes else SIZES[one]:
            grow(one, size, folder, path, only, Server(url) if url else None)


def grow(
    kind: str, size: int, folder: Path, path: Path, only: Sequence[str], server: Server | None
) -> None:
    """Measure what has not been measured of a size."""
    done = {(row["kind"], row["size"], row["system"]) for row in rows_of(path)}
    corpus, place = folder / f"{kind}-{size}", folder / "place"
    for name, system in SYSTEMS[kind].items():
        if (
            (kind, size, name) in done
            or (only and name not in only)
            or (system.server and server is None)
        ):
            continue
        prepare(kind, size, corpus)
        own = server if system.server else None
        at = f"{own.url}/growth" if own else str(place)
        try:
            found = {
                "kind": kind,
                "size": size,
                "system": name,
                **dict(run(system, corpus, at, own)),
            }
        finally:
            shutil.rmtree(place, ignore_errors=True)
            if own:
                own.remove("growth")
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
        click.echo(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    run_program(main, "python benchmarks/growth.py")
