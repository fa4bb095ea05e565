"""BM25 scores as both engines give them: ties, and the similarity's arithmetic."""

from __future__ import annotations

import heapq
import math
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indexer.engines.contract import Query, ScoredDocument

# The order of hits: one rule for both engines, so that ties never tell them apart.

FIRST_MARGIN = (
    2  # documents asked for beyond k: ties are rare, and fetching documents is what a search costs
)


def round_score(score: float) -> float:
    """A score to 5 significant digits: what the engines agree on."""
    return float(f"{score:.4e}")


def sort_key(score: float, doc_id: str) -> tuple[float, str]:
    """Sort key of hits: score rounded to 5 digits, falling, then doc_id."""
    return -round_score(score), doc_id


def best(scored: Iterable[tuple[float, str]], k: int) -> list[tuple[float, str]]:
    """The k best of (score, doc_id), sorted by `sort_key`; [] if k is 0 or less. Scores stay
    unrounded."""
    return heapq.nsmallest(k, scored, key=lambda pair: sort_key(*pair))


def tie_is_open(falling_scores: Sequence[float], k: int) -> bool:
    """Returns whether documents beyond these may tie with the k-th best; False if k is 0
    or less and for fewer than k scores.

    Precondition, which callers check first: `falling_scores` are as many as the engine was asked
    for. Where it gave fewer, no document lies beyond, whatever this returns.
    """
    return len(falling_scores) >= k > 0 and round_score(falling_scores[-1]) == round_score(
        falling_scores[k - 1]
    )


# BM25: its constants, and scores that are the same on both engines to the last of their 5 digits.

K1 = 1.2  # how soon a term that is repeated counts no more
B = 0.75  # how much a document's length counts

APART = 1e-3
"""A score that is below another by this share of itself is below it, whatever the noise of an
engine."""

_STEP = 2.0**-23  # between two numbers of single precision, as a share of them
_STEPS = 8  # of rounding at most, in what a term gives
_BOOST = re.compile(r"Boost x(\S+) of")


def exact_search(
    search: Callable[[Sequence[Query], int], list[list[ScoredDocument]]],
    exact_scores: Callable[[Sequence[Query], Sequence[Sequence[str]]], list[list[float]]],
    queries: Sequence[Query],
    k: int,
) -> list[list[ScoredDocument]]:
    """The k best hits of each query, best first, with scores rounded to 5 digits that are the same
    on both engines; ties by doc_id; [] if k is 0 or less.

    `search` and `exact_scores` are the methods of an engine's searcher. Scores at the edge of their
    fifth digit are recomputed in double precision.
    """
    rankings: list[list[ScoredDocument]] = [[] for _ in queries]
    numbers, depth = list(range(len(queries))), k + FIRST_MARGIN
    while numbers and k > 0:
        for number, hits in zip(
            numbers, search([queries[number] for number in numbers], depth), strict=True
        ):
            rankings[number] = hits
        # Nothing beyond these hits can be among the k best where one of them is clearly below the
        # k-th.
        numbers = [
            number
            for number in numbers
            if len(rankings[number]) == depth
            and min(hit.score for hit in rankings[number])
            >= rankings[number][k - 1].score * (1 - APART)
        ]
        depth *= 4
    edges = [
        [
            hit.doc_id
            for hit in hits
            if _is_on_an_edge(hit.score, [term.weight for term in query.terms])
        ]
        for query, hits in zip(queries, rankings, strict=True)
    ]
    settled = []
    for hits, ids, scores in zip(rankings, edges, exact_scores(queries, edges), strict=True):
        exact = dict(zip(ids, scores, strict=True))
        rounded = [
            hit._replace(score=round_score(exact.get(hit.doc_id, hit.score))) for hit in hits
        ]
        settled.append(sorted(rounded, key=lambda hit: sort_key(hit.score, hit.doc_id))[:k])
    return settled


def _is_on_an_edge(score: float, weights: Sequence[float]) -> bool:
    """Returns whether an engine's score, for a query whose terms have these weights, may round to
    another number than the sum in double precision does.

    Adding numbers moves a sum by one step each at most; the logarithm of a term's rarity is of a
    number near 1, so that what a common term gives is wrong by a step of 1, whatever little it is.
    """
    noise = _STEP * ((len(weights) + _STEPS) * score + sum(weights) * (K1 + 1))
    return round_score(score - noise) != round_score(score + noise)


def exact_score(explanation: Mapping[str, Any], weights: Sequence[float] = (1.0,)) -> float:
    """BM25 score of a document in double precision, from the term counts in an engine's explanation
    of the score; `weights` are those of the query's terms. 0.0 for an explanation without terms.

    Sum over terms of `weight · idf · (K1 + 1) · freq / (freq + K1 · (1 − B + B · dl / avgdl))`. An
    explanation has a weight in single precision: the nearest of `weights` is meant. The same on
    both engines as long as a part holds at most 2^24 documents and terms: tantivy's explanation
    does not give larger counts exactly.
    """
    parts = []
    for boost, counts in _term_counts(explanation):
        weight = min(weights, key=lambda weight: abs(weight - boost))
        # As the engines hold it, however they print it.
        average: float = struct.unpack("f", struct.pack("f", counts["avgdl"]))[0]
        absent = counts["N"] - counts["n"]
        idf = math.log1p((absent + 0.5) / (counts["n"] + 0.5))
        saturation = counts["freq"] + K1 * (1 - B + B * counts["dl"] / average)
        score = idf * (K1 + 1) * counts["freq"] / saturation
        parts.append(weight * score)
    return math.fsum(parts)


def _term_counts(
    explanation: Mapping[str, Any], boost: float = 1.0
) -> Iterator[tuple[float, Mapping[str, float]]]:
    """Yields the weight and the counts of each matching term of an explanation, as the engines call
    them: `n` of `N` documents contain the term, it occurs `freq` times in this document of `dl`
    terms, and documents have `avgdl` terms on average.

    tantivy and Lucene explain a term by the same nodes, whose descriptions begin with these
    letters. tantivy reports the weight in a node around the term ("Boost x2 of ..."), Lucene
    in a leaf, multiplied by K1 + 1.
    """
    if around := _BOOST.match(str(explanation.get("description"))):
        boost = float(around[1])
    details = explanation.get("details") or ()
    if any(str(detail["description"]).startswith("idf, ") for detail in details):
        leaves = [leaf for detail in details for leaf in detail.get("details") or ()]
        counts = {
            str(leaf["description"]).partition(",")[0]: float(leaf["value"]) for leaf in leaves
        }
        boosts = [
            float(detail["value"]) / (K1 + 1)
            for detail in details
            if detail["description"] == "boost"
        ]
        yield (boosts or [boost])[0], counts
    else:
        for detail in details:
            yield from _term_counts(detail, boost)
