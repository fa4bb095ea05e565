"""SLQAL with term proximity: the variation that its authors tried before their Research Run (seed 003, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, islice
from math import log
from typing import NamedTuple

from answerer.formats.exam_parts import Question
from answerer.ntcir.multiple_choice.methods import Answered, Verdict, chosen
from answerer.ntcir.multiple_choice.slqal import average_score, validation_queries
from indexer.analysis import Analyser
from indexer.engines.contract import Hit, Index, Query, QueryTerm, Searcher
from retriever.explain import explain_hits
from retriever.queries import analyser_of

POOL = 50
WINDOW = 5
K1 = 1.2


class _Scored(NamedTuple):
    """A document with the part of its score that proximity added."""

    hit: Hit
    proximity: float

    @property
    def score(self) -> float:
        return self.hit.score + self.proximity


def answer(questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
    """As `slqal`, but the 50 best documents of a choice are ranked anew by BM25 + proximity.

    The paper gives no formula; this is Rasolofo and Savoy's (ECIR 2003): every pair of query terms within 5
    terms of each other counts 1 / distance², saturated as BM25 does, times the smaller of their idfs.
    """
    analyser = analyser_of(index)
    searcher = index.part()
    queries = [query for question in questions for query in validation_queries(question, analyser)]
    weights = _idf(queries, searcher)
    pools = searcher.search(queries, max(POOL, k))
    verdicts = (
        _verdict(
            query, [_Scored(hit, _proximity(hit, query, weights, analyser)) for hit in pool], k, evidence, searcher
        )
        for query, pool in zip(queries, pools, strict=True)
    )
    answered = []
    for question in questions:
        own = tuple(islice(verdicts, len(question.choices)))
        answered.append(Answered(question, chosen(question, [verdict.score for verdict in own]), own))
    return answered


def _idf(queries: Sequence[Query], searcher: Searcher) -> dict[str, float]:
    """BM25's idf of every term of the queries, counted in one call."""
    terms = list(dict.fromkeys(term.term for query in queries for term in query.terms))
    counts = searcher.count([Query((QueryTerm("text", term),)) for term in terms])
    size = len(searcher)
    return {term: log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in zip(terms, counts, strict=True)}


def _proximity(hit: Hit, query: Query, weights: Mapping[str, float], analyser: Analyser) -> float:
    """What the nearness of query terms in a document adds to its score."""
    wanted = {term.term for term in query.terms}
    places = [(place, term) for place, term in enumerate(analyser.terms(hit.document.text)) if term in wanted]
    near: dict[tuple[str, str], float] = {}
    for (one, first), (other, second) in combinations(places, 2):
        if first != second and other - one <= WINDOW:
            pair = min(first, second), max(first, second)
            near[pair] = near.get(pair, 0.0) + 1 / (other - one) ** 2
    return sum(
        min(weights[first], weights[second]) * closeness * (K1 + 1) / (closeness + K1)
        for (first, second), closeness in near.items()
    )


def _verdict(query: Query, pool: Sequence[_Scored], k: int, evidence: bool, searcher: Searcher) -> Verdict:
    best = sorted(pool, key=lambda scored: (-float(f"{scored.score:.5g}"), scored.hit.doc_id))[:k]
    signals = {
        "bm25": average_score([scored.hit.score for scored in best], k),
        "proximity": average_score([scored.proximity for scored in best], k),
    }
    shown = explain_hits(searcher, query, [scored.hit for scored in best]) if evidence else ()
    return Verdict(sum(signals.values()), signals, shown)
