"""Metadata of an index, to and from JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from indexer.document import Part
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES

VERSION = 1  # of the form of an index's metadata


class Metadata(NamedTuple):
    """Metadata of an index, stored with it as JSON.

    `kind` is one of `indexer.registry`; `parts` are its collections, the main one first. `language`
    is None where every document has its own (datasets). `settings` are the build options that
    change the index, `sources` its files, each with its size in bytes, `content` a hash of what is
    in them. `documents` counts the documents of each part; `versions` are those of the packages
    that made them.
    """

    kind: str
    parts: tuple[Part, ...]
    language: Language | None
    settings: Mapping[str, Any]
    sources: tuple[tuple[str, int], ...] = ()
    documents: Mapping[str, int] = {}
    versions: Mapping[str, str] = {}
    content: str = ""


def to_json(metadata: Metadata) -> dict[str, Any]:
    """Metadata as JSON values, to be read by `from_json`."""
    return {
        "version": VERSION,
        "kind": metadata.kind,
        "language": metadata.language.code if metadata.language else None,
        "parts": [part._asdict() for part in metadata.parts],
        "settings": dict(metadata.settings),
        "sources": metadata.sources,
        "content": metadata.content,
        "documents": dict(metadata.documents),
        "versions": dict(metadata.versions),
    }


def from_json(stored: Any, address: str) -> Metadata:
    """Metadata from its JSON values; `address` is for errors. Raises UserError if another version
    of this program, or another program, wrote it, if it is in an unknown language, or damaged."""
    try:
        if stored["version"] != VERSION:
            raise ValueError(f"version {stored['version']}, expected {VERSION}")
        code = stored["language"]
        return Metadata(
            kind=str(stored["kind"]),
            parts=tuple(
                Part(part["name"], tuple(part["term_fields"]), tuple(part["key_fields"]))
                for part in stored["parts"]
            ),
            language=LANGUAGES[code] if code is not None else None,
            settings=dict(stored["settings"]),
            sources=tuple((name, size) for name, size in stored["sources"]),
            documents=dict(stored["documents"]),
            versions=dict(stored.get("versions", {})),
            content=str(stored.get("content", "")),
        )
    except (LookupError, TypeError, ValueError) as error:
        raise UserError(
            f"the index {address} is damaged, or of another version (its metadata: {error!r}): "
            f"build it again"
        ) from None


def describe(address: str, metadata: Metadata) -> str:
    """An index as Python shows it: `<Index books/mine: textbook, en, 246 documents>`."""
    language = f" {metadata.language}," if metadata.language else ""
    return (
        f"<Index {address}: {metadata.kind},{language} "
        f"{document_count(to_json(metadata)):,} documents>"
    )


def document_count(stored: Mapping[str, Any]) -> int:
    """The number of an index's documents, by its stored metadata: of those that are searched, or of
    all, where none are."""
    documents: Mapping[str, int] = stored.get("documents", {})
    searched = [part["name"] for part in stored.get("parts", ()) if part["term_fields"]]
    return sum(documents.get(part, 0) for part in searched or documents)


def corpus(metadata: Metadata) -> dict[str, Any]:
    """Describes the corpus of an index, wherever the index is: files with their sizes, documents,
    versions, and a SHA-256 hash of all its metadata, in which any other setting shows."""
    stored = to_json(metadata)
    summary = {name: stored[name] for name in ("sources", "documents", "versions")}
    return summary | {
        "sha256": hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()
    }
