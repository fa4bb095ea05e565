"""GIFT: choices, weights, escapes, gaps; other kinds of questions are named by line."""

from __future__ import annotations

import pytest

from answerer.formats.question_file.gift import read_gift
from answerer.formats.question_file.read import looks_like_questions, read_question_file
from tests.answerer.formats.question_file.shown import shown


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Who? {=Ann ~Bob}", "|Who?|A=Ann B=Bob|A"),
        ("Who?{\n~Ann#no, not she\n=Bob # yes\n####general feedback\n}", "|Who?|A=Ann B=Bob|B"),
        ("At {~Rome =Paris} it was.", "|At ____ it was.|A=Rome B=Paris|B"),
        (r"Is 1 \= 1\: \{T\}? {~a\~b =c\=d ~e\#f}", "|Is 1 = 1: {T}?|A=a~b B=c=d C=e#f|B"),
        ("Which? {~%-50%a ~%100%b ~c}", "|Which?|A=a B=b C=c|B"),
        ("Which? {~%-33,333%a ~%100,0%b}", "|Which?|A=a B=b|B"),
        ('Which? {~a#<b class="x">1 = 1</b> =b#so ~c}', "|Which?|A=a B=b C=c|B"),
        ("Which? {~%50%a ~%50%b ~c}", "|Which?|A=a B=b C=c|"),
        ("Ice is cold. {T}", "|Ice is cold.|A=True B=False|A"),
        ("Ice is hot.{\nFALSE#It is cold.#Right!\n}", "|Ice is hot.|A=True B=False|B"),
        ("[html]<p>Which <b>one</b> &amp; only?</p>{=a ~b}", "|Which one & only?|A=a B=b|A"),
    ],
)
def test_a_multiple_choice_question(text: str, row: str) -> None:
    assert looks_like_questions(text)
    assert shown(read_gift(text)) == [row]


def test_titles_comments_and_lines() -> None:
    read = read_gift(
        "// no\n$CATEGORY: a/b\n::One:: Who? {=a ~b}\n\n// c\n::Two::\nWhat?\n{=c ~d}\n\nWhere? "
        "{=e ~f}\n"
    )
    assert [(one.name, one.text, one.line) for one in read.questions] == [
        ("One", "Who?", 3),
        ("Two", "What?", 6),
        ("", "Where?", 10),
    ]


def test_other_questions_are_named_by_line_and_an_open_brace_spoils_no_other() -> None:
    left_out = "not a multiple-choice question"
    kinds = {
        "Two? {=2 =two}": left_out,
        "Match {=a -> b =c -> d}": left_out,
        "How many? {#3:1}": left_out,
        "Say why. {}": left_out,
        "Only a text": left_out,
        "Open {=a ~b": "needs one { and one }",
    }
    read = read_gift("\n\n".join([*kinds, "Last? {=a ~b}"]))
    assert [one.text for one in read.questions] == ["Last?"]
    assert [one.line for one in read.rejected] == list(range(1, 2 * len(kinds), 2))
    assert [kind in one.text for kind, one in zip(kinds.values(), read.rejected, strict=True)] == [
        True
    ] * len(kinds)


def test_sets_in_braces_are_no_answers() -> None:
    assert read_question_file(b"1. Which set is {x = 1}?\nA) {1}\nB) {2}\n", "questions").form == ""


def test_a_formula_in_braces_does_not_make_a_text_gift() -> None:
    numbered = "1. If $x{=}3$, what is it?\nA) 5\nB) 6\n\n2. Who?\nA) Ann\nB) Bob\n"
    columns = "question,A,B\nWhat does {=SUM(A1)} do?,Adds,Counts\nWho?,Ann,Bob\n"
    texts = (numbered, columns)
    assert [shown(read_question_file(text.encode(), "questions")) for text in texts] == [
        ["1|If $x{=}3$, what is it?|A=5 B=6|", "2|Who?|A=Ann B=Bob|"],
        ["1|What does {=SUM(A1)} do?|A=Adds B=Counts|", "2|Who?|A=Ann B=Bob|"],
    ]
