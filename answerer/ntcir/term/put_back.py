"""How well a candidate fits when it is put back into the question: what the two together retrieve."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.passages import FIELD, Retrieved
from answerer.ntcir.term.signals import Candidate
from indexer.engines.contract import Index, Query, QueryTerm

TRIED = 12  # candidates of a question that are put back


def set_put_back(
    found: Sequence[Sequence[Candidate]], retrieved: Sequence[Retrieved], index: Index, language: TermLanguage
) -> None:
    """Fill "put back" for the first candidates of each question, in one round trip for all.

    The signal is the rise of the best paragraph's score, S(question + candidate) − S(question), relative to
    S(candidate): 1 where a paragraph that answers the question best is also one about the candidate.
    """
    queries: list[Query] = []
    for candidates, each in zip(found, retrieved, strict=True):
        queries.append(_query(each.terms))
        for candidate in candidates[:TRIED]:
            new = {term: 1.0 for term in language.terms(candidate.text) if term not in each.terms}
            queries += [_query(new), _query({**each.terms, **new})]
    best = iter([hits[0].score if hits else 0.0 for hits in index.part("paragraphs").search(queries, 1)])
    for candidates in found:
        alone = next(best)
        for candidate in candidates[:TRIED]:
            own, together = next(best), next(best)
            candidate.signals["put back"] = (together - alone) / own if own else 0.0


def _query(weights: dict[str, float]) -> Query:
    return Query(tuple(QueryTerm(FIELD, term, weight) for term, weight in sorted(weights.items())))
