"""A collection ranked for a file of questions: by the engine alone, and by a trained ranker on top
of it."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from answerer.__main__ import main as answerer
from evaluation.__main__ import main as evaluation
from indexer import build_textbook
from indexer.__main__ import main as indexer
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from retriever.__main__ import main as retriever
from retriever.collection import rank_collection
from retriever.topics import Topic, read_topics
from tests.places import SAMPLES
from tests.programs import invoked


def run(program: click.Command, *arguments: object) -> str:
    return invoked(program, *arguments).stdout


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample tables, and a model for them."""
    folder = tmp_path_factory.mktemp("tables")
    run(indexer, "tables", SAMPLES / "tbqa.dev.txt", "--index", f"{folder}/ix/")
    run(
        answerer,
        "train",
        "nlpcc-tbqa",
        SAMPLES / "tbqa.dev.txt",
        "-o",
        folder / "model",
        "--folds",
        3,
    )
    return folder


def test_topics_with_and_without_ids(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("who won ?\nq7\twhen ?\n")
    assert read_topics(tmp_path / "t") == [Topic("1", "who won ?"), Topic("q7", "when ?")]


def test_topics_of_a_task_file_are_numbered_as_in_its_export() -> None:
    asked = read_topics(SAMPLES / "dbqa.dev.txt")
    assert [one.query_id for one in asked] == ["1", "2", "3", "4", "5", "6"]
    assert asked[1].text == "青石桥有多长？"
    assert read_topics(SAMPLES / "tbqa.dev.txt")[0].query_id == "1"


def test_sentences_of_a_file_ranked_for_its_own_questions(tmp_path: Path) -> None:
    file = SAMPLES / "dbqa.dev.txt"
    run(indexer, "textbook", file, "--index", f"{tmp_path}/ix/")
    run(answerer, "train", "nlpcc-dbqa", file, "-o", tmp_path / "model", "--folds", 3)
    options = ["--questions", file, "--model", tmp_path / "model", "--format", "trec", "-k", 1]
    lines = run(retriever, f"{tmp_path}/ix/", *options).splitlines()
    # By the engine alone the school's pupils come before its motto.
    assert lines[4].split()[:4] == ["5", "Q0", "dbqa-0000005-002", "1"]
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n", "no questions"),
        ("q\t\n", ":1: no question"),
        ("q\ta\tb\n", ":1: 3 columns"),
        ("x\ta\nx\tb\n", ":2: the id 'x'"),
        ("7\ta\n# of rye\n", ":2: '# of rye' has no TAB behind a number, as other lines have"),
        ('[{"id": "x"}]', ":1: no _id and text"),
        ('{"_id": null, "text": "a"}', ":1: no _id and text"),
    ],
)
def test_bad_topics_are_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(UserError) as caught:
        read_topics(tmp_path / "t")
    assert said in str(caught.value)


def test_a_model_puts_the_hits_in_its_own_order(tables: Path) -> None:
    index = open_index(f"{tables}/ix/")
    asked = [
        Topic("a", "who was mayor after ada brand?"),
        Topic("b", "zzzz"),
        Topic("c", "which river?"),
    ]
    plain = list(rank_collection(index, asked, 5))
    ranked = list(rank_collection(index, asked, 5, model_path=str(tables / "model")))
    assert [one.query_id for one in ranked] == ["a", "b", "c"]
    assert ranked[1].documents == []
    assert ranked[0].documents[0][0].document.payload.startswith("Mayors of Northvale")
    assert {hit.doc_id for hit, _ in ranked[2].documents} == {
        hit.doc_id for hit, _ in plain[2].documents
    }
    scores = [score for _, score in ranked[0].documents]
    assert scores == sorted(scores, reverse=True)


def test_trec_lines(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("q1\twho was mayor after ada brand?\n")
    options = [
        "--questions",
        tmp_path / "t",
        "--model",
        tables / "model",
        "--format",
        "trec",
        "-k",
        1,
    ]
    cells = run(retriever, f"{tables}/ix/", *options).split()
    assert (cells[:2], cells[3], cells[5]) == (["q1", "Q0"], "1", "classical-qa")


def test_sentences_are_ranked_by_the_selqa_model(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(
        '{"text": "Ann won the cup."}\n{"text": "The cup was made of tin."}\n'
    )
    (tmp_path / "t").write_text("Who won the cup?\n")
    run(indexer, "textbook", tmp_path / "s.jsonl", "--index", f"{tmp_path}/ix/", "--language", "en")
    run(answerer, "train", "selqa", SAMPLES / "selqa.dev.json", "-o", tmp_path / "m", "--folds", 3)
    first = run(
        retriever, f"{tmp_path}/ix/", "--questions", tmp_path / "t", "--model", tmp_path / "m"
    ).splitlines()[0]
    assert first.endswith("Ann won the cup.")


def test_a_model_of_another_task_is_refused(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("which river?\n")
    (tmp_path / "m").write_text(
        (tables / "model").read_text("utf-8").replace("nlpcc-tbqa", "selqa", 1), "utf-8"
    )
    with pytest.raises(UserError, match="nlpcc-tbqa"):
        run(retriever, f"{tables}/ix/", "--questions", tmp_path / "t", "--model", tmp_path / "m")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("青石桥有多长？\n谁写的？\n", "{tables}/ix/"),
        ("誰が橋を建てたか\n", "{tables}/ix/"),
        ("zzzz ?\n", "model.bin"),
    ],
)
def test_questions_in_another_language_are_refused_first_then_what_is_not_a_model(
    tables: Path, tmp_path: Path, text: str, said: str
) -> None:
    """The model is refused though nothing is found."""
    (tmp_path / "q.txt").write_text(text, "utf-8")
    (model := tmp_path / "model.bin").write_bytes(b"\x80\x00")
    with pytest.raises(UserError, match=said.format(tables=tables)):
        run(retriever, f"{tables}/ix/", "--questions", tmp_path / "q.txt", "--model", model)


@pytest.mark.parametrize(
    ("task", "name"), [("nlpcc-dbqa", "dbqa.dev.txt"), ("nlpcc-tbqa", "tbqa.dev.txt")]
)
def test_a_run_over_the_collection_is_scored_by_qrels_of_its_ids(
    tmp_path: Path, task: str, name: str
) -> None:
    """Every judged document is one of the index, and right ones are found under the ids that qrels
    give them."""
    kind = "tables" if task == "nlpcc-tbqa" else "textbook"
    run(indexer, kind, SAMPLES / name, "--index", f"{tmp_path}/ix/")
    run(
        evaluation,
        "export",
        task,
        SAMPLES / name,
        "--qrels",
        tmp_path / "qrels",
        "--index",
        f"{tmp_path}/ix/",
    )
    found = run(
        retriever, f"{tmp_path}/ix/", "--questions", SAMPLES / name, "--format", "trec", "-k", 1000
    )
    retrieved = {(cells[0], cells[2]) for cells in map(str.split, found.splitlines())}
    judged = [line.split() for line in (tmp_path / "qrels").read_text().splitlines()]
    relevant = {(query, doc_id) for query, _, doc_id, relevance in judged if relevance == "1"}
    assert relevant & retrieved
    assert {line[2] for line in judged} <= {
        document.doc_id for document in open_index(f"{tmp_path}/ix/").part().scan()
    }
    assert {line[0] for line in judged} >= {query for query, _ in retrieved}


def test_qrels_of_another_collection_are_refused(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1\twho ?\ta caption\ta_|_b\tc_|_d\n")
    with pytest.raises(UserError, match=f"{tables}/ix/"):
        run(
            evaluation,
            "export",
            "nlpcc-tbqa",
            tmp_path / "gold",
            "--qrels",
            tmp_path / "q",
            "--index",
            f"{tables}/ix/",
        )


def test_query_and_questions_exclude_each_other(tables: Path) -> None:
    with pytest.raises(UserError, match="--questions"):
        run(retriever, f"{tables}/ix/")


def test_questions_of_figures_alone_are_in_any_language(tmp_path: Path) -> None:
    texts = [{"text": "大桥在1932年开通。"}, {"text": "市长在1950年上任。"}]
    index = build_textbook(texts, tmp_path / "book", language="zh").address
    (tmp_path / "q.txt").write_text("n1\t1950\n", "utf-8")
    (line,) = run(retriever, index, "--questions", tmp_path / "q.txt").splitlines()
    (hit,) = rank_collection(open_index(index), [Topic("n1", "1950?")], 9)
    ((document, _),) = hit.documents
    assert document.doc_id in line.split()
