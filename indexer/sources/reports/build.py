"""Securities reports into one index, a document a table: `python -m indexer reports SOURCE...`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from indexer.api import Index, built
from indexer.build import (
    BUILD_OPTIONS,
    Batch,
    BuildOptions,
    Corpus,
    SourceFile,
    build_index,
    gather_options,
    index_option,
    source_content,
)
from indexer.document import Document
from indexer.engines.contract import Metadata
from indexer.files.versions import versions
from indexer.ingest_report import IngestReport
from indexer.languages.japanese import JAPANESE
from indexer.parameters import InputPath, argument, command_line
from indexer.registry import ANALYSIS
from indexer.sources.reports.schema import REPORT, REPORTS, TABLES, encode_contexts, encode_table
from indexer.tables.reports import Report, ReportTable, XbrlContext, read_reports

_LONGEST = 60  # characters of a cell that is a label; longer ones are prose


class FiledTable(NamedTuple):
    """A table with its report's id and company, and its number among the report's tables."""

    doc_id: str
    company: str
    number: int
    table: ReportTable


class FiledReport(NamedTuple):
    """A report's company and the contexts of its cover."""

    doc_id: str
    company: str
    contexts: tuple[XbrlContext, ...]


def report_records(source: str, tally: IngestReport) -> Iterator[FiledTable | FiledReport]:
    """Every table of the reports of a folder or an archive, and after those of a report what its cover says.

    Errors as `read_reports`.
    """
    for report in read_reports(source):
        company = company_of(report)
        for number, table in enumerate(report.tables):
            tally.count()
            yield FiledTable(report.doc_id, company, number, table)
        yield FiledReport(report.doc_id, company, report.contexts)


def company_of(report: Report) -> str:
    """The company's name as the cover has it; "" where it has none."""
    for table in report.tables[:1]:
        for cell, head in zip(table.cells, table.headed, strict=True):
            if "【会社名】" in head.left:
                return cell.text
    return ""


def make_tables(records: list[FiledTable | FiledReport]) -> Batch:
    """Tables as documents: terms of the company, what is above the table, and its labels; contexts to look up."""
    terms = JAPANESE.analyser().terms
    tables, reports = [], []
    for one in records:
        if isinstance(one, FiledReport):
            found = terms(one.company) or [one.doc_id]
            reports.append(Document(one.doc_id, one.company, {"text": found}, {}, encode_contexts(one.contexts)))
            continue
        labels = dict.fromkeys(cell.text for cell in one.table.cells if cell.kind == "text")
        above = [one.company, *one.table.headings, *one.table.before]
        words = [*above, *(label for label in labels if len(label) <= _LONGEST)]
        found = [term for text in words for term in terms(text)] or [one.doc_id]
        payload = encode_table(one.number, one.table)
        text = " › ".join([one.company, *one.table.headings])
        tables.append(Document(one.table.table_id, text, {"text": found}, {REPORT: (one.doc_id,)}, payload))
    return Batch({TABLES.name: tables, REPORTS.name: reports})


@command_line(
    "indexer reports samples/u4-reports.tar.xz",
    argument("files", InputPath(("**/*.html", "**/*.htm")), "FOLDER|ARCHIVE...", multiple=True),
    index_option("reports", "reports"),
    *BUILD_OPTIONS,
)
def command(**values: Any) -> None:
    """Index the tables of Japanese securities reports (EDINET's HTML, as NTCIR-18 U4 gives it), a document a table."""
    build(**gather_options(values))


def build(files: Sequence[str], address: str, options: BuildOptions) -> Index:
    """Build the index of the reports of folders and archives at an address."""
    held = {name: sorted(Path(name).rglob("*.htm*")) if Path(name).is_dir() else [Path(name)] for name in files}
    sizes = tuple((name, sum(path.stat().st_size for path in paths)) for name, paths in held.items())
    sources = [SourceFile(name, partial(report_records, name), costly=True) for name in held]
    metadata = Metadata(
        "reports",
        (TABLES, REPORTS),
        JAPANESE,
        {"analysis": ANALYSIS["reports"]},
        sizes,
        versions=versions(JAPANESE.packages),
        content=source_content([path for paths in held.values() for path in paths]),
    )
    with IngestReport(options.rejects) as tally:
        return built(address, build_index(address, Corpus(metadata, sources, make_tables), tally, options), tally)
