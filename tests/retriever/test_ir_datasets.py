"""Local files as datasets of ir_datasets: read back through ir_datasets itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.places import SAMPLES
from tests.programs import run
from tests.refusals import raises_at

ir_datasets = pytest.importorskip("ir_datasets")

from retriever.ir_datasets import register  # noqa: E402 (needs what is imported above)

WIKIQA = (
    "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"
    "Q1\twho built it ?\tD1\tTower\tD1-0\tIt is tall .\t0\n"
    "Q1\twho built it ?\tD1\tTower\tD1-1\tAnn built it .\t1\n"
)
TRECQA = "1\twho built it ?\tAnn built it .\t1\n1\twho built it ?\tIt is tall .\t0\n"


@pytest.fixture
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    """A name that is free again after the test."""
    called = f"classical-qa-test/{request.node.name}"
    yield called
    ir_datasets.registry._registered.pop(called, None)


def parts(dataset: Any) -> tuple[list[Any], list[Any], list[Any]]:
    return list(dataset.docs_iter()), list(dataset.queries_iter()), list(dataset.qrels_iter())


def test_wikiqa(tmp_path: Path, name: str) -> None:
    (tmp_path / "dev.tsv").write_text(WIKIQA)
    register(name, tmp_path / "dev.tsv")
    docs, queries, qrels = parts(ir_datasets.load(name))
    assert [tuple(doc) for doc in docs] == [("1-0", "Tower", "It is tall ."), ("1-1", "Tower", "Ann built it .")]
    assert [tuple(query) for query in queries] == [("1", "who built it ?")]
    assert [tuple(qrel) for qrel in qrels] == [("1", "1-0", 0, "0"), ("1", "1-1", 1, "0")]
    assert docs[1].default_text() == "Tower Ann built it ."


def test_trecqa(tmp_path: Path, name: str) -> None:
    (tmp_path / "dev.tsv").write_text(TRECQA)
    docs, queries, qrels = parts(register(name, tmp_path / "dev.tsv"))
    assert [(doc.doc_id, doc.text) for doc in docs] == [("1-0", "Ann built it ."), ("1-1", "It is tall .")]
    assert [query.text for query in queries] == ["who built it ?"]
    assert [qrel.relevance for qrel in qrels] == [1, 0]


def test_selqa_counts_first_and_last(name: str) -> None:
    dataset = register(name, SAMPLES / "selqa.dev.json")
    docs, queries, qrels = parts(dataset)
    text = (SAMPLES / "selqa.dev.json").read_text("utf-8")
    given = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    assert len(queries) == len(given)
    assert len(docs) == len(qrels) == dataset.docs_count() == sum(len(one["sentences"]) for one in given)
    assert (docs[0].text, queries[0].text) == (given[0]["sentences"][0], given[0]["question"])
    assert docs[-1].doc_id == f"{len(given)}-{len(given[-1]['sentences']) - 1}"
    assert dataset.queries_lang() == dataset.docs_lang() == "en"


def test_dbqa_is_chinese_and_a_test_file_has_no_qrels(name: str) -> None:
    dataset = register(name, SAMPLES / "dbqa.test.txt")
    assert dataset.docs_lang() == "zh"
    assert dataset.has_docs()
    assert dataset.has_scoreddocs()
    assert not dataset.has_qrels()


def test_tbqa_has_the_ids_of_exported_qrels(name: str, tmp_path: Path) -> None:
    dev = SAMPLES / "tbqa.dev.txt"
    docs, queries, qrels = parts(register(name, dev))
    assert docs[0].doc_id == "1-0"
    assert docs[0].text.splitlines()[0] == dev.read_text("utf-8").split("\t")[2].strip()
    assert len({query.text for query in queries}) == len(queries)
    assert run("answerer", "nlpcc-tbqa", str(dev), "-o", str(tmp_path / "scores")).status == 0
    exporting = ("export", "nlpcc-tbqa", str(dev), str(tmp_path / "scores"), "--qrels", str(tmp_path / "qrels"))
    assert run("evaluation", *exporting).status == 0
    exported = [line.split() for line in (tmp_path / "qrels").read_text().splitlines()]
    assert [[one.query_id, one.iteration, one.doc_id, str(one.relevance)] for one in qrels] == exported


def test_documents_by_id_and_by_place(name: str) -> None:
    dataset = register(name, SAMPLES / "dbqa.dev.txt")
    docs = list(dataset.docs_iter())
    assert dataset.docs_store().get("1-1") == docs[1]
    assert dataset.docs_store().get_many(["1-1", "none"]) == {"1-1": docs[1]}
    assert list(dataset.docs_iter()[1:3]) == docs[1:3]
    assert dataset.docs_iter()[2] == docs[2]


def test_a_data_search_question_is_judged_by_the_dataset_that_it_is_about(name: str) -> None:
    questions = SAMPLES / "datasearch-questions.tsv"
    dataset = register(name, questions, collection=SAMPLES / "datasearch-collection.jsonl.bz2")
    docs, queries, qrels = parts(dataset)
    lines = [line.split("\t") for line in questions.read_text("utf-8").splitlines()]
    assert [(query.query_id, query.text) for query in queries] == [(line[0], line[1]) for line in lines]
    assert [(qrel.query_id, qrel.doc_id, qrel.relevance) for qrel in qrels] == [(line[0], line[2], 1) for line in lines]
    assert {qrel.doc_id for qrel in qrels} <= {doc.doc_id for doc in docs}
    assert docs[0].doc_id == "000090000001"
    assert docs[0].title.startswith("人口推計")


def test_ids_are_those_of_evaluation_export(tmp_path: Path, name: str) -> None:
    dev = SAMPLES / "dbqa.dev.txt"
    dataset = register(name, dev)
    assert run("answerer", "nlpcc-dbqa", str(dev), "-o", str(tmp_path / "s.txt")).status == 0
    exported = ("evaluation", "export", "nlpcc-dbqa", str(dev), str(tmp_path / "s.txt"))
    assert run(*exported, "--qrels", str(tmp_path / "q.txt")).status == 0
    lines = [line.split() for line in (tmp_path / "q.txt").read_text().splitlines()]
    assert [(one.query_id, one.iteration, one.doc_id, str(one.relevance)) for one in dataset.qrels_iter()] == [
        tuple(line) for line in lines
    ]
    assert [one.doc_id for one in dataset.scoreddocs_iter()] == [line[2] for line in lines]


def test_what_is_refused(tmp_path: Path, name: str) -> None:
    register(name, SAMPLES / "dbqa.dev.txt")
    with raises_at(name):
        register(name, SAMPLES / "dbqa.dev.txt")
    with raises_at("textbook-en.jsonl"):
        register(f"{name}-2", SAMPLES / "textbook-en.jsonl")
    with raises_at("none.jsonl"):
        register(f"{name}-3", SAMPLES / "datasearch-questions.tsv", collection=tmp_path / "none.jsonl")
