"""Question files as exams: forms told by content, encodings, ids, shapes, gold kept away, notes
that add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.answers import read_answers
from answerer.formats.exam.read import read_exam
from answerer.formats.question_file.read import looks_like_questions
from answerer.ntcir.multiple_choice.shapes import parse_shape
from indexer.files.errors import UserError
from tests.places import SAMPLES
from tests.refusals import raises_at

ENGLISH = "1. Who’s “right” – naïve?\nA) Ann’s café\nB) “Bob”\nAnswer: B\n"
CHINESE = "1. 中國最長的河流是哪一條？\nA. 長江，流入東海\nB. 黃河，流入渤海\n答案：A\n"
JAPANESE = "問1　首都はどこか。\nア　東京\nイ　大阪\n正解：ア\n"


def written(folder: Path, content: str | bytes, name: str = "questions.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("text", "encodings", "language", "expected"),
    [
        (
            ENGLISH,
            ["utf-8", "utf-8-sig", "utf-16", "cp1252"],
            "en",
            ["Who’s “right” – naïve?", "A", "Ann’s café", "B", "“Bob”"],
        ),
        (
            JAPANESE,
            ["utf-8", "utf-16", "cp932", "euc-jp", "iso-2022-jp"],
            "ja",
            ["首都はどこか。", "ア", "東京", "イ", "大阪"],
        ),
        (
            CHINESE,
            ["gb18030", "big5", "utf-16"],
            "zh",
            ["中國最長的河流是哪一條？", "A", "長江，流入東海", "B", "黃河，流入渤海"],
        ),
    ],
)
def test_any_encoding_with_any_line_end(
    tmp_path: Path, text: str, encodings: list[str], language: str, expected: list[str], end: str
) -> None:
    for encoding in encodings:
        exam = read_exam(written(tmp_path, text.replace("\n", end).encode(encoding)))
        (asked,) = exam.questions
        cells = [asked.instruction.plain]
        for choice in asked.choices:
            cells += [choice.label, choice.text.plain]
        assert (cells, exam.language.code, exam.is_plain) == (expected, language, True), encoding


@pytest.mark.parametrize(
    "name", ["questions-en.txt", "questions-en.gift", "questions-en.csv", "questions-ja.txt"]
)
@pytest.mark.parametrize("ending", ["", ".xml", ".csv", ".json"])
def test_the_form_is_told_by_the_content(tmp_path: Path, name: str, ending: str) -> None:
    own = read_exam(SAMPLES / name)
    other = read_exam(written(tmp_path, (SAMPLES / name).read_bytes(), f"questions{ending}"))
    assert other.questions == own.questions
    assert looks_like_questions((SAMPLES / name).read_text("utf-8"))


def test_exam_xml_stays_exam_xml(tmp_path: Path) -> None:
    path = written(tmp_path, (SAMPLES / "sample-exam-en.xml").read_bytes(), "exam.txt")
    assert not read_exam(path).is_plain
    assert not looks_like_questions(path.read_text("utf-8"))


def test_labels_in_a_circle_are_numbers_and_printed_as_they_are(tmp_path: Path) -> None:
    (asked,) = read_exam(written(tmp_path, "問1 誰か。\n① 甲\n② 乙\n")).questions
    assert [(choice.number, choice.label) for choice in asked.choices] == [("1", "①"), ("2", "②")]


def test_ids_are_unlike(tmp_path: Path) -> None:
    part = "1. Which?\nA) x\nB) y\n1-2. Which?\nA) x\nB) y\n"
    ids = [one.answer_column for one in read_exam(written(tmp_path, part + part)).questions]
    assert ids == ["1", "1-2", "1-3", "1-2-2"]
    unnamed = "Which?\nA) x\nB) y\n\nWhat?\nA) x\nB) y\n"
    assert [one.answer_column for one in read_exam(written(tmp_path, unnamed)).questions] == [
        "1",
        "2",
    ]


@pytest.mark.parametrize(
    ("stem", "choices", "asks", "shape"),
    [
        ("Which of these is a city?", "A) Rome\nB) Nile", "T", "sentence"),
        ("Which of these is NOT a city?", "A) Rome\nB) Nile", "F", "sentence"),
        ("All of the following are cities except", "A) Rome\nB) Nile", "F", "sentence"),
        ("誤っているものを一つ選べ。", "ア 東京\nイ 大阪", "F", "sentence"),
        ("Put these in order.", "A) Rome → Paris\nB) Paris → Rome", "T", "ordering"),
    ],
)
def test_what_is_asked_and_its_shape(
    tmp_path: Path, stem: str, choices: str, asks: str, shape: str
) -> None:
    (asked,) = read_exam(written(tmp_path, f"1. {stem}\n{choices}\n")).questions
    assert (asked.asks, parse_shape(asked).shape) == (asks, shape)


GOLD = [
    ("1. Which?\nA) x\nB) y\n", "Answer: B\nExplanation: y it is.\n"),
    ("1. Which?\nA) x\nB) y\n\n", "Answer key\n1. B\n"),
    ("問1 誰か。\nア 甲\nイ 乙\n", "正解 イ\n解説：乙である。\n"),
]


@pytest.mark.parametrize(("text", "gold"), GOLD)
def test_answers_are_not_in_the_exam(tmp_path: Path, text: str, gold: str) -> None:
    with_gold, without = written(tmp_path, text + gold), written(tmp_path, text, "bare.txt")
    assert read_exam(with_gold).questions == read_exam(without).questions
    assert [row.answer for row in read_answers(with_gold).answers] in (["B"], ["イ"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who? {=Ann#yes ~Bob#no}", "Who? {~Ann =Bob}"),
        ("1. Who?\n*A) Ann\nB) Bob\n", "1. Who?\nA) Ann\n*B) Bob\n"),
        ("question,A,B,answer\nWho?,Ann,Bob,A\n", "question,A,B,answer\nWho?,Ann,Bob,B\n"),
        (
            '{"question": "Who?", "choices": ["Ann", "Bob"], "answer": 0}',
            '{"question": "Who?", "choices": ["Ann", "Bob"]}',
        ),
    ],
)
def test_an_exam_is_the_same_whatever_is_right(tmp_path: Path, one: str, other: str) -> None:
    exams = [
        read_exam(written(tmp_path, text, name)) for text, name in ((one, "one"), (other, "other"))
    ]
    assert exams[0].questions == exams[1].questions


def test_a_file_in_aiken_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "quiz.txt"
    path.write_text("Who ruled India?\nA. Akbar\nB. Teti\nANSWER: A\n", "utf-8")
    assert read_exam(path).notes == (f"{path}: read as Aiken: 1 question, 1 used, 0 rejected",)


def test_notes_add_up_and_name_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "Quiz\n\n1. Which?\nA) x\nB) y\n\n2. Discuss.\n")
    assert read_exam(path).notes == (
        f"{path}:1: left out: 'Quiz'",
        f"{path}:7: question 2 has no choices: not a multiple-choice question, left out",
        f"{path}: read as numbered text: 2 questions, 1 used, 1 rejected",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"Only a text.\n", ":1: no multiple-choice question; expected numbered questions"),
        (b"\n\n1. Discuss.\n", ":3: no multiple-choice question; question 1 "),
        (
            b"Sun? {=yes}\n",
            ":1: no multiple-choice question; this is not a multiple-choice question",
        ),
        (b'{"question": "x"', ":1: "),
        (b"PK\x03\x04\x00\x00\x00", ": a zip archive;"),
        (b"\x89PNG\r\n\x1a\n", ": a PNG image;"),
        (b"1. Who?\n\x00\n", ":2: binary data"),
        (b"", ": empty file; expected a quiz or an exam"),
    ],
)
def test_a_file_without_a_question_is_one_clear_error(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(UserError) as error:
        read_exam(path)
    assert str(error.value).startswith(f"{path}{said}")


def test_gold_that_is_not_one_choice_is_named_and_not_scored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    question = "{}. Which?\nA) x\nB) y\nAnswer: {}\n\n"
    path = written(
        tmp_path,
        "".join(question.format(n, answer) for n, answer in enumerate(["A", "A, B", "Z"], 1)),
    )
    with caplog.at_level("INFO"):
        table = read_answers(path)
    assert [(row.column, row.answer, row.score) for row in table.answers] == [
        ("1", "A", 1.0),
        ("2", "", None),
        ("3", "", None),
    ]
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}:6: question 2: 'A, B' is not one of its choices: not scored",
        f"{path}:11: question 3: 'Z' is not one of its choices: not scored",
    ]


def test_answers_that_count_from_0_and_from_1_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "question,A,B,answer\nWho?,Ann,Bob,2\nWho?,Ann,Bob,0\n")
    with pytest.raises(UserError) as error:
        read_answers(path)
    assert str(error.value).startswith(f"{path}:3: the answer 0")


def test_questions_without_any_answer_are_no_gold(tmp_path: Path) -> None:
    path = written(tmp_path, "1. Which?\nA) x\nB) y\n")
    with raises_at(path):
        read_answers(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id\tanswer\ttext\n1\tA\tx\n1\tB\ty\n", ":3: question 1 came before, in line 2"),
        ("id\tanswer\n1\n", ":2: not a row of a run"),
        ("id\tanswer\ttext\n", ":1: a run without answers"),
        (f"id,answer\n1,{'x' * 131_073}\n", ":2: field larger than field limit"),
    ],
)
def test_a_run_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError) as error:
        read_answers(path)
    assert str(error.value).startswith(f"{path}{said}")


def test_a_printed_id_goes_before_one_made_up(tmp_path: Path) -> None:
    text = "問1 答えよ。\n(1) 首都は。\nア 東京 イ 京都\n(2) 最高峰は。\nア 富士山 イ 北岳\n問2 誰か。\nア 甲 イ 乙\n"
    ids = [one.answer_column for one in read_exam(written(tmp_path, text)).questions]
    assert ids == ["1", "2-2", "2"]


@pytest.mark.parametrize(
    "text",
    [
        "id,answer\n1,b\n2,a\n3,c\n",
        "ID;Answer\n1;b\n2;a\n3;c\n",
        "id\tanswer\n1\tb\n2\ta\n3\tc\n",
        'id,answer,text\n1,b,"Agra, a town"\n2,a,x\n3,c,y\n',
        '"id","answer"\n"1","b"\n"2","a"\n"3","c"\n',
        '"id"\t"answer"\n"1"\t"b"\n"2"\t"a"\n"3"\t"c"\n',
        "1b 2a 3c\n",
        "Answers\n\n1. b\n2. a\n3. c\n",
        "1) b\n2) a\n3) c\n",
        "1 2 3\nb a c\n",
        "Answer key: 1b 2a 3c\n",
        "Question\tAnswer\n1\tb\n2\ta\n3\tc\n",
    ],
)
def test_a_key_alone_is_read(tmp_path: Path, text: str) -> None:
    key = read_answers(written(tmp_path, text))
    assert [(row.column, row.answer) for row in key.answers] == [("1", "b"), ("2", "a"), ("3", "c")]


def test_a_key_with_a_number_twice_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "1. b\n1. c\n")
    with pytest.raises(UserError, match="2: question 1 came before, in line 1"):
        read_answers(path)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("quiz.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word or Office file"),
        ("quiz.png", b"\x89PNG\r\n\x1a\n\0", "type its text, or scan it with text recognition"),
    ],
)
def test_a_quiz_of_no_form_that_is_read_names_those_that_are(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UserError) as error:
        read_answers(path)
    assert said in str(error.value)
    assert str(error.value).endswith("expected a quiz as text, Word (.docx), PDF or a workbook")
