"""`python -m indexer list`, `info` and `remove`: the indexes that there are."""

from __future__ import annotations

import json
import os

import click

from indexer.address import (
    FOLDER_VARIABLE,
    SERVER_VARIABLE,
    Location,
    beside,
    indexes_folder,
    local_server_hint,
    locate,
    without_passwords,
)
from indexer.cli.screen import columns, pad
from indexer.cli.types import Address, Command
from indexer.engines.contract import document_count, to_json
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError, one_line
from indexer.files.messages import info
from indexer.ingest_report import in_megabytes
from indexer.registry import ANALYSIS


@click.command(cls=Command, example="index list")
def list_command() -> None:
    """The indexes in $CLASSICAL_QA_INDEXES (by default the folder indexes), or on the servers of
    $ELASTICSEARCH_URL.

    One that another version's analysis made is marked; it has to be built again. So is a build that
    was interrupted or is under way: the same command begins again, and remove takes it away. One
    that cannot be read is listed with the reason.
    """
    somewhere, engine = locate("any"), builder_for("any")
    table = [("index", "kind", "language", "documents", "size", "built", "")]
    unfinished = set(engine.unfinished_builds(somewhere))
    for name in sorted({*engine.names(somewhere), *unfinished}):
        location = beside(somewhere, name)
        if metadata := engine.standing(location):
            kind, analysis = metadata.get("kind", ""), metadata.get("settings", {}).get("analysis")
            notes = ["a build is not finished"] * (name in unfinished)
            if analysis not in (None, ANALYSIS.get(kind)):
                notes.append("of another version: build it again")
            count, size = f"{document_count(metadata):,}", in_megabytes(engine.size(location))
            table.append(
                (
                    name,
                    kind,
                    metadata.get("language") or "",
                    count,
                    size,
                    metadata["built"],
                    "; ".join(notes),
                )
            )
        elif name in unfinished:
            table.append((name, "unfinished", "", "0", in_megabytes(engine.size(location)), "", ""))
        else:  # it went meanwhile, or its metadata cannot be read
            table.append((name, "unreadable", "", "0", in_megabytes(0), "", _fault_of(location)))
    if len(table) == 1:
        where = without_passwords(os.environ.get(SERVER_VARIABLE, ""))
        if somewhere.folder is not None:
            where = f"{indexes_folder().absolute()}{local_server_hint()}"
        info(
            f"no index in {where}: see `classical-qa index --help` ({FOLDER_VARIABLE} and "
            f"{SERVER_VARIABLE} say where indexes are)"
        )
        return
    widths = [max(map(columns, cells)) for cells in zip(*table, strict=True)]
    for line in table:
        cells = [
            pad(text, width, right=number in (3, 4))
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())


def _fault_of(location: Location) -> str:
    """Why an index cannot be opened, in one line; "" if it can."""
    try:
        open_index(location, any_version=True).close()
    except UserError as error:
        return one_line(error)
    return ""


@click.command(cls=Command, example="index info textbook-en")
@click.argument("address", type=Address())
def info_command(address: Location) -> None:
    """Print an index's metadata as JSON: kind, parts, settings, sources, documents, versions,
    size, and whether a build is under way or was interrupted."""
    engine = builder_for(address)
    stored = engine.standing(address)
    name = address.name if address.folder is None else address.folder.name
    unfinished = name in engine.unfinished_builds(address)
    if unfinished and not stored:
        raise UserError(
            f"{address.shown}: its build was interrupted or is under way; build it again, or "
            f"remove it with `classical-qa index remove {name}`"
        )
    index = open_index(address, any_version=True)
    about = {"index": index.address, "engine": index.engine, **to_json(index.metadata)}
    about |= {"bytes": engine.size(address), "built": stored and stored["built"]}
    about["unfinished_build"] = unfinished
    index.close()
    click.echo(json.dumps(about, ensure_ascii=False, indent=2))


@click.command(cls=Command, example="index remove old-textbook")
@click.argument(
    "addresses", nargs=-1, required=True, metavar="ADDRESS...", type=Address(written=True)
)
def remove_command(addresses: tuple[Location, ...]) -> None:
    """Remove indexes, one by one up to an address without one, and what an interrupted build of
    them left. Nothing else in their folders is touched."""
    for address in addresses:
        builder_for(address).remove(address)
        info(f"removed {address.shown}")
