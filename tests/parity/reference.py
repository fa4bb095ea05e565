"""BM25 as a formula, written for reading: the oracle of both engines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from indexer.engines.contract import Query

K1, B = 1.2, 0.75


def one_byte_length(length: int) -> int:
    """A length as both engines keep it: exact below 24, above with four significant bits."""
    if length < 24:
        return length
    above = length - 24
    shift = max(above.bit_length() - 4, 0)
    return 24 + (above >> shift << shift)


class ReferenceIndex:
    """Documents as term lists, one field; scores by Robertson's formula in double precision."""

    def __init__(self, documents: Mapping[str, Sequence[str]]) -> None:
        self.counts = {doc_id: Counter(terms) for doc_id, terms in documents.items()}
        self.lengths = {doc_id: one_byte_length(len(terms)) for doc_id, terms in documents.items()}
        self.average = sum(map(len, documents.values())) / len(documents)
        self.frequencies = Counter(term for counts in self.counts.values() for term in counts)

    def score(self, query: Query, doc_id: str) -> float:
        total, counts = 0.0, self.counts[doc_id]
        for _, term, weight in query.terms:
            holding, often = self.frequencies[term], counts[term]
            idf = math.log(1 + (len(self.counts) - holding + 0.5) / (holding + 0.5))
            length = K1 * (1 - B + B * self.lengths[doc_id] / self.average)
            total += weight * idf * (K1 + 1) * often / (often + length)
        return total

    def matching(self, query: Query) -> list[str]:
        terms = {term for _, term, _ in query.terms}
        return [doc_id for doc_id, counts in self.counts.items() if terms & counts.keys()]

    def search(self, query: Query, k: int) -> list[tuple[str, float]]:
        scored = [(doc_id, self.score(query, doc_id)) for doc_id in self.matching(query)]
        return sorted(scored, key=lambda pair: (-float(f"{pair[1]:.4e}"), pair[0]))[:k]
