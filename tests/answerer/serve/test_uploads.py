"""Textbooks that are sent to a server: they become indexes that answer, or leave nothing behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from answerer.serve.pool import ServerLimits
from answerer.serve.served import new_book
from indexer import build_textbook
from tests.answerer.serve.server import post, request, sent, serving

pytestmark = pytest.mark.process

QUESTION = "Who wrote the Meditations?"
BOOK = b"Marcus Aurelius\n\nEmperor Marcus Aurelius was a Stoic philosopher and wrote the Meditations.\n"


def test_a_book_that_is_sent_answers(book: str, tmp_path: Path) -> None:
    with serving([book], books=tmp_path) as port:
        told = post(port, sent("My Book.txt", BOOK), "/index").value
        assert (told["shown"], told["kind"], told["language"]) == ("my-book", "textbook", "en")
        answer = post(port, {"question": QUESTION, "index": "my-book"}).value["answers"][0]
        assert "Marcus Aurelius" in answer["text"]
        assert request(port, "GET", "/health").value == {
            "status": "ok",
            "indexes": [book, "my-book"],
            "under_way": 0,
        }
        assert "my-book" in request(port, "GET", "/").body.decode()


def test_a_book_that_was_sent_is_removed_and_no_other(book: str, tmp_path: Path) -> None:
    with serving([book], books=tmp_path) as port:
        post(port, sent("My Book.txt", BOOK), "/index")
        assert request(port, "DELETE", "/index?name=my-book").status == 200
        assert request(port, "DELETE", "/index?name=my-book").status == 400
        assert request(port, "DELETE", f"/index?name={quote(book)}").status == 400
        assert request(port, "GET", "/health").value["indexes"] == [book]
    assert list(tmp_path.iterdir()) == []


def test_a_quiz_that_is_guessed_to_be_a_book_is_refused(book: str, tmp_path: Path) -> None:
    quiz = b"1. Who?\nA. Ann\nB. Bob\n\n2. Whom?\nA. Cid\nB. Dan\n"
    with serving([book], books=tmp_path) as port:
        told = post(port, sent("quiz.txt", quiz, guess=True), "/index")
        assert (told.status, "looks like a quiz" in told.value["error"]) == (422, True)
        assert post(port, sent("a.txt", BOOK, guess=True), "/index").status == 200


def test_the_notes_on_a_book_call_its_index_by_its_name_and_none_is_a_warning(
    book: str, tmp_path: Path
) -> None:
    with serving([book], books=tmp_path) as port:
        lines = post(port, sent("My Book.txt", BOOK), "/index", accept="application/x-ndjson").lines
    notes = [line for line in lines if "note" in line]
    assert any(line["note"].startswith("index: my-book, ") for line in notes), notes
    assert not any("warning" in line for line in notes)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (sent("a.pdf", b"%PDF-1.7 and nothing more"), 422),
        (sent("a.txt", b"\0\1\2" * 100), 422),
        (sent("..", BOOK), 400),
        (sent("a.txt", b""), 400),
        (sent("a.txt", BOOK, language="xx"), 400),
        ({"file": {"name": "a.txt", "content": "!"}}, 400),
        ({}, 400),
    ],
)
def test_what_is_no_book_is_refused_and_leaves_nothing(
    book: str, tmp_path: Path, value: Any, status: int
) -> None:
    with serving([book], books=tmp_path) as port:
        told = post(port, value, "/index")
        assert (told.status, list(told.value)) == (status, ["error"])
        assert str(tmp_path) not in told.value["error"]
    assert list(tmp_path.iterdir()) == []


def test_a_server_takes_so_many_books(book: str, tmp_path: Path) -> None:
    with serving([book], ServerLimits(indexes=1), books=tmp_path) as port:
        assert post(port, sent("a.txt", BOOK), "/index").status == 400


def test_a_book_may_come_from_the_page_of_the_server_only(book: str, tmp_path: Path) -> None:
    with serving([book], books=tmp_path) as port:
        assert (
            post(port, sent("a.txt", BOOK), "/index", Origin="http://other.example").status == 403
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Über Geschichte.pdf", "über-geschichte"),
        ("世界史.txt", "世界史"),
        ("../x.txt", "x"),
        ("-.txt", "book"),
        ("1984.txt", "book-1984"),
    ],
)
def test_a_book_s_folder_is_called_after_its_file(tmp_path: Path, name: str, folder: str) -> None:
    assert new_book(tmp_path, name) == tmp_path / folder / "index"
    assert new_book(tmp_path, name) == tmp_path / f"{folder}-2" / "index"


def test_a_book_is_never_shadowed_by_an_index_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLASSICAL_QA_INDEXES", str(tmp_path / "indexes"))
    standing = tmp_path / "rivers.txt"
    standing.write_text("The Avon rises near Naseby and joins the Severn.", "utf-8")
    build_textbook(standing, "my-book")
    with serving(["my-book"], books=tmp_path / "books") as port:
        told = post(port, sent("My Book.txt", BOOK), "/index").value
        assert told["shown"] == "my-book-2"
        answer = post(port, {"question": QUESTION, "index": told["shown"]}).value["answers"][0]
        assert "Marcus Aurelius" in answer["text"]
        other = BOOK + b"\nHe was the last of the five good emperors.\n"
        assert post(port, sent("My Book.txt", other), "/index").value["shown"] == "my-book-3"


def test_a_file_without_questions_may_be_a_book(book: str) -> None:
    with serving([book]) as port:
        told = post(port, sent("chapter.txt", BOOK))
    assert told.status == 400
    assert told.value["no_questions"] is True
    assert told.value["error"].startswith("no questions found. If it is a textbook, choose")


def test_a_book_that_is_there_already_is_not_indexed_again(book: str, tmp_path: Path) -> None:
    lines = {"accept": "application/x-ndjson"}
    with serving([book], books=tmp_path) as port:
        first = post(port, sent("My Book.txt", BOOK), "/index").value
        again = post(port, sent("Copy.txt", BOOK), "/index", **lines).lines
        assert again == [
            {"note": "Copy.txt is there already, as my-book: not indexed again"},
            {"result": first},
        ]
        assert request(port, "GET", "/health").value["indexes"] == [book, "my-book"]
    assert [path.name for path in tmp_path.iterdir()] == ["my-book"]


def test_a_refused_book_gets_no_advice_on_options(book: str, tmp_path: Path) -> None:
    long = b"x " * (9 * 2**20)
    with serving([book], books=tmp_path) as port:
        told = post(port, sent("long.txt", long), "/index").value["error"]
    assert told == "long.txt: not one of its 1 records can be used (long.txt:1: a line over 16 MiB)"
