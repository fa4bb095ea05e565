"""BM25 computed here equals what the engine computes, and the formula on paper."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from indexer.engines.contract import Document, Metadata, Part
from indexer.engines.opening import builder_for, open_index
from indexer.engines.searching import Searcher
from indexer.languages.english import ENGLISH
from retriever.bm25 import documents_with, idf, idf_in, term_score
from retriever.queries import weighted_query

TEXTS = {"a": "red bridge red", "b": "bridge", "c": "long old stone bridge river"}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    """Three documents of 3, 1 and 5 terms."""
    address = str(tmp_path_factory.mktemp("bm25") / "index")
    writer = builder_for(address).build(
        address, Metadata("textbook", (Part("sentences", ("text",)),), ENGLISH, {})
    )
    writer.add(
        "sentences",
        [Document(doc_id, text, {"text": text.split()}) for doc_id, text in TEXTS.items()],
    )
    writer.publish()
    return open_index(address).part()


def test_idf_is_high_for_what_few_documents_hold() -> None:
    """N = 3: n = 1 gives log(1 + 2.5 / 1.5), n = 3 log(1 + .5 / 3.5)."""
    assert idf(3, np.array([1.0, 3.0])) == pytest.approx([log(1 + 2.5 / 1.5), log(1 + 0.5 / 3.5)])


def test_a_term_counts_less_the_more_often_it_stands_and_the_longer_the_document() -> None:
    """2 × 3 × 2.2 / (3 + 1.2 (.25 + .75 × 6 / 4)) = 13.2 / 4.65."""
    assert term_score(2.0, 3.0, 6.0, 4.0) == pytest.approx(13.2 / 4.65)


def test_the_engine_computes_the_same(searcher: Searcher) -> None:
    """ "red" twice in a document of 3 terms, "bridge" (weight 2) in all; 3 terms are the mean of 3,
    1 and 5."""
    rarity = idf_in(searcher, ["red", "bridge"])
    hits = {
        hit.doc_id: hit.score
        for hit in searcher.search([weighted_query({"red": 1.0, "bridge": 2.0})], 3)[0]
    }
    bridge = {
        doc_id: term_score(2 * rarity["bridge"], 1.0, float(len(text.split())), 3.0)
        for doc_id, text in TEXTS.items()
    }
    assert hits["a"] == pytest.approx(
        bridge["a"] + term_score(rarity["red"], 2.0, 3.0, 3.0), rel=1e-6
    )
    assert hits["b"] == pytest.approx(bridge["b"], rel=1e-6)
    assert hits["c"] == pytest.approx(bridge["c"], rel=1e-6)


def test_a_term_that_no_document_holds_is_counted_but_has_no_idf(searcher: Searcher) -> None:
    assert documents_with(searcher, ["river", "sea"]) == {"river": 1, "sea": 0}
    assert list(idf_in(searcher, ["river", "sea"])) == ["river"]
