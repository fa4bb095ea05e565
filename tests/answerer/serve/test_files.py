"""Files of every task sent to POST /answer: the submission and trace of the command, byte for byte;
what is refused."""

from __future__ import annotations

import base64
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from answerer.beginning import beginning_of
from answerer.registry import tasks
from answerer.serve.pool import ServerLimits
from answerer.serve.requests import NoQuestions, task_of
from tests.answerer.serve.server import (
    begun,
    built,
    indexed,
    post,
    sent,
    serving,
    status_at_last,
    workers_of,
)
from tests.places import SAMPLES
from tests.programs import done, run

pytestmark = pytest.mark.process

QUESTION = {"question": "In which town did Shah Jahan build the Taj Mahal?"}
FILES = [
    ("ntcir-mc", "sample-exam-en.xml", "ntcir-mc"),
    ("ntcir-mc", "sample-exam-ja.xml", "ntcir-mc"),
    ("ntcir-term", "term-en.xml", "ntcir-sheet"),
    ("ntcir-sheet", "sheet-en.xml", "ntcir-sheet"),
    ("ntcir-essay", "essay-ja.xml", "ntcir-sheet"),
    ("ntcir-extraction", "essay-en.xml", "ntcir-sheet"),
    ("nlpcc-kbqa", "kbqa-zh.txt", "nlpcc-kbqa"),
    ("nlpcc-dbqa", "dbqa.dev.txt", "nlpcc-dbqa"),
    ("nlpcc-tbqa", "tbqa.dev.txt", "nlpcc-tbqa"),
    ("selqa", "selqa.test.json", "selqa"),
    ("datasearch-qa", "datasearch-questions.tsv", "datasearch-qa"),
    ("u4-tqa", "u4-tqa.questions.json", "u4-tqa"),
    ("u4-tr", "u4-tr.questions.json", "u4-tr"),
]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Indexes of every kind, two of them textbooks."""
    folder = tmp_path_factory.mktemp("files")
    return [
        built(folder / "en", "textbook-en.jsonl"),
        built(folder / "ja", "textbook-ja.jsonl"),
        indexed("triples", folder / "triples", "triples-zh.kb"),
        indexed(
            "datasets",
            folder / "datasets",
            "datasearch-collection.jsonl.bz2",
            "datasearch-data.tar.bz2",
        ),
        indexed("reports", folder / "reports", "u4-reports.tar.xz"),
    ]


@pytest.fixture(scope="module")
def port(indexes: list[str]) -> Iterator[int]:
    with serving(indexes) as port:
        yield port


def kept(attached: dict[str, str]) -> bytes:
    return base64.b64decode(attached["content"])


@pytest.mark.parametrize(("task", "name", "guessed"), FILES)
def test_submission_and_trace_are_those_of_the_command(
    port: int, indexes: list[str], task: str, name: str, guessed: str, tmp_path: Path
) -> None:
    told = post(port, sent(name, task=task, evidence=True)).value
    out, trace = tmp_path / "out", tmp_path / "trace"
    header = json.loads(kept(told["trace"]).splitlines()[0])["run"]
    index = ["--index", header["index"]] if header["index"] else []
    done("answerer", task, SAMPLES / name, *index, "-o", out, "--trace", trace)
    assert kept(told["submission"]) == out.read_bytes()
    assert kept(told["trace"]) == trace.read_bytes()
    stem, _, kind = name.rpartition(".")
    assert (told["submission"]["name"], told["trace"]["name"]) == (
        f"{stem}.run.{kind}",
        f"{stem}.trace.jsonl",
    )
    assert told["run"] == header
    assert len(told["questions"]) == len(trace.read_bytes().splitlines()) - 1


@pytest.mark.parametrize(("task", "name", "guessed"), FILES)
def test_a_file_says_by_its_beginning_which_task_it_is_of(
    task: str, name: str, guessed: str
) -> None:
    assert task_of([(SAMPLES / name).read_text("utf-8")]).name == guessed


@pytest.mark.parametrize(
    ("text", "guessed"),
    [
        ('{"question": "Who?", "candidates": ["Ann.", "Bob."], "answers": [0]}', "selqa"),
        ("7.1\tWho?\tAnn.\t1\n", "selqa"),
        ("Who?\tAnn.\t1\n", "nlpcc-dbqa"),
        ("1. Who?\nA) Ann\nB) Bob\n", "ntcir-mc"),
        ("1.\tWho?\nA)\tAnn\nB)\tBob\n", "ntcir-mc"),
        ("Who is it? {=Ann ~Bob}\n", "ntcir-mc"),
        ("id,question,A,B,answer\n1,Who?,Ann,Bob,A\n", "ntcir-mc"),
        ("1\tWho is it?\t1\tAnn\tBob\n2\tWhat?\t2\tx\ty\n", "ntcir-mc"),
        ('{"question": "Who?", "choices": ["Ann", "Bob"]}\n', "ntcir-mc"),
        ('{"question_id": "1", "question": "Who?", "dataset": "a"}\n', "datasearch-qa"),
    ],
)
def test_forms_that_no_sample_has(text: str, guessed: str) -> None:
    assert task_of([text]).name == guessed


@pytest.mark.parametrize(
    "name", ["questions-en.txt", "questions-en.gift", "questions-en.csv", "questions-ja.txt"]
)
def test_plain_questions_get_a_run_as_the_command_writes_it(port: int, name: str) -> None:
    told = post(port, sent(name, method="slqal", evidence=True)).value
    index = told["run"]["index"]
    ended = run("answerer", "ntcir-mc", str(SAMPLES / name), "--index", index, "--method", "slqal")
    assert (told["task"], kept(told["submission"]).decode()) == ("ntcir-mc", ended.out)
    assert told["submission"]["name"] == f"{name.partition('.')[0]}.run.tsv"
    assert index.endswith(name.partition(".")[0][-2:])


@pytest.mark.parametrize("root", ["TOPIC", "TOPIC_SET"])
def test_passages_of_one_topic_or_several_are_summarized(root: str) -> None:
    files = ["<answer_sheet/>", f'<?xml version="1.0"?>\n<{root}/>']
    task = task_of(files)
    assert task.name == "ntcir-summarization"
    assert task.several_files
    assert [task.is_first(beginning_of(text)) for text in files] == [True, False]


def test_a_comment_before_the_root_element_does_not_hide_it() -> None:
    assert task_of(["<!-- by <anna@example.org> -->\n<exam>"]).name == "ntcir-mc"


def test_every_task_that_is_answered_from_one_file_is_tried() -> None:
    several = {task.name for task in tasks().values() if task.several_files}
    assert {*tasks()} - {task for task, _, _ in FILES} == several


def test_passages_with_their_sheet_are_summarized_in_whatever_order(
    port: int, tmp_path: Path
) -> None:
    passages = kept(post(port, sent("essay-en.xml", task="ntcir-extraction")).value["submission"])
    (tmp_path / "passages.xml").write_bytes(passages)
    ended = run(
        "answerer",
        "ntcir-summarization",
        str(SAMPLES / "essay-en.xml"),
        str(tmp_path / "passages.xml"),
    )
    sheet = sent("essay-en.xml")["file"]
    told = post(port, {**sent("passages.xml", passages), "more": [sheet]}).value
    assert (told["task"], told["submission"]["name"]) == ("ntcir-summarization", "essay-en.run.xml")
    assert kept(told["submission"]).decode() == ended.out


def test_sheets_are_judged_by_the_first(port: int, tmp_path: Path) -> None:
    essays = kept(post(port, sent("essay-en.xml", task="ntcir-essay")).value["submission"])
    (tmp_path / "ours.xml").write_bytes(essays)
    gold, trace = str(SAMPLES / "essay-en.gold.xml"), tmp_path / "trace"
    files = [str(tmp_path / "ours.xml"), str(SAMPLES / "essay-en.xml")]
    ended = run(
        "answerer", "ntcir-evaluation-method", gold, "--answers", *files, "--trace", str(trace)
    )
    more = [sent("ours.xml", essays)["file"], sent("essay-en.xml")["file"]]
    told = post(port, {**sent("essay-en.gold.xml", evidence=True), "more": more}).value
    assert (told["task"], kept(told["submission"]).decode()) == (
        "ntcir-evaluation-method",
        ended.out,
    )
    assert kept(told["trace"]) == trace.read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "glossary-en.csv",
        "triples-zh.kb",
        "sample-exam-en.gold.xml",
        "textbook-en.jsonl",
        "u4-tqa.gold.json",
    ],
)
def test_what_is_no_task_s_file_is_told(name: str) -> None:
    with pytest.raises(NoQuestions):
        task_of([(SAMPLES / name).read_text("utf-8")])


def test_a_binary_file_is_no_task_s(port: int) -> None:
    told = post(port, sent("x.bin", bytes(range(256))))
    assert (told.status, told.value["no_questions"]) == (400, True)


def test_the_index_is_of_the_file_s_language_and_the_method_as_asked(
    port: int, indexes: list[str]
) -> None:
    japanese = post(port, sent("sample-exam-ja.xml", method="slqal", evidence=True)).value["run"]
    assert (japanese["index"], japanese["method"]) == (indexes[1], "slqal")
    assert post(port, sent("sample-exam-en.xml", evidence=True)).value["run"]["index"] == indexes[0]


@pytest.mark.parametrize("encoding", ["utf-16", "shift_jis", "euc_jp"])
def test_a_file_in_another_encoding_says_its_task_and_language(
    port: int, indexes: list[str], encoding: str
) -> None:
    text = (
        (SAMPLES / "sample-exam-ja.xml")
        .read_text("utf-8")
        .replace('encoding="UTF-8"', f'encoding="{encoding}"')
    )
    exam = text.encode(encoding, "xmlcharrefreplace")
    value = post(port, sent("exam.xml", exam, evidence=True, method="slqal")).value
    assert (value["task"], value["run"]["index"]) == ("ntcir-mc", indexes[1])


def test_a_task_of_the_server_s_overrides_every_guess_and_yields_to_the_request_s(
    book: str,
) -> None:
    sheet = sent("term-en.xml")
    with serving([book], task="ntcir-term") as port:
        assert post(port, sheet).value["task"] == "ntcir-term"
        assert post(port, {**sheet, "task": "ntcir-sheet"}).value["task"] == "ntcir-sheet"
        refused = post(port, sent("chapter.txt", b"Rivers\n\nThe Avon rises near Naseby.\n"))
    assert (refused.status, list(refused.value)) == (422, ["error"])  # not: it may be a textbook


def test_without_evidence_the_submission_comes_alone(port: int) -> None:
    assert post(port, sent("dbqa.dev.txt")).value.keys() == {"task", "submission"}


def test_lines_tell_how_far_the_work_is(port: int) -> None:
    lines = post(port, sent("kbqa-zh.txt"), Accept="application/x-ndjson").lines
    told = [line["progress"] for line in lines if "progress" in line]
    assert (told[0]["label"], told[0]["done"]) == ("answered", 0)
    assert told[0]["total"] > 0


def test_a_file_without_a_fault_gets_no_note(port: int) -> None:
    lines = post(port, sent("dbqa.dev.txt", evidence=True), Accept="application/x-ndjson").lines
    assert [line["note"] for line in lines if "note" in line] == []


def test_what_is_odd_in_a_file_is_told_by_its_name(port: int) -> None:
    exam = (
        (SAMPLES / "sample-exam-en.xml")
        .read_bytes()
        .replace(b"<choice>", b"<choise>")
        .replace(b"</choice>", b"</choise>")
    )
    lines = post(port, sent("exam.xml", exam), Accept="application/x-ndjson").lines
    told = [line["note"] for line in lines if "note" in line] or [lines[-1]["error"]]
    assert told
    assert "classical-qa-serve" not in " ".join(told)


@pytest.mark.parametrize(
    ("request_", "status", "line"),
    [
        (sent("x.xml", b"<exam><question"), 422, "x.xml"),
        (sent("../../etc/x.xml", b"<exam><question"), 422, "x.xml"),
        (sent("x.xml", b""), 400, "the file is empty"),
        ({"file": {"name": "x.xml", "content": "%%%"}}, 400, "file content: expected base64"),
        ({"file": {"name": "x.xml"}}, 400, "'content' is a required property"),
        ({"file": "x"}, 400, "$.file: 'x' is not of type 'object'"),
        ({"file": {"name": "..", "content": "PGV4YW0+"}}, 400, "expected the name of a file"),
        ({"file": {"name": "a\nb", "content": "PGV4YW0+"}}, 400, "expected the name of a file"),
        (sent("dbqa.dev.txt", task="ntcir-essays"), 400, "is not one of ['ntcir-mc'"),
        (
            sent("essay-en.gold.xml", task="ntcir-evaluation-method"),
            400,
            "takes several files: give them together",
        ),
        (
            sent("term-en.xml", task="ntcir-term", more=[sent("term-ja.xml")["file"]]),
            400,
            "from one file at a time",
        ),
        (
            sent("term-en.xml", more=[sent("dbqa.dev.txt")["file"]]),
            400,
            "give one at a time (the book first, then its quiz)",
        ),
        (
            sent("term-en.xml", more=[sent("term-en.xml")["file"]]),
            400,
            "two files are called term-en.xml",
        ),
        (sent("term-en.xml", more=sent("term-en.xml")["file"]), 400, "is not of type 'array'"),
        (sent("dbqa.dev.txt", task=["selqa"]), 400, "['selqa']"),
        (sent("dbqa.dev.txt", method="names"), 422, "sum, bm25"),
        (sent("sample-exam-en.xml", index="/etc"), 400, "'/etc'"),
        (sent("sample-exam-en.xml", k=3), 400, "'k'"),
        (sent("dbqa.dev.txt", task="ntcir-mc"), 422, "dbqa.dev.txt"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line(
    port: int, request_: dict[str, Any], status: int, line: str
) -> None:
    told = post(port, request_)
    assert (told.status, told.value.keys()) == (status, {"error"})
    assert line in told.value["error"]
    assert "classical-qa-serve" not in told.value["error"]


def test_a_task_whose_kind_of_index_is_not_served_is_told(book: str) -> None:
    with serving([book]) as port:
        told = post(port, sent("kbqa-zh.txt"))
    assert (told.status, told.value["error"]) == (
        400,
        "nlpcc-kbqa asks an index of the kind 'triples', but none is served",
    )


def test_files_that_take_for_ever_leave_a_process_to_questions(book: str) -> None:
    """Both processes stand still and two files come, of which one gets a process and the other has
    to wait.

    So the first question finds the other process, and is given up when its time is over, long
    before a file would be; the second is answered by the process that replaced it, while the files
    are still where they were.
    """
    others = workers_of(os.getpid())
    with serving([book], ServerLimits(question_seconds=10, file_seconds=600)) as port:
        own = [worker for worker in workers_of(os.getpid()) if worker not in others]
        for worker in own:
            os.kill(worker, signal.SIGSTOP)
        files = [begun(port, sent("sample-exam-en.xml")) for _ in range(2)]
        assert [post(port, QUESTION).status for _ in range(2)] == [504, 200]
        os.kill(next(worker for worker in own if worker in workers_of(os.getpid())), signal.SIGCONT)
        assert [status_at_last(file) for file in files] == [200, 200]


def test_nothing_is_left_in_the_temporary_folder(
    book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with serving([book]) as port:
        assert post(port, sent("sample-exam-en.xml", evidence=True)).status == 200
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("text", "is_json"), [("[1] Which?\n", False), ("\n[{", True)])
def test_a_number_in_brackets_begins_no_json(text: str, is_json: bool) -> None:
    assert beginning_of(text).is_json is is_json
