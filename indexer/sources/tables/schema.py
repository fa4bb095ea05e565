"""Schema of an index of candidate tables: its part, the doc_ids, and a table as a document's
payload."""

from __future__ import annotations

from typing import NamedTuple

from indexer.engines.contract import Part

TABLES = Part("tables", ("text",), ("caption",))


class StoredTable(NamedTuple):
    """A table in the form of its TBQA line, without tabs; `attributes` (column names) and `cells`
    are still joined by their separators."""

    caption: str
    attributes: str
    cells: str


def table_id(label: str, line: int) -> str:
    """The doc_id of the table that a line of the file called `label` was the first to hold."""
    return f"{label}-{line:07d}"


def label_of(doc_id: str) -> str:
    """Label of the file whose table has this doc_id."""
    return doc_id.rpartition("-")[0]


def encode_table(table: StoredTable) -> str:
    """A table as a payload."""
    return "\t".join(table)


def decode_table(payload: str) -> StoredTable:
    """The table of a document's payload: its fields, tab-separated."""
    return StoredTable(*payload.split("\t"))
