"""Answer sheets: what is read, what is refused, and that writing changes nothing but the
answers."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerer.formats.answer_sheet import (
    Expression,
    InstructionPart,
    is_unanswered,
    language_answered,
    read_sheet,
    write_sheet,
)
from answerer.formats.length_limit import Limit
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from tests.answerer.formats.sheets import section, sheet, write
from tests.refusals import raises_at

LABELLED = (
    'It fell.<label_set><label id="a" focus="0">(a)</label></label_set>Name it, in 10 English '
    "words or less."
    '<label_set><label id="b" focus="1">(b)</label></label_set>Say why, in no more than 30 '
    "English words."
)


def test_paragraphs_of_an_instruction_are_parted_by_a_blank(tmp_path: Path) -> None:
    read = read_sheet(
        write(tmp_path, sheet(section(instruction="Fill the gap.</p><p>He built <b>the</b> ____.")))
    )
    assert read.sections[0].instruction_text == "Fill the gap. He built the ____."


def test_reads_a_section_with_its_context(tmp_path: Path) -> None:
    text = section(
        "S-1", instruction=LABELLED, limit="no more than 45 English words", keywords=("Suez Canal",)
    )
    text = text.replace(
        "<reference_set></reference_set>",
        '<reference_set><reference format="lText" id="l01" is_directly_referred="1"> Mongolian\n '
        "</reference>"
        "</reference_set>",
    )
    (found,) = read_sheet(write(tmp_path, sheet(text))).sections
    assert found.instruction == (
        InstructionPart("", False, "It fell."),
        InstructionPart("(a)", False, "Name it, in 10 English words or less."),
        InstructionPart("(b)", True, "Say why, in no more than 30 English words."),
    )
    assert found.focused_instruction == "Say why, in no more than 30 English words."
    assert (found.section_id, found.label) == ("S-1", "L_S-1")
    assert found.keywords == ("Suez Canal",)
    assert [(one.text, one.direct) for one in found.references] == [("Mongolian", True)]
    (answer,) = found.answers
    assert answer.printed_limit == Limit(45, "words")
    assert answer.limit == Limit(30, "words")
    assert is_unanswered(answer.expressions[0].text)
    assert found.is_essay


def test_written_sections_are_essays_or_terms_and_a_drawing_is_neither(tmp_path: Path) -> None:
    read = read_sheet(
        write(
            tmp_path,
            sheet(
                section("E-1"),
                section("T-1", kind="term_person", match="exact", limit="-1"),
                section("D-1", style="drawing"),
            ),
        )
    )
    assert [one.section_id for one in read.essays] == ["E-1"]
    assert [one.section_id for one in read.terms] == ["T-1"]


@pytest.mark.parametrize(
    ("instruction", "named", "expected"),
    [
        ("Describe it.", None, ENGLISH),
        ("運河を述べなさい。", None, JAPANESE),
        ("Describe it.", JAPANESE, JAPANESE),
    ],
)
def test_the_language_is_the_one_named_else_that_of_the_letters(
    tmp_path: Path, instruction: str, named: Language | None, expected: Language
) -> None:
    assert (
        read_sheet(write(tmp_path, sheet(section(instruction=instruction))), named).language
        == expected
    )


@pytest.mark.parametrize("text", ["", "(PREASE WRITE YOUR ANSWER)", " (PLEASE WRITE YORE ANSWER) "])
def test_placeholders_are_no_answers(text: str) -> None:
    assert is_unanswered(text)
    assert not is_unanswered("(Gandhi) " + text)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("no more than 20 English words", "some words"), 12, 'length_limit "some words" cannot be read; forms: -1'),
        (("description_limited", "haiku"), 3, 'unknown answer_style "haiku"; one of multipleChoice'),
        (('match_type="broad"', 'match_type="near"'), 12, 'unknown match_type "near"; one of exact, broad'),
        (('type="singleton"', 'type="pair"'), 11, 'unknown answer_set type "pair"'),
        ((' id="A1-1"', ""), 3, "answer_section without id"),
        (("<instruction><p>Describe the canal, in no more than 20 English words.</p>", "<instruction>"), 3,
         'section "A1-1" has no instruction'),
        (("answer_section", "part"), 2, "no answer_section"),
        (("expression_set", "others"), 12, "answer without expression_set"),
        (('order="-1"', 'order="x"'), 12, 'order "x"'),
        (('order="-1"', f'order="{"9" * 5000}"'), 12, 'order "999'),
        (("no more than 20 English words", f"{'9' * 5000}字"), 12, 'length_limit "999'),
    ],
)  # fmt: skip
def test_refuses_in_one_line_with_file_and_line(
    tmp_path: Path, change: tuple[str, str], line: int, message: str
) -> None:
    path = write(
        tmp_path,
        sheet(section(instruction="Describe the canal, in no more than 20 English words.")),
    )
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(UserError, match=re.escape(f"{path}:{line}: {message}")):
        read_sheet(path)


GAPS = (
    'The canal is <blank label="(a)" focus="{}"/> miles long. It was dug by'
    ' <blank label="(b)" ansColumn_id="a2" focus="{}"/>. Ships came.'
)


@pytest.mark.parametrize(
    ("focus", "asked", "rest"),
    [
        ("10", "Fill in. The canal is ____ miles long.", "It was dug by (b). Ships came."),
        ("01", "Fill in. It was dug by ____.", "The canal is (a) miles long. Ships came."),
        ("00", "Fill in. The canal is ____ miles long. It was dug by ____.", "Ships came."),
    ],
)
def test_a_text_with_gaps_asks_for_those_in_focus(
    tmp_path: Path, focus: str, asked: str, rest: str
) -> None:
    text = section(instruction="Fill in.", kind="term_other").replace(
        "<keyword_set>", f"<blank_question>{GAPS.format(*focus)}</blank_question><keyword_set>"
    )
    (found,) = read_sheet(write(tmp_path, sheet(text))).sections
    assert (found.focused_instruction, [one.text for one in found.references]) == (asked, [rest])


def test_a_sentence_in_quotation_marks_ends_behind_them(tmp_path: Path) -> None:
    gaps = '「<blank label="A" focus="1"/>は死んだ。」と伝えられた。皆は泣いた。'
    text = section(kind="term_other").replace(
        "<keyword_set>", f"<blank_question>{gaps}</blank_question><keyword_set>"
    )
    (found,) = read_sheet(write(tmp_path, sheet(text))).sections
    assert found.focused_instruction.endswith("「____は死んだ。」と伝えられた。")
    assert [one.text for one in found.references] == ["皆は泣いた。"]


def test_a_section_without_an_instruction_asks_what_its_last_grand_question_asks(
    tmp_path: Path,
) -> None:
    text = section(instruction="").replace(
        "<instruction>",
        "<grand_question_set><grand_question>Answer below.</grand_question><grand_question>Who "
        "dug it?</grand_question>"
        "</grand_question_set><instruction>",
    )
    (found,) = read_sheet(write(tmp_path, sheet(text))).sections
    assert found.focused_instruction == "Who dug it?"


def test_refuses_a_repeated_id_naming_the_first(tmp_path: Path) -> None:
    path = write(tmp_path, sheet(section("X"), section("X")))
    with raises_at(path, 18):
        read_sheet(path)


BILINGUAL = """<answer_sheet ver="0.1"><answer_section id="D-1" label="D">
<locale id="en"><instruction><p>Why?</p></instruction><answer_set><answer length_limit="9 English words">
<expression_set><expression writer="w">old</expression></expression_set></answer></answer_set></locale>
<locale id="ja"><instruction><p>なぜ</p></instruction><answer_set><answer length_limit="9字">
<expression_set><expression/></expression_set></answer></answer_set></locale>
</answer_section></answer_sheet>"""


def test_a_bilingual_sheet_is_read_and_filled_in_one_language(tmp_path: Path) -> None:
    path = write(tmp_path, BILINGUAL)
    with raises_at(path):
        read_sheet(path)
    japanese = read_sheet(path, JAPANESE)
    assert japanese.sections[0].focused_instruction == "なぜ"
    assert (japanese.language, read_sheet(path, ENGLISH).language) == (JAPANESE, ENGLISH)
    written = write_sheet(japanese, {"D-1": [[Expression("道")]]}).decode()
    assert written == BILINGUAL.replace("<expression/>", "<expression>道</expression>")


def test_our_answer_is_not_signed_by_who_wrote_the_gold_that_stood_there(tmp_path: Path) -> None:
    signed = BILINGUAL.replace(
        '<expression writer="w">', '<expression  is_gold_standard = \'true\' writer="w" id="1">'
    )
    written = write_sheet(
        read_sheet(write(tmp_path, signed), ENGLISH), {"D-1": [[Expression("new")]]}
    ).decode()
    assert '<expression_set><expression  id="1">new</expression></expression_set>' in written


def test_the_language_of_a_bilingual_run_is_that_of_the_answers_that_its_gold_does_not_have(
    tmp_path: Path,
) -> None:
    gold = write(
        tmp_path,
        BILINGUAL.replace("<expression/>", "<expression>川のため</expression>"),
        "gold.xml",
    )
    run = write(
        tmp_path, BILINGUAL.replace("<expression/>", "<expression>道のため</expression>"), "run.xml"
    )
    assert language_answered(gold, run) is JAPANESE  # "old" stands in both
    assert read_sheet(gold, of_bilingual=JAPANESE).language is JAPANESE
    assert language_answered(gold, gold) is None


def test_fills_adds_and_removes_expressions_and_nothing_else(tmp_path: Path) -> None:
    original = sheet(
        section("A", expressions=("one", "two")),
        section("B"),
        section("C", expressions=("kept",), answers=2),
    )
    read = read_sheet(write(tmp_path, original))
    filled = {
        "A": [[Expression("R&D <x>")]],
        "B": [[Expression("first", ("d-1", "d-2")), Expression("second")]],
        "C": [[], [Expression("new")]],
    }
    expected = sheet(
        section("A", expressions=("R&amp;D &lt;x&gt;",)),
        section("B", expressions=("first", "second")).replace(
            "<expression>first", '<expression source_id="d-1,d-2">first'
        ),
        "new</expression>".join(
            section("C", expressions=("kept",), answers=2).rsplit("kept</expression>", 1)
        ),
    )
    assert write_sheet(read, filled).decode() == expected


def test_marks_the_source_file_and_replaces_source_ids(tmp_path: Path) -> None:
    original = sheet(section()).replace("<expression>", "<expression  source_id='(passage_id1)' >")
    read = read_sheet(write(tmp_path, original.replace('ver="0.1"', 'ver="0.1" src="old"')))
    assert read.src == "old"
    written = write_sheet(
        read, {"A1-1": [[Expression("x", ("T-1", 'a"b'))]]}, src="extraction.xml"
    ).decode()
    assert '<answer_sheet ver="0.1" src="extraction.xml">' in written
    assert "<expression  source_id='T-1,a\"b' >x</expression>" in written


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "euc-jp", "cp932"])
def test_keeps_the_encoding(tmp_path: Path, encoding: str) -> None:
    original = sheet(
        section("漢字-1", instruction="運河の歴史を20字以内で述べよ。", limit="20字以内")
    )
    original = original.replace('"UTF-8"', f'"{encoding.removesuffix("-sig")}"')
    path = write(tmp_path, original, encoding=encoding)
    written = write_sheet(read_sheet(path), {"漢字-1": [[Expression("運河’")]]})
    expected = original.replace("(PREASE WRITE YOUR ANSWER)", "運河’")
    assert written == expected.encode(encoding, "xmlcharrefreplace")


def test_a_packed_sheet_is_the_plain_one(tmp_path: Path) -> None:
    plain = write(tmp_path, sheet(section("S-1")))
    packed = tmp_path / "sheet.xml.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert replace(read_sheet(packed), file=str(plain)) == read_sheet(plain)


def test_characters_that_xml_forbids_are_left_out(tmp_path: Path) -> None:
    read = read_sheet(write(tmp_path, sheet(section())))
    assert b"<expression>ab</expression>" in write_sheet(
        read, {"A1-1": [[Expression("a\x0b\x00b")]]}
    )


NOISE = st.lists(
    st.sampled_from(
        [
            "\r\n",
            "  ",
            "\t",
            "<!-- <expression>no</expression> -->",
            "<?go <expression_set>?>",
            "\u3000",
            "\n",
        ]
    ),
    max_size=4,
).map("".join)
OLD = st.sampled_from(
    [
        "(PREASE WRITE YOUR ANSWER)",
        "",
        "<![CDATA[<expression>]]>",
        " a &amp; b ",
        "x<!-- </expression> -->y",
    ]
)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.tuples(st.lists(OLD, min_size=1, max_size=3), NOISE, NOISE, st.booleans()),
        min_size=1,
        max_size=4,
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=30),
)
def test_every_byte_but_the_answers_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    sections: list[tuple[list[str], str, str, bool]],
    answer: str,
) -> None:
    parts = []
    for number, (old, before, after, alone) in enumerate(sections):
        text = section(f"S-{number}", expressions=tuple(old))
        text = text.replace("<expression_set>", before + "<expression_set >" + after)
        parts.append(
            before
            + text.replace(
                "<expression></expression>",
                "<expression />" if alone else "<expression></expression >",
            )
        )
    original = sheet(*parts)
    path = write(tmp_path_factory.mktemp("sheet"), original)
    read = read_sheet(path)
    assert write_sheet(read, {}) == original.encode()
    filled = {
        one.section_id: [[Expression(answer)] * len(one.answers[0].expressions)]
        for one in read.sections
    }
    written = write_sheet(read, filled)
    path.write_bytes(written)
    again = read_sheet(path)
    assert [one.answers[0].expressions for one in again.sections] == [
        tuple(Expression(" ".join(answer.split())) for _ in one.answers[0].expressions)
        for one in read.sections
    ]
    assert write_sheet(again, filled) == written
    kept = re.split(
        rb"<expression [^>]*/>|<expression[ >].*?</expression ?>", written, flags=re.DOTALL
    )
    for piece in kept:
        assert piece in original.encode()


def test_an_expression_set_beside_the_answers_stays(tmp_path: Path) -> None:
    original = sheet(section()).replace("<answer ", "<expression_set/><answer ")
    written = write_sheet(read_sheet(write(tmp_path, original)), {"A1-1": [[Expression("new")]]})
    assert written.decode() == original.replace("(PREASE WRITE YOUR ANSWER)", "new")
