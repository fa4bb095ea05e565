"""The KBQA task from question file to blocks of answers, its trace, its training and its
refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from answerer.formats.nlpcc_kbqa import read_questions
from answerer.nlpcc.kbqa.ranker import RankedAnswer
from answerer.nlpcc.kbqa.task import answer_texts, command
from answerer.nlpcc.kbqa.training import command as train
from answerer.nlpcc.kbqa.training import folds_by_predicate
from answerer.trace import read_trace
from indexer.files.hashes import fingerprint
from tests.answerer.nlpcc.kbqa.knowledge import KB, QUESTIONS, build
from tests.programs import invoked, json_lines, refusal
from tests.refusals import names


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("kbqa") / "index")
    build(place)
    return place


def run(program: click.Command, *arguments: str) -> Result:
    return CliRunner().invoke(program, list(arguments))


def answers(address: str, *options: str, file: Path = QUESTIONS) -> str:
    return invoked(command, file, "--index", address, *options).stdout


def test_the_sample_is_answered_in_official_blocks(address: str) -> None:
    expected = "".join(
        f"{question.head}\t{question.text}\n<answer "
        f"id={question.question_id}>\t{question.answer_text}\n{'=' * 50}\n"
        for question in read_questions(QUESTIONS)
    )
    assert answers(address) == expected


def test_top_writes_a_ranked_list(address: str) -> None:
    lines = answers(address, "--top", "3").splitlines()
    assert lines[1].startswith("<answer id=1>\t范仲淹\t")
    assert lines[1].count("\t") == 3


def test_what_is_written_holds_each_text_once() -> None:
    ranked = [RankedAnswer(("a", "b"), 0.6, 0), RankedAnswer(("b", "c"), 0.4, 1)]
    assert answer_texts(ranked, 2) == ["a", "b", "c"]
    assert answer_texts([], 1) == []


def test_a_question_that_names_nothing_gets_an_empty_answer(address: str, tmp_path: Path) -> None:
    file = tmp_path / "questions"
    file.write_text('<question id="4">\tzzz？\n', "utf-8")
    printed = answers(address, "--allow-unanswered", file=file)
    assert printed.splitlines()[1] == '<answer id="4">\t'


def test_the_trace_shows_mentions_facts_and_signals(address: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    answers(address, "--model", "none", "--trace", str(trace))
    header, first, *_ = json_lines(trace)
    assert header["run"]["parameters"] == {"linking": "fuzzy", "top": 1, "model": None}
    assert first["mentions"][0] == {"name": "岳阳楼记", "start": 4, "end": 8, "similarity": 1.0}
    best = first["candidates"][0]
    assert best["fact"] == ["岳阳楼记", "作者", "范仲淹"]
    [evidence] = best["evidence"]
    assert sum(best["features"].values()) == pytest.approx(evidence["score"], rel=1e-6)
    assert evidence["doc_id"] == "triples-zh-00000002"
    assert len({candidate["text"] for candidate in first["candidates"]}) == len(first["candidates"])


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """An index and training questions in which `咋样` asks for 风味: no character says so."""
    folder = tmp_path_factory.mktemp("lesson")
    lines, blocks = [], []
    for number in range(24):
        facts = {"风味": f"味{number}", "产区": f"区{number}", "树龄": f"{number}岁"}
        lines += [
            f"茶叶{number:02d} ||| {predicate} ||| {value}\n" for predicate, value in facts.items()
        ]
        asked, predicate = (("咋样呀", "风味"), ("哪个产区", "产区"))[number % 2]
        head = f"<question id={number}>\t茶叶{number:02d}{asked}？\n<answer id={number}>\t{facts[predicate]}\n"
        blocks.append(head + "=" * 50 + "\n")
    (folder / "kb").write_text("".join(lines), "utf-8")
    (folder / "train").write_text("".join(blocks[:20]), "utf-8")
    (folder / "test").write_text("".join(blocks[20:]), "utf-8")
    build(str(folder / "index"), kb=folder / "kb")
    return str(folder / "index"), folder


def test_without_templates_a_model_holds_numbers_only(lesson: tuple[str, Path]) -> None:
    place, folder = lesson
    model = folder / "numbers.json"
    learning = run(
        train,
        str(folder / "train"),
        "--index",
        place,
        "-o",
        str(model),
        "--folds",
        "2",
        "--no-templates",
    )
    assert learning.exception is None, learning.exception
    held = json.loads(model.read_text("utf-8"))
    assert held["learned"] == {}
    assert not any(
        row[0].startswith("template") for row in held["features: name, weight, mean, scale"]
    )
    assert answers(place, "--model", str(model), file=folder / "test").count("<answer id=") == 4


def test_templates_teach_what_no_character_says(lesson: tuple[str, Path]) -> None:
    place, folder = lesson
    model = str(folder / "model.json")
    result = run(train, str(folder / "train"), "--index", place, "-o", model, "--folds", "2")
    assert result.exception is None, result.exception
    assert "20 questions, 20 of them answered by the index" in result.stderr
    gold = [question.answers for question in read_questions(folder / "test")]
    out = folder / "run"
    trace = folder / "trace"
    answers(place, "--model", model, "-o", str(out), "--trace", str(trace), file=folder / "test")
    assert read_trace(trace)[0]["parameters"]["model"] == fingerprint(model)
    assert [question.answers for question in read_questions(out)] == gold
    for row in read_trace(trace)[1]:
        for candidate in row.candidates:
            assert sum(candidate.features.values()) == pytest.approx(
                candidate.evidence[0].score, abs=1e-5
            )
    answers(place, "-o", str(out), file=folder / "test")
    assert [question.answers for question in read_questions(out)] != gold


def test_training_twice_gives_the_same_bytes(lesson: tuple[str, Path]) -> None:
    place, folder = lesson
    written: list[bytes] = []
    for _ in range(2):
        run(
            train,
            str(folder / "train"),
            "--index",
            place,
            "-o",
            str(folder / "again.json"),
            "--folds",
            "2",
        )
        written.append((folder / "again.json").read_bytes())
    assert written[0] == written[1]


def test_folds_share_out_the_questions_of_a_predicate() -> None:
    assert folds_by_predicate(["a", "b", "a", "a", "b"], 2).tolist() == [0, 0, 1, 0, 1]


def test_another_tasks_or_a_damaged_model_is_refused(address: str, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    model.write_text("{}", "utf-8")
    said = refusal(command, str(QUESTIONS), "--index", address, "--model", str(model))
    assert names(said, model)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (lambda place: (command, "none.txt", "--index", place), "none.txt: "),
        (lambda place: (command, str(KB), "--index", place), "triples-zh.kb:1: "),
        (lambda place: (command, str(QUESTIONS), "--index", f"{place}-none"), "-none"),
        (
            lambda place: (
                command,
                str(QUESTIONS),
                "--index",
                place,
                "--method",
                "overlap",
                "--model",
                str(KB),
            ),
            "--method overlap",
        ),
        (lambda place: (train, str(QUESTIONS), "--index", place, "-o", "m"), "5 folds"),
        (
            lambda place: (train, str(QUESTIONS), "--index", place, "-o", "m", "--folds", "2"),
            f"{QUESTIONS}: ",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    address: str, arguments: Callable[[str], tuple[click.Command, str]], said: str
) -> None:
    assert said in refusal(*arguments(address))


def test_training_needs_answers(address: str, tmp_path: Path) -> None:
    file = tmp_path / "test"
    file.write_text("<question id=1>\tA？\n", "utf-8")
    assert names(refusal(train, str(file), "--index", address, "-o", str(tmp_path / "m")), file)
    assert not (tmp_path / "m").exists()
