"""Quizzes that are sent with their keys: answered as any other, and checked as `check-quiz` does."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.answerer.serve.server import built, post, sent, serving
from tests.indexer.sources.textbook.documents.made import column, docx, pdf
from tests.places import SAMPLES
from tests.programs import done

pytestmark = pytest.mark.process

QUIZ = b"""1. In which town did Shah Jahan build the Taj Mahal?
A. Vienna
B. Agra
C. Isfahan
Answer: A

2. Who besieged Vienna in 1529?
A. Suleiman I
B. Akbar
C. Justinian
"""
JA = """1 タージ＝マハルを建てた皇帝は誰か。
ア アクバル
イ バーブル
ウ シャー＝ジャハーン
答え ア
""".encode()


@pytest.fixture(scope="module")
def port(book: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    japanese = built(tmp_path_factory.mktemp("quiz") / "ja", "textbook-ja.jsonl")
    with serving([book, japanese]) as port:
        yield port


def reply_to(port: int, quiz: bytes, **fields: Any) -> Any:
    reply = post(port, sent("quiz.txt", quiz, evidence=True, **fields))
    assert reply.status == 200, reply.value
    return reply.value


def content_of(attached: dict[str, str]) -> str:
    return base64.b64decode(attached["content"]).decode()


def test_the_check_is_that_of_the_command(port: int, book: str, tmp_path: Path) -> None:
    check = reply_to(port, QUIZ)["check"]
    (tmp_path / "quiz.txt").write_bytes(QUIZ)
    for name, form in (("page", "html"), ("table", "csv")):
        out = tmp_path / f"quiz.check.{form}"
        done("answerer", "check-quiz", tmp_path / "quiz.txt", "--index", book, "-o", out)
        assert (check[name]["name"], content_of(check[name])) == (out.name, out.read_text("utf-8"))
    assert check["counts"] == {"key doubtful": 1, "not judged": 1}  # the second has no key


def test_the_submission_is_that_of_a_quiz_without_a_key(port: int) -> None:
    keyed, bare = reply_to(port, QUIZ), reply_to(port, QUIZ.replace(b"Answer: A\n", b""))
    assert "check" not in bare
    assert bare == {name: value for name, value in keyed.items() if name != "check"}


def test_a_japanese_quiz_is_checked_against_the_book_of_its_language(port: int) -> None:
    check = reply_to(port, JA)["check"]
    assert check["counts"] == {"key doubtful": 1}
    assert "シャー＝ジャハーンは妃の墓として" in content_of(check["page"])


@pytest.mark.parametrize("fields", [{"method": "slqal"}, {"evidence": False}])
def test_nothing_is_answered_again_for_a_check(port: int, fields: dict[str, Any]) -> None:
    assert "check" not in post(port, sent("quiz.txt", QUIZ, **fields)).value


def test_an_exam_has_no_key_to_check(port: int) -> None:
    exam = (SAMPLES / "sample-exam-en.xml").read_bytes()
    reply = post(port, sent("exam.xml", exam, evidence=True)).value
    assert (reply["task"], "check" in reply) == ("ntcir-mc", False)


def test_a_key_that_cannot_be_read_is_told_and_the_quiz_answered(port: int) -> None:
    quiz = QUIZ.replace(b"Answer: A", b"Answer: 0")
    request = sent("quiz.txt", quiz, evidence=True)
    *told, last = post(port, request, Accept="application/x-ndjson").lines
    assert "submission" in last["result"]
    assert any(
        "the key is not checked: quiz.txt:1: the answer 0" in line.get("note", "") for line in told
    )


def in_word(text: bytes, folder: Path) -> bytes:
    paragraphs = (f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.decode().split("\n"))
    return docx(folder / "quiz.docx", "".join(paragraphs)).read_bytes()


def test_a_quiz_in_word_or_pdf_is_answered_and_checked(port: int, tmp_path: Path) -> None:
    lines = column(QUIZ.decode().split("\n"))
    for name, data in (
        ("quiz.docx", in_word(QUIZ, tmp_path)),
        ("quiz.pdf", pdf(tmp_path / "quiz.pdf", [lines]).read_bytes()),
    ):
        reply = post(port, sent(name, data, evidence=True)).value
        assert reply["check"]["counts"] == {"key doubtful": 1, "not judged": 1}
        assert reply["submission"]["name"] == "quiz.run.tsv"


def test_a_quiz_in_word_is_answered_from_the_index_of_its_language(
    port: int, tmp_path: Path
) -> None:
    check = post(port, sent("quiz.docx", in_word(JA, tmp_path), evidence=True)).value["check"]
    assert "シャー＝ジャハーンは妃の墓として" in content_of(check["page"])


def test_a_book_in_word_or_pdf_is_told_from_a_quiz(port: int, tmp_path: Path) -> None:
    text = b"Chapter 1\n" + b"Shah Jahan built the Taj Mahal at Agra. " * 40 + b"\n" + QUIZ
    for name, data in (
        ("book.docx", in_word(text, tmp_path)),
        ("textbook-en.pdf", (SAMPLES / "textbook-en.pdf").read_bytes()),
    ):
        refused = post(port, sent(name, data))
        assert (refused.status, refused.value["no_questions"]) == (422, True)
        last = post(port, sent(name, data), Accept="application/x-ndjson").lines[-1]
        assert (last["status"], last["no_questions"]) == (422, True)
    chosen = post(port, sent("book.docx", in_word(text, tmp_path), task="ntcir-mc"))
    assert (chosen.status, chosen.value["task"]) == (200, "ntcir-mc")
