"""Many queries asked of an embedded index in one call, in threads, get what each gets alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.engines.opening import builder_for, open_index
from indexer.engines.searching import Searcher
from indexer.languages.registry import LANGUAGES
from tests.parity.corpora import PART, Corpus, corpus

MADE: Corpus = corpus(LANGUAGES["en"], 60)


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("batch") / "index"
    writer = builder_for(str(folder)).build(str(folder), MADE.metadata)
    for first in range(0, len(MADE.documents), 100):
        writer.add(PART.name, MADE.documents[first : first + 100])
    writer.publish()
    return open_index(str(folder)).part()


@pytest.mark.parametrize("k", [1, 10, 10_000])
def test_a_batch_gives_what_each_query_gives_alone(searcher: Searcher, k: int) -> None:
    assert searcher.search(MADE.queries, k) == [
        searcher.search([query], k)[0] for query in MADE.queries
    ]


def test_a_document_found_by_two_queries_is_whole_in_both(searcher: Searcher) -> None:
    once = searcher.search(MADE.queries[:1], 5)[0]
    assert searcher.search([MADE.queries[0]] * 20, 5) == [once] * 20
    stored = {document.doc_id: document for document in MADE.documents}
    assert [(hit.document.text, hit.document.payload) for hit in once] == [
        (stored[hit.doc_id].text, stored[hit.doc_id].payload) for hit in once
    ]


def test_none_are_asked_for(searcher: Searcher) -> None:
    assert searcher.search(MADE.queries[:2], 0) == [[], []]
    assert searcher.search([], 10) == []
