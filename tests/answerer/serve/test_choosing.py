"""Which of several textbooks answers where none is named, and what happens when one is removed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from answerer.asking.replies import Answer, Reply
from answerer.serve.choosing import best_reply, fitting
from answerer.serve.served import Served
from indexer import build_textbook
from tests.answerer.serve.server import post, request, sent, serving

VOLCANOES = "Volcanoes\n\nMagma rises in a volcano. The geologist Maria Thorn mapped Mount Ashdale."
WATER = (
    "Water\n\nWater boils at 100 degrees Celsius. The river Avon joins the Severn at Tewkesbury."
)
WATER_QUIZ = b"""1. At how many degrees Celsius does water boil?
A. 50
B. 100
C. 200
Answer: B

2. Which river joins the Severn at Tewkesbury?
A. Avon
B. Thames
C. Wye
Answer: A
"""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two English textbooks; that on water is the second."""
    folder = tmp_path_factory.mktemp("books")
    addresses = []
    for name, text in (("a-volcanoes", VOLCANOES), ("b-water", WATER)):
        (folder / f"{name}.txt").write_text(text, "utf-8")
        addresses.append(str(folder / name))
        build_textbook(folder / f"{name}.txt", addresses[-1], language="en")
    return addresses


@pytest.fixture(scope="module")
def port(books: list[str]) -> Iterator[int]:
    with serving(books) as port:
        yield port


@pytest.mark.process
@pytest.mark.parametrize(
    ("question", "book", "answer"),
    [
        ("Who mapped Mount Ashdale?", 0, "Maria Thorn"),
        ("Where does the Avon join the Severn?", 1, "Tewkesbury"),
    ],
)
def test_the_book_that_knows_answers_and_the_other_is_named(
    port: int, books: list[str], question: str, book: int, answer: str
) -> None:
    reply = post(port, {"question": question}).value
    assert (reply["address"], reply["answers"][0]["text"]) == (books[book], answer)
    assert reply["asked_also"] == [books[1 - book]]


@pytest.mark.process
def test_choices_are_judged_by_the_book_that_has_them(port: int, books: list[str]) -> None:
    value = {"question": "Where does the Avon join the Severn?", "choices": ["Tewkesbury", "Rome"]}
    reply = post(port, value).value
    assert (reply["address"], reply["answers"][0]["text"]) == (books[1], "Tewkesbury")


@pytest.mark.process
def test_an_index_that_is_named_is_asked_alone(port: int, books: list[str]) -> None:
    reply = post(port, {"question": "Who mapped Mount Ashdale?", "index": books[1]}).value
    assert reply["address"] == books[1]
    assert "asked_also" not in reply


@pytest.mark.process
def test_a_quiz_goes_to_the_book_with_its_words(port: int, books: list[str]) -> None:
    lines = post(
        port, sent("quiz.txt", WATER_QUIZ, evidence=True), Accept="application/x-ndjson"
    ).lines
    assert {"note": "asked: b-water; also served: a-volcanoes"} in lines
    assert lines[-1]["result"]["run"]["index"] == books[1]
    assert lines[-1]["result"]["check"]["counts"] == {"key agrees": 2}


@pytest.mark.process
def test_an_index_that_is_removed_drops_out_and_comes_back(
    tmp_path: Path, books: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    own = tmp_path / "own"
    shutil.copytree(books[0], own)
    question = {"question": "Where does the Avon join the Severn?"}
    with serving([str(own), books[1]]) as port:
        shutil.rmtree(own)
        reply = post(port, question)
        assert (reply.status, reply.value["answers"][0]["text"]) == (200, "Tewkesbury")
        assert "asked_also" not in reply.value
        health = request(port, "GET", "/health")
        assert (health.status, health.value["indexes"]) == (200, [books[1]])
        refused = post(port, {**question, "index": str(own)}).value["error"]
        assert refused == f"index '{own}' is not served: choose one of {books[1]}"
        shutil.copytree(books[0], own)
        assert post(port, question).value["asked_also"] == [str(own)]
    gone, back = (message for message in caplog.messages if "served" in message)
    assert gone.startswith(f"{own} is not served any more: no index at {own}")
    assert back == f"{own} is served again"


@pytest.mark.process
def test_health_without_any_index_left_is_bad(tmp_path: Path, books: list[str]) -> None:
    own = tmp_path / "own"
    shutil.copytree(books[0], own)
    with serving([str(own)]) as port:
        shutil.rmtree(own)
        health = request(port, "GET", "/health")
    assert (health.status, health.value["indexes"]) == (503, [])


def reply(likelihood: float, *texts: str) -> Reply:
    answers = tuple(Answer(text, None, "", ()) for text in texts)
    return Reply("book", "textbook", answers, likelihood=likelihood)


@pytest.mark.parametrize(
    ("replies", "best"),
    [
        ([reply(0.2, "a"), reply(0.9, "b")], 1),
        ([reply(0.9), reply(0.1, "b")], 1),  # any answer comes before none
        ([reply(0.5, "a"), reply(0.5, "b")], 0),
    ],
)
def test_the_best_reply(replies: list[Reply], best: int) -> None:
    assert best_reply(replies) == best


def served(kind: str, language: str, name: str = "") -> Served:
    address = name or f"{kind}{language}"
    return Served(address, address, kind, language)


@pytest.mark.parametrize(
    ("question", "choices", "asked"),
    [
        ("Who built it?", (), ["textbooken", "more"]),
        ("Who built it?", ("a", "b"), ["textbooken", "more"]),
        ("谁发现了青霉素？", (), ["triples"]),
        ("誰が建てたか。", (), ["datasets"]),
    ],
)
def test_the_indexes_that_fit_a_question(question: str, choices: Any, asked: list[str]) -> None:
    indexes = [
        served("triples", ""),
        served("datasets", ""),
        served("textbook", "zh"),
        served("textbook", "en"),
        served("textbook", "en", "more"),
    ]
    assert [index.address for index in fitting(question, choices, indexes)] == asked
