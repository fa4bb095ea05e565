"""Quizzes in Excel workbooks: the sheet with questions is read, what is left out is counted."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from answerer.formats.question_file.read import read_question_file
from indexer.files.errors import UserError

pytestmark = pytest.mark.process

ROWS = [
    ["Question", "Answer 1", "Answer 2", "Correct"],
    ["Which river flows\nthrough Lyon?", "the Rhône", "the Loire", 1],
    ["How many mouths has it?", 2, 5, 1],
]


def workbook(*sheets: list[list[object]]) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Sheet{number}")
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_the_rows_of_the_sheet_with_questions_are_read() -> None:
    parsed = read_question_file(workbook([["How to fill in this form"]], ROWS), "quiz.xlsx")
    assert [
        (question.text, [choice.text for choice in question.choices], question.answers)
        for question in parsed.questions
    ] == [
        ("Which river flows through Lyon?", ["the Rhône", "the Loire"], ("1",)),
        ("How many mouths has it?", ["2", "5"], ("1",)),
    ]
    assert parsed.form == "columns of an Excel workbook"
    assert [note.text for note in parsed.notes] == ["left out: 1 other sheets"]


def test_what_cannot_be_asked_is_named_by_its_row() -> None:
    parsed = read_question_file(workbook([*ROWS, ["Where?", "here", "", 1]]), "quiz.xlsx")
    (remark,) = parsed.rejected
    assert parsed.where("quiz.xlsx", remark.line) == "quiz.xlsx: row 4"


@pytest.mark.parametrize("end", [500, 3_000])
def test_a_damaged_workbook_is_refused(end: int) -> None:
    with pytest.raises(UserError, match=r"quiz\.xlsx: "):
        read_question_file(workbook(ROWS)[:end], "quiz.xlsx")
