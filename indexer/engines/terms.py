"""Strings that engines get for terms and key values: exactly the same for both engines.

Both split a field at white space, but disagree on which characters are white space, and Elasticsearch cuts tokens after
255 UTF-16 units: these differences are removed here.
"""

from __future__ import annotations

from collections.abc import Sequence

from indexer.document import Document, Part
from indexer.engines.contract import Query, QueryTerm

LONGEST_TERM = 255  # characters; Elasticsearch's whitespace tokenizer splits longer ones (max_token_length)
LONGEST_KEY = 8000


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


def clauses(query: Query) -> list[QueryTerm]:
    """The distinct terms of a query in their indexed form, in order of first appearance, weights of repeated terms
    added; empty terms are dropped. Raises ValueError for a negative weight."""
    weights: dict[tuple[str, str], float] = {}
    for field, term, weight in query.terms:
        if weight < 0:
            raise ValueError(f"the term {term!r} has the negative weight {weight}")
        if name := engine_term(term):
            weights[field, name] = weights.get((field, name), 0.0) + weight
    return [QueryTerm(field, term, weight) for (field, term), weight in weights.items()]


def clause_names(terms: Sequence[QueryTerm]) -> list[str]:
    """Name of each clause in an explanation: its term, or `field:term` when several fields are searched."""
    if len({clause.field for clause in terms}) <= 1:
        return [clause.term for clause in terms]
    return [f"{clause.field}:{clause.term}" for clause in terms]


def findable(values: Sequence[str]) -> list[str]:
    """The key values that an index can find, in order, each once: longer ones are stored, not looked up."""
    return list(dict.fromkeys(value for value in values if 0 < len(value) <= LONGEST_KEY))


def stored_keys(part: Part, document: Document) -> dict[str, Sequence[str]]:
    """The key values that are stored with a document: those of the part's key fields that have any."""
    return {name: values for name in part.key_fields if (values := document.keys.get(name))}


def group_by_value(documents: Sequence[Document], key: str, values: Sequence[str]) -> list[list[Document]]:
    """For each value, the documents with that value in a key field (or as doc_id), ordered by doc_id; [] for a value
    that engines do not index. `documents` is in any order, each once."""
    found: dict[str, list[Document]] = {value: [] for value in values}
    for document in sorted(documents, key=lambda document: document.doc_id):
        held = (document.doc_id,) if key == "doc_id" else document.keys.get(key, ())
        for value in dict.fromkeys(held):
            if value in found:
                found[value].append(document)
    findable_values = set(findable(values))
    return [list(found[value]) if value in findable_values else [] for value in values]
