"""Every form of questions that docs/questions-of-your-own.md shows is read as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from answerer.formats.answers import read_answers
from answerer.formats.exam.read import read_exam
from tests.docs.pages import text_of

PAGE = "docs/questions-of-your-own.md"
BLOCKS = re.findall(
    r"^```(numbered|gift|columns|json|xml)\n(.*?)^```$", text_of(PAGE), re.MULTILINE | re.DOTALL
)
READ = [
    ("numbered", "1 2", "B "),
    ("numbered", "1 2", "ア 2"),
    ("numbered", "1", "B"),
    ("gift", "Seat 2", "B A"),
    ("columns", "g1", "B"),
    ("columns", "q1 q2", "2 1"),
    ("json", "j1", "A"),
    ("xml", "A1", None),
]


@pytest.mark.parametrize(("block", "expected"), list(zip(BLOCKS, READ, strict=True)))
def test_every_form_shown_is_read(
    tmp_path: Path, block: tuple[str, str], expected: tuple[str, str, str]
) -> None:
    form, ids, answers = expected
    path = tmp_path / "questions"
    path.write_text(block[1], "utf-8")
    exam = read_exam(path)
    assert (block[0], [question.answer_column for question in exam.questions]) == (
        form,
        ids.split(),
    )
    assert not any("rejected" in note and not note.endswith(" 0 rejected") for note in exam.notes)
    if answers:
        assert [row.answer for row in read_answers(path).answers] == answers.split(" ")
