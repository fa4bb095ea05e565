"""Candidate tables of many questions into one index: `python -m indexer tables FILE...`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from indexer.address import Location
from indexer.build import (
    Batch,
    BuildOptions,
    BuiltIndex,
    Corpus,
    SourceFile,
    build_index,
    corpus_metadata,
    file_label,
)
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile, LanguageCode
from indexer.engines.contract import Document
from indexer.files.errors import UserError
from indexer.files.seen_names import SeenNames
from indexer.formats.table_rows import CELL_MARK, ROW_MARK, read_table_rows
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.registry import ANALYSIS
from indexer.sources.tables.schema import TABLES, StoredTable, encode_table, table_id


def make_tables(language: Language, records: list[tuple[str, StoredTable]]) -> Batch:
    """A batch with one document for each table: terms of caption, header and cells, the caption (if
    any) as key, the table as payload, caption and header as text."""
    terms = language.analyser().terms
    documents = []
    for doc_id, table in records:
        words = " ".join(table).replace(ROW_MARK, " ").replace(CELL_MARK, " ")
        text = f"{table.caption}: {table.attributes.replace(CELL_MARK, ', ')}"
        keys = {"caption": (table.caption,)} if table.caption else {}
        documents.append(Document(doc_id, text, {"text": terms(words)}, keys, encode_table(table)))
    return Batch({TABLES.name: documents})


@click.command(cls=Command, example="index tables samples/tbqa.dev.txt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=InputFile())
@index_option("tables", "tables")
@click.option("--language", type=LanguageCode(), default="en", help="The tables' language [en].")
@build_options
def command(
    files: Sequence[Path], address: Location, language: Language, options: BuildOptions
) -> None:
    """Index the candidate tables of NLPCC TBQA files, each different table once, with labels or
    without."""
    build(list(map(str, files)), address, language, options)


def build(
    files: Sequence[str], address: str | Location, language: Language, options: BuildOptions
) -> BuiltIndex:
    """Builds the index of the distinct tables of TBQA files, under the name and line where each
    first occurs. Raises UserError for two files of one name up to its first point."""
    stems = [file_label(file, "tables") for file in files]
    if len(set(stems)) < len(stems):
        raise UserError(
            f"two files are called {max(stems, key=stems.count)}: their tables would have one name"
        )
    seen = SeenNames()  # the payloads of the tables so far, which questions share

    def new_tables(path: str, label: str, tally: IngestReport) -> Iterator[tuple[str, StoredTable]]:
        """Yields each table of a file that was not seen before, behind its doc_id, which is that of
        its first occurrence; counts all lines in the tally."""
        for row in read_table_rows(path):
            tally.read += 1
            table = StoredTable(row.caption, row.attributes, row.cells)
            if seen.add(encode_table(table)):
                yield table_id(label, row.line), table

    settings = {"analysis": ANALYSIS["tables"]}
    metadata = corpus_metadata("tables", [TABLES], language, files, settings, language.packages)
    sources = [
        SourceFile(name, partial(new_tables, file, stem))
        for (name, _), file, stem in zip(metadata.sources, files, stems, strict=True)
    ]
    return build_index(address, Corpus(metadata, sources, partial(make_tables, language)), options)
