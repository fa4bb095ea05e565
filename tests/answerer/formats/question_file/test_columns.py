"""CSV, TSV and JSON: which columns hold what, which answers they mean, and rows that are no
questions."""

from __future__ import annotations

import pytest

from answerer.formats.question_file.parts import Parsed
from answerer.formats.question_file.read import read_question_file
from indexer.files.errors import UserError
from tests.answerer.formats.question_file.shown import shown


def read(text: str) -> Parsed:
    return read_question_file(text.encode(), "questions")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('id,question,A,B,C,answer\nq1,"Who, then?",x,"y, z",,B\n', ["q1|Who, then?|A=x B=y, z|B"]),
        ("Question;Option 1;Option 2;Correct\nWho?;x;y;2\n", ["1|Who?|1=x 2=y|2"]),
        ("No.\tQuestion\tchoice_a\tchoice_b\tKey\n7\tWho?\tx\ty\ty\n", ["7|Who?|a=x b=y|b"]),
        ("問題,ア,イ,正解\n誰か。,甲,乙,②\n", ["1|誰か。|ア=甲 イ=乙|イ"]),
        ("番号,問題,選択1,選択2,正解番号\n7,誰か。,甲,乙,2\n", ["7|誰か。|1=甲 2=乙|2"]),
        ("問題,正解,不正解1,不正解2\n誰か。,乙,甲,丙\n", ["1|誰か。|A=丙 B=乙 C=甲|B"]),
        (
            "番号,問題,答え\n1,湾は海だ。,○\n2,峰は海だ。,×\n3,礁は山だ。,\n",
            ["1|湾は海だ。|A=○ B=×|A", "2|峰は海だ。|A=○ B=×|B", "3|礁は山だ。|A=○ B=×|"],
        ),
        ("Question;Answer\nFog is wet.;true\n", ["1|Fog is wet.|A=True B=False|A"]),
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
        ('question\tA\tB\tanswer\n"Who\tis\nit?"\tx\ty\tA\n', ["1|Who is it?|A=x B=y|A"]),
        ('question,A,B,answer\n"\\"Who\\", then?",="01",y,A\n', ['1|"Who", then?|A=01 B=y|A']),
        ("|Question|A|B|Key|\n|---|:--|--:|---|\n|Who?|x|y|A|\n", ["1|Who?|A=x B=y|A"]),
        (
            '{"id": "a", "question": "Who?", "choices": ["x", "y"], "answer": "y"}\n',
            ["a|Who?|A=x B=y|B"],
        ),
        ('[{"question": "Who?", "A": "x", "B": "y", "answer": 2}]', ["1|Who?|A=x B=y|B"]),
        (
            '[{"question": "Who?", "options": ["A) x", "b) y"], "answer": "B) y"}]',
            ["1|Who?|A=x B=y|B"],
        ),
        ("question,choices,answer\nWho?,A. x; B. y,B\n", ["1|Who?|A=x B=y|B"]),
        ("question,distractors,answer\nWho?,x;z,y\n", ["1|Who?|A=x B=y C=z|B"]),
        ('{"stem": "Who?", "options": {"a": "x", "b": "y"}, "answer": "a"}', ["1|Who?|a=x b=y|a"]),
    ],
)
def test_questions_in_columns_and_keys(text: str, rows: list[str]) -> None:
    parsed = read(text)
    assert (shown(parsed), parsed.rejected) == (rows, [])


def test_rows_that_are_no_questions_are_named_by_line() -> None:
    parsed = read(
        "question,A,B,answer\nWho?,x,y,A\nWho, "
        'then?,x,y,A\nWho?,x,,A\n,x,y,A\n\nWho?,,y,A\n"Who?,x,y,A\nLast" one?,x,y,B\nLast?,x,y,B\n'
    )
    assert shown(parsed) == ["1|Who?|A=x B=y|A", "2|Last?|A=x B=y|B"]
    assert [(one.line, one.text.partition(":")[0]) for one in parsed.rejected] == [
        (3, "5 cells, the header has 4"),
        (4, "a question has only one choice"),
        (5, "a question has choices, but no text"),
        (7, "a question"),
        (8, "a quote that is not closed, or too long a cell"),
        (9, "a quote that is not closed, or too long a cell"),
    ]


def test_a_cell_of_signs_without_choices_is_named() -> None:
    parsed = read("question,choices,answer\nWho?,x;y,A\nWhat?,;,A\n")
    assert (shown(parsed), [one.line for one in parsed.rejected]) == (["1|Who?|A=x B=y|A"], [3])


def test_the_rows_of_brightspaces_question_library() -> None:
    parsed = read(
        "//Choices,,\nNewQuestion,MC,,\nID,m-1,\nQuestionText,<p>Who?</p>,HTML\nOption,50,x,\n"
        'Option,100,"y, z",\nNewQuestion,TF\nQuestionText,It is.\nTRUE,0\nFALSE,100\n'
        "NewQuestion,WR\nQuestionText,Write.\n"
    )
    assert shown(parsed) == ["m-1|Who?|A=x B=y, z|B", "2|It is.|A=True B=False|B"]
    assert [one.line for one in parsed.rejected] == [11]


def test_rows_with_open_quotes_alone_are_no_table() -> None:
    with pytest.raises(UserError, match="no multiple-choice question"):
        read('"a,b,c,d\n"a,b,c,d\n"a,b,c,d\n')


def test_json_that_is_no_question_is_named_by_line() -> None:
    parsed = read(
        '{"question": "Who?", "choices": ["x", "y"]}\n{"text": "x"}\n{"question": "W?", '
        '"choices": [1]}\n'
        '{"question": "Who?", "answers": {"text": ["x"], "answer_start": [3]}}\n'
        '{"question": "Who?", "answers": ["x", "X."]}\n'
    )
    assert [one.line for one in parsed.rejected] == [2, 3, 4, 5]
    assert parsed.rejected[0].text.startswith("no question with choices: ")


@pytest.mark.parametrize(
    "text",
    [
        '{"question": {"stem": "Who?", "choices": ["x", "y"]}, "answerKey": "B"}',
        '{"question": {"stem": "Who?", "choices": [{"text": "x", "label": "A"}, {"text": "y", '
        '"label": "B"}]}, "answerKey": "B"}',
        '{"question": "Who?", "choices": {"text": ["x", "y"], "label": ["A", "B"]}, "answerKey": "B"}',
        '{"question": "Who?", "options": [{"text": "x", "isCorrect": false}, {"text": "y", '
        '"isCorrect": "TRUE"}]}',
        '{"question": "Who?", "options": [{"id": "o1", "text": "x"}, {"id": "o2", "text": "y"}], '
        '"correctAnswer": "o2"}',
        '{"question": "Who?", "answers": ["x", "y"], "correctIndex": 1}',
        '{"question": "Who?", "correct_answer": "y", "incorrect_answers": ["x"]}',
        '{"title": "Quiz", "questions": [{"question": "Who?", "options": ["x", "y"], "answer": "y"}]}',
        '{"by": {"name": "Ann"}, "quiz": {"old": {"q1": {"question": "Who?", "options": ["x", "y"], '
        '"answer": "y"}}}}',
        "question,correct answer,wrong answer 1,wrong answer 2\nWho?,y,x,\n",
        "Question,Type,Options,Correct\nWho?,Multiple choice,x;y,y\n",
        "Question #,Question Text,Answer 1,Answer 2,Correct Answer(s)\n1,Who?,x,y,2\n",
    ],
)
def test_choices_and_answers_in_many_places(text: str) -> None:
    parsed = read(text)
    (row,) = shown(parsed)
    labels = "1=x 2=y|2" if "#" in text else "A=x B=y|B"
    assert (row, parsed.rejected) == (f"1|Who?|{labels}", [])


def test_all_lists_of_an_object_are_read() -> None:
    one = '{"question": "Who?", "A": "x", "B": "y"}'
    two = one.replace("Who", "What")
    parsed = read(f'{{"easy": [{one}], "hard": [{{"page": 2}}, {two}]}}')
    assert shown(parsed) == ["1|Who?|A=x B=y|", "2|What?|A=x B=y|"]
    assert [remark.line for remark in parsed.rejected] == [1]


def test_the_right_choice_beside_wrong_ones_is_not_told_by_its_place() -> None:
    one = read("question,correct,wrong 1,wrong 2\nWho?,y,x,z\n").questions
    other = read("question,correct,wrong 1,wrong 2\nWho?,z,y,x\n").questions
    assert one[0].choices == other[0].choices


@pytest.mark.parametrize("sign", ["\t", ","])
@pytest.mark.parametrize(
    ("rows", "right"),
    [
        (["Which is it?|x|y|z|2", "What is it?|p|q|r|3"], "BC"),
        (["7|Which is it?|x|y|z|B", "8|What is it?|p|q|r|C"], "BC"),
        (["Which is it?|x|y|z|b", "What is it?|p|q|r|c"], "BC"),
        (["Which is it?|x|y|z|z", "What is it?|p|q|r|p"], "CA"),
    ],
)
def test_rows_without_a_header_whose_last_cell_is_right(
    rows: list[str], right: str, sign: str
) -> None:
    parsed = read("".join(f"{row}\n" for row in rows).replace("|", sign))
    assert ("".join(row[-1] for row in shown(parsed)), parsed.rejected) == (right, [])


KAHOOT = """,,,,,,,
,Our quiz,,,,,,
,Question - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,\
Answer 3 - max 75 characters,"Time limit (sec) - 5, 10, 20",Correct answer(s) - choose at least one
1,Which metal is liquid?,Iron,Mercury,Zinc,20,2
2,Which gas do we breathe?,Oxygen,Helium,Neon,20,1
"""
QUIZIZZ = (
    "Question Text,Question Type,Option 1,Option 2,Correct Answer,Time in seconds\n"
    "Text of the question (required),Question Type,Text for option 1,Text for option 2,(required),\n"
    "Which metal is liquid?,Multiple Choice,Iron,Mercury,2,30\n"
)
BLACKBOARD = (
    "MC\tWhich metal is liquid?\tIron\tincorrect\tMercury\tcorrect\n"
    "TF\tIron floats.\tfalse\nESS\tWhy?\t\n"
)


@pytest.mark.parametrize(
    ("text", "rows", "rejected"),
    [
        (
            KAHOOT,
            [
                "1|Which metal is liquid?|1=Iron 2=Mercury 3=Zinc|2",
                "2|Which gas do we breathe?|1=Oxygen 2=Helium 3=Neon|1",
            ],
            [],
        ),
        (QUIZIZZ, ["1|Which metal is liquid?|1=Iron 2=Mercury|2"], [2]),
        (
            BLACKBOARD,
            ["1|Which metal is liquid?|A=Iron B=Mercury|B", "2|Iron floats.|A=True B=False|B"],
            [3],
        ),
        (
            "#separator:tab\n#columns:Question\tA\tB\tAnswer\nWhich?\tIron\tZinc\tA\n",
            ["1|Which?|A=Iron B=Zinc|A"],
            [],
        ),
        (
            "#separator:tab\n#html:false\nWhich metal?\tIron\tMercury\t2\nWhich gas?\tNeon\tAir\t1\n",
            ["1|Which metal?|A=Iron B=Mercury|B", "2|Which gas?|A=Neon B=Air|A"],
            [],
        ),
        (
            'Which metal?,Iron,"Zinc, pure",B\nWhich gas?,Neon,Argon,A\n',
            ["1|Which metal?|A=Iron B=Zinc, pure|B", "2|Which gas?|A=Neon B=Argon|A"],
            [],
        ),
    ],
)
def test_exports_of_quiz_programs(text: str, rows: list[str], rejected: list[int]) -> None:
    parsed = read(text)
    assert (shown(parsed), [one.line for one in parsed.rejected]) == (rows, rejected)


@pytest.mark.parametrize(
    ("text", "right", "is_noted"),
    [
        # The third can be no text: all are positions, also that of the first, which has a text 2.
        (
            "question,A,B,C,answer\nHow many?,2,3,1,2\nHow few?,3,4,5,3\nWho?,Ann,Bob,Cid,1\n",
            "BCA",
            False,
        ),
        ("question,A,B,C,answer\nHow many?,2,3,1,2\nHow few?,1,2,3,3\n", "AC", False),
        ("question,A,B,C,answer\nWho?,Ann,Bob,Cid,0\nWho?,Ann,Bob,Cid,2\n", "AC", False),
        ("question,A,B,C,answer\nWho?,Ann,Bob,Cid,1\nWho?,Ann,Bob,Cid,2\n", "AB", True),
        ('{"question": "Who?", "choices": ["Ann", "Bob", "Cid"], "answer": 1}', "B", True),
        ('{"question": "Who?", "choices": ["Ann", "Bob", "Cid"], "answer": 3}', "C", False),
        ('{"question": "Who?", "choices": ["Ann", "Bob", "Cid"], "answer": "1"}', "A", True),
    ],
)
def test_the_whole_column_tells_what_integers_are(text: str, right: str, is_noted: bool) -> None:
    parsed = read(text)
    assert "".join(row[-1] for row in shown(parsed)) == right
    assert bool(parsed.answer_notes) == is_noted


@pytest.mark.parametrize(
    "text",
    [
        f"question,A,B,answer\nWho?,Ann,Bob,{'9' * 5000}\n",
        f"#separator:tab\n#tags column:{'9' * 5000}\nWho is it?\tAnn\tBob\tA\nWhat?\tx\ty\tB\n",
    ],
)
def test_numbers_of_any_length_are_read(text: str) -> None:
    assert [choice.text for choice in read(text).questions[0].choices] == ["Ann", "Bob"]


def test_columns_with_unknown_names_are_noted_where_no_answers_are_found() -> None:
    notes = read("question,A,B,the one\nWho?,x,y,B\n").notes
    assert [note.text for note in notes] == ["no column of answers; columns not read: the one"]


def test_a_column_of_answers_behind_each_choice_is_named_and_gives_none() -> None:
    parsed = read("question,A,correct,B,correct\nHot?,ice,0,fire,1\n")
    assert shown(parsed) == ["1|Hot?|A=ice B=fire|"]
    assert parsed.notes[0].text.startswith("several columns correct: not read")
