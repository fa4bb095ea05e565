"""Scores on the edge of their fifth digit, by an engine whose sums are wrong in the seventh."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexer.engines.contract import Document, Query, QueryTerm, ScoredDocument
from indexer.engines.scoring import exact_score, exact_search

QUERY = Query((QueryTerm("text", "rome"),))


class Noisy:
    """Gives each document's score with its noise, and says by whom the true one was asked for."""

    def __init__(self, true: dict[str, float], noise: float) -> None:
        self.true, self.noise, self.asked = true, noise, list[str]()

    def search(self, queries: Sequence[Query], k: int) -> list[list[ScoredDocument]]:
        scored = sorted(
            ((score * (1 + self.noise), name) for name, score in self.true.items()), reverse=True
        )
        return [
            [ScoredDocument(name, score, Document(name, "", {})) for score, name in scored[:k]]
            for _ in queries
        ]

    def exact_scores(
        self, queries: Sequence[Query], doc_ids: Sequence[Sequence[str]]
    ) -> list[list[float]]:
        self.asked += [one for ids in doc_ids for one in ids]
        return [[self.true[one] for one in ids] for ids in doc_ids]


@pytest.mark.parametrize("noise", [-4e-7, 0.0, 4e-7])
def test_only_what_lies_on_an_edge_is_made_anew(noise: float) -> None:
    """1.23455 is between two numbers of 5 digits, 1.2 far from any such edge."""
    engine = Noisy({"b": 1.23455001, "a": 1.2, "c": 0.5}, noise)
    assert [
        (hit.doc_id, hit.score)
        for hit in exact_search(engine.search, engine.exact_scores, [QUERY], 2)[0]
    ] == [
        ("b", 1.2346),
        ("a", 1.2),
    ]
    assert engine.asked == ["b"]


@pytest.mark.parametrize("noise", [-4e-7, 0.0, 4e-7])
def test_ties_that_an_engine_puts_beyond_the_last_place_are_found(noise: float) -> None:
    """Eight documents have 2.0001 when rounded; the best by doc_id is the one that the engine has
    last."""
    engine = Noisy({f"d{place}": 2.00012 + place * 1e-6 for place in range(8)}, noise)
    assert [
        hit.doc_id for hit in exact_search(engine.search, engine.exact_scores, [QUERY], 2)[0]
    ] == ["d0", "d1"]


def test_nothing_asked_and_nothing_found() -> None:
    for true, queries, k in (({}, [QUERY], 3), ({"a": 1.0}, [QUERY], 0), ({"a": 1.0}, [], 3)):
        engine = Noisy(true, 0.0)
        assert exact_search(engine.search, engine.exact_scores, queries, k) == [[] for _ in queries]


def test_a_score_is_bm25_of_the_counts() -> None:
    """2 of 10 documents have the term: log(1 + 8.5 / 2.5) · 2.2 · 3 / (3 + 1.2 · (0.25 + 0.75 · 4 /
    8))."""
    counts = {"n": 2, "N": 10, "freq": 3, "k1": 1.2, "dl": 4, "avgdl": 8}
    leaves = [{"description": f"{name}, so many", "value": value} for name, value in counts.items()]
    parts = [
        {"description": "idf, computed", "details": leaves[:2]},
        {"description": "tf", "details": leaves[2:]},
    ]
    term = {"description": "a term", "details": parts}
    assert exact_score({"description": "sum of:", "details": [term]}) == pytest.approx(
        1.4816045 * 6.6 / 3.75, rel=1e-6
    )
    assert exact_score({"description": "no match", "details": []}) == 0
