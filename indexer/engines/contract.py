"""Data of the engines: documents that are indexed and found, queries, an index's metadata, the open
index."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from indexer.files.errors import UserError
from indexer.files.messages import counted
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES

if TYPE_CHECKING:
    from indexer.analysis.glossary import Glossary
    from indexer.engines.searching import Searcher


@dataclass(frozen=True, slots=True)
class Document:
    """A document as an index stores it: `doc_id` is unique within its part and deterministic, made
    of the source's name and the position in it. `text` is what a person reads. `terms` maps a field
    to its terms, scored by BM25; `keys` maps a field to exact values, looked up verbatim. `payload`
    is stored text for the task to read back."""

    doc_id: str
    text: str
    terms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
    payload: str = ""


class Part(NamedTuple):
    """A collection of documents within an index, with separate statistics (N, idf, lengths).

    `term_fields` are searched: a document that lacks terms in one of them is not indexed, or the
    two engines would count different numbers. A part without term fields is for look-ups only.
    `key_fields` are looked up; `doc_id` always is one.
    """

    name: str
    term_fields: tuple[str, ...] = ()
    key_fields: tuple[str, ...] = ()

    def check_key(self, key: str) -> None:
        """Raises KeyError unless the part has this key field, or it is `doc_id`."""
        if key != "doc_id" and key not in self.key_fields:
            raise KeyError(f"the part {self.name} has no key field {key}")


# The strings that engines index. Both split a field at white space, but disagree on which
# characters are white space, and Elasticsearch cuts tokens after 255 UTF-16 units: these
# differences are removed here.

LONGEST_TERM = (
    255  # characters; Elasticsearch's whitespace tokenizer splits longer ones (max_token_length)
)
LONGEST_KEY = 8000
TOKENIZER = "by_spaces"  # in tantivy's indexes; it is registered whenever one is opened


def engine_term(term: str) -> str:
    """The indexed form of a term: white space within becomes `_` (several one, at the ends none),
    cut to 255 UTF-16 units; "" for an empty or blank term (no term)."""
    if not term.isalnum():
        term = "_".join(term.split())
    if len(term) > LONGEST_TERM // 2:  # a character is one or two units
        term = term.encode("utf-16-le", "replace")[: 2 * LONGEST_TERM].decode("utf-16-le", "ignore")
    return term


def field_text(terms: Sequence[str]) -> str:
    """The indexed forms of a field's terms, joined by single spaces, empty ones left out; ""
    without terms."""
    text = " ".join(terms)
    short = len(text) <= LONGEST_TERM // 2 or max(map(len, terms)) <= LONGEST_TERM // 2
    # Of white space only the blank is printable: nearly all fields are as they are to be.
    parted = text.count(" ") == len(terms) - 1 and "  " not in f" {text} "
    if short and parted and text.isprintable():
        return text
    return " ".join(filter(None, map(engine_term, terms)))


def findable(values: Sequence[str]) -> list[str]:
    """The key values that an index can find, in order, each once: empty ones and those of more than
    `LONGEST_KEY` (8,000) characters are left out (they are stored, not looked up)."""
    return [value for value in dict.fromkeys(values) if 0 < len(value) <= LONGEST_KEY]


def stored_keys(part: Part, document: Document) -> dict[str, Sequence[str]]:
    """The key values that are stored with a document, unchanged, by the part's key fields; fields
    without values are left out."""
    return {name: values for name in part.key_fields if (values := document.keys.get(name))}


# Documents make no cycles: looking for them took a fifth of a build. A build makes this number of
# objects in seconds.
OBJECTS_BETWEEN_COLLECTIONS = 200_000


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Context manager (and decorator) that pauses garbage collection: hits and candidates by the
    hundred thousand make no cycles, and looking for them took a third of a search and of a
    report."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class QueryTerm(NamedTuple):
    """A term looked for in a field; its BM25 score is multiplied by the weight."""

    field: str
    term: str
    weight: float = 1.0


class Query(NamedTuple):
    """A disjunction of weighted terms: a document's score is the sum over the terms that it holds.

    A term given twice counts twice. `where` narrows the answer to documents that hold one of the
    values in that key field, without changing any score. A query without terms finds nothing.
    """

    terms: tuple[QueryTerm, ...]
    where: tuple[str, tuple[str, ...]] | None = None


class ScoredDocument(NamedTuple):
    """A document found: `score` is BM25 (`scoring.exact_score`), higher is better."""

    doc_id: str
    score: float
    document: Document


def clauses(query: Query, part: Part) -> dict[str, QueryTerm]:
    """The distinct terms of a query in their indexed form, in order of first appearance, weights of
    repeated terms added; empty terms are dropped. The keys name them in an explanation: the term,
    or `field:term` when several fields are searched.

    Raises ValueError for a negative weight, KeyError for a term field or a key that the part does
    not have.
    """
    weights: dict[tuple[str, str], float] = {}
    for searched, term, weight in query.terms:
        if weight < 0:
            raise ValueError(f"the term {term!r} has the negative weight {weight}")
        if name := engine_term(term):
            if searched not in part.term_fields:
                raise KeyError(f"the part {part.name} has no term field {searched}")
            weights[searched, name] = weights.get((searched, name), 0.0) + weight
    if query.where:
        part.check_key(query.where[0])
    several = len({searched for searched, _ in weights}) > 1
    return {
        f"{searched}:{term}" if several else term: QueryTerm(searched, term, weight)
        for (searched, term), weight in weights.items()
    }


def group_by_value(
    documents: Sequence[Document], key: str, values: Sequence[str]
) -> list[list[Document]]:
    """For each value, the documents with that value in a key field (or as doc_id), ordered by
    doc_id; [] for a value that none has or engines do not index. `documents` is in any order, each
    once."""
    groups: dict[str, list[Document]] = {value: [] for value in findable(values)}
    for document in sorted(documents, key=lambda document: document.doc_id):
        field_values = (document.doc_id,) if key == "doc_id" else document.keys.get(key, ())
        for value in dict.fromkeys(field_values):
            if value in groups:
                groups[value].append(document)
    return [list(groups.get(value, ())) for value in values]


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

    def has_part(self, name: str) -> bool:
        """Whether one of the parts is called so."""
        return any(part.name == name for part in self.parts)


def to_json(metadata: Metadata) -> dict[str, Any]:
    """Metadata as JSON values by the names of its fields, the language as its code, with the
    `version` of this form; to be read by `from_json`."""
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
        fault = f"no {error}" if isinstance(error, KeyError) else error
        raise UserError(
            f"the index {address} is damaged, or of another version (its metadata: {fault}): "
            f"build it again"
        ) from None


def describe(address: str, metadata: Metadata) -> str:
    """An index as Python shows it, with its `document_count`: `<Index books/mine: textbook, en,
    246 documents>`."""
    language = f" {metadata.language}," if metadata.language else ""
    return (
        f"<Index {address}: {metadata.kind},{language} "
        f"{counted(document_count(to_json(metadata)), 'documents')}>"
    )


def document_count(stored: Mapping[str, Any]) -> int:
    """The number of an index's documents, by its stored metadata: of those that are searched, or of
    all, where none are."""
    documents: Mapping[str, int] = stored.get("documents", {})
    searched = [part["name"] for part in stored.get("parts", ()) if part["term_fields"]]
    return sum(documents.get(part, 0) for part in searched or documents)


def corpus(metadata: Metadata) -> dict[str, Any]:
    """Describes the corpus of an index, wherever the index is: files with their sizes, documents,
    settings, versions, and as `sha256` the hash of the files' bytes, which does not depend on their
    paths ("" for metadata without it)."""
    stored = to_json(metadata)
    summary = {name: stored[name] for name in ("sources", "documents", "settings", "versions")}
    return summary | {"sha256": metadata.content}


@dataclass(frozen=True)
class Index:
    """An open index: what it knows of itself, and its parts.

    A build that replaces it meanwhile never mixes with it: an embedded index answers from the files
    that were opened, a query to one on a server raises IndexGone.
    """

    address: str
    engine: str
    metadata: Metadata
    parts: Mapping[str, Searcher]
    close: Callable[[], None]
    folder: Path | None = None
    """where this build of an embedded index lies, and what is computed from it may be kept"""

    def __str__(self) -> str:
        return describe(self.address, self.metadata)

    def part(self, name: str | None = None) -> Searcher:
        """The part of that name, by default the main part. KeyError when the index has no such
        part."""
        return self.parts[name or self.metadata.parts[0].name]

    @cached_property
    def glossary(self) -> Glossary:
        """The glossary stored in the index, empty if it was built without one; parsed once. Raises
        UserError for a damaged one."""
        from indexer.analysis.glossary import Glossary

        if not self.metadata.settings.get("terms"):
            return Glossary()
        try:
            return Glossary.from_json(self.metadata.settings["terms"])
        except (LookupError, TypeError, ValueError) as error:
            raise UserError(
                f"the glossary of the index {self.address} is damaged ({error}): build it again"
            ) from None
