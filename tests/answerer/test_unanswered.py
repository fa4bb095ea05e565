"""A run of which more than half of the questions found nothing to be answered from is refused by
every task that searches, with one line that names both files, and nothing is written."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from answerer.answering import answer
from answerer.run import Unanswered, require_answers
from indexer import build_textbook, build_triples
from indexer.files.errors import UserError
from tests.places import SAMPLES
from tests.programs import done, refused


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with indexes of each kind that the samples' questions do not fit, and reports of
    another company."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "book.jsonl").write_text('{"text": "Yeast ferments sugar."}\n')
    build_textbook(folder / "book.jsonl", folder / "textbook", language="en")
    (folder / "other.kb").write_text("绿洲咖啡馆 ||| 老板 ||| 沈小曼\n", "utf-8")
    build_triples(folder / "other.kb", folder / "triples")
    data = [{"data_format": "csv", "data_url": "a.csv", "data_filename": "a.csv"}]
    dataset = {"id": "0" * 12, "title": "Tea", "description": "", "data": data}
    (folder / "collection.jsonl").write_text(json.dumps(dataset) + "\n")
    (folder / "a.csv").write_text("Tea,Price\ngreen,3\n")
    with tarfile.open(folder / "data.tar", "w") as tar:
        tar.add(folder / "a.csv", "a.csv")
    files = [str(folder / "collection.jsonl"), str(folder / "data.tar")]
    done("indexer", "datasets", *files, "--index", folder / "datasets")
    (folder / "reports" / "S900OTHR").mkdir(parents=True)
    (folder / "reports" / "S900OTHR" / "S900OTHR-0101010.html").write_text(
        "<table><tr><td>a</td><td>1</td></tr></table>"
    )
    return folder


TASKS = [
    ("ntcir-mc", "sample-exam-en.xml", "--index", "textbook"),
    ("ntcir-term", "term-en.xml", "--index", "textbook"),
    ("ntcir-essay", "essay-en.xml", "--index", "textbook"),
    ("ntcir-extraction", "essay-en.xml", "--index", "textbook"),
    ("nlpcc-kbqa", "kbqa-zh.txt", "--index", "triples"),
    ("datasearch-qa", "datasearch-questions.tsv", "--index", "datasets"),
    ("u4-tqa", "u4-tqa.questions.json", "--reports", "reports"),
    ("u4-tr", "u4-tr.questions.json", "--reports", "reports"),
]


@pytest.mark.parametrize(("task", "questions", "option", "collection"), TASKS)
def test_a_wrong_collection_is_refused(
    wrong: Path, tmp_path: Path, task: str, questions: str, option: str, collection: str
) -> None:
    words = ["answerer", task, str(SAMPLES / questions), option, str(wrong / collection)]
    out = tmp_path / "run"
    line = refused(*words, "-o", str(out))
    assert questions in line
    assert str(wrong / collection) in line
    assert "--allow-unanswered" in line
    assert not out.exists()


@pytest.mark.parametrize(("task", "questions", "option", "collection"), TASKS)
def test_it_is_answered_where_that_is_allowed(
    wrong: Path, tmp_path: Path, task: str, questions: str, option: str, collection: str
) -> None:
    words = [task, str(SAMPLES / questions), option, str(wrong / collection)]
    done("answerer", *words, "--allow-unanswered", "-o", tmp_path / "run")
    assert (tmp_path / "run").exists()


def test_python_refuses_as_the_command_does(wrong: Path) -> None:
    questions = SAMPLES / "kbqa-zh.txt"
    with pytest.raises(UserError, match="has nothing on 5 of 5 questions"):
        answer("nlpcc-kbqa", questions, index=wrong / "triples")
    answer("nlpcc-kbqa", questions, index=wrong / "triples", allow_unanswered=True)


def test_half_of_the_questions_may_find_nothing() -> None:
    require_answers(Unanswered(["a", "b"], 4, "index"), ["questions"])
    with pytest.raises(UserError, match=r"^questions: index has nothing on 3 of 4 questions"):
        require_answers(Unanswered(["a", "b", "c"], 4, "index"), ["questions"])
