"""What the paper marks in a question is told with the characters where a person reads it."""

from __future__ import annotations

from answerer.formats.exam.parts import ExamQuestion
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Verdict
from answerer.ntcir.multiple_choice.printed import trace_row
from answerer.trace import TraceCandidate, TraceMark, TraceQuestion

SAMPLE = {one.answer_column: one for one in read_exam("samples/sample-exam-en.xml").questions}


def marked(text: str, marks: tuple[TraceMark, ...]) -> list[tuple[str, str]]:
    return [(one.kind, one.label or text[one.start : one.end]) for one in marks]


def row(question: ExamQuestion) -> TraceQuestion:
    return trace_row(
        "exam", AnsweredQuestion(question, "", (Verdict(0.0),) * len(question.choices))
    )


def first_choice(column: str) -> TraceCandidate:
    return row(SAMPLE[column]).candidates[0]


def test_an_underlined_phrase_is_underlined_where_it_is_written_out() -> None:
    said = row(SAMPLE["A1"])
    assert marked(said.question, said.marks) == [("underline", "the code of King Hammurabi")]


def test_a_map_is_labelled_and_the_letters_in_it_are_marked_in_question_and_choices() -> None:
    said, choice = row(SAMPLE["A12"]), first_choice("A12")
    expected = [
        ("underline", "age of discovery"),
        ("letter", "a"),
        ("letter", "b"),
        ("label", "map"),
    ]
    assert marked(said.question, said.marks) == expected
    assert said.question[said.marks[-1].start :].startswith("Map of the Indian Ocean")
    assert marked(choice.text, choice.marks) == [("letter", "a")]


def test_a_choice_that_is_a_picture_is_labelled() -> None:
    choice = first_choice("A16")
    assert marked(choice.text, choice.marks) == [("label", "photo")]


def test_the_line_of_a_gap_has_its_own_marks() -> None:
    lines = [gap for question in SAMPLE.values() for gap in row(question).gaps]
    assert lines
    for line in lines:
        assert all(0 <= one.start <= one.end <= len(line.text) for one in line.marks)
        assert any(kind == "gap" for kind, _ in marked(line.text, line.marks))
