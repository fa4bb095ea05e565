"""What an index knows of itself, to and from JSON, and whether two builds are the same build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.document import Part
from indexer.engines.contract import Metadata
from indexer.files.errors import UserError

VERSION = 1


def to_json(metadata: Metadata) -> dict[str, Any]:
    """Metadata as plain JSON values."""
    return {
        "version": metadata.version,
        "kind": metadata.kind,
        "language": metadata.language,
        "parts": [
            {"name": name, "term_fields": list(terms), "key_fields": list(keys)} for name, terms, keys in metadata.parts
        ],
        "settings": dict(metadata.settings),
        "sources": [list(source) for source in metadata.sources],
        "documents": dict(metadata.documents),
    }


def from_json(stored: Mapping[str, Any], address: str) -> Metadata:
    """Metadata from JSON; UserError when another version of this program, or another program, wrote it."""
    if stored.get("version") != VERSION:
        raise UserError(f"the index {address} has a format that this version cannot read: build it again")
    return Metadata(
        kind=stored["kind"],
        parts=tuple(
            Part(part["name"], tuple(part["term_fields"]), tuple(part["key_fields"])) for part in stored["parts"]
        ),
        language=stored["language"],
        settings=stored["settings"],
        sources=tuple((name, size) for name, size in stored["sources"]),
        documents=stored["documents"],
        version=stored["version"],
    )


def build_identity(metadata: Metadata) -> dict[str, Any]:
    """What two builds must share for the second to go on where the first one was interrupted."""
    stored = to_json(metadata)
    del stored["documents"]
    return stored
