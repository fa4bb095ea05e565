"""From analysed question and choice to a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from indexer.analysis.text import NO_NAMES
from indexer.engines.contract import Query, QueryTerm
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.languages.registry import detect_language

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser
    from indexer.engines.contract import Document, Index
    from indexer.engines.searching import Searcher

TEXT_FIELD = "text"


def language_of(index: Index) -> Language:
    """The language of an index. Raises UserError if it has none, unknown or because each document
    has another."""
    if index.metadata.language is None:
        kind = index.metadata.kind
        raise UserError(
            f"the index {index.address} ({kind}) has no language, but one is needed: choose "
            f"another index"
        )
    return index.metadata.language


def analyser_of(index: Index) -> Analyser:
    """The analyser that an index was built with (a textbook's has rules for books); it recognises
    the names of the index's glossary in questions too. Raises UserError for an index without a
    language."""
    glossary = index.metadata.settings.get("terms") or {"names": NO_NAMES}
    books = index.metadata.kind == "textbook"
    return language_of(index).analyser(glossary["names"], books=books)


def terms_of(index: Index) -> Callable[[str], list[str]]:
    """The function that turns a question into index terms, in the index's language, without one in
    the question's."""
    if index.metadata.language:
        return analyser_of(index).terms
    terms = cache(lambda language: language.analyser().terms)
    return lambda text: terms(detect_language(text))(text)


def source_id_of(kind: str, document: Document) -> str:
    """The id that a document's source gives it, "" without one: a collection's own id, and what a
    textbook's file calls a text."""
    from indexer.sources.textbook.schema import SOURCE_ID

    if kind == "collection":
        return document.doc_id
    return next(iter(document.keys.get(SOURCE_ID, ())), "")


def union_query(*term_lists: Iterable[str]) -> Query:
    """The set union of terms, each counted once, in the order of their first appearance.

    As `validation_query = question_nouns ∪ choice_nouns_j` of [SLQAL], section 2.2. Without terms
    the query finds nothing.
    """
    terms = dict.fromkeys(term for terms in term_lists for term in terms)
    return Query(tuple(QueryTerm(TEXT_FIELD, term) for term in terms))


def counted_query(terms: Iterable[str]) -> Query:
    """Terms, each counted as often as the query holds it, as in Lucene. Without terms the query
    finds nothing."""
    return Query(tuple(QueryTerm(TEXT_FIELD, term) for term in terms))


def weighted_query(weights: Mapping[str, float]) -> Query:
    """Terms with the weights that multiply their scores, in the order given (it decides a sum's
    last digit)."""
    return Query(tuple(QueryTerm(TEXT_FIELD, term, weight) for term, weight in weights.items()))


def text_part(index: Index, name: str | None = None) -> Searcher:
    """The searcher of the part `name`, which must have running text; by default of the first part
    that has.

    Raises UserError, with the names of the searchable parts, if the part is unknown or has no
    running text.
    """
    parts = [part.name for part in index.metadata.parts if TEXT_FIELD in part.term_fields]
    if not parts or (name or parts[0]) not in parts:
        raise UserError(
            f"the index {index.address} ({index.metadata.kind}) has no part "
            f"{name or 'with text'!r} to search; it has "
            f"{', '.join(parts) or 'none'}"
        )
    return index.parts[name or parts[0]]
