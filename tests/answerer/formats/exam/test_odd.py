"""Odd questions: each is read with its columns and as many choices as it prints, and costs no other
its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.exam.read import printed_choices
from tests.answerer.formats.exam.exams import choices, only, question, read, section
from tests.answerer.formats.exam.odd import MAP, ODD, TABLE


@pytest.mark.parametrize("name", ODD)
def test_an_odd_question_keeps_its_columns_and_costs_no_other_its_own(
    tmp_path: Path, name: str
) -> None:
    odd, columns, counts = ODD[name]
    plain = question("Choose", choices("x", "y", column="A50"), column="A50")
    for exam in (read(tmp_path, section(odd, plain)), read(tmp_path, odd, section(plain))):
        assert [q.answer_column for q in exam.questions] == [*columns, "A50"]
        assert [len(q.choices) for q in exam.questions] == [*counts, 2]


def test_the_choices_of_a_map_are_its_places_and_no_part_of_the_problem(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("位置を選べ", f"<data>日本の都市 {MAP}</data>")))
    assert [(c.number, c.text.plain) for c in asked.choices] == [
        ("1", "青森市"),
        ("2", "熊谷市"),
        ("3", "大阪市"),
        ("4", "那覇市"),
    ]
    assert [text.plain for text in (asked.instruction, *asked.data)] == ["位置を選べ", "日本の都市"]


def test_the_rows_of_a_table_are_choices(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("都市を選べ", f"<data>{TABLE}</data>")))
    assert [(c.number, c.text.plain) for c in asked.choices] == [
        ("1", "ローマ"),
        ("2", "アテネ"),
        ("3", "スパルタ"),
    ]


def test_what_is_odd_is_noted_with_its_place(tmp_path: Path) -> None:
    exam = read(tmp_path, section(question("位置を選べ", MAP), question("選べ", "", column="A2")))
    assert [note.split(":", 1)[1] for note in exam.notes] == [
        "3: question Q2 (A1) does not mark its choices: read from its text (4 of them)",
        "3: question Q2 (A2) does not have choices: it stays without an answer",
    ]


def test_a_question_without_any_column_is_left_out_and_noted(tmp_path: Path) -> None:
    nowhere = f'<question id="Q7" minimal="yes">{choices("x", "y", column="")}</question>'
    exam = read(tmp_path, section(question("Choose"), nowhere))
    assert [q.answer_column for q in exam.questions] == ["A1"]
    assert exam.notes[0].endswith("question Q7 does not say its answer column: left out")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "次の①～④のうちから一つ選べ",
        "1-4",
        "(1)",
        "In 1 year 2 men came",
        "1-甲,3-丙",
        "2-乙,3-丙",
        "①, ②, ③",
    ],
)
def test_numbers_that_are_not_choices(text: str) -> None:
    assert printed_choices(text) is None


def test_a_number_inside_a_choice_is_part_of_it() -> None:
    assert printed_choices("答え: 1-1945年の5-6月, 2-1946年") == (
        4,
        [("1", "1945年の5-6月"), ("2", "1946年")],
    )
