"""Indexer, retriever, answerers and evaluation see the same questions and candidates in a file, or
refuse it alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from answerer.__main__ import main as answerer
from evaluation.__main__ import main as evaluation
from indexer.__main__ import main as indexer
from indexer.files.errors import UserError
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.passages import open_records
from retriever.topics import read_topics
from tests.refusals import names, raises_at

Asked = tuple[str, list[tuple[str, bool]]]  # a question and its sentences, each with its label

WIKIQA = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel"


def _rows(form: str, header: str = "") -> Callable[[Sequence[Asked]], str]:
    def text(lists: Sequence[Asked]) -> str:
        rows = [
            form.format(id=f"Q{number}", question=question, sentence=sentence, label=int(right))
            for number, (question, sentences) in enumerate(lists, 1)
            for sentence, right in sentences
        ]
        return "".join(f"{row}\n" for row in filter(None, [header, *rows]))

    return text


def _objects(lists: Sequence[Asked], sentences: str, gold: str) -> list[dict[str, object]]:
    return [
        {
            "question": question,
            sentences: [text for text, _ in own],
            gold: [n for n, (_, y) in enumerate(own) if y],
        }
        for question, own in lists
    ]


FORMS: dict[str, Callable[[Sequence[Asked]], str]] = {
    "DBQA, label first": _rows("{label}\t{question}\t{sentence}"),
    "DBQA, label last": _rows("{question}\t{sentence}\t{label}"),
    "DBQA, a test": _rows("{question}\t{sentence}"),
    "TrecQA": _rows("{id}\t{question}\t{sentence}\t{label}"),
    "WikiQA": _rows("{id}\t{question}\tD\t\tS\t{sentence}\t{label}", WIKIQA),
    "SelQA": lambda lists: "\n".join(
        json.dumps(one) for one in _objects(lists, "sentences", "candidates")
    ),
    "SelQA's repository": lambda lists: json.dumps(
        _objects(lists, "candidates", "answers"), indent=1
    ),
}

letters = st.characters(categories=["L"], codec="utf-8")
words = st.lists(st.text(letters, min_size=1, max_size=5), min_size=2, max_size=4).map(" ".join)
asked = st.tuples(words, st.lists(st.tuples(words, st.booleans()), min_size=2, max_size=4))


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=20)
@given(lists=st.lists(asked, min_size=1, max_size=4, unique_by=lambda one: one[0]))
def test_every_form_holds_the_same_for_every_room(
    tmp_path_factory: pytest.TempPathFactory, form: str, lists: list[Asked]
) -> None:
    path = tmp_path_factory.getbasetemp() / "questions.txt"
    path.write_text(FORMS[form](lists), "utf-8")
    read = read_sentence_file(path).lists
    assert [(one.question, one.candidates) for one in read] == [
        (question, tuple(text for text, _ in sentences)) for question, sentences in lists
    ]
    assert is_sentence_file(path)
    assert [one.text for one in read_topics(path)] == [question for question, _ in lists]
    passages = open_records(str(path), "q", ENGLISH, IngestReport())
    indexed = [sentence for passage in passages for sentence in passage.sentences]
    assert indexed == list(dict.fromkeys(text for _, sentences in lists for text, _ in sentences))


TABLES = "1\twho?\tCup\tname _|_ year\tAnn _|_ 1\n0\twhen?\tCup\tyear\t1_||_2\n0\twho?\tBo\tname _|_ age\tBo _|_ 2\n"


def test_tables_of_a_question_that_comes_back_are_one_list_for_every_room(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text(TABLES, "utf-8")
    (tmp_path / "scores.txt").write_text("3\n2\n1\n", "utf-8")
    files = [str(tmp_path / name) for name in ("gold.txt", "scores.txt", "run.txt")]
    evaluation.main(["export", "nlpcc-tbqa", *files[:2], "--run", files[2]], standalone_mode=False)
    run = [line.split()[0] for line in (tmp_path / "run.txt").read_text("utf-8").splitlines()]
    assert run == ["1", "1", "2"]
    assert [(one.query_id, one.text) for one in read_topics(files[0])] == [
        ("1", "who?"),
        ("2", "when?"),
    ]


def test_tables_are_not_read_as_running_text(tmp_path: Path) -> None:
    path = tmp_path / "tbqa.txt"
    path.write_text(TABLES + "a line too many\n", "utf-8")
    with raises_at(path):
        list(open_records(str(path), "tbqa", ENGLISH, IngestReport()))
    with raises_at(path, 4):
        read_topics(path)


PROGRAMS: dict[str, Callable[[Path], list[str]]] = {
    "indexer": lambda file: ["textbook", str(file), "--index", f"{file.parent}/ix/"],
    "dbqa": lambda file: ["nlpcc-dbqa", str(file)],
    "selqa": lambda file: ["selqa", str(file)],
    "training": lambda file: ["train", "selqa", str(file), "-o", f"{file.parent}/model"],
    "evaluation": lambda file: ["nlpcc-dbqa", str(file), str(file.with_name("scores.txt"))],
}
MAINS = {"indexer": indexer, "evaluation": evaluation}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1\t谁赢了？\t安。\n0\t谁赢了？\t波。\nx\t谁赢了？\t丙。\n", 3),
        ("谁赢了？\t安。\t1\n谁赢了？\t波。\n谁赢了？\t丙。\t0\n", 2),
        ("谁赢了？\t安。\n谁赢了？\t\n", 2),
    ],
)
def test_a_bad_row_stops_every_program(tmp_path: Path, program: str, text: str, line: int) -> None:
    path = tmp_path / "dbqa.txt"
    path.write_text(text, "utf-8")
    path.with_name("scores.txt").write_text("1\n", "utf-8")
    caught = CliRunner().invoke(MAINS.get(program, answerer), PROGRAMS[program](path)).exception
    assert isinstance(caught, UserError)
    assert names(str(caught), path, line)
    with raises_at(path, line):
        read_topics(path)
    assert not (tmp_path / "ix").exists()
    assert not (tmp_path / "model").exists()
