"""Term counts of a test collection in arrays: scores of thousands of hits at once, with exact
lengths, by any weighting."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from indexer.engines.scoring import K1, B
from indexer.files.arrays import Float64Array, Int64Array
from retriever.bm25 import idf, term_score

if TYPE_CHECKING:
    from indexer.engines.contract import Searcher

_CACHED = 20_000_000  # postings whose scores are kept: 160 MB
_TERMS_AT_ONCE = 50_000_000  # terms of documents that are sorted at once: 1 GB
_NEAR = 1e-4  # scores this much apart, as a share of themselves, differ in 5 digits


@dataclass(frozen=True)
class Weighting:
    """How a term's count in a document becomes a score."""

    model: str = "bm25"
    """`bm25`, or `ql`: query likelihood with Dirichlet smoothing, as Lucene's LMDirichletSimilarity
    (a term that gives less than 0 gives 0)"""
    k1: float = K1
    b: float = B
    mu: float = 1000.0
    """of `ql`; Anserini's default"""


@dataclass
class TermCounts:
    """Which document of a collection has which term how often. Documents are numbered in the order
    of their doc_ids; the postings of term t are at `starts[t]` to `starts[t + 1]`."""

    doc_ids: list[str]
    lengths: Float64Array
    """of each document, in terms"""
    vocabulary: Mapping[str, int]
    """the number of each term"""
    starts: Int64Array
    documents: Int64Array
    """the document of each posting"""
    counts: Float64Array
    """the term's count of each posting"""
    _scores: dict[tuple[int, Weighting], Float64Array] = field(default_factory=dict, repr=False)
    _kept: int = 0  # postings in `_scores`

    def document_frequency(self, term: str) -> int:
        """Number of documents that have a term."""
        number = self.vocabulary.get(term)
        return 0 if number is None else int(self.starts[number + 1] - self.starts[number])

    def best(
        self, query: Mapping[str, float], k: int, weighting: Weighting
    ) -> list[tuple[str, float]]:
        """doc_id and score of the k best documents for weighted terms: scores above 0, rounded to 5
        significant digits, falling, equal ones by doc_id."""
        numbers = [
            (self.vocabulary[term], weight)
            for term, weight in query.items()
            if term in self.vocabulary
        ]
        if not numbers:
            return []
        documents = [self.documents[self.starts[n] : self.starts[n + 1]] for n, _ in numbers]
        scores = [weight * self._term_scores(n, weighting) for n, weight in numbers]
        weights = np.concatenate(scores)
        total = np.bincount(np.concatenate(documents), weights, len(self.doc_ids)).astype(
            np.float64, copy=False
        )
        # The k-th best score is at least the k-th best of what any term gives.
        floors = (np.partition(one, len(one) - k)[len(one) - k] for one in scores if len(one) > k)
        floor = max(floors, default=0.0) * (1 - _NEAR)
        hits = np.flatnonzero(total >= floor if floor > 0 else total)
        if len(hits) > k:
            of_hits = total[hits]
            hits = hits[
                of_hits >= np.partition(of_hits, len(hits) - k)[len(hits) - k] * (1 - _NEAR)
            ]
        rounded = _five_digits(total[hits])
        order = np.lexsort((hits, -rounded))[:k]
        names = map(self.doc_ids.__getitem__, hits[order].tolist())
        return list(zip(names, rounded[order].tolist(), strict=True))

    def _term_scores(self, number: int, weighting: Weighting) -> Float64Array:
        """What a term gives to each of its documents; kept for further queries."""
        if (kept := self._scores.get((number, weighting))) is not None:
            return kept
        start, end = self.starts[number], self.starts[number + 1]
        counts = self.counts[start:end]
        lengths = self.lengths[self.documents[start:end]]
        if weighting.model == "bm25":
            scores: Float64Array
            rarity = float(idf(float(len(self.doc_ids)), float(end - start)))
            average = float(self.lengths.mean())
            scores = rarity * term_score(
                np.ones(1), counts, lengths, np.full(1, average), weighting.k1, weighting.b
            )
        else:
            mu = weighting.mu
            share = (counts.sum() + 1) / (self.lengths.sum() + 1)
            likelihood = np.log1p(counts / (mu * share)) + np.log(mu / (lengths + mu))
            scores = np.maximum(likelihood, 0.0)
        self._kept += len(scores)
        if self._kept > _CACHED:
            self._scores.clear()
            self._kept = len(scores)
        self._scores[number, weighting] = scores
        return scores


def read_counts(searcher: Searcher) -> TermCounts:
    """The term counts of the documents of a part whose payloads hold their terms
    (`indexer.sources.collection.schema`); a second for some 70,000 passages."""
    vocabulary: dict[str, int] = {}
    doc_ids, terms, lengths = list[str](), array("i"), array("i")
    pieces: list[tuple[Int64Array, Int64Array]] = []

    def sort_terms() -> None:
        """Counts the terms of the documents read since the last time."""
        sizes = np.asarray(lengths[len(lengths) - since :], np.int64)
        first = len(lengths) - since
        numbers = np.repeat(np.arange(first, len(lengths)), sizes)
        keys = (np.asarray(terms, np.int64) << 32) | numbers
        pieces.append(np.unique(keys, return_counts=True))
        del terms[:]

    since = 0
    for document in searcher.scan():
        words = document.payload.split(" ")
        doc_ids.append(document.doc_id)
        lengths.append(len(words))
        terms.extend([vocabulary.setdefault(word, len(vocabulary)) for word in words])
        since += 1
        if len(terms) >= _TERMS_AT_ONCE:
            sort_terms()
            since = 0
    sort_terms()
    keys = np.concatenate([piece for piece, _ in pieces])
    counts = np.concatenate([piece for _, piece in pieces]).astype(np.float64)
    if len(pieces) > 1:
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], counts[order]
    starts = np.searchsorted(keys >> 32, np.arange(len(vocabulary) + 1))
    return TermCounts(
        doc_ids,
        np.asarray(lengths, np.float64),
        vocabulary,
        starts,
        keys & 0xFFFFFFFF,
        counts,
    )


def _five_digits(scores: Float64Array) -> Float64Array:
    """Scores above 0, rounded to 5 significant digits."""
    scale = 10.0 ** (4 - np.floor(np.log10(scores)))
    return np.asarray(np.rint(scores * scale) / scale)
