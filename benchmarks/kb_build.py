"""The time and memory of indexing a knowledge base, beside a bare tantivy loop over the same parsed records.

    python benchmarks/kb_build.py huge.kb FOLDER

Each build runs in a process of its own, one after the other. The bare loop writes the same fields (aliases,
facts, pieces of new names) and nothing else: no doc_ids, no metadata, no checks.
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

from indexer.sources.facts import pieces
from indexer.sources.triples import knowledge_base_records
from indexer.tally import Tally

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
    for record in knowledge_base_records(kb, "kb", Tally()):
        fields = record.fields
        if "subject" not in fields:
            continue
        document = tantivy.Document()
        for alias in fields["aliases"].split("\t"):
            document.add_text("alias", alias)
        document.add_text("name", " ".join(pieces(fields["name"])))
        document.add_bytes("stored", f"{fields['subject']}\n{fields['facts']}".encode())
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


class Cost(NamedTuple):
    """What a process took: seconds by the clock, seconds of processors, peak memory in MB."""

    clock: float
    processors: float
    memory: float


def measured(command: list[str]) -> Cost:
    """Run a process to its end."""
    begun = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command} failed")
    return Cost(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@click.command()
@click.argument("kb")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", type=click.Choice(["bare"]), hidden=True)
def main(kb: str, folder: Path, only: str | None) -> None:
    """Print one JSON line: [clock seconds, processor seconds, peak MB] of each, and indexer by bare loop."""
    if only == "bare":
        bare_loop(kb, folder)
        return
    own = [sys.executable, __file__, kb]
    costs = {
        "bare": measured([*own, str(folder / "bare"), "--only", "bare"]),
        "indexer": measured([sys.executable, "-m", "indexer", "triples", kb, "--index", str(folder / "index")]),
    }
    ratios = {
        "clock ratio": costs["indexer"].clock / costs["bare"].clock,
        "processor ratio": costs["indexer"].processors / costs["bare"].processors,
    }
    rounded = {name: [round(value, 1) for value in cost] for name, cost in costs.items()}
    click.echo(json.dumps(rounded | {name: round(value, 2) for name, value in ratios.items()}))


if __name__ == "__main__":
    main()
