"""Extraction, evaluation-method and nugget files: what is read, written, and refused with file and
line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerer.formats.answer_sheet import read_sheet
from answerer.formats.topics import (
    ExtractedPassage,
    JudgedAnswer,
    exams_by_section,
    read_extraction,
    read_judged,
    read_marks,
    topics_text,
)
from indexer.files.errors import UserError
from tests.answerer.formats.sheets import section, sheet, write
from tests.refusals import raises_at

EXTRACTION = """<?xml version="1.0" encoding="UTF-8"?>
<TOPIC_SET>
<TOPIC ID="D-1"><PASSAGE_SET>
<PASSAGE RANK="2" SOURCE_ID="http://x" SOURCE_ID_TYPE="Web" SCORE="**" NORMALIZED_SCORE="0.5"> two </PASSAGE>
<PASSAGE NORMALIZED_SCORE="1" SCORE="7" SOURCE_ID_TYPE="QALab3" SOURCE_ID="T-1" RANK="1">one</PASSAGE>
</PASSAGE_SET></TOPIC>
<TOPIC ID="D-2"><PASSAGE_SET/></TOPIC>
</TOPIC_SET>
"""


def test_passages_come_by_rank_with_types_in_upper_case(tmp_path: Path) -> None:
    first = [
        ExtractedPassage(1, "T-1", "QALAB3", "7", 1.0, "one"),
        ExtractedPassage(2, "http://x", "WEB", "**", 0.5, "two"),
    ]
    assert read_extraction(write(tmp_path, EXTRACTION)) == {"D-1": first, "D-2": []}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("> two <", "> <"), ":4: PASSAGE without text"),
        (('SOURCE_ID="T-1"', 'SOURCE_ID=""'), ":5: PASSAGE without SOURCE_ID"),
        (('RANK="1"', 'RANK="2"'), ':5: RANK 2 twice in topic "D-1"'),
        (('RANK="1"', 'RANK="0"'), ':5: RANK "0"; a whole number from 1'),
        (('RANK="1"', f'RANK="{"9" * 5000}"'), ':5: RANK "999'),
        (('SCORE="1"', 'SCORE="1.5"'), ':5: NORMALIZED_SCORE "1.5"; a number from 0 to 1'),
        (('SCORE="0.5"', 'SCORE="nan"'), ':4: NORMALIZED_SCORE "nan"'),
        (("<PASSAGE_SET/>", "<PASSAGE>x</PASSAGE>"), ':7: RANK ""'),
        (('ID="D-2"', 'ID="D-1"'), ':7: TOPIC ID "D-1" repeats line 3'),
        (('TOPIC ID="D-2"', "TOPIC"), ":7: TOPIC without ID"),
    ],
)
def test_damaged_extraction_files_are_refused(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(UserError) as error:
        read_extraction(write(tmp_path, EXTRACTION.replace(*change)))
    assert message in str(error.value)


def test_a_topic_set_needs_a_topic(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no TOPIC; at least one"):
        read_extraction(write(tmp_path, "<TOPIC_SET/>"))


TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co", "Zs", "Zl", "Zp")),
    min_size=1,
)
PASSAGES = st.lists(st.tuples(TEXT, TEXT, st.integers(0, 100)), max_size=4).map(
    lambda rows: [
        ExtractedPassage(rank, source, "PARTICIPANT", "1", share / 100, text)
        for rank, (source, text, share) in enumerate(rows, 1)
    ]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(PASSAGES, min_size=1, max_size=3))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, passages: list[list[ExtractedPassage]]
) -> None:
    topics = {f"T-{number}": each for number, each in enumerate(passages)}
    text = topics_text(topics, "PASSAGE")
    assert ("<TOPIC_SET>" in text) == (len(topics) > 1)
    assert read_extraction(write(tmp_path_factory.mktemp("extraction"), text)) == topics


JUDGED = """<TOPIC ID="D-1"><ANSWER_SET>
<ANSWER FILE_NAME="a.xml" RANK="2" SCORE="24">(ANSWER)</ANSWER>
<ANSWER FILE_NAME="b.xml" RANK="1" SCORE="26">Other</ANSWER>
</ANSWER_SET></TOPIC>
"""


def test_judged_answers_come_by_rank_and_back(tmp_path: Path) -> None:
    topics = read_judged(write(tmp_path, JUDGED))
    assert topics == {
        "D-1": [JudgedAnswer("b.xml", 1, 26.0, "Other"), JudgedAnswer("a.xml", 2, 24.0, "(ANSWER)")]
    }
    assert read_judged(write(tmp_path, topics_text(topics, "ANSWER"))) == topics


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('RANK="1"', 'RANK="2"'), ":3: "),
        (("b.xml", "a.xml"), ':2: a.xml is listed twice in topic "D-1"'),
        (('FILE_NAME="b.xml"', ""), ":3: ANSWER without FILE_NAME"),
    ],
)
def test_damaged_evaluation_method_files_are_refused(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(UserError) as error:
        read_judged(write(tmp_path, JUDGED.replace(*change)))
    assert message in str(error.value)


def test_answers_ranked_without_scores_are_scored_by_their_ranks(tmp_path: Path) -> None:
    answers = "".join(
        f'<ANSWER FILE_NAME="{name}" RANK="{rank}" SCORE="{score}">x</ANSWER>'
        for name, rank, score in (("a", 2, "**"), ("b", 1, "**"), ("c", 3, "7"))
    )
    path = tmp_path / "ranked.xml"
    path.write_text(f'<TOPIC ID="S"><ANSWER_SET>{answers}</ANSWER_SET></TOPIC>')
    assert read_marks(path) == {("S", "b"): -1.0, ("S", "a"): -2.0, ("S", "c"): -3.0}


def test_marks_come_from_xml_or_lines(tmp_path: Path) -> None:
    expected = {("D-1", "a.xml"): 24.0, ("D-1", "b.xml"): 26.0}
    assert read_marks(write(tmp_path, JUDGED)) == expected
    lines = "topic\tfile name\tmark\n# experts\nD-1\ta.xml\t24\n\nD-1\tb.xml\t26.0\n"
    assert read_marks(write(tmp_path, lines, "marks.tsv")) == expected


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("D-1\ta.xml\n", "marks.tsv:1: no mark"),
        ("D-1\ta.xml\t1\nD-1\tb.xml\tgood\n", "marks.tsv:2: no mark"),
        ("D-1\ta.xml\t1\nD-1\t\0\t2\n", "marks.tsv:2: binary noise"),
        ("D-1\ta.xml\t1\nD-1\ta.xml\t2\n", "marks.tsv:2: a.xml is marked twice for D-1"),
        ("topic\tfile name\tmark\n", "marks.tsv: no marks"),
    ],
)
def test_damaged_marks_are_refused(tmp_path: Path, lines: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        read_marks(write(tmp_path, lines, "marks.tsv"))
    assert message in str(error.value)


NUGGETS = """<doc>
<exam id="L_S" type="complex essay" extra="x">
<answer annotator="1" value="Gold." length="99">
<proposition id="1" value="The canal opened."><evaluation evaluator="1" value="3"/><evaluation evaluator="2" value="2"/>
</proposition>and so on.
</answer></exam></doc>
"""


def test_nuggets_weigh_their_mean_score_and_belong_to_labels(tmp_path: Path) -> None:
    path = write(tmp_path, NUGGETS, "nuggets.xml")
    whole = read_sheet(
        write(tmp_path, sheet(section("S"), section("S_(b)"), section("T")))
    ).sections
    found = {
        section_id: exam.nuggets for section_id, exam in exams_by_section([path], whole).items()
    }
    assert found == {key: [("The canal opened.", (3 + 2) / 2)] for key in ("S", "S_(b)")}
    with pytest.raises(UserError, match=r"nuggets of other questions \(L_S\)"):
        exams_by_section([path], whole[2:])


def test_nuggets_of_several_files_are_read_as_those_of_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sections = read_sheet(write(tmp_path, sheet(section("S"), section("S_(b)")))).sections
    (folder := tmp_path / "nuggets").mkdir()
    first = write(folder, NUGGETS, "a.xml")
    more = NUGGETS.replace("canal", "tunnel")
    second = write(folder, more.replace("L_S", "L_S_(b)"), "b.xml")
    expected = {"S": [("The canal opened.", 2.5)], "S_(b)": [("The tunnel opened.", 2.5)]}
    for paths in ([first, second], [second, first], [folder]):
        found = exams_by_section(paths, sections)
        assert {section_id: exam.nuggets for section_id, exam in found.items()} == expected
    other = write(folder, NUGGETS.replace("L_S", "Z"), "c.xml")
    assert exams_by_section([first, other], sections).keys() == {"S", "S_(b)"}
    assert f"{other}: nuggets of other questions (Z): left out" in caplog.text
    with raises_at(write(folder, more, "d.xml"), 2):
        exams_by_section([first, folder / "d.xml"], sections)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('value="3"', 'value="4"'), ':4: evaluation value "4"; 1, 2 or 3'),
        (('value="The canal opened."', 'value=" "'), ":4: proposition without value"),
        ((' id="L_S"', ""), ":2: exam without id"),
        (("exam", "question"), ": nuggets of other questions ()"),
    ],
)
def test_damaged_nugget_files_are_refused(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(UserError) as error:
        exams_by_section([write(tmp_path, NUGGETS.replace(*change))], ())
    assert message in str(error.value)
