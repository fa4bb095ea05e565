"""Securities reports into one index, a document a table: `python -m indexer reports SOURCE...`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

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
)
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Document
from indexer.ingest_report import IngestReport
from indexer.languages.japanese import JAPANESE
from indexer.registry import ANALYSIS
from indexer.sources.reports.schema import REPORT, REPORTS, TABLES, encode
from indexer.tables.reports import ReportTable, read_reports

_LONGEST = 60  # characters of a cell that is a label; longer ones are prose


class FiledPart(NamedTuple):
    """A part of a report: a table, or what its cover says.

    `number` is the table's among the report's tables, from 0, −1 for the cover; `content` the
    table, or the first and the last day of the business year.
    """

    doc_id: str
    company: str
    number: int
    content: ReportTable | tuple[str, str]


def report_records(source: str, tally: IngestReport) -> Iterator[FiledPart]:
    """Yields every table of the reports of a folder or an archive, and after those of a report
    (even without any) its business year.

    The company is that of the first cell of the first table beside 【会社名】, "" without one. Only
    tables are counted as read. Raises UserError for a damaged archive and for a file that is not
    HTML.
    """
    for report in read_reports(source):
        cover = report.tables[0].cells if report.tables else ()
        company = next((cell.text for cell in cover if "【会社名】" in cell.left), "")
        for number, table in enumerate(report.tables):
            tally.read += 1
            yield FiledPart(report.doc_id, company, number, table)
        yield FiledPart(report.doc_id, company, -1, (report.start, report.end))


def make_tables(records: list[FiledPart]) -> Batch:
    """Tables as documents, with terms of the company, of what is above the table and of its
    distinct labels of at most 60 characters, and the report as key; other records as documents of
    reports, with terms of the company. A document without terms has its report's id as one."""
    analyse = JAPANESE.analyser().terms
    tables, reports = [], []
    for record in records:
        doc_id, company, content = record.doc_id, record.company, record.content
        if not isinstance(content, ReportTable):
            reports.append(
                Document(
                    doc_id, company, {"text": analyse(company) or [doc_id]}, {}, encode(content)
                )
            )
            continue
        labels = dict.fromkeys(cell.text for cell in content.cells if cell.is_label)
        above = [company, *content.headings, *content.before]
        words = [*above, *(label for label in labels if len(label) <= _LONGEST)]
        terms = [term for text in words for term in analyse(text)] or [doc_id]
        text = " › ".join([company, *content.headings])
        payload = encode((record.number, *content))
        tables.append(
            Document(content.table_id, text, {"text": terms}, {REPORT: (doc_id,)}, payload)
        )
    return Batch({TABLES.name: tables, REPORTS.name: reports})


@click.command(cls=Command, example="index reports samples/u4-reports.tar.xz")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FOLDER|ARCHIVE...",
    type=InputFile(inside=("**/*.html", "**/*.htm")),
)
@index_option("reports", "reports")
@build_options
def command(files: Sequence[Path], address: Location, options: BuildOptions) -> None:
    """Index the tables of Japanese securities reports (EDINET's HTML, as NTCIR-18 U4 gives it), a
    document a table."""
    build(list(map(str, files)), address, options)


def build(files: Sequence[str], address: str | Location, options: BuildOptions) -> BuiltIndex:
    """Builds the index of the reports of folders and archives at an address; hashed and counted in
    bytes are all `*.htm*` files below a folder."""
    paths_of = {
        name: sorted(Path(name).rglob("*.htm*")) if Path(name).is_dir() else [Path(name)]
        for name in files
    }
    sizes = tuple(
        (name, sum(path.stat().st_size for path in paths)) for name, paths in paths_of.items()
    )
    paths = [path for paths in paths_of.values() for path in paths]
    settings = {"analysis": ANALYSIS["reports"]}
    metadata = corpus_metadata(
        "reports", [TABLES, REPORTS], JAPANESE, paths, settings, JAPANESE.packages
    )
    sources = [SourceFile(name, partial(report_records, name)) for name in paths_of]
    return build_index(
        address, Corpus(metadata._replace(sources=sizes), sources, make_tables), options
    )
