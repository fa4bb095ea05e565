"""CSV, TSV and JSON: which columns hold what, which answers they mean, and rows that are no
questions."""

from __future__ import annotations

import pytest

from answerer.formats.question_file.parts import Parsed, right_choice
from answerer.formats.question_file.read import read_question_file


def read(text: str) -> Parsed:
    return read_question_file(text.encode(), "questions")


def shown(parsed: Parsed) -> list[str]:
    """A line a question: id | text | choices | the labels of the right ones."""
    rows = []
    for one in parsed.questions:
        places = [right_choice(one.choices, answer) for answer in one.answers]
        right = {one.choices[place].label for place in places if place is not None}
        choices = " ".join(f"{choice.label}={choice.text}" for choice in one.choices)
        rows.append(f"{one.name}|{one.text}|{choices}|{' '.join(sorted(right))}")
    return rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('id,question,A,B,C,answer\nq1,"Who, then?",x,"y, z",,B\n', ["q1|Who, then?|A=x B=y, z|B"]),
        ("Question;Option 1;Option 2;Correct\nWho?;x;y;2\n", ["1|Who?|1=x 2=y|2"]),
        ("No.\tQuestion\tchoice_a\tchoice_b\tKey\n7\tWho?\tx\ty\ty\n", ["7|Who?|a=x b=y|b"]),
        ("問題,ア,イ,正解\n誰か。,甲,乙,②\n", ["1|誰か。|ア=甲 イ=乙|イ"]),
        (
            "q1\tWho is it?\t2\tx\ty\nq2\tWhat?\t1\tx\ty\tz\n",
            ["q1|Who is it?|1=x 2=y|2", "q2|What?|1=x 2=y 3=z|1"],
        ),
        (
            "What is it?\tB\tx\ty\tz\nWhich?\tA\tx\ty\n",
            ["1|What is it?|A=x B=y C=z|B", "2|Which?|A=x B=y|A"],
        ),
        ('question,A,B,answer\n"Two\nlines?",x,y,B\n', ["1|Two lines?|A=x B=y|B"]),
        ('question\tA\tB\tanswer\n"Who" is it?\tx\ty\tA\n', ['1|"Who" is it?|A=x B=y|A']),
        (
            '{"id": "a", "question": "Who?", "choices": ["x", "y"], "answer": "y"}\n',
            ["a|Who?|A=x B=y|B"],
        ),
        ('[{"question": "Who?", "A": "x", "B": "y", "answer": 2}]', ["1|Who?|A=x B=y|B"]),
        ('{"stem": "Who?", "options": {"a": "x", "b": "y"}, "answer": "a"}', ["1|Who?|a=x b=y|a"]),
    ],
)
def test_questions_in_columns_and_keys(text: str, rows: list[str]) -> None:
    parsed = read(text)
    assert (shown(parsed), parsed.rejected) == (rows, [])


def test_rows_that_are_no_questions_are_named_by_line() -> None:
    parsed = read(
        "question,A,B,answer\nWho?,x,y,A\nWho, "
        'then?,x,y,A\nWho?,x,,A\n,x,y,A\n\nWho?,,y,A\n"Who?,x,y,A\nLast?,x,y,B\n'
    )
    assert shown(parsed) == ["1|Who?|A=x B=y|A"]
    assert [(one.line, one.text.partition(":")[0]) for one in parsed.rejected] == [
        (3, "5 cells, the header has 4"),
        (4, "a question has only one choice"),
        (5, "a question has choices, but no text"),
        (7, "a question"),
        (8, "a quote that is not closed"),
    ]


def test_json_that_is_no_question_is_named_by_line() -> None:
    parsed = read(
        '{"question": "Who?", "choices": ["x", "y"]}\n{"text": "x"}\n{"question": "W?", '
        '"choices": [1]}\n'
        '{"question": {"stem": "Who?", "choices": ["x", "y"]}, "answerKey": "B"}\n'
        '{"question": "Who?", "choices": {"text": ["x", "y"], "label": ["A", "B"]}}\n'
        '{"question": "Who?", "correct_answer": "z", "incorrect_answers": ["y", "x"]}\n'
    )
    assert [one.line for one in parsed.rejected] == [2, 3, 4, 5, 6]
    assert parsed.rejected[0].text.startswith("no question with choices: ")
