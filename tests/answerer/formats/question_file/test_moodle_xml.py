"""Moodle XML: choices, weights, true-false questions; other kinds are named by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.answers import read_answers
from answerer.formats.exam.read import read_exam
from answerer.formats.question_file.read import read_question_file
from indexer.files.errors import UserError
from tests.answerer.formats.question_file.shown import shown

BANK = """<?xml version="1.0" encoding="UTF-8"?>
<!-- question: 0 -->
<quiz>
<question type="category"><category><text>$course$/Rivers</text></category></question>
<question type="multichoice">
  <name><text>Loire 1</text></name>
  <questiontext format="html"><text><![CDATA[<p>Where does the <b>Loire</b> end?</p>]]></text></questiontext>
  <answer fraction="0" format="html"><text><![CDATA[<p>In the Alps</p>]]></text><feedback><text>No</text></feedback></answer>
  <answer fraction="100" format="html"><text>At Saint-Nazaire &amp;amp; the sea</text></answer>
</question>
<question type="truefalse">
  <name><text>Rhine</text></name>
  <questiontext format="plain_text"><text>The Rhine flows south.</text></questiontext>
  <answer fraction="0"><text>true</text></answer>
  <answer fraction="100.00000"><text>false</text></answer>
</question>
<question type="multichoice">
  <name><text>Two</text></name>
  <questiontext><text>Which are rivers?</text></questiontext>
  <answer fraction="50"><text>Oder</text></answer>
  <answer fraction="50"><text>Elbe</text></answer>
  <answer fraction="-100"><text>Harz</text></answer>
</question>
<question type="essay"><name><text>Why</text></name><questiontext><text>Why?</text></questiontext></question>
</quiz>
"""


def test_questions_and_their_right_choices() -> None:
    assert shown(read_question_file(BANK.encode(), "bank.xml")) == [
        "Loire-1|Where does the Loire end?|A=In the Alps B=At Saint-Nazaire & the sea|B",
        "Rhine|The Rhine flows south.|A=true B=false|B",
        "Two|Which are rivers?|A=Oder B=Elbe C=Harz|",
    ]


def test_a_question_of_another_kind_is_named_by_its_line() -> None:
    (remark,) = read_question_file(BANK.encode(), "bank.xml").rejected
    assert remark == (24, "question Why is not a multiple-choice question: left out")


@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_file_is_an_exam_and_its_key(tmp_path: Path, start: str) -> None:
    bank = tmp_path / "bank.xml"
    bank.write_text(start + BANK, "utf-8")
    exam = read_exam(bank)
    assert (exam.name, len(exam.questions)) == ("bank", 3)
    assert [row.answer for row in read_answers(bank).answers] == ["B", "B", ""]


def test_damaged_xml_is_refused_with_its_line() -> None:
    with pytest.raises(UserError, match=r"bank\.xml:3: not XML"):
        read_question_file(b"<quiz>\n<question>\n</quiz>\n", "bank.xml")
