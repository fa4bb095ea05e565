"""SLQAL with term proximity: the variation that its authors tried before their Research Run ([SLQAL], section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from answerer.ntcir.multiple_choice.baselines import slqal
from answerer.ntcir.multiple_choice.baselines.slqal import Baseline, average_score, words_of
from answerer.ntcir.multiple_choice.methods import Options, Verdict
from indexer.analysis import Analyser
from indexer.engines.contract import Hit, Query, Searcher
from indexer.engines.scoring import round_score
from retriever.bm25 import idf_in, term_score
from retriever.explain import explain_hits

TAKES = slqal.TAKES
POOL = 50  # documents of each choice that are ranked again
WINDOW = 5  # terms between two query terms at most ([RasolofoSavoy])


class _ScoredDocument(NamedTuple):
    """A document with the part of its score that proximity added."""

    hit: Hit
    proximity: float

    @property
    def score(self) -> float:
        return self.hit.score + self.proximity


def configured(options: Options) -> Baseline:
    """The method, asking as the options say."""
    return Baseline(options, judge, ("numpy",))


def judge(searcher: Searcher, queries: Sequence[Query], analyser: Analyser, k: int, evidence: bool) -> list[Verdict]:
    """As `slqal`, but the 50 best documents of a choice are ranked again by BM25 + proximity.

    The paper does not give a formula; this is that of [RasolofoSavoy]: every pair of query terms within 5
    terms of each other counts 1 / distance², saturated as BM25 does, times the smaller of their idfs.
    """
    weights = idf_in(searcher, list(dict.fromkeys(term for query in queries for term in words_of(query))))
    verdicts = []
    for query, pool in zip(queries, searcher.search(queries, max(POOL, k)), strict=True):
        scored = [_ScoredDocument(hit, _proximity(hit, query, weights, analyser)) for hit in pool]
        verdicts.append(_verdict(query, scored, k, evidence, searcher))
    return verdicts


def _proximity(hit: Hit, query: Query, weights: Mapping[str, float], analyser: Analyser) -> float:
    """The term proximity that is added to the score of a document."""
    wanted = {term.term for term in query.terms}
    places = [(place, term) for place, term in enumerate(analyser.terms(hit.document.text)) if term in wanted]
    near: dict[tuple[str, str], float] = {}
    for number, (one, first) in enumerate(places, 1):
        for other, second in places[number : number + WINDOW]:
            if first != second and other - one <= WINDOW:
                pair = min(first, second), max(first, second)
                near[pair] = near.get(pair, 0.0) + 1 / (other - one) ** 2
    return sum(
        term_score(min(weights[first], weights[second]), closeness, 1.0, 1.0)
        for (first, second), closeness in near.items()
    )


def _verdict(query: Query, pool: Sequence[_ScoredDocument], k: int, evidence: bool, searcher: Searcher) -> Verdict:
    best = sorted(pool, key=lambda scored: (-round_score(scored.score), scored.hit.doc_id))[:k]
    added = {
        "bm25": average_score([scored.hit.score for scored in best], k),
        "proximity": average_score([scored.proximity for scored in best], k),
    }
    shown = explain_hits(searcher, query, [scored.hit for scored in best]) if evidence else ()
    return Verdict(sum(added.values()), {"features": added}, shown, words_of(query))
