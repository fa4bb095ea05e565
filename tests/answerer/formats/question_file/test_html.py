"""Quizzes on saved web pages: lists, buttons, tables, folds, and the marks of right choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.exam.read import read_exam
from answerer.formats.question_file.parts import Parsed
from answerer.formats.question_file.read import is_quiz, read_question_file
from indexer.files.errors import UserError
from tests.answerer.formats.question_file.shown import shown


def read(body: str, head: str = "") -> Parsed:
    page = f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>{body}</body></html>"
    return read_question_file(page.encode(), "quiz.html")


ALUM = "1|Which is a salt?|a=alum b=tin|"
PAGES = {
    "lists inside each other, with paragraphs": (
        '<ol><li><p>Which is a salt?<ol type="a"><li><p>alum<li><p>tin</ol></ol>',
        [ALUM],
    ),
    "lists without letters": (
        "<ol start=4><li>Which is a salt?<ol><li>alum<li>tin</ol></ol>",
        ["4|Which is a salt?|A=alum B=tin|"],
    ),
    "letters by a style": (
        '<ol><li>Which is a salt?<ol style="list-style: lower-alpha inside"><li>alum<li>tin</ol></ol>',
        [ALUM],
    ),
    "items that print their own labels": (
        "<ol><li>7) Which is a salt?</li></ol><ol><li>a) alum</li><li>b) tin</li></ol>",
        ["7|Which is a salt?|a=alum b=tin|"],
    ),
    "Word's labels of blanks that do not break": (
        "<p>1.<span>&nbsp;&nbsp;&nbsp; </span>Which is\na salt?</p>"
        "<p>a.<span>&nbsp; </span>alum</p><p>b.<span>&nbsp; </span>tin</p>",
        [ALUM],
    ),
    "line ends of a paragraph": (
        "<p>1. Which is a salt?<br>a) alum<br/>b) tin</p><p>Answer: b</p>",
        [f"{ALUM}b"],
    ),
    "line ends of preformatted text": ("<pre>1. Which is a salt?\na) alum\nb) tin\n</pre>", [ALUM]),
    "bullets below a heading": (
        "<h3>Which is a salt?</h3><ul><li>alum<li>tin</ul><h3>Which is red?</h3><ul><li>ore<li>ash</ul>",
        ["1|Which is a salt?|A=alum B=tin|", "2|Which is red?|A=ore B=ash|"],
    ),
    "buttons beside each other": (
        "<p>1. Which is a salt?</p><input type=radio>alum <input type=radio checked>tin",
        ["1|Which is a salt?|A=alum B=tin|"],
    ),
    "buttons behind their words": (
        "<p>1. Which is a salt?</p><label>alum <input type=radio></label>"
        "<label for=t>tin</label><input type=radio id=t>",
        ["1|Which is a salt?|A=alum B=tin|"],
    ),
    "buttons before letters": (
        "<p>1. Which is a salt?</p><p><input type=radio> a) alum<p><input type=radio> b) tin",
        [ALUM],
    ),
    "Google's buttons": (
        "<div role=listitem><div role=heading>Which is a salt? *</div><label><div role=radio>"
        "</div><div>alum</div></label><label><div role=radio></div><div>tin</div></label></div>"
        "<div role=button>Send</div>",
        ["1|Which is a salt?|A=alum B=tin|"],
    ),
    "Moodle's attempt": (
        "<div class=que><div class=info><h3>Question <span>1</span></h3><div class=state>Complete"
        "</div></div><h4 class=accesshide>Question text</h4><div>Which is a salt?</div><div>Select "
        "one:</div><div><input type=radio><div><span>a. </span><div><p>alum</div></div></div>"
        "<div><input type=radio checked><div><span>b. </span><div><p>tin</div></div></div>"
        "<div>The correct answer is: alum</div></div>",
        [f"{ALUM}a"],
    ),
    "a table that lays out": (
        "<table><tr><td>1.<td>Which is a salt?<tr><td><td>a)<td>alum<tr><td><td>b)<td>tin</table>",
        [ALUM],
    ),
    "a table of questions": (
        "<h1>Salts</h1><table><tr><th>Question<th>a<th>b<th>Answer"
        "<tr><td><p>Which is<p>a salt?<td>alum<td>tin<td>a</table>",
        ["1|Which is a salt?|a=alum b=tin|a"],
    ),
    "a fold": (
        "<p>1. Which is a salt?<p>a) alum<p>b) tin"
        "<details><summary>Show the answer</summary><p>b) tin, by the book</details>",
        [f"{ALUM}b"],
    ),
    "a hidden answer": (
        "<p>1. Which is a salt?<p>a) alum<p>b) tin<p style='display:none'>Answer: b",
        [f"{ALUM}b"],
    ),
    "hidden lists, tables and lines inside of choices": (
        "<ol><li>Which is a salt?<ol hidden><li>x</ol><ol type=a><li>alum<table hidden><tr><td>x"
        "</table><pre hidden>x</pre><li>tin</ol></ol>",
        [ALUM],
    ),
    "around the main part": (
        "<nav><ol><li>Home</ol></nav><header>Blog</header><main><p>1. Which is a salt?<p>a) alum"
        "<p>b) tin</main><aside>Recent</aside><footer>c) 2020</footer><script>d) x</script>",
        [ALUM],
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_as_it_is_seen(name: str) -> None:
    body, rows = PAGES[name]
    parsed = read(body)
    assert shown(parsed) == rows
    assert not parsed.rejected


MARKED = {
    "its class": ('<li class="choice correct">{}', "the page's own marks"),
    "its data": ('<li data-correct="true">{}', "the page's own marks"),
    "bold type": ("<li><b>{}</b>", "bold type"),
    "a ground of a class": ('<li><span class="y">{}</span>', "highlighting"),
    "a colour": ("<li><font color=red>{}</font>", "colour"),
}


@pytest.mark.parametrize("kind", MARKED)
def test_a_marked_choice_is_right(kind: str) -> None:
    item, what = MARKED[kind]
    plain = '<li class="incorrect"><span style="color: #000; font-weight: 400">tin</span>'
    parsed = read(
        f"<ol><li>Which is a salt?<ol type=a>{item.format('alum')}{plain}</ol></ol>",
        "<style>.x {color: red} td, .y {background: yellow}</style>",
    )
    assert shown(parsed) == [f"{ALUM}a"]
    assert [note.text for note in parsed.answer_notes] == [f"right answers are taken from {what}"]


def test_a_box_of_a_marked_choice_is_ticked() -> None:
    parsed = read("<p>Which is a salt?<ul><li class=right>alum<li>tin</ul>")
    assert shown(parsed) == ["1|Which is a salt?|A=alum B=tin|A"]


def test_lists_of_google_docs_have_their_letters() -> None:
    sheet = '<style>.lst-kix_q-1>li:before{content:"" counter(lst-ctn-kix_q-1,upper-latin) ") "}</style>'
    parsed = read(
        '<ol class="lst-kix_q-0 start"><li>Which is a salt?</li></ol>'
        '<ol class="lst-kix_q-1 start"><li>alum</li><li>tin</li></ol>',
        sheet,
    )
    assert shown(parsed) == ["1|Which is a salt?|A=alum B=tin|"]


def test_places_are_lines_of_the_file_and_hidden_text_is_counted(tmp_path: Path) -> None:
    (path := tmp_path / "quiz.html").write_text(
        "<!DOCTYPE html>\n<html>\n<body>\n<p>1. Which is a salt?\n<p>a) alum\n<p>b) tin\n"
        "<p>2. Which\nis red?\n<p hidden>token"
    )
    assert read_exam(path).notes == (
        f"{path}: left out: 1 hidden text",
        f"{path}: line 7: question 2 has no choices: not a multiple-choice question, left out",
        f"{path}: read as numbered text of a web page: 2 questions, 1 used, 1 rejected",
    )


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("<p>1. Who?", "no multiple-choice question; question 1 has no choices"),
        ("<p>Contents<ol><li>Salts<li>Ores</ol>", "a web page with lists, but without a quiz"),
    ],
)
def test_a_page_that_is_no_quiz_is_refused(body: str, what: str) -> None:
    with pytest.raises(UserError, match=what):
        read(body)


def test_a_page_of_a_book_is_no_quiz() -> None:
    assert not is_quiz(b"<html><p>Contents<ol><li>Salts<li>Ores</ol></html>", "book.html")


def test_a_piece_of_a_page_is_a_page() -> None:
    piece = b"<ol><li>Which is a salt?<ol type=a><li>alum<li>tin</ol></ol>"
    assert shown(read_question_file(piece, "quiz.html")) == [ALUM]


def test_a_page_saved_as_one_file_is_a_page() -> None:
    head = 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="X"\n\n--X\n'
    part = "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
    page = '<html><ol><li>Which is =\na salt?<ol type=3D"a"><li>alum<li>tin</ol></ol>\n--X--\n'
    assert shown(read_question_file(f"{head}{part}{page}".encode(), "quiz.mht")) == [ALUM]
