"""The best documents for weighted terms by term counts: many queries at once, with exact lengths,
by any weighting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import overload

import numpy as np

from indexer.engines.scoring import K1, B
from indexer.files.arrays import Float64Array, Int64Array
from retriever.bm25 import idf, term_score
from retriever.term_counts import TermCounts

POSTINGS_AT_ONCE = 4_000_000  # of a group of queries; bounds memory, not the result
HITS_AT_ONCE = 50_000  # put in order together: arrays that stay in a processor's cache
_NEAR = 1e-4  # scores this much apart, as a share of themselves, differ in 5 digits
_TENS = np.power(10.0, np.arange(-300, 301), dtype=np.float64)

_Hits = tuple[Int64Array, Float64Array]
"""Numbers of documents, and their scores."""


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


class Ranking(Sequence[tuple[str, float]]):
    """doc_id and score of the documents of a topic, best first: a sequence that looks up the
    doc_ids as they are read."""

    def __init__(self, doc_ids: Sequence[str], numbers: Int64Array, scores: Float64Array) -> None:
        self._doc_ids, self._numbers, self._scores = doc_ids, numbers, scores

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, position: int) -> tuple[str, float]: ...

    @overload
    def __getitem__(self, position: slice) -> Ranking: ...

    def __getitem__(self, position: int | slice) -> tuple[str, float] | Ranking:
        if isinstance(position, slice):
            return Ranking(self._doc_ids, self._numbers[position], self._scores[position])
        return self._doc_ids[self._numbers[position]], float(self._scores[position])

    def __iter__(self) -> Iterator[tuple[str, float]]:
        doc_ids = map(self._doc_ids.__getitem__, self._numbers.tolist())
        return zip(doc_ids, self._scores.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return repr(list(self))


def best_documents(
    counts: TermCounts, queries: Sequence[Mapping[str, float]], k: int, weighting: Weighting
) -> Iterator[Ranking]:
    """Yields the k best documents for each query (weights above 0 of its terms): scores above 0,
    rounded to 5 significant digits, falling, equal ones by doc_id; none for a query without known
    terms. A document's score is the sum of its terms' in the order of the query."""
    numbered = [
        [
            (number, weight)
            for term, weight in query.items()
            if (number := counts.vocabulary.get(term)) is not None
        ]
        for query in queries
    ]
    sizes = np.diff(counts.starts)
    ends = np.cumsum([sum(int(sizes[n]) for n, _ in terms) for terms in numbered])
    groups = zip((ends // POSTINGS_AT_ONCE).tolist(), numbered, strict=True)
    for _, group in groupby(groups, lambda pair: pair[0]):
        yield from _best_of([terms for _, terms in group], counts, k, weighting)


def _best_of(
    queries: Sequence[Sequence[tuple[int, float]]], counts: TermCounts, k: int, weighting: Weighting
) -> Iterator[Ranking]:
    """Yields the k best documents for each query (numbers of terms with weights) of a group."""
    postings = _postings(sorted({n for query in queries for n, _ in query}), counts, weighting)
    # The k-th best score of a query is at least the k-th best of what one of its terms gives.
    least = {number: _kth_best(scores, k) for number, (_, scores) in postings.items()}
    hits, waiting = list[_Hits](), 0
    for query in queries:
        hits.append(_hits(query, postings, least, len(counts.doc_ids), k))
        waiting += len(hits[-1][0])
        if waiting >= HITS_AT_ONCE:
            yield from _in_order(hits, counts.doc_ids, k)
            hits, waiting = [], 0
    if hits:
        yield from _in_order(hits, counts.doc_ids, k)


def _hits(
    query: Sequence[tuple[int, float]],
    postings: Mapping[int, _Hits],
    least: Mapping[int, float],
    size: int,
    k: int,
) -> _Hits:
    """The documents of `size` that are among the k best for a query, or so near that rounding
    decides, in order."""
    if not query:
        return np.zeros(0, np.int64), np.zeros(0)
    documents = np.concatenate([postings[number][0] for number, _ in query])
    scores = np.concatenate(
        [
            postings[number][1] if weight == 1 else weight * postings[number][1]
            for number, weight in query
        ]
    )
    total = np.bincount(documents, scores, size).astype(np.float64, copy=False)
    lowest = max(weight * least[number] for number, weight in query) * (1 - _NEAR)
    found = (total >= lowest if lowest > 0 else total).nonzero()[0]
    total = total[found]
    if len(found) > k:
        near_best = (total >= _kth_best(total, k) * (1 - _NEAR)).nonzero()[0]
        found, total = found[near_best], total[near_best]
    return found, total


def _postings(terms: Sequence[int], counts: TermCounts, weighting: Weighting) -> dict[int, _Hits]:
    """The documents of each term, and what it gives to their scores."""
    if not terms:
        return {}
    bounds = [(int(counts.starts[n]), int(counts.starts[n + 1])) for n in terms]
    documents = np.concatenate(
        [counts.documents[start:end] for start, end in bounds], dtype=np.int64
    )
    times = np.concatenate([counts.counts[start:end] for start, end in bounds], dtype=np.float64)
    sizes = np.array([end - start for start, end in bounds])
    ends = np.cumsum(sizes)
    scores: Float64Array
    if weighting.model == "bm25":
        rarity = idf(float(len(counts.doc_ids)), sizes.astype(np.float64))
        scores = np.repeat(rarity, sizes) * term_score(
            np.ones(1),
            times,
            counts.lengths[documents].astype(np.float64),
            np.full(1, counts.lengths.mean()),
            weighting.k1,
            weighting.b,
        )
    else:
        in_all = np.add.reduceat(times, ends - sizes)
        share = np.repeat((in_all + 1) / (counts.lengths.sum() + 1), sizes)
        mu = weighting.mu
        of_length = np.log(mu / (counts.lengths + mu))
        scores = np.maximum(np.log1p(times / (mu * share)) + of_length[documents], 0.0)
    parts = zip(np.split(documents, ends[:-1]), np.split(scores, ends[:-1]), strict=True)
    return dict(zip(terms, parts, strict=True))


def _kth_best(scores: Float64Array, k: int) -> float:
    """The k-th highest of scores; 0 if there are not more than k."""
    size = len(scores)
    return float(np.partition(scores, size - k)[size - k]) if size > k else 0.0


def _in_order(hits: Sequence[_Hits], doc_ids: Sequence[str], k: int) -> Iterator[Ranking]:
    """Yields the k best of the hits of each query."""
    exact = np.concatenate([scores for _, scores in hits])
    exponents = np.floor(np.log10(exact)).astype(np.int64)
    digits = np.rint(exact * _power_of_ten(4 - exponents)).astype(np.int64)  # 10,000 to 100,000
    # One number that rises with the rounded score (there are 90,000 of an exponent), with the
    # document behind it: sorting whole numbers is quickest, and settles ties.
    keys = (-(exponents * 90_000 + digits) << 32) | np.concatenate(
        [documents for documents, _ in hits]
    )
    ends = np.cumsum([len(documents) for documents, _ in hits])
    sorted_keys = [np.sort(each)[:k] for each in np.split(keys, ends[:-1])]
    best = np.concatenate(sorted_keys)
    numbers, rounded = best & 0xFFFFFFFF, -(best >> 32)
    exponents = (rounded - 10_000) // 90_000
    rounded_scores = (rounded - exponents * 90_000) / _power_of_ten(4 - exponents)
    start = 0
    for each in sorted_keys:
        end = start + len(each)
        yield Ranking(doc_ids, numbers[start:end], rounded_scores[start:end])
        start = end


def _power_of_ten(exponents: Int64Array) -> Float64Array:
    return np.asarray(_TENS[exponents + len(_TENS) // 2], np.float64)
