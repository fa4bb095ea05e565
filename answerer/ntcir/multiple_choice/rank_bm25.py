"""SLQAL with the rank-bm25 package as its engine, in memory: the baseline that people know."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from answerer.formats.exam_parts import Question
from answerer.ntcir.multiple_choice.methods import Answered, Verdict, chosen
from answerer.ntcir.multiple_choice.slqal import average_score, validation_queries
from indexer.analysis import Analyser
from indexer.document import Document
from indexer.engines.contract import Index, Query
from indexer.files.progress import watched
from retriever.explain import Evidence
from retriever.queries import analyser_of


def answer(questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
    """Every question answered as `slqal` does, scored by BM25Okapi (k1 1.5, b 0.75, its defaults) over the index."""
    analyser = analyser_of(index)
    engine = _Engine(list(index.part().scan()), analyser)
    queries = [query for question in questions for query in validation_queries(question, analyser)]
    verdicts = (engine.verdict(query, k, evidence) for query in watched(queries, "rank-bm25", len(queries), "choices"))
    answered = []
    for question in questions:
        own = tuple(islice(verdicts, len(question.choices)))
        answered.append(Answered(question, chosen(question, [verdict.score for verdict in own]), own))
    return answered


class _Engine:
    """The documents of an index in memory."""

    def __init__(self, documents: Sequence[Document], analyser: Analyser) -> None:
        from rank_bm25 import BM25Okapi

        self._documents = documents
        self._engine = BM25Okapi([analyser.terms(document.text) for document in documents])

    def verdict(self, query: Query, k: int, evidence: bool) -> Verdict:
        """The mean of the k best documents; those that hold no term of the query score 0 and are no hits."""
        import numpy as np

        terms = [term.term for term in query.terms]
        if not terms:
            return Verdict(0.0)
        scores = self._engine.get_scores(terms)
        kth = np.partition(scores, -min(k, len(scores)))[-min(k, len(scores))]
        near = [int(row) for row in np.flatnonzero((scores >= kth * (1 - 1e-4)) & (scores > 0))]
        best = sorted(near, key=lambda row: (-float(f"{scores[row]:.5g}"), self._documents[row].doc_id))[:k]
        mean = average_score([float(scores[row]) for row in best], k)
        return Verdict(mean, evidence=[self._evidence(row, scores[row], terms) for row in best if evidence])

    def _evidence(self, row: int, score: float, terms: Sequence[str]) -> Evidence:
        document = self._documents[row]
        each = {term: float(self._engine.get_batch_scores([term], [row])[0]) for term in terms}
        given = {term: part for term, part in each.items() if part}
        ordered = dict(sorted(given.items(), key=lambda item: (-round(item[1], 4), item[0])))
        return Evidence(document.doc_id, document.text, float(score), ordered)
