"""The exam reader: every trap of the format, one by one, and the sample exams as a whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from answerer.formats.exam.parts import expand
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.shapes import parse_shape
from indexer.files.errors import UserError
from tests.answerer.formats.exam.exams import (
    CHOICES,
    choices,
    only,
    phrases,
    question,
    read,
    section,
    written,
)
from tests.places import SAMPLES


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_sample_exam_as_a_whole(language: str) -> None:
    exam = read_exam(SAMPLES / f"sample-exam-{language}.xml")
    assert (exam.name, exam.title, exam.language.code) == (f"sample-exam-{language}",) * 2 + (
        language,
    )
    assert len(exam.questions) == 20
    assert [q.answer_column for q in exam.questions] == [f"A{n}" for n in range(1, 21)]
    assert "".join(q.asks for q in exam.questions) == "TFTTTTTTFTTTTTFTTTTT"
    assert [parse_shape(q).shape for q in exam.questions] == (
        "sentence sentence filling combination ordering filling sentence pair sentence "
        "combination filling map "
        "selection term sentence picture term ordering sentence sentence"
    ).split()
    assert [len(q.choices) for q in exam.questions] == [
        4,
        4,
        4,
        4,
        6,
        4,
        4,
        4,
        4,
        8,
        6,
        4,
        4,
        4,
        4,
        4,
        5,
        4,
        4,
        4,
    ]
    assert exam.notes == ()


def test_first_tenth_and_last_question_of_the_japanese_sample() -> None:
    questions = read_exam(SAMPLES / "sample-exam-ja.xml").questions
    first, tenth, last = questions[0], questions[9], questions[-1]
    assert [span.phrase for span in first.instruction.spans] == ["ハンムラビ王の法典"]
    assert [s.phrase for s in parse_shape(tenth).statements][
        1
    ] == "ウマイヤ朝は，バグダードを都とした。"
    assert [[slot.correct for slot in row] for row in parse_shape(tenth).slots[:2]] == [
        [True] * 3,
        [True, True, False],
    ]
    assert (
        last.choices[3].text.plain == "ゴルバチョフは，ソ連でペレストロイカとよばれる改革を始めた。"
    )


def test_an_underlined_phrase_replaces_its_reference_without_its_label(tmp_path: Path) -> None:
    passage = '<data><uText id="U1"><label>①</label>古代\n   エジプト</uText>は<uText id="U2">栄えた</uText></data>'
    asked = only(tmp_path, section(passage, question('下線部<ref target="U1">①</ref>について')))
    assert asked.instruction.plain == "下線部①について"
    assert expand(asked.instruction, "underline").plain == "下線部古代エジプトについて"
    assert [span.phrase for span in asked.instruction.spans] == ["古代エジプト"]
    assert phrases(asked.passages[0], "underline") == ["古代エジプト", "栄えた"]


def test_references_to_statements_and_gaps_keep_their_labels_under_slqal(tmp_path: Path) -> None:
    data = '<data><lText id="L1"><label>a</label>甲。</lText><blank id="B1"><label>ア</label></blank></data>'
    inside = data + choices('<ref target="L1">a</ref>―正', '<ref target="B1">ア</ref>―誤')
    asked = only(tmp_path, section(question("選べ", inside)))
    assert [expand(c.text, "underline").plain for c in asked.choices] == ["a―正", "ア―誤"]
    assert expand(asked.choices[0].text).plain == "甲。―正"


def test_marks_of_other_publishers_are_known_by_their_id_and_label(tmp_path: Path) -> None:
    data = '<data><cText id="C1"><label>a</label>唐は滅びた。</cText></data>'
    asked = only(tmp_path, section(question('文<ref target="C1">a</ref>を選べ', data + CHOICES)))
    assert expand(asked.instruction).plain == "文唐は滅びた。を選べ"
    assert asked.data[0].plain == "唐は滅びた。"
    assert [(s.label, s.phrase) for s in parse_shape(asked).statements] == [("a", "唐は滅びた。")]


@pytest.mark.parametrize(
    ("between", "text"), [("-", "In word1-word2 word3"), (" and ", "In word1 and word3")]
)
def test_a_range_of_references_means_all_between(tmp_path: Path, between: str, text: str) -> None:
    passage = "".join(f'<uText id="U{n}"><label>({n})</label>word{n}</uText> ' for n in range(1, 5))
    asked = f'In <ref target="U1">(1)</ref>{between}<ref target="U3">(3)</ref>'
    read = only(tmp_path, section(f"<data>{passage}</data>", question(asked)))
    assert expand(read.instruction, "underline").plain == text


def test_the_wavy_part_of_a_choice_is_no_underline(tmp_path: Path) -> None:
    asked = only(
        tmp_path,
        section(question("選べ", choices('王は<uText id="U9">ロンドン</uText>で死んだ。', "乙"))),
    )
    assert phrases(asked.choices[0].text, "wavy") == ["ロンドン"]
    assert asked.choices[0].text.plain == "王はロンドンで死んだ。"


def test_ids_of_merged_years_mean_the_nearest(tmp_path: Path) -> None:
    def year(phrase: str) -> str:
        return section(
            f'<data><uText id="U1"><label>①</label>{phrase}</uText></data>',
            question('<ref target="U1">①</ref>'),
        )

    exam = read(tmp_path, year("ローマ"), year("ギリシア"))
    assert [expand(q.instruction, "underline").plain for q in exam.questions] == [
        "ローマ",
        "ギリシア",
    ]
    assert [q.answer_column for q in exam.questions] == ["A1", "A1"]


def test_years_merged_under_another_root_are_read(tmp_path: Path) -> None:
    path = tmp_path / "all.xml"
    path.write_text(
        f"<exams><exam>{question('甲')}</exam><exam>{question('乙')}</exam></exams>", "utf-8"
    )
    assert [q.instruction.plain for q in read_exam(path).questions] == ["甲", "乙"]


def test_a_reference_to_a_missing_id_is_found_by_its_label(tmp_path: Path) -> None:
    passage = '<data><uText id="U1"><label>⑤</label>漢</uText></data>'
    exam = read(tmp_path, section(passage, question('<ref target="U99">⑤</ref>')))
    assert expand(exam.questions[0].instruction, "underline").plain == "漢"
    assert exam.notes == ()


def test_a_reference_to_nothing_keeps_its_label_and_is_noted(tmp_path: Path) -> None:
    exam = read(tmp_path, section(question('下線部<ref target="U99">⑤</ref>')))
    assert expand(exam.questions[0].instruction).plain == "下線部⑤"
    assert [note.split(": ", 1)[1] for note in exam.notes] == [
        "reference to U99, which is not in the exam: its label ⑤ stays"
    ]
    assert exam.notes[0].startswith(f"{tmp_path}/exam.xml:3: ")


def test_references_into_pictures_are_no_missing_ones(tmp_path: Path) -> None:
    exam = read(
        tmp_path,
        section(question('<ref comment="画像内">a</ref> <ref target="">b</ref> <ref>c</ref>')),
    )
    assert [span.target for span in exam.questions[0].instruction.spans] == ["picture"] * 3
    assert exam.notes == ()


def test_labels_do_not_melt_into_the_words_beside_them(tmp_path: Path) -> None:
    inside = choices('<ref comment="画像内">a</ref>Germany<ref comment="画像内">b</ref>Italy', "x")
    assert (
        only(tmp_path, section(question("choose", inside))).choices[0].text.plain
        == "a Germany b Italy"
    )


def test_white_space_of_the_file_parts_no_japanese_words(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("　唐の\r\n      都は\n<br/>　長安　と洛陽")))
    assert asked.instruction.plain == "唐の都は\n長安 と洛陽"


def test_sentences_glued_in_english_files_come_apart(tmp_path: Path) -> None:
    asked = only(
        tmp_path, section(question("The <b>war</b>.Visitors came to ancientRome.From (1) choose"))
    )
    assert asked.instruction.plain == "The war. Visitors came to ancient Rome. From (1) choose"


def test_a_table_with_gaps_keeps_its_cells_apart(tmp_path: Path) -> None:
    table = (
        '<data type="table"><tbl><caption>年表</caption><row><cell>1368年</cell>\n<cell>'
        '<blank id="B1"><label>ア</label></blank>の建国</cell></row>'
        "<row><cell>1644年</cell><cell>明の滅亡</cell></row></tbl></data>"
    )
    asked = only(tmp_path, section(question("入れる語を選べ", table + CHOICES, "term_other")))
    assert asked.data[0].plain == "年表\n1368年 アの建国\n1644年 明の滅亡"
    text, gap = parse_shape(asked).gaps[0]
    assert (gap.id, gap.label, text.plain[gap.start : gap.end]) == ("B1", "ア", "ア")


def test_a_picture_is_its_description(tmp_path: Path) -> None:
    picture = (
        '<data type="image"><img src="x.png"/><adata field="地図">aはインドにある。</adata></data>'
    )
    assert (
        only(tmp_path, section(question("選べ", picture + CHOICES))).data[0].plain
        == "aはインドにある。"
    )


def test_a_picture_that_nothing_describes_keeps_its_place_and_name(tmp_path: Path) -> None:
    asked = only(
        tmp_path,
        section(question("選べ", '<data><img src="x.png"/></data>' + choices("甲<img/>乙", "丙"))),
    )
    assert [span[:5] for span in asked.data[0].spans] == [("picture", "", "x.png", 0, 0)]
    assert [span[:5] for span in asked.choices[0].text.spans] == [("picture", "", "", 1, 1)]


def test_how_ruby_is_read_is_no_part_of_the_text(tmp_path: Path) -> None:
    ruby = "<ruby><rb>唐</rb><rp>(</rp><rt>とう</rt><rp>)</rp></ruby>の都"
    assert (
        only(tmp_path, section(question(f"{ruby}を選べ。"))).instruction.plain == "唐の都を選べ。"
    )


@pytest.mark.parametrize("name", ["Center-1997.xml", "Center-1997.XML", "Center-1997.xml.gz"])
def test_an_exam_is_called_as_its_file_without_endings(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, section(question("選べ。")))
    data = path.read_bytes()
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert read_exam(path).name == "Center-1997"


def test_data_nests(tmp_path: Path) -> None:
    inner = '<data id="D1"><quote>引用</quote><source>(出典)</source></data>'
    asked = only(
        tmp_path,
        section(f'<data id="D0"><label>Ａ</label>本文{inner}続き</data>', question("選べ")),
    )
    assert [text.plain for text in asked.passages] == ["本文\n引用\n(出典)\n続き"]


def test_a_gap_without_label_shows_a_line(tmp_path: Path) -> None:
    asked = only(
        tmp_path,
        section('<data>王は<blank id="B1"/>だ</data>', question('<ref target="B1">(4)</ref>')),
    )
    assert asked.passages[0].plain == "王は____だ"
    assert [gap.id for _, gap in parse_shape(asked).gaps] == ["B1"]


def test_gaps_are_those_that_the_question_asks_for(tmp_path: Path) -> None:
    passage = (
        "<data>"
        + "".join(f'<blank id="B{n}"><label>(B{n})</label></blank>' for n in range(1, 4))
        + "</data>"
    )
    asked = only(tmp_path, section(passage, question('Fill <ref target="B2">(B2)</ref>')))
    assert [gap.id for _, gap in parse_shape(asked).gaps] == ["B2"]


def test_passages_stand_before_and_behind_the_question(tmp_path: Path) -> None:
    asked = only(tmp_path, section("<data>A</data>", question("選べ"), "<data>B</data>"))
    assert [text.plain for text in asked.passages] == ["A", "B"]


def test_own_data_is_no_passage(tmp_path: Path) -> None:
    asked = only(
        tmp_path, section("<data>A</data>", question("選べ", "<data>own</data>" + CHOICES))
    )
    assert [text.plain for text in asked.passages] == ["A"]
    assert [text.plain for text in (asked.instruction, *asked.data)] == ["選べ", "own"]


def test_numbers_are_half_width(tmp_path: Path) -> None:
    text = question(
        "選べ",
        '<choices><choice ansnum="１">甲</choice><choice><cNum>②</cNum>乙</choice></choices>',
    )
    asked = only(tmp_path, section(text.replace('anscol="A1"', 'anscol="Ａ１"')))
    assert (asked.answer_column, [c.number for c in asked.choices]) == ("A1", ["1", "2"])


def test_the_answer_column_may_stand_elsewhere(tmp_path: Path) -> None:
    text = question("選べ").replace(' anscol="A1" answer_style', " answer_style")
    assert only(tmp_path, section(text)).answer_column == "A1"


def test_one_list_of_choices_for_two_answer_columns(tmp_path: Path) -> None:
    two = question("アとイに入れる", choices("甲", "乙", column="A1 A2"), column="A1,A2")
    exam = read(tmp_path, section(two))
    assert [q.answer_column for q in exam.questions] == ["A1", "A2"]
    assert [len(q.choices) for q in exam.questions] == [2, 2]


def test_choices_of_the_section_serve_a_question_without_its_own(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("選べ", ""), f"<data>{choices('甲', '乙')}</data>"))
    assert [c.text.plain for c in asked.choices] == ["甲", "乙"]


def test_repeating_choice_numbers_are_counted_anew(tmp_path: Path) -> None:
    inside = '<choices><choice ansnum="1">甲</choice><choice ansnum="1">乙</choice></choices>'
    exam = read(tmp_path, section(question("選べ", inside)))
    assert [c.number for c in exam.questions[0].choices] == ["1", "2"]
    assert len(exam.notes) == 1


def test_an_empty_choice_stays_and_is_noted(tmp_path: Path) -> None:
    exam = read(tmp_path, section(question("選べ", choices("甲", " ", '<img src="p.png"/>'))))
    assert [c.text.plain for c in exam.questions[0].choices] == ["甲", "", ""]
    assert [note.split(": ", 1)[1] for note in exam.notes] == ["choice 2 of A1 is empty"]


def test_questions_of_other_styles_are_left_out_with_a_note(tmp_path: Path) -> None:
    essay = '<question id="Q9" minimal="yes" anscol="A9" answer_style="description"/>'
    exam = read(tmp_path, section(question("選べ"), essay))
    assert [q.answer_column for q in exam.questions] == ["A1"]
    assert exam.notes[0].endswith("question Q9: answer_style description is left out")


def test_a_question_that_says_nothing_is_asked_by_the_one_around_it(tmp_path: Path) -> None:
    around = '<question id="Q9" minimal="no"><instruction>誤っているものを選べ。</instruction>'
    parts = (question("", column="A1"), question("都を選べ。", column="A2"), "</question>")
    asked = read(tmp_path, section("<instruction>答えよ。</instruction>", around, *parts)).questions
    assert [(one.instruction.plain, one.asks) for one in asked] == [
        ("誤っているものを選べ。", "F"),
        ("都を選べ。", "T"),
    ]


def test_unmarked_questions_with_choices_count(tmp_path: Path) -> None:
    assert (
        parse_shape(only(tmp_path, question("選べ").replace(' minimal="yes"', ""))).shape
        == "sentence"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<not xml", ":1: "),
        (b"no questions", ":1: "),
        (b"<answerTable/>", ":1: the root element is <answerTable>; expected <exam>"),
        (b"<exam>x</exam>", ":1: "),
        (b'<!DOCTYPE exam [\n<!ENTITY a "b">]><exam/>', ":1: an entity"),
        (b"<exam>" + b"<question>" * 300, ":1: "),
        (
            b'<exam>\n\n<question minimal="yes" '
            b'id="Q7"><choices><choice>x</choice></choices></question></exam>',
            ":1: ",
        ),
    ],
)
def test_bad_exams_stop_with_file_and_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.xml"
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_exam(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_an_exam_in_shift_jis_that_says_utf8_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, section(question("正しいものを選べ")), encoding="cp932")
    assert read_exam(path).questions[0].instruction.plain == "正しいものを選べ"
