"""The marks of answers that are less sure than others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerer import answer
from answerer.asking.command import ask
from answerer.run import Run
from indexer.engines.contract import Index
from tests.answerer.formats.exam.exams import choices, question, section, written

BOOK = """The Nile is a river of Egypt. The Rhine is a river of Germany.

Mount Kenya is a mountain of Africa.
"""
RIVERS = "Which is {}a river?\nA. the Nile\nB. the Rhine\nC. Mount Kenya\n"
ABSENT = "Which is a river?\nA. the Orinoco\nB. the Mekong\nC. the Yukon\n"


def run_of(text: str, tmp_path: Path, book: Index) -> Run:
    (tmp_path / "quiz.txt").write_text(f"1. {text}", "utf-8")
    run: Run = answer("ntcir-mc", tmp_path / "quiz.txt", index=book)
    return run


def test_a_negated_question_is_marked(tmp_path: Path, indexed: Callable[..., Index]) -> None:
    run = run_of(RIVERS.format("NOT "), tmp_path, indexed(BOOK))
    assert run.questions[0].note == "negated: less sure"


def test_a_plain_question_is_not_marked(tmp_path: Path, indexed: Callable[..., Index]) -> None:
    run = run_of(RIVERS.format(""), tmp_path, indexed(BOOK))
    assert (run.questions[0].note, list(run.warnings)) == ("", [])


def test_choices_that_are_not_in_the_book_are_marked_and_named_in_a_warning(
    tmp_path: Path, indexed: Callable[..., Index]
) -> None:
    run = run_of(f"{RIVERS.format('')}\n2. {ABSENT}", tmp_path, indexed(BOOK))
    assert run.questions[1].note == "not in the book: none of the choices; a guess"
    assert list(run.warnings) == [
        "guesses, as the book has no word of any choice: 1 of 2 questions: 2"
    ]


def test_which_statements_are_true_is_no_word_that_the_book_lacks(
    tmp_path: Path, indexed: Callable[..., Index]
) -> None:
    data = (
        '<data><lText id="L1"><label>a</label>The Nile is a river.</lText>'
        '<lText id="L2"><label>b</label>Mount Kenya is a river.</lText></data>'
    )
    both = '<ref target="L1">a</ref>- {0} <ref target="L2">b</ref>- {0}'
    rows = choices(both.format("Correct"), both.format("Incorrect"))
    exam = written(tmp_path, section(question("Choose.", data + rows, "(symbol-TF)*2")))
    run = answer("ntcir-mc", exam, index=indexed(BOOK), method="slqal")
    assert [row.note for row in run.questions] == [""]


def test_a_negated_question_in_plain_words_is_doubted(indexed: Callable[..., Index]) -> None:
    reply = ask("Which is NOT a river?", indexed(BOOK), ("the Nile", "the Rhine", "Mount Kenya"))
    assert reply.doubt.endswith("negated: less sure")


def test_absent_choices_are_doubted(indexed: Callable[..., Index]) -> None:
    reply = ask("Which is a river?", indexed(BOOK), ("the Orinoco", "the Mekong"))
    assert reply.doubt == "not in the book: none of the choices; a guess"


def test_true_and_false_are_answered_by_the_claim(
    tmp_path: Path, indexed: Callable[..., Index]
) -> None:
    quiz = (
        "The Nile is a river of Egypt.\na) True\nb) False\n\n"
        "2. The Nile is not a river of Egypt.\na) No\nb) Yes\n\n"
        "3. Bees dance on a mountain.\na) T\nb) F\n"
    )
    run = run_of(quiz, tmp_path, indexed(BOOK))
    assert [(row.system, row.note) for row in run.questions] == [
        (("a",), ""),
        (("a",), ""),
        (("b",), "not in the book: none of the choices; a guess"),
    ]
    assert list(run.warnings) == ["guesses, as the book does not say: 1 of 3 questions: 3"]


def test_a_japanese_claim(tmp_path: Path, indexed: Callable[..., Index]) -> None:
    book = indexed("タージ＝マハルは白い大理石の霊廟である。")
    statements = ("タージ・マハルは大理石の霊廟である。", "タージ・マハルは大理石の霊廟ではない。")
    quiz = f"{statements[0]}\nA. 〇\nB. ×\n\n2. {statements[1]}\nA. 〇\nB. ×\n"
    assert [row.system for row in run_of(quiz, tmp_path, book).questions] == [("A",), ("B",)]


def test_a_claim_that_no_clause_states_is_as_likely_as_those_that_are_doubted(
    tmp_path: Path, indexed: Callable[..., Index]
) -> None:
    book = indexed("The queen bee leads workers, and nurses feed larvae.")
    run = run_of("The queen bee feeds larvae.\na) True\nb) False\n", tmp_path, book)
    shown = [candidate.probability for candidate in run.questions[0].candidates]
    assert shown == pytest.approx([0.72, 0.28])  # of doubted ones 39 of 54 are right
