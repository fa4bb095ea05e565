"""The time and memory of indexing a knowledge base, beside a bare tantivy loop over the same parsed
records.

    python benchmarks/kb_build.py huge.kb FOLDER

Each build runs in a process of its own, one after the other. The bare loop writes the same fields
(aliases, facts, pieces of new names) and nothing else: no doc_ids, no metadata, no checks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click
import tantivy

from indexer.cli.program import run_program
from indexer.ingest_report import IngestReport
from indexer.sources.triples.build import knowledge_base_items
from indexer.sources.triples.schema import ALIAS, NAME, SUBJECTS

MEMORY = 128_000_000


def bare_loop(kb: str, folder: Path) -> None:
    """The records of the knowledge base straight into a tantivy index."""
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("alias", tokenizer_name="raw", index_option="basic")
    schema.add_text_field("name", tokenizer_name="whitespace", index_option="freq")
    schema.add_bytes_field("stored", stored=True)
    folder.mkdir(parents=True)
    index = tantivy.Index(schema.build(), path=str(folder))
    writer = index.writer(MEMORY, 1)
    for part, item in knowledge_base_items(kb, "kb", IngestReport()):
        if part != SUBJECTS.name:
            continue
        document = tantivy.Document()
        for alias in item.keys[ALIAS]:
            document.add_text("alias", alias)
        document.add_text("name", " ".join(item.terms[NAME]))
        document.add_bytes("stored", f"{item.text}\n{item.payload}".encode())
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


class Cost(NamedTuple):
    """What a process took: seconds by the clock and of processors, peak MB of its own and with
    mapped files."""

    clock: float
    processors: float
    own_memory: float
    with_files: float


def measured(command: list[str]) -> Cost:
    """Run a process to its end, looking at its memory ten times a second (Linux)."""
    begun = time.perf_counter()
    process = subprocess.Popen(command)
    own_memory = 0.0
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        own_memory = max(own_memory, anonymous_memory(process.pid))
        time.sleep(0.1)
    if status:
        raise SystemExit(f"{command} failed")
    spent = usage.ru_utime + usage.ru_stime
    return Cost(time.perf_counter() - begun, spent, own_memory, usage.ru_maxrss / 1024)


def anonymous_memory(pid: int) -> float:
    """The MB that a process holds beside the pages of files, which the system may take back at any
    time."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)


@click.command()
@click.argument("kb")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", type=click.Choice(["bare"]), hidden=True)
def main(kb: str, folder: Path, only: str | None) -> None:
    """Print one JSON line: [clock s, processor s, own MB, MB with mapped files] of each; indexer by
    bare loop."""
    if only == "bare":
        bare_loop(kb, folder)
        return
    own = [sys.executable, __file__, kb]
    costs = {
        "bare": measured([*own, str(folder / "bare"), "--only", "bare"]),
        "indexer": measured(
            [sys.executable, "-m", "indexer", "triples", kb, "--index", str(folder / "index")]
        ),
    }
    ratios = {
        "clock ratio": costs["indexer"].clock / costs["bare"].clock,
        "processor ratio": costs["indexer"].processors / costs["bare"].processors,
    }
    rounded = {name: [round(value, 1) for value in cost] for name, cost in costs.items()}
    click.echo(json.dumps(rounded | {name: round(value, 2) for name, value in ratios.items()}))


if __name__ == "__main__":
    run_program(main, "python benchmarks/kb_build.py")
