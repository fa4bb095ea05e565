"""Every form gives back what was written in it, and no text whatever ends in anything but questions
or one line."""

from __future__ import annotations

import csv
import io
import json
import string
from collections.abc import Callable, Sequence
from time import process_time
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from answerer.formats.question_file.parts import right_choice
from answerer.formats.question_file.read import exam_of, looks_like_questions, read_question_file
from indexer.files.errors import UserError

WORDS = "rome|Athens|U.S.|fell|in 476|(1)|e.g.|1.5|唐|長安|and|“so”|a-b|it's|5%".split("|")
LETTERS, KANA, CIRCLED = string.ascii_uppercase, "アイウエオカキクケコ", "①②③④⑤⑥⑦⑧⑨⑩"


class Asked(NamedTuple):
    """A question to be written: its text, its choices, and the place of the right one."""

    text: str
    choices: tuple[str, ...]
    right: int | None


def phrase(start: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), max_size=5).map(lambda words: " ".join([start, *words]))


QUESTION = st.lists(phrase("so"), min_size=2, max_size=10, unique=True).flatmap(
    lambda choices: st.builds(
        Asked, phrase("What"), st.just(tuple(choices)), st.integers(0, len(choices) - 1)
    )
)
Writer = Callable[[Sequence[Asked]], str]


def numbered(
    number: str, label: str, labels: Sequence[str], answer: str = "Answer: ", apart: str = "\n"
) -> Writer:
    def write(asked: Sequence[Asked]) -> str:
        blocks = []
        for place, one in enumerate(asked, 1):
            choices = apart.join(
                label.format(labels[n]) + choice for n, choice in enumerate(one.choices)
            )
            blocks.append(
                f"{number.format(place)}{one.text}?\n{choices}\n{answer}{labels[one.right]}\n"
            )
        return "\n".join(blocks)

    return write


def with_key(number: str, label: str, labels: Sequence[str]) -> Writer:
    def write(asked: Sequence[Asked]) -> str:
        text = numbered(number, label, labels)(asked)
        questions = "\n".join(line for line in text.split("\n") if not line.startswith("Answer:"))
        pairs = [f"{place}. {labels[one.right]}" for place, one in enumerate(asked, 1)]
        rows = ["    ".join(pairs[start : start + 3]) for start in range(0, len(pairs), 3)]
        return "\n".join([questions, "Answer Key", *rows, ""])

    return write


def gift(asked: Sequence[Asked]) -> str:
    def escaped(text: str) -> str:
        return "".join(f"\\{sign}" if sign in "~=#{}:\\" else sign for sign in text)

    return "\n\n".join(
        f"::{place}:: {escaped(one.text)}? {{\n"
        + "\n".join(
            ("=" if n == one.right else "~") + escaped(choice)
            for n, choice in enumerate(one.choices)
        )
        + "\n}"
        for place, one in enumerate(asked, 1)
    )


def columns(sign: str) -> Writer:
    def write(asked: Sequence[Asked]) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=sign)
        writer.writerow(["question", *(f"choice {label}" for label in LETTERS[:10]), "answer"])
        for one in asked:
            cells = [*one.choices, *[""] * (10 - len(one.choices))]
            writer.writerow([f"{one.text}?", *cells, LETTERS[one.right]])
        return out.getvalue()

    return write


def objects(asked: Sequence[Asked]) -> str:
    rows = (
        {"question": f"{one.text}?", "choices": one.choices, "answer": LETTERS[one.right]}
        for one in asked
    )
    return "\n".join(map(json.dumps, rows))


FORMS: dict[str, Writer] = {
    "1. A)": numbered("{}. ", "{}) ", LETTERS),
    "1) a.": numbered("{}) ", "{}. ", LETTERS.lower(), "Ans. "),
    "Q1 (A), in a line": numbered("Q{}: ", "({}) ", LETTERS, apart="   "),
    "(1) (1), with a key": with_key("({}) ", "({}) ", [str(n) for n in range(1, 11)]),
    "1. 1., with a key": with_key("{}. ", "{}. ", [str(n) for n in range(1, 11)]),
    "問1 ア": numbered("問{}　", "{}　", KANA, "正解："),
    "第1問 ①": numbered("第{}問 ", "{} ", CIRCLED, "答え "),
    "Aiken": numbered("", "{}. ", LETTERS, "ANSWER: "),
    "GIFT": gift,
    "CSV": columns(","),
    "TSV": columns("\t"),
    "JSON": objects,
}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=30)
@given(asked=st.lists(QUESTION, min_size=1, max_size=6))
def test_what_is_written_is_read(form: str, asked: list[Asked]) -> None:
    parsed = read_question_file(FORMS[form](asked).encode(), "questions")
    found = [
        Asked(
            one.text,
            tuple(choice.text for choice in one.choices),
            right_choice(one.choices, one.answers[0]),
        )
        for one in parsed.questions
    ]
    assert found == [one._replace(text=f"{one.text}?") for one in asked]
    assert (list(parsed.rejected), list(parsed.notes)) == ([], [])


MARKS = "1. _2) _(1) _(2) _A) _B. _(C) _a. _b) _ア　_イ. _① _②_Q1 _問1 _第2問 _*_**_✓_(correct)"
ANSWERS = "Answer: B_Answers_1. B 2. C_解答_Explanation: x"
SIGNS = '{_}_=_~_#_::_//_\\_%50%_->_T_"_,_;_|_question_answer_choices_[_]_:_word_1914_Page 2'
PIECES = st.sampled_from(
    [
        *"_".join((MARKS, ANSWERS, SIGNS)).split("_"),
        "\n",
        "\n\n",
        " ",
        "\t",
        "  ",
        "\r",
        "\x0b",
        "\x0c",
        "\u2028",
    ]
)


@settings(max_examples=400)
@given(st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=80)))
@example("question,A,B\n" + '"x\n' * 50)
def test_no_text_ends_in_anything_but_questions_or_one_line(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    looks_like_questions(text)
    try:
        file = read_question_file(data, "questions")
    except UserError:
        return
    lines = max(data.count(b"\n"), data.count(b"\r")) + 1
    remarks = (*file.rejected, *file.notes)
    assert all(1 <= one.line <= lines for one in (*file.questions, *remarks))
    assert (
        len({one.name for one in file.questions})
        == len(file.questions)
        == len(exam_of(file, "questions").questions)
    )
    assert all(2 <= len(one.choices) <= 26 for one in file.questions)


@pytest.mark.parametrize(
    "piece",
    ["(1) ", "1. ", "A) x ", "{", "*", "\\", "a,", '"', "::", " ", "ア ", "Answer: ", "1-B "],
)
def test_long_texts_take_time_in_proportion(piece: str) -> None:
    """Forty thousand pieces in a line, and a piece a line: seconds of work; if quadratic,
    minutes."""
    start = process_time()
    for text in (piece * 40_000, f"{piece}\n" * 40_000):
        looks_like_questions(text)
    assert process_time() - start < 30
