"""The default method on the samples and on questions written from the sample books before it had
answered any."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerer.formats.answers import read_answers
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import DEFAULT, AnsweredQuestion, method
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.sources.textbook.build import command as index_textbook
from tests.places import SAMPLES
from tests.programs import invoked

HERE = Path(__file__).parent
BOOK = "The Nile flows through Egypt.\n\nThe Tiber flows through Rome.\n"


def sample(language: str, address: str, *options: str) -> Index:
    invoked(
        index_textbook, str(SAMPLES / f"textbook-{language}.jsonl"), "--index", address, *options
    )
    return open_index(address)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Index]:
    folder = tmp_path_factory.mktemp("samples")
    return {language: sample(language, str(folder / language)) for language in ("en", "ja")}


def answered(exam: Path, index: Index, evidence: bool = False) -> list[AnsweredQuestion]:
    return method(DEFAULT).answer(read_exam(exam).questions, index, 5, evidence)


def number_right(language: str, index: Index) -> int:
    quiz = HERE / f"quiz-{language}.txt"
    given = {one.question.answer_column: one.system for one in answered(quiz, index)}
    return sum(given[row.column] == row.answer for row in read_answers(quiz).answers)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_questions_of_the_sample_books(books: dict[str, Index], language: str) -> None:
    assert number_right(language, books[language]) >= 22


def test_facts_of_the_sample_book_are_found(books: dict[str, Index]) -> None:
    given = {
        one.question.answer_column: one
        for one in answered(SAMPLES / "sample-exam-en.xml", books["en"], True)
    }
    assert (given["A14"].system, given["A17"].system) == ("2", "3")  # 1517, Geneva
    assert (
        given["A17"]
        .verdicts[2]
        .says.startswith(
            "its words stand near the question's in: “The League of Nations was founded in 1920"
        )
    )


@pytest.mark.parametrize("language", ["en", "ja"])
def test_both_engines_give_the_same_answers(
    books: dict[str, Index], language: str, elasticsearch_address: str
) -> None:
    there = sample(language, elasticsearch_address)
    exam = SAMPLES / f"sample-exam-{language}.xml"
    for here, other in zip(
        answered(exam, books[language], True), answered(exam, there, True), strict=True
    ):
        assert here.system == other.system
        for one, two in zip(here.verdicts, other.verdicts, strict=True):
            assert (one.says, one.probability) == (two.says, pytest.approx(two.probability))
            assert one.score == pytest.approx(two.score)


def test_an_index_without_names_answers_by_retrieval(tmp_path: Path) -> None:
    index = sample("en", str(tmp_path / "book"), "--no-names")
    assert number_right("en", index) >= 22


def test_an_answer_does_not_depend_on_the_other_questions(books: dict[str, Index]) -> None:
    questions = read_exam(HERE / "quiz-en.txt").questions
    together = method(DEFAULT).answer(questions, books["en"], 5, False)
    (alone,) = method(DEFAULT).answer(questions[6:7], books["en"], 5, False)
    assert [verdict.score for verdict in alone.verdicts] == pytest.approx(
        [v.score for v in together[6].verdicts]
    )


def test_probabilities_of_a_question_sum_to_one(books: dict[str, Index]) -> None:
    (first, *_) = answered(HERE / "quiz-en.txt", books["en"])
    assert sum(verdict.probability or 0 for verdict in first.verdicts) == pytest.approx(1)


def test_choices_that_nothing_is_known_of_are_level(
    indexed: Callable[..., Index], tmp_path: Path
) -> None:
    (tmp_path / "quiz.txt").write_text("1. Which river?\nA) Volga\nB) Don\n", "utf-8")
    (one,) = answered(tmp_path / "quiz.txt", indexed(BOOK))
    assert one.verdicts[0].score == one.verdicts[1].score
    assert one.system == "A"
