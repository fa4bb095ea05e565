"""Quizzes as programs and printers leave them: exports of Anki, questions in two columns of a
page."""

from __future__ import annotations

import pytest

from answerer.formats.question_file.parts import Parsed
from answerer.formats.question_file.read import read_question_file
from indexer.files.errors import UserError
from tests.answerer.formats.question_file.shown import shown


def read(text: str) -> Parsed:
    return read_question_file(text.encode(), "quiz.txt")


def told(parsed: Parsed) -> list[str]:
    """What `shown` shows of each question, behind its line."""
    rows = zip(parsed.questions, shown(parsed), strict=True)
    return [f"{question.line}: {row}" for question, row in rows]


def test_notes_of_anki_with_a_question_and_its_choices_in_one_field() -> None:
    parsed = read(
        "#separator:tab\n#html:true\n#notetype column:1\n#tags column:4\n"
        'Basic\t"Which ruler had the <b>Taj&nbsp;Mahal</b> built?<br>A) Akbar<br>B) Shah Jahan"\tB\tindia\n'
        'Basic\t"Where did the League sit?<div>A) Vienna</div><div>B) Geneva</div>"\tB) Geneva\teurope\n'
        "Basic\tGeneva\tThe seat of the League\teurope\n"
    )
    assert told(parsed) == [
        "5: 1|Which ruler had the Taj Mahal built?|A=Akbar B=Shah Jahan|B",
        "6: 2|Where did the League sit?|A=Vienna B=Geneva|B",
    ]
    assert [(one.line, one.text) for one in parsed.rejected] == [
        (7, "note 3 holds no question with labelled choices")
    ]


@pytest.mark.parametrize(
    ("below", "line"),
    [
        ("#columns:Question;A;B;Answer;Tags\n#tags column:5\nWho <i>ruled</i>?;Akbar;Dante;B;x", 5),
        ("#tags column:5\nWho <i>ruled</i>?;Akbar;Dante;B;x\nWho wrote?;Akbar;Dante;B;y", 4),
    ],
)
def test_notes_of_anki_in_columns(below: str, line: int) -> None:
    parsed = read(f"#separator:Semicolon\n#html:true\n{below}\n")
    assert told(parsed)[0] == f"{line}: 1|Who ruled?|A=Akbar B=Dante|B"
    assert not parsed.rejected


def test_a_picture_in_a_note_of_anki_may_be_large() -> None:
    picture = f"<img src=data:image/png;base64,{'x' * 131_073}=>"
    parsed = read(f"#separator:tab\nWho?{picture}<br>A) Ann<br>B) Bob\tB\n")
    assert told(parsed) == ["2: 1|Who?|A=Ann B=Bob|B"]


def test_a_field_of_anki_that_is_too_large_is_refused() -> None:
    with pytest.raises(UserError, match=r"quiz.txt: Anki's notes: field larger"):
        read(f"#separator:tab\nWho?{'x' * 131_073}\tB\n")


def test_a_line_of_the_head_of_anki_may_be_repeated() -> None:
    parsed = read('#separator:tab\n#html:true\n#html:true\n"Who?<br>A) Ann<br>B) Bob"\tB\n')
    assert told(parsed) == ["4: 1|Who?|A=Ann B=Bob|B"]


LEFT = [
    "1. Which ruler had the",
    "Taj Mahal built?",
    "A. Akbar",
    "B. Shah Jahan",
    "",
    "{}. Which town did the",
    "Ottomans take?",
    "A. Agra",
    "B. Constantinople",
]
RIGHT = [
    "{}. Where did the League",
    "   of Nations sit?",
    "A. Vienna",
    "B. Geneva",
    "",
    "4. Who wrote the Comedy?",
    "A. Dante",
    "B. Calvin",
]
QUESTIONS = [
    "Which ruler had the Taj Mahal built?",
    "Which town did the Ottomans take?",
    "Where did the League of Nations sit?",
    "Who wrote the Comedy?",
]


@pytest.mark.parametrize(("left", "right"), [(2, 3), (3, 2)])
def test_questions_in_two_columns_of_a_page(left: int, right: int) -> None:
    """The numbers count down the columns, or along the rows."""
    rows = zip([line.format(left) for line in LEFT], [*RIGHT, ""], strict=True)
    page = "\n".join(f"{one:34}{two.format(right)}".rstrip() for one, two in rows)
    title = "A quiz on history with a title over both of its columns\n\n"
    key = "\n\nThe answers to all of the four questions of this page: 1. B 2. B 3. B 4. A\n"
    found = read(title + page + key).questions
    order = QUESTIONS if left == 2 else [QUESTIONS[place] for place in (0, 2, 1, 3)]
    assert [question.name for question in found] == list("1234")
    assert [question.text for question in found] == order
    assert [len(question.choices) for question in found] == [2, 2, 2, 2]


def test_a_key_beside_itself_is_no_page_of_columns() -> None:
    text = "1. Who ruled?\nA. Akbar\nB. Dante\n2. Who wrote?\nA. Akbar\nB. Dante\n\nAnswers\n1. A      2. B\n"
    assert [question.answers for question in read(text).questions] == [("A",), ("B",)]
