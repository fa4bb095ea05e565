"""Answer tables: read by name, whatever the order, and written as the task page shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerer.formats.answer_table import read_answer_table, without_gold_ending
from answerer.formats.exam.parts import answer_table_text
from indexer.files.errors import UserError
from tests.refusals import raises_at

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn"), max_codepoint=0xFFFD),
    max_size=20,
)
DIGITS = st.integers(0, 99).map(str)


def table(folder: Path, rows: str, filename: str = ' filename="X"') -> Path:
    path = folder / "table.xml"
    path.write_text(f"<answerTable{filename}>\n{rows}</answerTable>", "utf-8")
    return path


@settings(deadline=None)
@given(NAMES, st.lists(st.tuples(DIGITS.map(lambda number: f"A{number}"), DIGITS), min_size=1))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("tables") / "run.xml"
    path.write_text(answer_table_text(name, rows), "utf-8")
    read = read_answer_table(path)
    assert read.filename == name.strip()
    assert [(row.column, row.answer) for row in read.answers] == rows


def test_the_writer_keeps_to_the_task_page() -> None:
    assert answer_table_text("Center-2009--Main-SekaishiB", [("A1", "3"), ("A2", "1")]) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE answerTable SYSTEM "http://21robot.org/answerTable.dtd">\n'
        '<answerTable filename="Center-2009--Main-SekaishiB">\n'
        "<data>\n<answer>3</answer>\n<anscolumn_ID>A1</anscolumn_ID>\n</data>\n"
        "<data>\n<answer>1</answer>\n<anscolumn_ID>A2</anscolumn_ID>\n</data>\n"
        "</answerTable>\n"
    )


def test_rows_are_read_by_name_and_digits_made_half_width(tmp_path: Path) -> None:
    rows = (
        "<data><anscolumn_ID> Ａ１ </anscolumn_ID><score>３</score><answer>③</answer>"
        "<answer_column>１</answer_column><knowledge_type>KS</knowledge_type><question_ID>Q2</question_ID></data>"
    )
    row = read_answer_table(table(tmp_path, rows, "")).answers[0]
    assert row[:7] == ("A1", "3", 3.0, "1", "", "KS", 2)


def test_a_table_may_not_name_its_exam_and_a_row_may_lack_its_answer(tmp_path: Path) -> None:
    read = read_answer_table(
        table(tmp_path, "<data><anscolumn_ID>A1</anscolumn_ID><answer/></data>", "")
    )
    assert (read.filename, read.answers[0].answer, read.answers[0].score) == ("", "", None)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", ":1: an answer table without rows"),
        ("<data>\n<answer>1</answer></data>", ":2: a row without anscolumn_ID"),
        (
            "<data><anscolumn_ID>A1</anscolumn_ID><score>three</score></data>",
            ":2: score 'three' is not a number",
        ),
        (
            "<data><answer>1</answer><answer>2</answer><anscolumn_ID>A1</anscolumn_ID></data>",
            ":2: a row with two answer elements",
        ),
        ("<data>", ":2: "),
    ],
)
def test_damaged_tables_stop_with_file_and_line(tmp_path: Path, rows: str, message: str) -> None:
    path = table(tmp_path, rows)
    with pytest.raises(UserError) as error:
        read_answer_table(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_another_kind_of_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "exam.xml"
    path.write_text("<exam/>")
    with raises_at(path, 1):
        read_answer_table(path)


@pytest.mark.parametrize(
    ("name", "exam"),
    [
        ("Exam-2007-answers", "Exam-2007"),
        ("exam.gold_key", "exam"),
        ("世界史解答", "世界史"),
        ("Turkey", "Turkey"),  # its last letters are no `key`
        ("answers", ""),
    ],
)
def test_the_ending_of_a_gold_file_is_no_part_of_its_exam(name: str, exam: str) -> None:
    assert without_gold_ending(name) == exam
