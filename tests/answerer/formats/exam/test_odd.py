"""Odd questions: each is read with its columns and as many choices as it prints, and costs no other its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answerer.formats.exam.exams import choices, question, read, section
from tests.answerer.formats.exam.odd import ODD


@pytest.mark.parametrize("name", ODD)
def test_an_odd_question_keeps_its_columns_and_costs_no_other_its_own(tmp_path: Path, name: str) -> None:
    odd, columns, counts = ODD[name]
    plain = question("Choose", choices("x", "y", column="A50"), column="A50")
    for exam in (read(tmp_path, section(odd, plain)), read(tmp_path, odd, section(plain))):
        assert [q.answer_column for q in exam.questions] == [*columns, "A50"]
        assert [len(q.choices) for q in exam.questions] == [*counts, 2]


def test_what_is_odd_is_noted_with_its_place(tmp_path: Path) -> None:
    exam = read(tmp_path, section(question("選べ", "", column="A2"), question("選べ", choices("甲", "乙"))))
    assert [note.split(":", 1)[1] for note in exam.notes] == [
        "3: question Q2 (A2) does not have choices: it stays without an answer",
    ]


def test_a_question_without_any_column_is_left_out_and_noted(tmp_path: Path) -> None:
    nowhere = f'<question id="Q7" minimal="yes">{choices("x", "y", column="")}</question>'
    exam = read(tmp_path, section(question("Choose"), nowhere))
    assert [q.answer_column for q in exam.questions] == ["A1"]
    assert exam.notes[0].endswith("question Q7 does not say its answer column: left out")
