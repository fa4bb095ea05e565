"""`answerer check-quiz` finds the wrong key of a quiz, and says why for every other question."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import pytest

from answerer import check_quiz
from answerer.ntcir.multiple_choice.methods import Outcome
from answerer.quiz_check.judge import wrong_key_probability
from answerer.quiz_check.written import as_page, as_text
from indexer import build_textbook
from indexer.files.errors import UserError
from tests.places import SAMPLES
from tests.programs import done, refused

QUIZ = """1. In which town did Shah Jahan build the Taj Mahal?
A. Vienna
B. Agra
C. Isfahan
Answer: {first}

2. Which emperor had the church of Hagia Sophia built?
A. Justinian
B. Akbar
C. Charlemagne
Answer: A

3. Which of these did not rule China?
A. Ming
B. Qing
C. Umayyad
Answer: C

4. Which recipe needs saffron?
A. bouillabaisse
B. gazpacho
C. ratatouille
Answer: A

5. Who besieged Vienna in 1529?
A. Suleiman I
B. Akbar
C. Justinian
"""


def checked(folder: Path, book: str, first: str) -> list[dict[str, str]]:
    (folder / "quiz.txt").write_text(QUIZ.format(first=first), "utf-8")
    done("answerer", "check-quiz", folder / "quiz.txt", "--index", book, "-o", folder / "quiz.csv")
    return list(csv.DictReader(io.StringIO((folder / "quiz.csv").read_text("utf-8"))))


def test_a_wrong_key_comes_first_with_both_sentences(tmp_path: Path, sample_book: str) -> None:
    first = checked(tmp_path, sample_book, "A")[0]
    assert (first["question"], first["status"]) == ("1", "key doubtful")
    assert (first["key"], first["best supported"]) == ("A", "B")
    assert "besieged Vienna" in first["sentence for the key"]
    assert "Taj Mahal at Agra" in first["sentence for the other"]


def test_every_question_has_its_status(tmp_path: Path, sample_book: str) -> None:
    status = {row["question"]: row["status"] for row in checked(tmp_path, sample_book, "B")}
    assert status == {
        "1": "key agrees",
        "2": "key agrees",
        "3": "not judged",  # negated
        "4": "not found",
        "5": "not judged",  # without a key
    }


def statuses(folder: Path, book: str, statements: str) -> dict[str, str]:
    """The statement → its status, in a quiz of lines `statement | key`."""
    lines = [line.split(" | ") for line in statements.strip().splitlines()]
    quiz = "".join(f"{n}. {text}\na) True\nb) False\nAnswer: {key}\n\n"
                   for n, (text, key) in enumerate(lines, 1))  # fmt: skip
    (folder / "truth.txt").write_text(quiz, "utf-8")
    checked = check_quiz(folder / "truth.txt", index=book).questions
    return {one.question.instruction.plain: one.status for one in checked}


def test_true_and_false_are_judged_by_the_claim(tmp_path: Path, sample_book: str) -> None:
    found = statuses(tmp_path, sample_book, """
Suleiman I besieged Vienna in 1529. | T
Suleiman I besieged Vienna in 1683. | F
Akbar moved the capital to Agra. | F
Athens defeated Sparta in the Peloponnesian War. | T
Napoleon was not defeated at Waterloo. | T
Bouillabaisse needs a pinch of saffron. | T
""")  # fmt: skip
    assert found == {
        "Suleiman I besieged Vienna in 1529.": "key agrees",
        "Suleiman I besieged Vienna in 1683.": "key agrees",
        "Akbar moved the capital to Agra.": "key doubtful",
        "Athens defeated Sparta in the Peloponnesian War.": "key doubtful",
        "Napoleon was not defeated at Waterloo.": "key doubtful",
        "Bouillabaisse needs a pinch of saffron.": "not found",
    }


def test_a_sentence_for_the_key_and_the_book_is_shown_once(
    tmp_path: Path, sample_book: str
) -> None:
    quiz = tmp_path / "akbar.txt"
    quiz.write_text("1. Akbar moved the capital to Agra.\na) True\nb) False\nAnswer: F\n", "utf-8")
    found = check_quiz(quiz, index=sample_book)
    (sentence,) = {verdict.support.sentence for verdict in found.questions[0].verdicts
                   if verdict.support}  # fmt: skip
    assert as_text(found).count(sentence) == 1
    assert f"the book says otherwise: “{sentence}”" in as_text(found)
    assert as_page(found).count(f">{sentence}<") == 1


def test_a_sentence_for_the_other_choice_alone_stands_with_it(
    tmp_path: Path, sample_book: str
) -> None:
    quiz = tmp_path / "akbar.txt"
    quiz.write_text("1. Akbar moved the capital to Agra.\na) True\nb) False\nAnswer: F\n", "utf-8")
    found = check_quiz(quiz, index=sample_book)
    (checked,) = found.questions
    outcomes: tuple[Outcome, Outcome] = ("together", "nearest")
    verdicts = tuple(
        verdict._replace(support=verdict.support and verdict.support._replace(outcome=outcome))
        for verdict, outcome in zip(checked.verdicts, outcomes, strict=True)
    )
    found = found._replace(questions=(checked._replace(verdicts=verdicts),))
    key, _, other = as_text(found).partition("   book: a. True")
    assert key.endswith("no passage says so\n")
    assert "“Akbar abolished the poll tax" in other
    assert as_page(found).index("the book's choice") < as_page(found).index("abolished the poll")


@pytest.mark.parametrize("key", ["T", "F"])
def test_a_tie_is_no_finding(tmp_path: Path, sample_book: str, key: str) -> None:
    # No claim, so the choices are judged, of which the book has no word.
    asked = "Which emperor moved the capital to Agra?"
    assert statuses(tmp_path, sample_book, f"{asked} | {key}") == {asked: "not found"}


def test_a_claim_in_a_language_without_rules_is_not_judged(tmp_path: Path) -> None:
    build_textbook([{"text": "秦始皇统一了中国。"}], str(tmp_path / "zh"), language="zh")
    quiz = tmp_path / "zh.txt"
    quiz.write_text("1. 秦始皇统一了中国。\nA. 对\nB. 错\n答案：B\n", "utf-8")
    (checked,) = check_quiz(quiz, index=str(tmp_path / "zh")).questions
    assert (checked.status, checked.reason.partition(":")[0]) == ("not judged", "true or false")


def test_doubts_come_first_and_what_is_not_judged_last(tmp_path: Path, sample_book: str) -> None:
    (tmp_path / "quiz.txt").write_text(QUIZ.format(first="A").replace("C\n\n4", "A\n\n4"), "utf-8")
    found = check_quiz(tmp_path / "quiz.txt", index=sample_book)
    numbers = [one.question.answer_column for one in found.questions]
    assert (numbers[0], set(numbers[-2:])) == ("1", {"3", "5"})
    text = as_text(found)
    judged = text[text.index("3. not judged") :].partition("5. not judged")[0]
    assert "which is NOT true cannot be checked this way" in judged
    assert "%" not in judged


def test_python_gives_what_the_command_writes(tmp_path: Path, sample_book: str) -> None:
    rows = checked(tmp_path, sample_book, "A")
    quiz = check_quiz(tmp_path / "quiz.txt", index=sample_book)
    assert [one.question.answer_column for one in quiz.questions] == [
        row["question"] for row in rows
    ]
    assert sum(quiz.sections.values()) >= 2


def test_the_page_holds_every_question_and_escapes_it(tmp_path: Path, sample_book: str) -> None:
    text = QUIZ.format(first="A").replace("Isfahan", "<b>Isfahan</b>")
    (tmp_path / "quiz.txt").write_text(text, "utf-8")
    done(
        "answerer", "check-quiz", tmp_path / "quiz.txt",
        "--index", sample_book, "-o", tmp_path / "quiz.html",
    )  # fmt: skip
    page = (tmp_path / "quiz.html").read_text("utf-8")
    assert page.count("<article") == 5
    assert "&lt;b&gt;Isfahan" in page
    assert "<b>Isfahan" not in page


def test_an_exam_needs_its_key(sample_book: str) -> None:
    exam = str(SAMPLES / "sample-exam-en.xml")
    assert "name the answer table with --key" in refused(
        "answerer", "check-quiz", exam, "--index", sample_book
    )


@pytest.mark.parametrize(("probability", "negated"), [(0.5, False), (0.5, True)])
def test_a_key_as_likely_as_not(probability: float, negated: bool) -> None:
    # The ln odds of the choice are 0: what is left is the constant.
    constant = -3.28 + 0.17 * negated
    assert wrong_key_probability(probability, negated) == pytest.approx(
        1 / (1 + math.exp(-constant))
    )


def test_the_likelier_the_key_the_less_it_is_doubted() -> None:
    doubts = [wrong_key_probability(p, False) for p in (0.0, 0.2, 0.6, 1.0)]
    assert doubts == sorted(doubts, reverse=True)
    assert all(0 < doubt < 1 for doubt in doubts)


def test_a_key_is_a_path(sample_book: str) -> None:
    with pytest.raises(UserError, match="key: expected a path"):
        check_quiz(SAMPLES / "questions-en.txt", key=3, index=sample_book)  # type: ignore[arg-type]


def test_a_key_in_a_file_of_its_own_is_a_list(tmp_path: Path, sample_book: str) -> None:
    quiz, key = tmp_path / "quiz.txt", tmp_path / "key.txt"
    quiz.write_text(
        "1. In which town did Shah Jahan build the Taj Mahal?\nA. Vienna\nB. Agra\n\n"
        "2. Who besieged Vienna in 1529?\nA. Suleiman I\nB. Akbar\n",
        "utf-8",
    )
    key.write_text("1b 2a\n", "utf-8")
    found = check_quiz(quiz, key=key, index=sample_book)
    assert {question.question.answer_column: question.key for question in found.questions} == {
        "1": 1,
        "2": 0,
    }


def test_a_book_that_has_nothing_of_the_quiz_is_questioned(
    tmp_path: Path, sample_book: str
) -> None:
    book, index = tmp_path / "plants.txt", str(tmp_path / "plants")
    book.write_text(
        "Cells\n\nThe cell wall of plants is made of cellulose. Roots take up water.\n", "utf-8"
    )
    done("indexer", "textbook", book, "--index", index)
    quiz = SAMPLES / "quiz-en.txt"
    said = f"warning: 8 of 8 questions are not in the book: is {index} the right book?"
    assert said in done("answerer", "check-quiz", quiz, "--index", index).err
    assert "right book" not in done("answerer", "check-quiz", quiz, "--index", sample_book).err
