"""Quizzes in PDF and Word: columns of pages, automatic numbers, tables, choices in bold type."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from answerer.formats.answers import read_answers
from answerer.formats.exam.read import read_exam
from answerer.formats.question_file.parts import Parsed
from answerer.formats.question_file.read import read_question_file
from tests.answerer.formats.question_file.shown import shown
from tests.indexer.sources.textbook.documents.made import Text, column, docx, pdf
from tests.refusals import raises_at

LEFT = [
    "1. Which ruler had the Taj",
    "Mahal built?",
    "A. Akbar",
    "B. Shah Jahan",
    "{}. Which town was taken?",
    "A. Agra",
    "B. Constantinople",
]
RIGHT = ["{}. Where did the League sit?", "A. Vienna", "B. Geneva", "4. Who wrote the Comedy?"]
RIGHT += ["A. Dante", "B. Calvin"]
LISTS = """
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
"""
BOLD = "<w:b/>"


def paragraph(text: str, listed: tuple[int, int] | None = None, properties: str = "") -> str:
    """A paragraph with run `properties`, perhaps at a level of a list: (list, level)."""
    numbered = ""
    if listed:
        number, level = listed
        numbered = f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>'
    return f"<w:p>{numbered}<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def table(rows: Sequence[Sequence[str]]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def read(path: Path) -> Parsed:
    return read_question_file(path.read_bytes(), path)


@pytest.mark.parametrize(("left", "right"), [(2, 3), (3, 2)])
def test_questions_in_two_columns_of_a_pdf(tmp_path: Path, left: int, right: int) -> None:
    """The numbers count down the columns, or along the rows."""
    page = [
        Text("A quiz on history with a title over both of its columns", 50, 40, 14),
        *column([line.format(left) for line in LEFT]),
        *column([line.format(right) for line in RIGHT], x=220),
    ]
    parsed = read(pdf(tmp_path / "quiz.pdf", [page]))
    town, seat = (
        f"{left}|Which town was taken?|A=Agra B=Constantinople|",
        f"{right}|Where did the League sit?|A=Vienna B=Geneva|",
    )
    assert shown(parsed) == [
        "1|Which ruler had the Taj Mahal built?|A=Akbar B=Shah Jahan|",
        *sorted((town, seat)),
        "4|Who wrote the Comedy?|A=Dante B=Calvin|",
    ]
    assert [note.text for note in parsed.notes] == [
        "left out: 'A quiz on history with a title over both of its columns'"
    ]


def test_a_question_goes_on_at_the_top_of_the_next_column(tmp_path: Path) -> None:
    left = column(
        ["1. Who wrote the Comedy?", "A. Dante", "B. Calvin", "2. Who ruled?", "A. Akbar"]
    )
    right = column(["B. Babur", "C. Luther", "3. Who sat there?", "A. Ann", "B. Bob"], x=220)
    assert shown(read(pdf(tmp_path / "quiz.pdf", [[*left, *right]])))[1:] == [
        "2|Who ruled?|A=Akbar B=Babur C=Luther|",
        "3|Who sat there?|A=Ann B=Bob|",
    ]


def test_choices_in_two_columns_and_a_key_on_the_last_page(tmp_path: Path) -> None:
    first = [
        *column(["1. Which ruler had it built?", "A. Akbar", "B. Shah Jahan"]),
        *column(["", "C. Babur", "D. Humayun"], x=220),
        Text("1", 200, 580),
    ]
    second = [
        *column(["2. Who?", "A. Ann", "B. Bob", "", "Answers", "1. B   2. A"]),
        Text("2", 200, 580),
    ]
    parsed = read(pdf(tmp_path / "quiz.pdf", [first, second]))
    assert shown(parsed) == [
        "1|Which ruler had it built?|A=Akbar B=Shah Jahan C=Babur D=Humayun|B",
        "2|Who?|A=Ann B=Bob|A",
    ]
    assert [note.text for note in parsed.notes] == ["left out: 2 page numbers"]


def test_the_same_choice_at_the_foot_of_all_pages_is_no_running_foot(tmp_path: Path) -> None:
    pages = [column([f"{n}. Which?", "A. Ann", "B. Both of them"]) for n in (1, 2, 3)]
    assert [row[-20:] for row in shown(read(pdf(tmp_path / "quiz.pdf", pages)))] == [
        "=Ann B=Both of them|"
    ] * 3


def test_what_a_pdf_holds_beside_questions_is_named_by_its_page(tmp_path: Path) -> None:
    pages = [
        column(["1. Who?", "A. Ann", "B. Bob"]),
        column(["2. Whom?", "A. Ann", "B. Bob", "D. Cid"]),
    ]
    path = pdf(tmp_path / "quiz.pdf", pages)
    assert read_exam(path).notes == (
        f"{path}: page 2: question 2 has labels A, B, D: one is missing or out of place: number its choices in order",
        f"{path}: read as numbered text of a PDF document: 2 questions, 1 used, 1 rejected",
    )


def test_a_japanese_pdf_in_two_columns_keeps_its_wide_blanks(tmp_path: Path) -> None:
    left = column(
        ["問1　首都はどこか。", "ア　東京　　イ　大阪", "問2　誰か。", "ア　甲　　イ　乙"]
    )
    right = column(["問3　川はどれか。", "ア　信濃川", "イ　富士山"], x=220)
    assert shown(read(pdf(tmp_path / "quiz.pdf", [[*left, *right]]))) == [
        "1|首都はどこか。|ア=東京 イ=大阪|",
        "2|誰か。|ア=甲 イ=乙|",
        "3|川はどれか。|ア=信濃川 イ=富士山|",
    ]


def test_questions_beside_each_other_whose_order_cannot_be_told_are_named(tmp_path: Path) -> None:
    left = column(["1. Who ruled?", "A. Ann", "B. Bob"])
    right = column(["7. Who sang?", "A. Cid", "B. Dan", "5. Who?", "A. Eve", "B. Flo"], x=220)
    path = pdf(tmp_path / "quiz.pdf", [[*left, *right]])
    parsed = read(path)
    assert not {one.name for one in parsed.questions} & {"1", "7"}
    assert any("question 1 has question 7 beside it" in one.text for one in parsed.rejected)


def test_a_pdf_of_pictures_has_no_questions(tmp_path: Path) -> None:
    path = pdf(tmp_path / "quiz.pdf", [[]])
    with raises_at(path):
        read_exam(path)


def test_automatic_numbers_and_letters(tmp_path: Path) -> None:
    body = "".join(
        paragraph(text, listed)
        for text, listed in (
            ("Quiz of week 3", None),
            ("Which ruler?", (1, 0)),
            *(("Akbar", (1, 1)), ("Shah Jahan", (1, 1))),
            ("Which town?", (1, 0)),
            *(("Agra", (1, 1)), ("", (1, 1))),
            ("Who?", (1, 0)),
            *(("Dante", (1, 1)), ("Calvin", (1, 1))),
        )
    )
    path = docx(tmp_path / "quiz.docx", body, "", LISTS.format(form="decimal", text="%1"))
    parsed = read(path)
    assert shown(parsed) == ["1|Which ruler?|a=Akbar b=Shah Jahan|", "3|Who?|a=Dante b=Calvin|"]
    assert read_exam(path).notes[1:] == (
        f"{path}: paragraph 5: question 2: choice b is empty: write its text, or delete it",
        f"{path}: read as numbered text of a Word document: 3 questions, 2 used, 1 rejected",
    )


@pytest.mark.parametrize(
    ("form", "text", "labels"),
    [
        ("upperLetter", "%1.", "AB"),
        ("decimal", "(%1)", "12"),
        ("aiueoFullWidth", "%1", "アイ"),
        ("decimalEnclosedCircle", "%1", "①②"),
    ],
)
def test_lists_that_begin_again(tmp_path: Path, form: str, text: str, labels: str) -> None:
    """The choices of each question are a list of their own, of the same kind."""
    body = "".join(
        paragraph(line, (number, 0) if number else None)
        for line, number in (
            *(("Question 1: Who was it?", 0), ("Ann", 2), ("Bob", 2)),
            *(("Question 2: Whom did it see?", 0), ("Cid", 3), ("Dan", 3)),
        )
    )
    path = docx(tmp_path / "quiz.docx", body, "", LISTS.format(form=form, text=text))
    one, two = labels
    assert shown(read(path)) == [
        f"1|Who was it?|{one}=Ann {two}=Bob|",
        f"2|Whom did it see?|{one}=Cid {two}=Dan|",
    ]


@pytest.mark.parametrize(("form", "labels"), [("decimal", "123456"), ("lowerLetter", "abcdef")])
def test_a_list_that_goes_on_over_two_questions_is_lettered_as_it_is_shown(
    tmp_path: Path, form: str, labels: str
) -> None:
    body = "".join(
        paragraph(line, (number, 0))
        for line, number in (
            *(("Who was it?", 1), ("Ann", 2), ("Bob", 2), ("Cid", 2)),
            *(("Whom did it see?", 1), ("Dan", 2), ("Eve", 2), ("Fay", 2)),
        )
    )
    path = docx(tmp_path / "quiz.docx", body, "", LISTS.format(form=form, text="%1)"))
    names = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
    one, *others = (f"{label}={name}" for label, name in zip(labels, names, strict=True))
    assert shown(read(path)) == [
        f"1|Who was it?|{one} {others[0]} {others[1]}|",
        f"2|Whom did it see?|{' '.join(others[2:])}|",
    ]


def test_the_list_of_a_style_and_text_in_form_fields(tmp_path: Path) -> None:
    styles = (
        '<w:style w:styleId="Item"><w:basedOn w:val="Base"/></w:style>'
        '<w:style w:styleId="Base"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    item = '<w:p><w:pPr><w:pStyle w:val="Item"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    body = paragraph("Question 1: Who?") + item.format("Ann") + item.format("Bob")
    path = docx(tmp_path / "quiz.docx", body, styles, LISTS.format(form="upperLetter", text="%1."))
    assert shown(read(path)) == ["1|Who?|A=Ann B=Bob|"]


@pytest.mark.parametrize(
    ("properties", "said"),
    [
        ("<w:b/>", "bold type"),
        ("<w:u w:val='single'/>", "underlining"),
        ("<w:highlight w:val='yellow'/>", "highlighting"),
        ("<w:color w:val='FF0000'/>", "colour"),
    ],
)
def test_choices_set_apart_are_the_key(tmp_path: Path, properties: str, said: str) -> None:
    body = paragraph("1. Who?") + paragraph("A) Ann") + paragraph("B) Bob", None, properties)
    body += paragraph("2. Whom?") + paragraph("A) Cid", None, properties) + paragraph("B) Dan")
    marked, plain = (
        docx(tmp_path / "a.docx", body),
        docx(tmp_path / "b.docx", body.replace(properties, "")),
    )
    assert shown(read(marked)) == ["1|Who?|A=Ann B=Bob|B", "2|Whom?|A=Cid B=Dan|A"]
    assert [note.text for note in read(marked).answer_notes] == [
        f"right answers are taken from {said}"
    ]
    assert read_exam(marked).questions == read_exam(plain).questions
    assert [row.answer for row in read_answers(marked).answers] == ["B", "A"]


def test_white_behind_text_copied_from_a_page_is_no_highlighting(tmp_path: Path) -> None:
    white, yellow = "<w:shd w:fill='FFFFFF'/>", "<w:shd w:fill='FFFF00'/>"
    body = paragraph("1. Who?", None, white) + paragraph("A) Ann", None, white)
    body += paragraph("B) Bob", None, yellow) + paragraph("C) Cid", None, white)
    assert shown(read(docx(tmp_path / "quiz.docx", body))) == ["1|Who?|A=Ann B=Bob C=Cid|B"]


def test_bullets_in_bold_type_are_the_key(tmp_path: Path) -> None:
    body = paragraph("1. Who?") + paragraph("Ann", (2, 0)) + paragraph("Bob", (2, 0), BOLD)
    lists = LISTS.format(form="bullet", text="•")
    assert shown(read(docx(tmp_path / "quiz.docx", body, "", lists))) == ["1|Who?|A=Ann B=Bob|B"]


def test_bold_type_inside_a_line_is_the_key(tmp_path: Path) -> None:
    plain = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'
    bold = '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">{}</w:t></w:r>'
    body = "<w:p>{}</w:p>".format(plain.format("1. Who?"))
    body += "<w:p>{}{}{}</w:p>".format(
        plain.format("a) Ann   "), bold.format("b) Bob"), plain.format("   c) Cid")
    )
    body += "<w:p>{}</w:p>".format(plain.format("2. It saw them."))
    body += "<w:p>{}{}</w:p>".format(plain.format("True     "), bold.format("False"))
    assert shown(read(docx(tmp_path / "quiz.docx", body))) == [
        "1|Who?|a=Ann b=Bob c=Cid|b",
        "2|It saw them.|A=True B=False|B",
    ]


@pytest.mark.parametrize("marked", [(True, True), (False, False)])
def test_bold_type_of_all_choices_or_of_questions_is_no_key(
    tmp_path: Path, marked: tuple[bool, bool]
) -> None:
    body = paragraph("1. Who?", None, BOLD)
    for text, is_bold in zip(("A) Ann", "B) Bob"), marked, strict=True):
        body += paragraph(text, None, BOLD if is_bold else "")
    assert shown(read(docx(tmp_path / "quiz.docx", body))) == ["1|Who?|A=Ann B=Bob|"]


def test_a_printed_key_goes_before_bold_type(tmp_path: Path) -> None:
    body = paragraph("1. Who?") + paragraph("A) Ann", None, BOLD) + paragraph("B) Bob")
    path = docx(tmp_path / "quiz.docx", body + paragraph("Answer: B"))
    assert shown(read(path)) == ["1|Who?|A=Ann B=Bob|B"]


def test_a_table_with_a_header_is_columns(tmp_path: Path) -> None:
    rows = [["No", "Question", "A", "B", "Answer"], ["1", "Who?", "Ann", "Bob", "B"]]
    parsed = read(docx(tmp_path / "quiz.docx", table(rows)))
    assert (shown(parsed), parsed.form) == (["1|Who?|A=Ann B=Bob|B"], "columns of a Word document")


KEY = ["Answer key", "1. b", "2. a"]


@pytest.mark.parametrize("form", ["list", "table", "PDF"])
def test_a_key_in_a_document_of_its_own(tmp_path: Path, form: str) -> None:
    path = tmp_path / "key"
    if form == "PDF":
        pdf(path, [column(KEY)])
    elif form == "table":
        docx(path, table([["Question", "Answer"], ["1", "b"], ["2", "a"]]))
    else:
        body = paragraph("Answers") + paragraph("b) Bob", (2, 0)) + paragraph("a) Ann", (2, 0))
        docx(path, body, "", LISTS.format(form="decimal", text="%1."))
    assert [(row.column, row.answer) for row in read_answers(path).answers] == [
        ("1", "b"),
        ("2", "a"),
    ]


def test_choices_in_the_cell_of_their_question(tmp_path: Path) -> None:
    rows = [
        ["No.", "Question", "Answer"],
        ["1", "Who was it?|a) Ann|b) Bob", "b"],
        ["2", "Whom?|a) Cid|b) Dan", "a"],
    ]
    body = table(rows).replace("|", "</w:t></w:r></w:p><w:p><w:r><w:t>")
    assert shown(read(docx(tmp_path / "quiz.docx", body))) == [
        "1|Who was it?|a=Ann b=Bob|b",
        "2|Whom?|a=Cid b=Dan|a",
    ]


def test_labels_in_cells_of_their_own(tmp_path: Path) -> None:
    rows = [
        ["1.", "Who was it?"],
        ["A", "Ann"],
        ["B", "Bob"],
        ["2.", "Whom?"],
        ["A", "Cid"],
        ["B", "Dan"],
    ]
    assert shown(read(docx(tmp_path / "quiz.docx", table(rows)))) == [
        "1|Who was it?|A=Ann B=Bob|",
        "2|Whom?|A=Cid B=Dan|",
    ]


def test_what_nobody_sees_in_word_is_not_read(tmp_path: Path) -> None:
    body = paragraph("1. Who?") + paragraph("A) Ann") + paragraph("B) Bob")
    body += paragraph("The answer is B", None, "<w:vanish/>")
    body += "<w:p><w:del><w:r><w:delText>C) Cid</w:delText></w:r></w:del></w:p>"
    parsed = read(docx(tmp_path / "quiz.docx", body))
    assert shown(parsed) == ["1|Who?|A=Ann B=Bob|"]
    assert [note.text for note in parsed.notes] == ["left out: 1 hidden text"]
