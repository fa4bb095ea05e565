"""The best documents for weighted terms by term counts: many queries at once, with exact lengths,
by any weighting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import overload

import numpy as np

from indexer.engines.scoring import K1, B
from indexer.files.arrays import Float64Array, Int32Array, Int64Array
from indexer.files.errors import UserError
from indexer.files.validation import validate_choice
from indexer.formats.trec_run import falling_digits
from retriever.bm25 import idf
from retriever.term_counts import TermCounts

KEPT_POSTINGS = 20_000_000  # whose scores are kept: 160 MB
HITS_AT_ONCE = 50_000  # put in order together: arrays that stay in a processor's cache
MODELS = ("bm25", "ql")
_NEAR = 1e-4  # scores this much apart, as a share of themselves, differ in 5 digits
_TENS = np.power(10.0, np.arange(-300, 301), dtype=np.float64)

_Hits = tuple[Int64Array, Float64Array]
"""Numbers of documents, and their scores."""


@dataclass(frozen=True)
class Weighting:
    """How a term's count in a document becomes a score. Raises UserError for another model, and for
    numbers that give no scores."""

    model: str = "bm25"
    """`bm25`, or `ql`: query likelihood with Dirichlet smoothing, as Lucene's LMDirichletSimilarity
    (a term that gives less than 0 gives 0)"""
    k1: float = K1
    b: float = B
    mu: float = 1000.0
    """of `ql`; Anserini's default"""

    def __post_init__(self) -> None:
        validate_choice(self.model, MODELS, "weighting")
        if not (0 <= self.k1 < inf and 0 <= self.b <= 1 and 0 < self.mu < inf):
            raise UserError(
                f"k1 {self.k1}, b {self.b}, mu {self.mu}: expected k1 of 0 or more, b from 0 to 1, "
                f"mu above 0, none of them infinite"
            )


class TopicRanking(Sequence[tuple[str, float]]):
    """doc_id and score of the documents of a topic, best first: a sequence that looks up the
    doc_ids as they are read. `numbers` are the documents' positions in `doc_ids`, `scores` theirs.
    """

    def __init__(self, doc_ids: Sequence[str], numbers: Int64Array, scores: Float64Array) -> None:
        self._doc_ids, self._numbers, self._scores = doc_ids, numbers, scores

    def falling(self) -> TopicRanking:
        """The same ranking with equal scores lowered (`falling_digits`), so that none are equal."""
        return TopicRanking(self._doc_ids, self._numbers, falling_digits(self._scores))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, position: int) -> tuple[str, float]: ...

    @overload
    def __getitem__(self, position: slice) -> TopicRanking: ...

    def __getitem__(self, position: int | slice) -> tuple[str, float] | TopicRanking:
        if isinstance(position, slice):
            return TopicRanking(self._doc_ids, self._numbers[position], self._scores[position])
        return self._doc_ids[self._numbers[position]], float(self._scores[position])

    def __iter__(self) -> Iterator[tuple[str, float]]:
        doc_ids = map(self._doc_ids.__getitem__, self._numbers.tolist())
        return zip(doc_ids, self._scores.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return repr(list(self))


class Scorer:
    """Ranks the documents of a collection by a weighting; what a term gives to each of its
    documents is kept for further queries."""

    def __init__(self, counts: TermCounts, weighting: Weighting) -> None:
        self.counts, self.weighting = counts, weighting
        lengths = counts.lengths.astype(np.float64)
        self._of_length: Float64Array  # what a document's length says
        if weighting.model == "bm25":
            average = counts.lengths.mean()
            self._of_length = weighting.k1 * (1 - weighting.b + weighting.b * lengths / average)
        else:
            self._of_length = np.log(weighting.mu / (lengths + weighting.mu))
        self._scores_of: dict[str, tuple[Int32Array, Float64Array]] = {}
        self._size = 0  # postings in `_scores_of`

    def best(self, queries: Sequence[Mapping[str, float]], k: int) -> Iterator[TopicRanking]:
        """Yields the k best documents for each query (weights above 0 of its terms): scores above
        0, rounded to 5 significant digits, falling, equal ones by doc_id; an empty ranking for a
        query without known terms. A document's score is the sum of its terms' in the order of the
        query."""
        hits, waiting = list[_Hits](), 0
        for query in queries:
            hits.append(self._hits(query, k))
            waiting += len(hits[-1][0])
            if waiting >= HITS_AT_ONCE:
                yield from _in_order(hits, self.counts.doc_ids, k)
                hits, waiting = [], 0
        if hits:
            yield from _in_order(hits, self.counts.doc_ids, k)

    def _hits(self, query: Mapping[str, float], k: int) -> _Hits:
        """The numbers, rising, and scores of the documents that are among the k best for a query,
        or so near that rounding decides; empty arrays for a query without known terms."""
        postings = [
            (self._postings(term), weight)
            for term, weight in query.items()
            if term in self.counts.vocabulary
        ]
        if not postings:
            return np.zeros(0, np.int64), np.zeros(0)
        documents = np.concatenate([numbers for (numbers, _), _ in postings], dtype=np.int64)
        scores = [of_term if weight == 1 else weight * of_term for (_, of_term), weight in postings]
        size = len(self.counts.doc_ids)
        total = np.bincount(documents, np.concatenate(scores), size).astype(np.float64, copy=False)
        # The k-th best sum is at least the k-th best of what one term gives; a rare one gives most.
        common = [of_term for of_term in scores if len(of_term) > k]
        rarest = min(common, key=len, default=scores[0])
        lowest = _kth_best(rarest, k) * (1 - _NEAR)
        best = (total >= lowest if lowest > 0 else total).nonzero()[0]
        total = total[best]
        if len(best) > k:
            near_best = (total >= _kth_best(total, k) * (1 - _NEAR)).nonzero()[0]
            best, total = best[near_best], total[near_best]
        return best, total

    def _postings(self, term: str) -> tuple[Int32Array, Float64Array]:
        """The documents of a term of the vocabulary, and what it gives to each; kept, until 20
        million (KEPT_POSTINGS) are."""
        if (entry := self._scores_of.get(term)) is not None:
            return entry
        number = self.counts.vocabulary[term]
        postings = slice(self.counts.starts[number], self.counts.starts[number + 1])
        documents = self.counts.documents[postings]
        counts = self.counts.counts[postings].astype(np.float64)
        of_length = self._of_length[documents]
        scores: Float64Array
        if self.weighting.model == "bm25":
            rarity = float(idf(float(len(self.counts.doc_ids)), float(len(counts))))
            scores = rarity * (counts * (self.weighting.k1 + 1) / (counts + of_length))
        else:
            share = (counts.sum() + 1) / (self.counts.lengths.sum() + 1)
            likelihood = np.log1p(counts / (self.weighting.mu * share)) + of_length
            scores = np.maximum(likelihood, 0.0)
        if self._size > KEPT_POSTINGS:
            self._scores_of.clear()
            self._size = 0
        self._size += len(scores)
        self._scores_of[term] = documents, scores
        return documents, scores


def _kth_best(scores: Float64Array, k: int) -> float:
    """The k-th highest of scores; 0 if there are not more than k."""
    size = len(scores)
    return float(np.partition(scores, size - k)[size - k]) if size > k else 0.0


def _in_order(hits: Sequence[_Hits], doc_ids: Sequence[str], k: int) -> Iterator[TopicRanking]:
    """Yields the k best of the hits of each query: scores rounded to 5 significant digits, falling,
    equal ones by the document's number."""
    exact = np.concatenate([scores for _, scores in hits])
    exponents = np.floor(np.log10(exact)).astype(np.int64)
    digits = np.rint(exact * _power_of_ten(4 - exponents)).astype(np.int64)  # 10,000 to 100,000
    # One number that rises with the rounded score (there are 90,000 of an exponent), with the
    # document behind it: sorting whole numbers is quickest, and settles ties.
    keys = (-(exponents * 90_000 + digits) << 32) | np.concatenate(
        [documents for documents, _ in hits]
    )
    ends = np.cumsum([len(documents) for documents, _ in hits])
    sorted_keys = [np.sort(query_keys)[:k] for query_keys in np.split(keys, ends[:-1])]
    best = np.concatenate(sorted_keys)
    numbers, rounded = best & 0xFFFFFFFF, -(best >> 32)
    exponents = (rounded - 10_000) // 90_000
    rounded_scores = (rounded - exponents * 90_000) / _power_of_ten(4 - exponents)
    start = 0
    for query_keys in sorted_keys:
        end = start + len(query_keys)
        yield TopicRanking(doc_ids, numbers[start:end], rounded_scores[start:end])
        start = end


def _power_of_ten(exponents: Int64Array) -> Float64Array:
    """10 to the power of each exponent, from −300 to 300, looked up."""
    return np.asarray(_TENS[exponents + len(_TENS) // 2], np.float64)
