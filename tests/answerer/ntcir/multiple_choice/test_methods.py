"""What all methods of answering multiple-choice questions share: answer columns of one question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import (
    AnsweredQuestion,
    Method,
    Verdict,
    answer_all,
    choose,
    with_checks,
)
from answerer.ntcir.multiple_choice.printed import trace_row
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from tests.answerer.formats.exam.exams import choices, question, read, section

BOTH = choices("Rome", "Carthage", "Utica", column="A1 A2")


def answered(folder: Path, *asked: str, scores: tuple[float, ...] = (1.0, 3.0, 2.0)) -> list[str]:
    """What is answered where every question's choices have these scores."""

    def answer(
        questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
    ) -> list[AnsweredQuestion]:
        return [
            AnsweredQuestion(q, choose(q, scores), tuple(map(Verdict, scores))) for q in questions
        ]

    questions = read(folder, section(*asked)).questions
    return [
        one.system
        for one in answer_all(
            Method(answer), questions, cast(Index, SimpleNamespace(sources=())), 5, False
        )
    ]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Choose two.", ["2", "3"]),
        ("誤っているものを二つ選べ。", ["1", "3"]),
        ("Choose two; one may be chosen more than once.", ["2", "2"]),
        ("二つ選べ。同じものを繰り返し選んでもよい。", ["2", "2"]),
        ("Choose two; no choice may be chosen more than once.", ["2", "3"]),
        ("二つ選べ。同じ記号を繰り返し使ってはならない。", ["2", "3"]),
        ("Choose two that fought against Rome again and again.", ["2", "3"]),
    ],
)
def test_answer_columns_of_one_question_get_different_choices(
    tmp_path: Path, instruction: str, expected: list[str]
) -> None:
    assert answered(tmp_path, question(instruction, BOTH, column="A1,A2")) == expected


def test_questions_beside_each_other_may_have_one_answer(tmp_path: Path) -> None:
    lists = [
        question("Choose.", choices("Rome", "Carthage", "Utica", column=f"A{n}"), column=f"A{n}")
        for n in "12"
    ]
    assert answered(tmp_path, *lists) == ["2", "2"]


@pytest.mark.parametrize("number", ["2", ""])
def test_a_method_may_answer_without_verdicts(tmp_path: Path, number: str) -> None:
    questions = read(tmp_path, section(question("Choose two.", BOTH, column="A1,A2"))).questions
    method = Method(lambda questions, *_: [AnsweredQuestion(q, number, ()) for q in questions])
    index = cast(Index, SimpleNamespace(sources=()))
    rows = answer_all(with_checks(method), questions, index, 5, True)
    assert [row.system for row in rows] == [number, number]
    assert [trace_row("exam", row).candidates for row in rows] == [(), ()]


@pytest.mark.parametrize("returned", [None, ()])
def test_a_method_that_answers_nothing_is_named(tmp_path: Path, returned: object) -> None:
    def silent(*_: object) -> object:
        return returned

    questions = read(
        tmp_path, section(question("Choose.", choices("Rome", "Carthage", column="A1")))
    ).questions
    with pytest.raises(UserError, match=r"the method silent .*expected an AnsweredQuestion"):
        answer_all(
            with_checks(Method(silent)),  # type: ignore[arg-type]
            questions,
            cast(Index, SimpleNamespace(sources=())),
            5,
            False,
        )
