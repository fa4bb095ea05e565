"""Candidate tables of many questions into one index: `python -m indexer tables FILE...`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path

import click

from indexer.analysis import LANGUAGES, Language, analyser
from indexer.build import Batch, SourceFile, build_index, source_sizes
from indexer.document import Document, Part, Record
from indexer.engines.contract import Metadata
from indexer.files.errors import UserError
from indexer.options import build_options
from indexer.sources.table_rows import CELL_MARK, ROW_MARK, read_table_rows
from indexer.tally import Tally

TABLES = Part("tables", ("text",), ("caption",))
ANALYSIS_VERSION = 1  # rises when the same table gives other terms


class DifferentTables:
    """The tables of TBQA files, each once: questions share their tables, and a digest tells them apart."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def records(self, path: str, label: str, tally: Tally) -> Iterator[Record]:
        """A record a different table, called by the line where it first stands. Errors as `read_table_rows`."""
        for row in read_table_rows(path):
            tally.count()
            table = "\t".join((row.caption, row.attributes, row.cells))
            digest = blake2b(table.encode(), digest_size=16).digest()
            if digest not in self._seen:
                self._seen.add(digest)
                fields = {"doc_id": f"{label}-{row.line:07d}", "caption": row.caption, "table": table}
                yield Record(path, row.line, fields)


def make_tables(language: Language, records: list[Record]) -> Batch:
    """Tables as documents: the terms of caption, header and cells; the payload is the table's line."""
    terms = analyser(language).terms
    documents = []
    for record in records:
        table = record.fields["table"]
        words = table.replace(ROW_MARK, " ").replace(CELL_MARK, " ").replace("\t", " ")
        caption, attributes, _ = table.split("\t")
        text = f"{caption}: {attributes.replace(CELL_MARK, ', ')}"
        keys = {"caption": (caption,)} if caption else {}
        documents.append(Document(record.fields["doc_id"], text, {"text": terms(words)}, keys, table))
    return Batch({TABLES.name: documents})


@click.command(epilog="Example: python -m indexer tables samples/tbqa.dev.txt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--index", "address", metavar="ADDRESS", default="tables", help="Where the index goes [tables].")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="The tables' language [en].")
@build_options
def command(
    files: tuple[str, ...],
    address: str,
    language: Language,
    rejects: str | None,
    jobs: int,
    shards: int,
    replicas: int,
) -> None:
    """Index the candidate tables of NLPCC TBQA files, each different table once, with labels or without."""
    for file in files:
        if not Path(file).is_file():
            raise UserError(f"{file}: no such file; name NLPCC TBQA files")
    stems = [Path(file).name.split(".")[0] or "tables" for file in files]
    if len(set(stems)) < len(stems):
        raise UserError(f"two files are called {max(stems, key=stems.count)}: their tables would have one name")
    tables = DifferentTables()
    sources = [SourceFile(file, partial(tables.records, file, stem)) for file, stem in zip(files, stems, strict=True)]
    metadata = Metadata("tables", (TABLES,), language, {"analysis": ANALYSIS_VERSION}, source_sizes(files))
    with Tally(rejects) as tally:
        build_index(
            address,
            metadata,
            sources,
            partial(make_tables, language),
            tally,
            jobs=jobs,
            shards=shards,
            replicas=replicas,
        )
