"""Queries and their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexer.document import Document, Part, engine_term, findable


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


def group_by_value(
    documents: Sequence[Document], key: str, values: Sequence[str]
) -> list[list[Document]]:
    """For each value, the documents with that value in a key field (or as doc_id), ordered by
    doc_id; [] for a value that engines do not index. `documents` is in any order, each once."""
    groups: dict[str, list[Document]] = {value: [] for value in findable(values)}
    for document in sorted(documents, key=lambda document: document.doc_id):
        field_values = (document.doc_id,) if key == "doc_id" else document.keys.get(key, ())
        for value in dict.fromkeys(field_values):
            if value in groups:
                groups[value].append(document)
    return [list(groups.get(value, ())) for value in values]
