"""SLQAL with the rank-bm25 package as its engine, in memory: the baseline that people know."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.ntcir.multiple_choice.baselines import slqal
from answerer.ntcir.multiple_choice.baselines.slqal import Baseline, average_score, words_of
from answerer.ntcir.multiple_choice.methods import Options, Verdict
from indexer.analysis import Analyser
from indexer.document import Document
from indexer.engines.contract import Query, Searcher
from indexer.engines.scoring import round_score
from indexer.files.messages import with_progress
from indexer.sources.textbook.schema import decode_place
from retriever.explain import Evidence, most_first

TAKES = slqal.TAKES


def configured(options: Options) -> Baseline:
    """The method, asking as the options say."""
    return Baseline(options, judge, ("numpy", "rank-bm25"))


def judge(searcher: Searcher, queries: Sequence[Query], analyser: Analyser, k: int, evidence: bool) -> list[Verdict]:
    """As `slqal`, scored by BM25Okapi (k1 1.5, b 0.75, its defaults) over the index."""
    engine = _RankBM25(list(searcher.scan()), analyser)
    return [
        engine.verdict(query, k, evidence) for query in with_progress(queries, "rank-bm25", len(queries), "choices")
    ]


class _RankBM25:
    """The documents of an index in memory."""

    def __init__(self, documents: Sequence[Document], analyser: Analyser) -> None:
        from rank_bm25 import BM25Okapi

        self._documents = documents
        self._engine = BM25Okapi([analyser.terms(document.text) for document in documents])

    def verdict(self, query: Query, k: int, evidence: bool) -> Verdict:
        """The mean of the k best documents; those without a term of the query score 0 and do not count."""
        import numpy as np

        terms = words_of(query)
        if not terms:
            return Verdict(0.0)
        scores = self._engine.get_scores(terms)
        kth = np.partition(scores, -min(k, len(scores)))[-min(k, len(scores))]
        near = [int(row) for row in np.flatnonzero((scores >= kth * (1 - 1e-4)) & (scores > 0))]
        best = sorted(near, key=lambda row: (-round_score(scores[row]), self._documents[row].doc_id))[:k]
        mean = average_score([float(scores[row]) for row in best], k)
        shown = [self._evidence(row, scores[row], terms) for row in best if evidence]
        return Verdict(mean, evidence=shown, query=terms)

    def _evidence(self, row: int, score: float, terms: Sequence[str]) -> Evidence:
        document = self._documents[row]
        each = {term: float(self._engine.get_batch_scores([term], [row])[0]) for term in terms}
        given = {term: part for term, part in each.items() if part}
        return Evidence(
            document.doc_id, document.text, float(score), most_first(given), decode_place(document).citation
        )
