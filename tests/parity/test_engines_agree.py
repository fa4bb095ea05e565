"""The same documents in both engines give the same answers, and those of the formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from indexer.engines.contract import Document, Query, QueryTerm, ScoredDocument
from indexer.engines.opening import builder_for, open_index
from indexer.engines.searching import Searcher
from indexer.languages.registry import LANGUAGES
from tests.parity.corpora import PART, Corpus, corpus
from tests.parity.reference import ReferenceIndex

QUERIES = 150
K = 10


class Pair(NamedTuple):
    """The same corpus in the embedded engine and in Elasticsearch."""

    corpus: Corpus
    embedded: Searcher
    elasticsearch: Searcher


def build(address: str, made: Corpus, shards: int) -> None:
    writer = builder_for(address).build(address, made.metadata, shards)
    writer.add(PART.name, made.documents)
    writer.publish()


@pytest.fixture(
    scope="module", params=[(code, shards) for code in LANGUAGES for shards in (1, 3)], ids=str
)
def pair(
    request: pytest.FixtureRequest,
    elasticsearch_url: str,
    new_name: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Pair]:
    """Published indexes: one segment a shard in Elasticsearch."""
    code, shards = request.param
    made = corpus(LANGUAGES[code], QUERIES)
    folder = str(tmp_path_factory.mktemp("parity") / "index")
    address = f"{elasticsearch_url}/{new_name()}"
    build(folder, made, 1)
    build(address, made, shards)
    embedded, elasticsearch = open_index(folder), open_index(address)
    yield Pair(made, embedded.part(), elasticsearch.part())
    embedded.close()
    elasticsearch.close()


def assert_same(
    left: Sequence[Sequence[ScoredDocument]], right: Sequence[Sequence[ScoredDocument]]
) -> None:
    """Equal lists of doc_ids, with scores that agree within 1e-5 of themselves."""
    assert [[hit.doc_id for hit in hits] for hits in left] == [
        [hit.doc_id for hit in hits] for hits in right
    ]
    for one, other in zip(left, right, strict=True):
        assert [hit.score for hit in one] == pytest.approx([hit.score for hit in other], rel=1e-5)


@pytest.mark.process
def test_best_hits_are_the_same(pair: Pair) -> None:
    assert_same(
        pair.embedded.search(pair.corpus.queries, K),
        pair.elasticsearch.search(pair.corpus.queries, K),
    )


def test_best_hits_are_those_of_the_formula(pair: Pair) -> None:
    reference = ReferenceIndex(pair.corpus.terms)
    queries = [query for query in pair.corpus.queries if query.where is None]
    expected = [reference.search(query, K) for query in queries]
    for engine in (pair.embedded, pair.elasticsearch):
        for hits, best in zip(engine.search(queries, K), expected, strict=True):
            assert [hit.doc_id for hit in hits] == [doc_id for doc_id, _ in best]
            assert [hit.score for hit in hits] == pytest.approx(
                [score for _, score in best], rel=1e-5
            )


def unweighted(pair: Pair) -> list[Query]:
    return [Query(tuple(QueryTerm(*term) for term in dict.fromkeys((one.field, one.term) for one in query.terms)))
            for query in pair.corpus.queries if query.where is None]  # fmt: skip


def test_exact_scores_are_the_same_to_the_last_digit(pair: Pair) -> None:
    queries = unweighted(pair)
    ids = [[*(hit.doc_id for hit in hits), "unknown"] for hits in pair.embedded.search(queries, K)]
    embedded, elastic = (cast("Any", one).exact_scores(queries, ids) for one in pair[1:])
    assert embedded == elastic
    reference = ReferenceIndex(pair.corpus.terms)
    for query, doc_ids, scores in zip(queries, ids, embedded, strict=True):
        expected = [reference.score(query, doc_id) for doc_id in doc_ids[:-1]]
        assert scores == pytest.approx(
            [*expected, 0.0], rel=1e-6
        )  # the average length is of single precision


@pytest.mark.parametrize("k", [1, K, 1_000])
def test_exact_searches_are_the_same_to_the_last_digit(pair: Pair, k: int) -> None:
    queries = unweighted(pair)
    found = [
        [
            [(hit.doc_id, hit.score) for hit in hits]
            for hits in engine.search(queries, k, exact=True)
        ]
        for engine in (pair.embedded, pair.elasticsearch)
    ]
    assert found[0] == found[1]
    for hits, plain in zip(found[0], pair.embedded.search(queries, k), strict=True):
        assert [score for _, score in hits] == pytest.approx([hit.score for hit in plain], rel=1e-4)


def test_exact_searches_with_weights_are_the_same_to_the_last_digit(pair: Pair) -> None:
    weighted = [
        query._replace(
            terms=tuple(
                term._replace(weight=weight)
                for term, weight in zip(query.terms, (2, 1, 0.3, 3, 0.1), strict=False)
            )
        )
        for query in unweighted(pair)
    ]
    found = [
        [
            [(hit.doc_id, hit.score) for hit in hits]
            for hits in engine.search(weighted, 50, exact=True)
        ]
        for engine in (pair.embedded, pair.elasticsearch)
    ]
    assert found[0] == found[1]


def test_a_condition_narrows_and_changes_no_score(pair: Pair) -> None:
    reference = ReferenceIndex(pair.corpus.terms)
    narrowed = [query for query in pair.corpus.queries if query.where is not None]
    paragraphs = {
        document.doc_id: document.keys["paragraph"][0] for document in pair.corpus.documents
    }
    for query, hits in zip(narrowed, pair.embedded.search(narrowed, 1_000), strict=True):
        assert query.where is not None
        among = {doc_id for doc_id, paragraph in paragraphs.items() if paragraph in query.where[1]}
        assert {hit.doc_id for hit in hits} == among & set(reference.matching(query))
        expected = [reference.score(query, hit.doc_id) for hit in hits]
        assert [hit.score for hit in hits] == pytest.approx(expected, rel=1e-5)


def test_ties_are_closed_whatever_k_is(pair: Pair) -> None:
    """The hundred repeated sentences tie; a shorter list is always the beginning of a longer
    one."""
    queries = pair.corpus.queries[:30]
    longest = pair.embedded.search(queries, 100)
    for k in (1, 2, 3, 7, 50):
        beginnings = [hits[:k] for hits in longest]
        assert_same(pair.embedded.search(queries, k), beginnings)
        assert_same(pair.elasticsearch.search(queries, k), beginnings)


def test_counts_are_the_same(pair: Pair) -> None:
    reference = ReferenceIndex(pair.corpus.terms)
    queries = [query for query in pair.corpus.queries if query.where is None]
    expected = [len(reference.matching(query)) for query in queries]
    assert pair.embedded.count(queries) == expected
    assert pair.elasticsearch.count(queries) == expected


def test_explanations_are_the_same_and_add_up(pair: Pair) -> None:
    for query in pair.corpus.queries[:20]:
        (hits,) = pair.embedded.search([query], 5)
        asked = [*(hit.doc_id for hit in hits), pair.corpus.documents[0].doc_id, "unknown"]
        one, other = pair.embedded.explain(query, asked), pair.elasticsearch.explain(query, asked)
        assert len(one) == len(asked)
        for left, right in zip(one, other, strict=True):
            assert left == pytest.approx(right, rel=1e-5)
        for hit, terms in zip(hits, one, strict=False):
            assert sum(terms.values()) == pytest.approx(hit.score, rel=1e-5)
        assert one[-1] == {}


def test_lookups_and_scans_are_the_same(pair: Pair) -> None:
    stored = sorted(
        (document.doc_id, document.text, document.keys, document.payload)
        for document in pair.corpus.documents
    )
    for engine in (pair.embedded, pair.elasticsearch):
        assert len(engine) == len(stored)
        scanned = [
            (document.doc_id, document.text, document.keys, document.payload)
            for document in engine.scan()
        ]
        assert scanned == stored
        values = ["p0", "nowhere", "p63", "p0", ""]
        found = [
            [document.doc_id for document in group] for group in engine.lookup("paragraph", values)
        ]
        held = [
            [entry[0] for entry in stored if entry[2]["paragraph"] == [value]] for value in values
        ]
        assert found == held
        (alone,) = engine.lookup("doc_id", [stored[5][0]])
        assert [document.text for document in alone] == [stored[5][1]]


@pytest.mark.parametrize("shards", [1, 3])
def test_several_segments_change_nothing(
    elasticsearch_url: str, new_name: Callable[[], str], tmp_path: Path, shards: int
) -> None:
    """Read back while being written, both engines hold the documents in many segments."""
    made = corpus(LANGUAGES["ja"], QUERIES)
    addresses = [str(tmp_path / "index"), f"{elasticsearch_url}/{new_name()}"]
    writers = [builder_for(address).build(address, made.metadata, shards) for address in addresses]
    reference = ReferenceIndex(made.terms)
    queries = [query for query in made.queries if query.where is None]
    answers = []
    for writer in writers:
        for start in range(0, len(made.documents), 100):
            writer.add(PART.name, made.documents[start : start + 100])
            searcher = writer.searcher(PART.name)
        answers.append(searcher.search(queries, K))
    for writer in writers:
        writer.discard()
    assert_same(*answers)
    assert_same(
        answers[0],
        [
            [
                ScoredDocument(doc_id, score, made.documents[0])
                for doc_id, score in reference.search(query, K)
            ]
            for query in queries
        ],
    )


def test_very_many_ties_and_values(
    elasticsearch_url: str, new_name: Callable[[], str], tmp_path: Path
) -> None:
    """Twelve thousand equal documents, more than Elasticsearch gives at once, and as many values
    looked up."""
    made = [
        Document(
            f"d{number * 7 % 12_000:05d}",
            "same",
            {"text": ["same", "words"]},
            {"paragraph": [f"p{number}"]},
        )
        for number in range(12_000)
    ]
    query = Query((QueryTerm("text", "same"),))
    for address in (str(tmp_path / "index"), f"{elasticsearch_url}/{new_name()}"):
        writer = builder_for(address).build(address, corpus(LANGUAGES["ja"], 1).metadata)
        writer.add(PART.name, made)
        writer.publish()
        with_ties = open_index(address)
        (few,) = with_ties.part().search([query], 3)
        assert [hit.doc_id for hit in few] == ["d00000", "d00001", "d00002"]
        (many,) = with_ties.part().search([query], 11_000)
        assert [hit.doc_id for hit in many] == [f"d{number:05d}" for number in range(11_000)]
        values = [f"p{number}" for number in range(0, 70_000)]
        assert sum(len(group) for group in with_ties.part().lookup("paragraph", values)) == 12_000
        narrowed = query._replace(where=("paragraph", tuple(values)))
        assert with_ties.part().count([narrowed]) == [12_000]
        with_ties.close()
