"""Runs of topics over a collection: topics of every form, counted terms, weightings, RM3."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer import build_collection
from indexer.engines.opening import builder_for
from indexer.files.errors import UserError
from retriever import open_index
from retriever.rankings import Rankings
from retriever.rm3 import Rm3, expanded_queries
from retriever.search import OpenIndex
from retriever.term_counts import term_counts_of
from retriever.topics import read_topics
from retriever.weighting import Scorer, Weighting
from tests.places import SAMPLES

TEXTS = {"a": "rye rye oat", "b": "rye oat oat oat", "c": "barley", "d": "barley oat malt"}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> OpenIndex:
    folder = tmp_path_factory.mktemp("collection") / "ix"
    build_collection(
        ({"id": name, "text": text} for name, text in TEXTS.items()), folder, language="en"
    )
    return open_index(folder)


def bm25(count: int, length: int, documents: int, k1: float = 1.2, b: float = 0.75) -> float:
    """4 documents, 11 terms."""
    idf = math.log(1 + (4 - documents + 0.5) / (documents + 0.5))
    return idf * count * (k1 + 1) / (count + k1 * (1 - b + b * length / 2.75))


def scores(rankings: Rankings) -> dict[str, float]:
    return dict(rankings["q"])


def test_an_index_with_term_counts_is_replaced_and_removed_whole(tmp_path: Path) -> None:
    folder = tmp_path / "ix"
    for text in ("rye", "oat"):
        build_collection([{"id": "a", "text": text}], folder, language="en", replace=True)
        with open_index(folder) as opened:
            opened.rank({"q": text})
        assert list(folder.glob("*/term-counts-*"))
    assert sorted(path.name for path in folder.iterdir()) == ["2", "lock", "metadata.json"]
    builder_for(str(folder)).remove(str(folder))
    assert not folder.exists()


def test_a_term_counts_as_often_as_the_topic_holds_it(index: OpenIndex) -> None:
    found = scores(index.rank({"q": "oat rye rye"}))
    assert found["a"] == pytest.approx(2 * bm25(2, 3, 2) + bm25(1, 3, 3), rel=1e-4)
    assert found["d"] == pytest.approx(bm25(1, 3, 3), rel=1e-4)
    assert index.search("rye rye")[0].score == pytest.approx(2 * index.search("rye")[0].score)


def test_k1_and_b_are_those_of_the_formula(index: OpenIndex) -> None:
    found = scores(index.rank({"q": "rye"}, weighting=Weighting(k1=0.9, b=0.4)))
    assert found == pytest.approx(
        {"a": bm25(2, 3, 2, 0.9, 0.4), "b": bm25(1, 4, 2, 0.9, 0.4)}, rel=1e-4
    )


def test_query_likelihood_is_lucenes(index: OpenIndex) -> None:
    """log(1 + count / (mu p)) + log(mu / (length + mu)), p = (collection count + 1) / (terms + 1)."""
    share = (3 + 1) / (11 + 1)
    expected = math.log1p(2 / (10 * share)) + math.log(10 / (3 + 10))
    found = scores(index.rank({"q": "rye"}, weighting=Weighting("ql", mu=10)))
    assert found["a"] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Weighting("bm52"), "bm25"),
        (lambda: Weighting(b=1.5), "b from 0 to 1"),
        (lambda: Weighting("ql", mu=0), "mu above 0"),
        (lambda: Weighting(k1=math.inf), "none of them infinite"),
        (lambda: Rm3(documents=0), "documents"),
        (lambda: Rm3(original_weight=2), "expected 0 to 1"),
    ],
)
def test_settings_that_give_no_scores_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make()


def test_rm3_finds_what_shares_terms_with_the_best_document(tmp_path: Path) -> None:
    """ "malt" is in none of the documents with rye but is found by the oven of the best one; of 20
    fillers none has a term that is not too common."""
    texts = ["rye oven", "oven malt", *["water"] * 20]
    build_collection(
        [{"id": f"d{n:02d}", "text": text} for n, text in enumerate(texts)], tmp_path / "ix"
    )
    with open_index(tmp_path / "ix") as opened:
        assert [doc_id for doc_id, _ in opened.rank({"q": "rye"})["q"]] == ["d00"]
        expanded = opened.rank({"q": "rye"}, rm3=Rm3(documents=1, terms=2))["q"]
        assert [doc_id for doc_id, _ in expanded] == ["d00", "d01"]
        plain = opened.rank({"q": "rye"}, rm3=Rm3(original_weight=1.0))["q"]
        assert [doc_id for doc_id, _ in plain] == ["d00"]


def test_rm3_weighs_terms_as_anserini_does(tmp_path: Path) -> None:
    """Shares of d0's two most frequent terms are oven 2/3, rye 1/3, of d1's malt and rye 1/2 each;
    "water" is too common; of the sums, times the documents' scores, the two heaviest share half."""
    texts = ["rye oven oven", "rye malt", *["water"] * 20]
    build_collection(
        [{"id": f"d{n:02d}", "text": text} for n, text in enumerate(texts)], tmp_path / "ix"
    )
    with open_index(tmp_path / "ix") as opened:
        first, second = (scores(opened.rank({"q": "rye"}))[name] for name in ("d00", "d01"))
        scorer = Scorer(term_counts_of(opened.engine_index), Weighting())
        (weights,) = expanded_queries([{"rye": 1}], opened.part(), scorer, Rm3(2, 2, 0.5))
    rye, oven = first / 3 + second / 2, 2 / 3 * first
    assert oven > second / 2  # of malt
    assert weights == pytest.approx(
        {"rye": 0.5 + 0.5 * rye / (rye + oven), "oven": 0.5 * oven / (rye + oven)}
    )


def test_rankings_are_ranked_by_score_and_ties_as_trec_eval_has_them() -> None:
    """A file of these rows has c before b: trec_eval orders equal scores by doc_id, falling."""
    rankings = Rankings({"q": [("a", 0.123456789012), ("b", 1.0), ("c", 1.0), ("d", 25.5)]})
    assert rankings.to_trec("t") == (
        "q Q0 d 1 25.5 t\nq Q0 c 2 1 t\nq Q0 b 3 1 t\nq Q0 a 4 0.123456789012 t\n"
    )


@pytest.mark.parametrize(
    ("rankings", "message"),
    [
        (Rankings({"q": [("a", math.nan)]}), "the score of a for topic q is nan"),
        (Rankings({"q": [("a", "3")]}), "the score of a for topic q is '3': expected a number"),  # type: ignore[list-item]
        (Rankings({"q": [("a", 2.0), ("a", 1.0)]}), "a appears twice for topic q"),
        (Rankings({"q": {"a1": 2.0}}), "topic q: 'a1'; expected pairs"),  # type: ignore[dict-item]
        (Rankings({7: [("a", 1.0)]}), "the topic id 7: expected a text"),  # type: ignore[dict-item]
        (Rankings({"q": [("a b", 1.0)]}), "the doc_id 'a b'"),
    ],
)
def test_what_a_run_cannot_hold_is_refused(rankings: Rankings, message: str) -> None:
    with pytest.raises(UserError, match=message):
        rankings.to_trec()


@pytest.mark.parametrize(
    ("topics", "options", "message"),
    [
        (["rye"], {}, "topics: expected queries by their ids, not list"),
        ({"q": "rye"}, {"weighting": "ql"}, "weighting: expected a Weighting, not str"),
        ({"q": "rye"}, {"rm3": True}, "rm3: expected an Rm3, not bool"),
    ],
)
def test_arguments_of_another_type_are_refused(
    index: OpenIndex, topics: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        index.rank(topics, **options)


def test_a_topic_id_that_is_no_text_is_refused(index: OpenIndex) -> None:
    with pytest.raises(UserError, match="the topic id 7: expected a text, such as '7'"):
        index.rank({7: "rye"})  # type: ignore[dict-item]


def test_equal_scores_are_ordered_by_doc_id_and_fall(tmp_path: Path) -> None:
    texts = {"b": "rye", "a": "rye", "c": "oat"}
    build_collection(({"id": name, "text": text} for name, text in texts.items()), tmp_path / "ix")
    with open_index(tmp_path / "ix") as opened:
        (first, score), (second, lower) = opened.rank({"q": "rye"})["q"]
    assert (first, second) == ("a", "b")
    assert 0 < score - lower < 1e-6


def test_nothing_is_found_for_unknown_terms(index: OpenIndex) -> None:
    assert index.rank({"q": "nothing"})["q"] == []


def test_the_k_best_are_the_first_of_all_whatever_ties(tmp_path: Path) -> None:
    """200 documents of 7 scores."""
    texts = {
        f"d{n:03d}": " ".join(["rye"] * (n % 7 + 1) + ["oat"] * (6 - n % 7)) for n in range(200)
    }
    build_collection(({"id": name, "text": text} for name, text in texts.items()), tmp_path / "ix")
    with open_index(tmp_path / "ix") as opened:
        everything = list(opened.rank({"q": "rye"}, 200)["q"])
        assert [doc_id for doc_id, _ in everything[:2]] == ["d006", "d013"]
        assert everything == sorted(everything, key=lambda pair: (-pair[1], pair[0]))
        for k in (1, 28, 29, 100):
            assert opened.rank({"q": "rye"}, k)["q"] == everything[:k]


def test_topics_of_a_batch_do_not_touch_each_other(index: OpenIndex) -> None:
    topics = {"a": "oat rye rye", "none": "zzzz", "b": "barley", "c": "oat rye"}
    together = index.rank(topics)
    assert list(together) == list(topics)
    for query_id, text in topics.items():
        assert together[query_id] == index.rank({query_id: text})[query_id]


def test_a_ranking_is_a_sequence_of_pairs(index: OpenIndex) -> None:
    ranking = index.rank({"q": "oat"})["q"]
    assert [ranking[n] for n in range(len(ranking))] == list(ranking)
    assert ranking[1:] == list(ranking)[1:]
    assert ranking[-1] == list(ranking)[-1]


def test_term_counts_are_kept_with_their_build_of_the_index(tmp_path: Path) -> None:
    """A new build of the index forgets what was counted of the old one."""

    def build(text: str) -> None:
        build_collection([{"id": "a", "text": text}], tmp_path / "ix", replace=True)

    def found(word: str) -> list[str]:
        with open_index(tmp_path / "ix") as opened:
            return [doc_id for doc_id, _ in opened.rank({"q": word})["q"]]

    build("rye")
    assert (found("rye"), found("rye"), found("oat")) == (["a"], ["a"], [])
    build("oat")
    assert (found("rye"), found("oat")) == ([], ["a"])


@pytest.mark.parametrize("parts", [2, 10_000])  # the first half is left, or nothing
@pytest.mark.parametrize("name", ["counts.npy", "terms.txt", "doc_ids.txt"])
def test_damaged_term_counts_are_counted_again(tmp_path: Path, name: str, parts: int) -> None:
    build_collection(
        ({"id": name, "text": text} for name, text in TEXTS.items()), tmp_path / "ix", language="en"
    )
    with open_index(tmp_path / "ix") as opened:
        expected = opened.rank({"q": "oat rye"}).to_trec()
    (kept,) = (tmp_path / "ix").rglob(name)
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // parts])
    for _ in range(2):
        with open_index(tmp_path / "ix") as opened:
            assert opened.rank({"q": "oat rye"}).to_trec() == expected
    assert kept.read_bytes() == whole


def test_term_counts_of_a_folder_that_cannot_be_written_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    build_collection([{"id": "a", "text": "rye"}], tmp_path / "ix")
    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with open_index(tmp_path / "ix") as opened:
        assert len(opened.rank({"q": "rye"})["q"]) == 1


def test_an_index_that_is_no_collection_takes_the_engines_bm25_alone(sample_book: str) -> None:
    with open_index(sample_book) as book:
        run = book.rank({"q": "Taj Mahal"}, 3)["q"]
        assert run == [(hit.doc_id, hit.score) for hit in book.search("Taj Mahal", 3, exact=True)]
        with pytest.raises(UserError, match="no collection"):
            book.rank({"q": "Taj Mahal"}, rm3=Rm3())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<top>\n<num> Number: 7\n<title> rye <b>\n<desc> Description:\nlong\n</top>",
            {"7": "rye"},
        ),
        ("<top><num>7</num><title>\nRYE &amp; oat</title></top>", {"7": "RYE & oat"}),
        ('<topics><topic number="7"><query>rye</query></topic></topics>', {"7": "rye"}),
        ("<DOC>\n<DOCNO> 7 </DOCNO>\n rye\noat\n</DOC>\n", {"7": "rye oat"}),
        ('{"_id": "7", "text": "rye"}\n{"_id": "8", "text": "oat"}\n', {"7": "rye", "8": "oat"}),
        (".I 7\n.W\nrye\noat\n", {"7": "rye oat"}),
        ("7\trye\n", {"7": "rye"}),
    ],
)
def test_topics_of_every_form(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    (tmp_path / "t").write_text(text)
    assert {topic.query_id: topic.text for topic in read_topics(tmp_path / "t")} == expected


def test_fields_and_numbers_of_topics(tmp_path: Path) -> None:
    topic = "<top>\n<num> Number: 9\n<title> rye\n<desc> Description:\nbread of it\n</top>\n"
    (tmp_path / "t").write_text(topic)
    assert read_topics(tmp_path / "t", ["desc", "title"])[0].text == "bread of it rye"
    assert read_topics(tmp_path / "t", renumber=True)[0].query_id == "1"
    with pytest.raises(UserError, match=":1: the topic 9 has no narr"):
        read_topics(tmp_path / "t", ["narr"])
    (tmp_path / "cacm").write_text("<DOC>\n<DOCNO> 7 </DOCNO>\n rye\n</DOC>\n")
    for path in (SAMPLES / "dbqa.dev.txt", tmp_path / "cacm"):
        with pytest.raises(UserError, match="topics without fields"):
            read_topics(path, ["title"])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1 0 d1 1\n1 0 d2 0\n", "judgements"),
        ("query-id\tcorpus-id\tscore\n1\td1\t1\n", "judgements"),
        ("1 Q0 d1 1 2.5 mine\n", "a run"),
    ],
)
def test_judgements_and_runs_are_neither_topics_nor_documents(
    tmp_path: Path, text: str, form: str
) -> None:
    (tmp_path / "file.txt").write_text(text)
    with pytest.raises(UserError, match=f"file.txt:1: looks like {form}"):
        read_topics(tmp_path / "file.txt")
    with pytest.raises(UserError, match=f"file.txt:1: looks like {form}"):
        build_collection(tmp_path / "file.txt", tmp_path / "ix")


def test_four_words_are_a_question(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("is 0 a number\n")
    assert read_topics(tmp_path / "t")[0].text == "is 0 a number"


@pytest.mark.parametrize("options", [{}, {"rm3": Rm3()}, {"weighting": Weighting("ql")}])
def test_both_engines_give_the_same_run(
    elasticsearch_address: str, tmp_path: Path, options: dict
) -> None:
    topics = {
        topic.query_id: topic.text for topic in read_topics(SAMPLES / "collection" / "topics.trec")
    }
    runs = []
    for address in (elasticsearch_address, str(tmp_path / "ix")):
        build_collection(SAMPLES / "collection" / "corpus.jsonl", address, replace=True)
        with open_index(address) as opened:
            runs.append(opened.rank(topics, **options).to_trec())
    assert runs[0] == runs[1] != ""
