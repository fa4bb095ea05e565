"""Schema of an index of open data: its parts, the doc_ids, and tables, files and datasets as
payloads."""

from __future__ import annotations

import json
from typing import NamedTuple

from indexer.engines.contract import Part
from indexer.tables.table import Table

TEXT_FIELD, DATASET = "text", "dataset"
TABLES = Part("tables", (TEXT_FIELD,), (DATASET,))
DATASETS = Part("datasets", (TEXT_FIELD,), ())
FILES = Part("files", (), (DATASET,))


class RowBlock(NamedTuple):
    """Some rows of a table, from `start` on, with its headings, and the name of its file."""

    file: str
    start: int
    table: Table


class FileRead(NamedTuple):
    """Result of reading a member: `number` is its position among those of its archive that
    belong to a dataset (from 1).

    `archive` is "" in all but one document of a file that several datasets share: it counts once.
    """

    name: str
    tables: int
    reason: str
    archive: str
    number: int


class StoredDataset(NamedTuple):
    """A dataset's metadata."""

    title: str
    description: str


def dataset_term(dataset_id: str) -> str:
    """The term that every document of a dataset holds, by which they are counted."""
    # The colon keeps it apart from words, which have none.
    return f"dataset:{dataset_id}"


def file_id(dataset_id: str, position: int) -> str:
    """The doc_id of a dataset's file, by its position in the metadata (from 0)."""
    # Zeros in front, so that doc_ids sort as the files and tables do: both engines return them in
    # that order.
    return f"{dataset_id}-{position:05d}"


def table_id(file: str, number: int) -> str:
    """Id of a table: its file's doc_id and its number there, from 1."""
    return f"{file}-{number:05d}"


def block_id(table: str, number: int) -> str:
    """The doc_id of a table's block, by its number there, from 0."""
    return f"{table}-{number:06d}"


def table_of_block(doc_id: str) -> str:
    """Id of the table (`table_id`) to which a block's doc_id belongs."""
    return doc_id.rpartition("-")[0]


def encode_block(block: RowBlock) -> str:
    """A block as a payload: one JSON object."""
    stored = {"file": block.file, "start": block.start, **block.table._asdict()}
    return json.dumps(stored, ensure_ascii=False, separators=(",", ":"))


def decode_block(payload: str) -> RowBlock:
    """The block of a payload that `encode_block` made."""
    value = json.loads(payload)
    file, start = value.pop("file"), value.pop("start")
    value["notes"] = tuple(value["notes"])
    value["columns"], value["rows"] = (
        tuple(map(tuple, value[name])) for name in ("columns", "rows")
    )
    return RowBlock(file, start, Table(**value))


def encode(stored: FileRead | StoredDataset) -> str:
    """What became of a file, or a dataset's metadata, as a payload: JSON."""
    return json.dumps(stored._asdict(), ensure_ascii=False)


def decode_dataset(payload: str) -> StoredDataset:
    """The dataset of a payload."""
    return StoredDataset(**json.loads(payload))
