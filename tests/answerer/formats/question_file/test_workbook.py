"""Quizzes in Excel workbooks: the sheet with questions is read, what is left out is counted."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
import xlwt
from openpyxl import Workbook

from answerer.formats.question_file.read import read_question_file
from indexer.files.errors import UserError
from tests.answerer.formats.question_file.shown import shown

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
    assert shown(parsed) == [
        "1|Which river flows through Lyon?|1=the Rhône 2=the Loire|1",
        "2|How many mouths has it?|1=2 2=5|1",
    ]
    assert parsed.form == "columns of an Excel workbook"
    assert [note.text for note in parsed.notes] == ["left out: 1 other sheets"]


def opendocument(rows: list[list[object]]) -> bytes:
    """An ods of one sheet (OpenDocument 1.3, part 3, 9.1)."""
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    lines = ("".join(cell.format(value) for value in row) for row in rows)
    body = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet><table:table "
        f'table:name="a">{body}</table:table></office:spreadsheet></office:body>'
        f"</office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    return file.getvalue()


def old_workbook(rows: list[list[object]]) -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for row, cells in enumerate(rows):
        for column, value in enumerate(cells):
            sheet.write(row, column, value)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("write", "form"),
    [(opendocument, "an OpenDocument workbook"), (old_workbook, "an Excel workbook")],
)
def test_workbooks_of_other_programs(write: Callable[..., bytes], form: str) -> None:
    parsed = read_question_file(write(ROWS), "quiz")
    assert [row[-1] for row in shown(parsed)] == ["1", "1"]
    assert parsed.form == f"columns of {form}"


def test_a_heading_of_two_rows_with_merged_cells() -> None:
    book = Workbook()
    for row in (["Question", "Options", "", "Answer"], ["", "A", "B", ""], ["Who?", "x", "y", "B"]):
        book.worksheets[0].append(row)
    for area in ("A1:A2", "B1:C1", "D1:D2"):
        book.worksheets[0].merge_cells(area)
    book.save(file := io.BytesIO())
    assert shown(read_question_file(file.getvalue(), "quiz.xlsx")) == ["1|Who?|A=x B=y|B"]


def test_what_cannot_be_asked_is_named_by_its_row() -> None:
    parsed = read_question_file(workbook([*ROWS, ["Where?", "here", "", 1]]), "quiz.xlsx")
    (remark,) = parsed.rejected
    assert parsed.where("quiz.xlsx", remark.line) == "quiz.xlsx: row 4"


@pytest.mark.parametrize("end", [500, 3_000])
def test_a_damaged_workbook_is_refused(end: int) -> None:
    with pytest.raises(UserError, match=r"quiz\.xlsx: "):
        read_question_file(workbook(ROWS)[:end], "quiz.xlsx")


def test_a_sheet_without_a_column_of_choices_is_refused_with_its_columns() -> None:
    rows: list[list[object]] = [["問題", "ヒント", "答え"], ["1. 誰か。", "A) 甲  B) 乙", "乙"]]
    with pytest.raises(UserError, match="no column of choices: the columns are 問題, ヒント, 答え"):
        read_question_file(workbook(rows), "quiz.xlsx")
