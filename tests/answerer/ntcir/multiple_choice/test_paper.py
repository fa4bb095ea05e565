"""What the paper marks in a question is told with the characters where a person reads it."""

from __future__ import annotations

from answerer.formats.exam.parts import Question
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice import paper

SAMPLE = {one.answer_column: one for one in read_exam("samples/sample-exam-en.xml").questions}


def marked(said: paper.Printed) -> list[tuple[str, str]]:
    return [(one.kind, one.label or said.text[one.start : one.end]) for one in said.marks]


def asked(column: str) -> Question:
    return SAMPLE[column]


def test_an_underlined_phrase_is_underlined_where_it_is_written_out() -> None:
    assert marked(paper.problem(asked("A1"))) == [("underline", "the code of King Hammurabi")]


def test_a_map_is_labelled_and_the_letters_in_it_are_marked_in_question_and_choices() -> None:
    said = paper.problem(asked("A12"))
    assert marked(said) == [("underline", "age of discovery"), ("letter", "a"), ("letter", "b"), ("label", "map")]
    assert said.text[said.marks[-1].start :].startswith("Map of the Indian Ocean")
    assert marked(paper.choice(asked("A12").choices[0].text)) == [("letter", "a")]


def test_a_choice_that_is_a_picture_is_labelled() -> None:
    assert marked(paper.choice(asked("A16").choices[0].text)) == [("label", "photo")]


def test_the_line_of_a_gap_has_its_own_marks() -> None:
    lines = [paper.line_of(gap) for question in SAMPLE.values() for gap in question.gaps]
    assert lines
    for line in lines:
        assert all(0 <= one.start <= one.end <= len(line.text) for one in line.marks)
        assert any(kind == "gap" for kind, _ in marked(line))
