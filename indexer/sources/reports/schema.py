"""What an index of securities reports holds: the parts, tables as payloads, and reports read back
from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from indexer.engines.contract import Index, Part
from indexer.tables.reports import Report, ReportCell, ReportTable

REPORT = "report"
TABLES = Part("tables", ("text",), (REPORT,))
REPORTS = Part("reports", ("text",))
"""Each report's company, and its business year."""


def encode(value: Iterable[object]) -> str:
    """The payload, a JSON list, of the fields of a table after its number among the report's
    tables, or of the first and last day of a business year."""
    return json.dumps(list(value), ensure_ascii=False, separators=(",", ":"))


def stored_reports(index: Index, doc_ids: Iterable[str]) -> Iterator[Report]:
    """Yields a report of an index for each id, in order, with its tables by number, as they were
    read; one that is not there comes without tables and business year."""

    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    for doc_id in doc_ids:
        stored = [
            json.loads(document.payload)
            for document in index.part(TABLES.name).lookup(REPORT, [doc_id])[0]
        ]
        tables = [ReportTable(*tuples(values)) for _, *values in sorted(stored, key=itemgetter(0))]
        tables = [
            table._replace(cells=tuple(ReportCell(*cell) for cell in table.cells))
            for table in tables
        ]
        covers = index.part(REPORTS.name).lookup("doc_id", [doc_id])[0]
        yield Report(doc_id, tuple(tables), *(json.loads(covers[0].payload) if covers else ()))
