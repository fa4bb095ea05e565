"""From analysed question and choice to a query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from indexer.analysis import Analyser, Language, analyser
from indexer.analysis.glossary import Glossary
from indexer.engines.contract import Index, Query, QueryTerm


def analyser_of(index: Index) -> Analyser:
    """The analyser that an index was built with, its glossary's names kept whole in questions too."""
    language = index.metadata.language or "en"
    return analyser(cast(Language, language), glossary_of(index).names())


def glossary_of(index: Index) -> Glossary:
    """The glossary that an index was built with; without entries where there was none."""
    return Glossary.from_lines(index.metadata.settings.get("glossary", []))


def union_query(*term_lists: Iterable[str], field: str = "text") -> Query:
    """The set union of terms, each counted once, in the order of their first appearance.

    SLQAL's `validation_query = question_nouns ∪ choice_nouns_j` (SLQAL paper, section 2.2). No terms: a query
    that finds nothing.
    """
    terms = dict.fromkeys(term for terms in term_lists for term in terms)
    return Query(tuple(QueryTerm(field, term) for term in terms))


def weighted_query(weights: Sequence[tuple[str, float]], field: str = "text") -> Query:
    """Terms with the weights that multiply their scores."""
    return Query(tuple(QueryTerm(field, term, weight) for term, weight in weights))
