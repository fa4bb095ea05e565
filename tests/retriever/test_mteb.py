"""The searcher behind MTEB's and BEIR's interfaces, on a small set of their form."""

from __future__ import annotations

import pytest

from retriever.mteb import BM25Search

ROWS = [
    {"id": "d1", "title": "石橋", "text": "川に古い石の橋がある。"},
    {"id": "d2", "title": "", "text": "山の上に寺がある。"},
]


def test_rows_of_mteb() -> None:
    model = BM25Search()
    model.index(ROWS, task_metadata=None, hf_split="test", hf_subset="default", encode_kwargs={})
    found = model.search([{"id": "q1", "text": "寺はどこ"}, {"id": "q2", "text": "橋"}], top_k=10)
    assert {query: list(scores) for query, scores in found.items()} == {"q1": ["d2"], "q2": ["d1"]}


def test_mappings_of_beir() -> None:
    corpus = {row["id"]: {"title": row["title"], "text": row["text"]} for row in ROWS}
    assert list(BM25Search("ja").search(corpus, {"q": "川の橋"}, 1, "cos_sim")["q"]) == ["d1"]
    named = BM25Search("ja").search(corpus=corpus, queries={"q": "寺はどこ"})
    assert list(named["q"]) == ["d2"]


def test_a_reranking_task_ranks_its_candidates_alone() -> None:
    model = BM25Search()
    model.index(ROWS)
    query = {"q": "橋はどこ。寺はどこ。"}
    assert set(model.search(query, top_k=10)["q"]) == {"d1", "d2"}
    assert list(model.search(query, top_k=10, top_ranked={"q": ["d2", "d9"]})["q"]) == ["d2"]


def test_a_search_needs_an_index() -> None:
    with pytest.raises(ValueError, match="index"):
        BM25Search().search([{"id": "q", "text": "x"}])
