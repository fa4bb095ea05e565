"""`python -m indexer list`, `info` and `remove`: the indexes that there are."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import Any

import click

from indexer.address import builder_for, open_any_version
from indexer.cli.screen import columns, pad
from indexer.files.messages import info
from indexer.ingest_report import in_megabytes
from indexer.location import FOLDER_VARIABLE, SERVER_VARIABLE, indexes_folder, locate
from indexer.parameters import argument, command_line, index_address, option, word_choice
from indexer.registry import ANALYSIS

_COLUMNS = ("kind", "language", "documents", "bytes", "built", "note")


@command_line(
    "indexer list",
    option(
        "--format",
        "form",
        type=partial(word_choice, ("table", "jsonl")),
        default="table",
        help="Form of output [table].",
    ),
)
def list_command(form: str) -> None:
    """The indexes in $CLASSICAL_QA_INDEXES (by default the folder indexes), or on the servers of $ELASTICSEARCH_URL.

    One that another version's analysis made is marked; it has to be built again.
    """
    somewhere, engine = locate("any"), builder_for("any")
    rows: list[dict[str, Any]] = []
    for name in engine.names(somewhere):
        if found := engine.standing(name):
            other = found.analysis is not None and found.analysis != ANALYSIS.get(found.kind)
            note = "of another version: build it again" if other else ""
            values: tuple[Any, ...] = (
                found.kind,
                found.language or "",
                found.documents,
                engine.size(name),
                found.when,
                note,
            )
        else:  # it went meanwhile, or its metadata cannot be read any more
            values = "damaged", "", 0, 0, "", ""
        rows.append({"index": name, **dict(zip(_COLUMNS, values, strict=True))})
    if not rows:
        info(
            f"no index in {indexes_folder() if somewhere.folder else os.environ[SERVER_VARIABLE]}: see "
            f"`python -m indexer --help` ({FOLDER_VARIABLE} and {SERVER_VARIABLE} say where indexes are)"
        )
    if form == "jsonl":
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    table = [["index", "kind", "language", "documents", "size", "built", ""]] if rows else []
    for row in rows:
        shown = {**row, "documents": f"{row['documents']:,}", "bytes": in_megabytes(row["bytes"])}
        table.append(list(map(str, shown.values())))
    widths = [max(map(columns, column)) for column in zip(*table, strict=True)]
    for line in table:
        cells = (
            pad(cell, width, place in (3, 4)) for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())


@command_line("indexer info textbook-en", argument("address", index_address))
def info_command(address: str) -> None:
    """Print an index's metadata as JSON: kind, parts, settings, sources, documents, versions, size."""
    from indexer.engines.metadata import to_json

    engine = builder_for(address)
    index = open_any_version(address)
    found = engine.standing(address)
    about = {"index": index.address, "engine": index.engine, **to_json(index.metadata)}
    about |= {"bytes": engine.size(address), "built": found and found.when}
    index.close()
    click.echo(json.dumps(about, ensure_ascii=False, indent=2))


@command_line(
    "indexer remove old-textbook",
    argument("addresses", partial(index_address, written=True), "ADDRESS...", multiple=True),
)
def remove_command(addresses: tuple[str, ...]) -> None:
    """Remove indexes, and what an interrupted build of them left. Nothing else in their folders is touched."""
    for address in addresses:
        builder_for(address).remove(address)
        info(f"removed {locate(address).shown}")
