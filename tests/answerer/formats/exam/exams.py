"""Small exams written in the tests: a question at a time, in the Torobo format."""

from __future__ import annotations

from pathlib import Path

from answerer.formats.exam.parts import Exam, ExamQuestion, Kind, MarkedText
from answerer.formats.exam.read import read_exam

CHOICES = '<choices anscol="A1"><choice ansnum="1"><cNum>①</cNum>甲</choice><choice ansnum="2">乙</choice></choices>'


def choices(*texts: str, column: str = "A1") -> str:
    """A `choices` element with these texts, numbered from 1."""
    rows = "".join(
        f'<choice ansnum="{n}"><cNum>({n})</cNum>{text}</choice>' for n, text in enumerate(texts, 1)
    )
    return f'<choices anscol="{column}">{rows}</choices>'


def question(
    instruction: str, inside: str = CHOICES, answer_type: str = "sentence", column: str = "A1"
) -> str:
    """A minimal question."""
    return (
        f'<question id="Q2" minimal="yes" anscol="{column}" answer_style="multipleChoice" '
        f'answer_type="{answer_type}" '
        f'knowledge_type="KS"><label>問1</label><instruction>{instruction}</instruction>'
        f'<ansColumn id="{column}">１</ansColumn>{inside}</question>'
    )


def section(*parts: str) -> str:
    """A 大問 around passages and questions."""
    return f'<question id="Q1" minimal="no"><label>第1問</label>{"".join(parts)}</question>'


def written(folder: Path, *parts: str, name: str = "exam.xml", encoding: str = "utf-8") -> Path:
    """An exam file with these parts."""
    path = folder / name
    path.write_bytes(
        f'<exam source="s" subject="b" year="1999">\nID-1\n{"".join(parts)}</exam>'.encode(encoding)
    )
    return path


def read(folder: Path, *parts: str) -> Exam:
    return read_exam(written(folder, *parts))


def only(folder: Path, *parts: str) -> ExamQuestion:
    """The one question of an exam made of these parts."""
    questions = read(folder, *parts).questions
    assert len(questions) == 1
    return questions[0]


def phrases(text: MarkedText, kind: Kind) -> list[str]:
    """The words of the spans of a kind."""
    return [text.plain[span.start : span.end] for span in text.spans if span.kind == kind]
