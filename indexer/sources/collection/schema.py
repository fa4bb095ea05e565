"""Schema of an index of a test collection: its parts, and a document as a record of the
collection."""

from __future__ import annotations

from typing import NamedTuple

from indexer.engines.contract import Document, Part, field_text

TEXT_FIELD, TITLE = "text", "title"
DOCUMENTS = Part("documents", (TEXT_FIELD,), (TITLE,))
EMPTY = Part("empty", (), (TITLE,))
"""The documents without a term, which no query finds: kept, so that none of the collection is
missing, and apart, as Lucene counts only documents with terms."""


class Record(NamedTuple):
    """A document as its collection has it: `doc_id` is the collection's, `title` "" without one;
    `path` and `line` (from 1) say where it was read."""

    doc_id: str
    title: str
    text: str
    path: str
    line: int


def whole_text(title: str, text: str) -> str:
    """Title and text in one, a line end between them where neither is empty, as BEIR and Anserini
    index them."""
    return "\n".join(filter(None, (title, text)))


def encode_record(record: Record, terms: list[str]) -> Document:
    """A record as a document, its title (if any) as key; the payload is its terms, joined by blanks
    as the engines index them, from which `retriever.term_counts` counts."""
    keys = {TITLE: (record.title,)} if record.title else {}
    text = whole_text(record.title, record.text)
    return Document(record.doc_id, text, {TEXT_FIELD: terms}, keys, field_text(terms))
