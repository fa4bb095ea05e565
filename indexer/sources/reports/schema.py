"""What an index of securities reports holds: the parts, tables as payloads, and reports read back from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from indexer.document import Part
from indexer.engines.contract import Index
from indexer.tables.reports import Headed, Report, ReportCell, ReportTable, XbrlContext

REPORT = "report"
TABLES = Part("tables", ("text",), (REPORT,))
REPORTS = Part("reports", ("text",))
"""Each report's company, and the contexts of its cover."""


def encode_table(number: int, table: ReportTable) -> str:
    """A table as a payload, with its number among the report's tables."""
    return json.dumps([number, *table], ensure_ascii=False, separators=(",", ":"))


def encode_contexts(contexts: Iterable[XbrlContext]) -> str:
    """The contexts of a cover as a payload."""
    return json.dumps(list(contexts), ensure_ascii=False, separators=(",", ":"))


def stored_reports(index: Index, doc_ids: Iterable[str]) -> Iterator[Report]:
    """The reports of an index by their ids, as they were before; one that is not there comes without tables."""
    for doc_id in doc_ids:
        payloads = [json.loads(one.payload) for one in index.part(TABLES.name).lookup(REPORT, [doc_id])[0]]
        tables = [
            ReportTable(
                *(table_id, section, tuple(headings), tuple(before)),
                tuple(ReportCell(*one) for one in cells),
                tuple(Headed(*map(tuple, one)) for one in headed),
            )
            for _, table_id, section, headings, before, cells, headed in sorted(payloads, key=lambda one: one[0])
        ]
        found = index.part(REPORTS.name).lookup("doc_id", [doc_id])[0]
        contexts = [
            XbrlContext(name, end, start, tuple(members), tuple(axes))
            for one in found
            for name, end, start, members, axes in json.loads(one.payload)
        ]
        yield Report(doc_id, tuple(tables), tuple(contexts))
