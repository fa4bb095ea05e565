"""Queries, their results, and the strings that engines index: exactly the same for both engines.

Both split a field at white space, but disagree on which characters are white space, and Elasticsearch cuts tokens after
255 UTF-16 units: these differences are removed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexer.document import Document, Part

LONGEST_TERM = 255  # characters; Elasticsearch's whitespace tokenizer splits longer ones (max_token_length)
LONGEST_KEY = 8000


class QueryTerm(NamedTuple):
    """A term looked for in a field; its BM25 score is multiplied by the weight."""

    field: str
    term: str
    weight: float = 1.0


class Query(NamedTuple):
    """A disjunction of weighted terms: a document's score is the sum over the terms that it holds.

    A term given twice counts twice. `where` narrows the answer to documents that hold one of the values
    in that key field, without changing any score. A query without terms finds nothing.
    """

    terms: tuple[QueryTerm, ...]
    where: tuple[str, tuple[str, ...]] | None = None


class ScoredDocument(NamedTuple):
    """A document found: `score` is BM25 (`scoring.exact_score`), higher is better."""

    doc_id: str
    score: float
    document: Document


def engine_term(term: str) -> str:
    """The indexed form of a term: white space becomes `_`, at most 255 UTF-16 units; "" stays "" (no term)."""
    if not term.isalnum():
        term = "_".join(term.split())
    if len(term) > LONGEST_TERM // 2:  # a character is one or two units
        term = term.encode("utf-16-le", "replace")[: 2 * LONGEST_TERM].decode("utf-16-le", "ignore")
    return term


def field_text(terms: Sequence[str]) -> str:
    """The indexed forms of a field's terms, joined by single spaces; "" without terms."""
    text = " ".join(terms)
    short = len(text) <= LONGEST_TERM // 2 or max(map(len, terms)) <= LONGEST_TERM // 2
    if short and text.split() == list(terms):
        return text
    return " ".join(filter(None, map(engine_term, terms)))


def clauses(query: Query, part: Part) -> dict[str, QueryTerm]:
    """The distinct terms of a query in their indexed form, in order of first appearance, weights of repeated terms
    added; empty terms are dropped. The keys name them in an explanation: the term, or `field:term` when several fields
    are searched.

    Raises ValueError for a negative weight, KeyError for a term field or a key that the part does not have.
    """
    weights: dict[tuple[str, str], float] = {}
    for field, term, weight in query.terms:
        if weight < 0:
            raise ValueError(f"the term {term!r} has the negative weight {weight}")
        if name := engine_term(term):
            if field not in part.term_fields:
                raise KeyError(f"the part {part.name} has no term field {field}")
            weights[field, name] = weights.get((field, name), 0.0) + weight
    if query.where:
        part.check_key(query.where[0])
    several = len({field for field, _ in weights}) > 1
    return {
        f"{field}:{term}" if several else term: QueryTerm(field, term, weight)
        for (field, term), weight in weights.items()
    }


def findable(values: Sequence[str]) -> list[str]:
    """The key values that an index can find, in order, each once: longer ones are stored, not looked up."""
    return list(dict.fromkeys(value for value in values if 0 < len(value) <= LONGEST_KEY))


def stored_keys(part: Part, document: Document) -> dict[str, Sequence[str]]:
    """The key values that are stored with a document: those of the part's key fields that have any."""
    return {name: values for name in part.key_fields if (values := document.keys.get(name))}


def group_by_value(documents: Sequence[Document], key: str, values: Sequence[str]) -> list[list[Document]]:
    """For each value, the documents with that value in a key field (or as doc_id), ordered by doc_id; [] for a value
    that engines do not index. `documents` is in any order, each once."""
    found: dict[str, list[Document]] = {value: [] for value in findable(values)}
    for document in sorted(documents, key=lambda document: document.doc_id):
        held = (document.doc_id,) if key == "doc_id" else document.keys.get(key, ())
        for value in dict.fromkeys(held):
            if value in found:
                found[value].append(document)
    return [list(found.get(value, ())) for value in values]
