"""The time and memory of indexing a knowledge base, beside a bare tantivy loop over the same parsed records.

    python benchmarks/kb_build.py huge.kb FOLDER

Each build runs in a process of its own, one after the other. The bare loop writes the same fields (aliases,
facts, bigrams of new names) and nothing else: no doc_ids, no metadata, no checks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import click
import tantivy

from indexer.sources.facts import bigrams
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
        document.add_text("name", " ".join(bigrams(fields["name"])))
        document.add_bytes("stored", f"{fields['subject']}\n{fields['facts']}".encode())
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def parse_only(kb: str) -> None:
    """The records read and thrown away."""
    for _ in knowledge_base_records(kb, "kb", Tally()):
        pass


def measured(command: list[str]) -> tuple[float, float]:
    """Seconds and peak memory in MB of a process."""
    begun = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command} failed")
    return time.perf_counter() - begun, usage.ru_maxrss / 1024


@click.command()
@click.argument("kb")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", type=click.Choice(["bare", "parse"]), hidden=True)
def main(kb: str, folder: Path, only: str | None) -> None:
    """Print one JSON line: seconds and megabytes of parsing, of the bare loop and of the indexer, and their ratio."""
    if only == "bare":
        bare_loop(kb, folder)
        return
    if only == "parse":
        parse_only(kb)
        return
    own = [sys.executable, __file__, kb]
    parse = measured([*own, str(folder), "--only", "parse"])
    bare = measured([*own, str(folder / "bare"), "--only", "bare"])
    ours = measured([sys.executable, "-m", "indexer", "triples", kb, "--index", str(folder / "index")])
    figures = {
        "parse seconds": parse[0],
        "bare seconds": bare[0],
        "bare MB": bare[1],
        "indexer seconds": ours[0],
        "indexer MB": ours[1],
        "ratio": ours[0] / bare[0],
    }
    click.echo(json.dumps({name: round(value, 2) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
