"""What each shape of question makes of its choices: pairs, maps, and shapes that cannot be
followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.shapes import Plan, parse_shape, places_of, plan
from tests.answerer.formats.exam.exams import choices, only, question, read, section

ORDER = "Choose the correct order of events."


def planned(folder: Path, asked: str) -> Plan:
    return plan(only(folder, section(asked)))


def judged(made: Plan) -> list[list[str]]:
    """The words of each statement that must be judged."""
    return [[each.text[start:end] for start, end in each.fillers] for each in made.statements]


def test_the_values_of_a_pair_are_judged_apart(tmp_path: Path) -> None:
    made = planned(
        tmp_path, question("Choose.", choices("Mansa Musa - Mali", "Akbar - Rome"), "X-Y")
    )
    assert judged(made) == [["Mansa Musa", "Mali"], ["Akbar", "Rome"]]
    assert made.statements[0].text == "Mansa Musa, Mali"


def test_a_japanese_pair_keeps_the_dots_inside_its_names(tmp_path: Path) -> None:
    made = planned(
        tmp_path, question("選べ。", choices("チンギス・ハン―モンゴル", "ビスマルク―清"), "X-Y")
    )
    assert judged(made) == [["チンギス・ハン", "モンゴル"], ["ビスマルク", "清"]]
    assert made.statements[1].text == "ビスマルク、清"


def marked(*values: str) -> str:
    return choices(
        *(f'{value}<ref comment="画像内">{letter}</ref>' for value in values for letter in "ab")
    )


def test_a_letter_in_a_map_stands_for_what_the_description_says_it_marks(tmp_path: Path) -> None:
    described = (
        '<data id="D1" type="image"><adata field="地図">aはフランス、bはスペイン</adata></data>'
    )
    made = planned(tmp_path, question("選べ。", described + marked("パリ―"), "X-Y"))
    assert [each.text for each in made.statements] == ["パリ。フランス", "パリ。スペイン"]
    assert judged(made) == [["パリ"], ["パリ"]]
    assert made.note == ""


def test_letters_that_nothing_describes_are_said_not_to_be_judged(tmp_path: Path) -> None:
    made = planned(tmp_path, question("選べ。", marked("パリ―"), "X-Y"))
    assert judged(made) == [["パリ"], ["パリ"]]
    assert made.note == "nothing says what a, b mark: not judged"


@pytest.mark.parametrize(
    "text",
    [
        "a Peru; b Rome, Italy",
        "Map. (a) Peru (b) Rome, Italy.",
        "ａ：Peru\nｂ：Rome, Italy",
        "a. Peru b. Rome, Italy",
    ],
)
def test_descriptions_of_letters_in_several_hands(text: str) -> None:
    places, number = places_of(["（ａ）", "b"], ["A rough map", text])
    assert (places, number) == ({"a": "Peru", "b": "Rome, Italy"}, 1)


def test_an_article_is_no_letter() -> None:
    assert places_of(["a", "b"], ["It was a Roman town; b Peru."]) == ({}, -1)


def test_a_map_with_gaps_puts_its_values_into_them(tmp_path: Path) -> None:
    data = '<data id="D1" type="text">1990 Invaded <blank id="B1"><label>(A)</label></blank></data>'
    row = '<ref target="B1">(A)</ref>-{}-<ref comment="in the picture">{}</ref>'
    made = planned(
        tmp_path,
        question(
            "Choose for the gap.",
            data + choices(row.format("Iran", "a"), row.format("Kuwait", "b")),
            "(symbol-X)",
        ),
    )
    assert [each.text.strip() for each in made.statements] == [
        "1990 Invaded Iran",
        "1990 Invaded Kuwait",
    ]


@pytest.mark.parametrize(
    ("kind", "texts", "said"),
    [
        ("zzz(%%", ("Rome fell.", "Rome rose."), "do not have the parts of"),
        (
            "(symbol-TF)*2",
            ("a- Correct b- Correct", "a- Correct b- Incorrect"),
            "of shape 'combination' speak of",
        ),
        ("o(symbol-symbol)", ("a→b", "b→a"), "of shape 'ordering' speak of"),
        ("(symbol-term_other)*2", ("Rome fell.", "Rome rose."), "do not have the parts of"),
    ],
)
def test_what_cannot_be_followed_is_answered_by_statements_and_says_so(
    tmp_path: Path, kind: str, texts: tuple[str, ...], said: str
) -> None:
    made = planned(tmp_path, question(ORDER, choices(*texts), kind))
    assert made.way == "statements"
    assert [each.text for each in made.statements] == list(texts)
    assert said in made.note
    assert made.note.endswith("answered by the statement method")


def test_an_order_of_events_in_words_is_followed(tmp_path: Path) -> None:
    made = planned(tmp_path, question(ORDER, choices("唐→元→明", "元→唐→明"), "o(X-X-X)"))
    assert (made.way, made.note) == ("ordering", "")
    assert [each.text for each in made.statements] == ["唐", "元", "明"]


@pytest.mark.parametrize(
    ("instruction", "newest"),
    [
        ("年代の古いものから順に正しく配列されているものを選べ。", False),
        ("年代の新しいものから順に並べよ。", True),
        ("古いものから新しいものへと並べたものを選べ。", False),
        ("Choose the correct order, from oldest to most recent.", False),
        ("Choose the correct order, from the most recent to the oldest.", True),
        ("Choose them in reverse chronological order.", True),
        ("最も新しいものを先にして並べよ。", True),
        ("新しい王朝が成立した順に並べよ。", False),
        ("明治維新以後のものについて、年代順に並べよ。", False),
        ("Choose the chronological order of events after the latest crusade.", False),
        ("Choose the order, with the most recent event at the top.", True),
        ("Choose the chronological order of what made the king reverse his policy.", False),
        (ORDER, False),
    ],
)
def test_an_order_may_run_back_in_time(tmp_path: Path, instruction: str, newest: bool) -> None:
    made = planned(tmp_path, question(instruction, choices("唐→元→明", "元→唐→明"), "o(X-X-X)"))
    assert made.rows == (((2, 1, 0), (2, 0, 1)) if newest else ((0, 1, 2), (1, 0, 2)))


@pytest.mark.parametrize(
    ("instruction", "claimed"),
    [
        ("正しいものの組合せとして適当なものを選べ。", (True, False)),
        ("誤っているものの組合せとして正しいものを選べ。", (False, True)),
        ("Choose the correct combination of incorrect statements.", (False, True)),
    ],
)
def test_a_choice_of_statements_claims_them_to_be_what_is_asked_for(
    tmp_path: Path, instruction: str, claimed: tuple[bool, bool]
) -> None:
    made = planned(tmp_path, question(instruction, STATEMENTS + choices("a", "b")))
    assert (made.way, made.truth) == ("combination", (claimed, claimed[::-1]))


def test_each_answer_column_of_a_question_fills_the_gap_of_its_place(tmp_path: Path) -> None:
    data = '<data><blank id="B1"><label>(A)</label></blank> beat <blank id="B2"><label>(B)</label></blank>.</data>'
    gap = '<ref target="{}">({})</ref>'
    asked = question(
        f"Choose for {gap.format('B1', 'A')} and {gap.format('B2', 'B')}.",
        data + choices("Rome", "Carthage", column="A1 A2"),
        "term_other",
        column="A1,A2",
    )
    made = [plan(each) for each in read(tmp_path, section(asked)).questions]
    assert [[each.text.strip() for each in one.statements] for one in made] == [
        ["Rome beat (B).", "Carthage beat (B)."],
        ["(A) beat Rome.", "(A) beat Carthage."],
    ]


def test_plain_sentences_need_no_word(tmp_path: Path) -> None:
    assert planned(tmp_path, question(ORDER, choices("Rome fell.", "Rome rose."))).note == ""


STATEMENTS = '<data><lText id="L1"><label>a</label>甲。</lText><lText id="L2"><label>b</label>乙。</lText></data>'
WIDE = STATEMENTS.replace(">a<", ">ａ<").replace(">b<", ">ｂ<")
GAPS = '<data><blank id="B1"><label>ア</label></blank>と<blank id="B2"><label>イ</label></blank></data>'
A, B = '<ref target="L1">a</ref>', '<ref target="L2">b</ref>'
C, D = '<ref target="B1">ア</ref>', '<ref target="B2">イ</ref>'
LETTER = '<ref comment="画像内">{}</ref>'.format
MAP = f"{C}-Iran-{LETTER('a')}{D}-Kuwait-{LETTER('b')}"


def parts(asked: ExamQuestion) -> list[str]:
    """The slots of each choice: the words, else the id, else the label that it is about, then what
    it says of these."""
    return [
        " | ".join(
            " ".join(
                str(part)
                for part in (slot.phrase or slot.id or slot.label, *slot[4:])
                if part not in ("", None)
            )
            for slot in row
        )
        for row in parse_shape(asked).slots
    ]


@pytest.mark.parametrize(
    ("data", "rows", "kind", "shape", "expected"),
    [
        # References, plain letters in either width, and the mere order name the statements.
        (STATEMENTS, (f"{A}―正{B}―誤", f"{A}－ 誤 {B}－ 正"), "(symbol-TF)*2", "combination",
         ["甲。 正 True | 乙。 誤 False", "甲。 誤 False | 乙。 正 True"]),
        (WIDE, ("a－正　b－誤", "ａ－誤　ｂ－誤"), "(symbol-TF)*2", "combination",
         ["甲。 正 True | 乙。 誤 False", "甲。 誤 False | 乙。 誤 False"]),
        (STATEMENTS, ("正―誤", "誤―誤"), "", "combination",
         ["甲。 正 True | 乙。 誤 False", "甲。 誤 False | 乙。 誤 False"]),
        ("<data>ａ　唐は滅びた。<br/>ｂ　宋は栄えた。</data>", ("ａ－正　ｂ－誤", "ａ－誤　ｂ－誤"),
         "(symbol-TF)*2", "combination",
         ["唐は滅びた。 正 True | 宋は栄えた。 誤 False", "唐は滅びた。 誤 False | 宋は栄えた。 誤 False"]),
        (WIDE, ("b → a", "ａ→ｂ"), "", "ordering", ["乙。 | 甲。", "甲。 | 乙。"]),
        (STATEMENTS, (f"{A}→{B}", f"{B}→{A}"), "", "ordering", ["甲。 | 乙。", "乙。 | 甲。"]),
        (WIDE, ("a・b", "b"), "", "selection", ["甲。 | 乙。", "乙。"]),
        (STATEMENTS, (f"{A}・{B}", B), "referenceSymbol", "selection", ["甲。 | 乙。", "乙。"]),
        # Labels are not tried in all their combinations: rows of a and aa in 20 billion ways.
        (STATEMENTS.replace("<label>b<", "<label>aa<"), ("a" * 50 + "x", "a", "a"), "", "sentence",
         ["a" * 50 + "x", "甲。", "甲。"]),
        # What fills a gap is behind its label, else in the order of the gaps.
        *((GAPS, (f"{C}{dash}テーベ　{D}{dash}ローマ", "ア―甲　イ―乙"), "(symbol-term_other)*2",
           "filling", ["B1 テーベ | B2 ローマ", "B1 甲 | B2 乙"]) for dash in ("-", "―", "－", "ー", "：", " - ")),
        (GAPS.replace("ア", "(A)").replace("イ", "(B)"), ("(A)-Justinian(B)-Frederick II", "(A)-Constantine(B)-Wilhelm II"),
         "(symbol-term_person)*2", "filling", ["B1 Justinian | B2 Frederick II", "B1 Constantine | B2 Wilhelm II"]),
        (GAPS, ("テーベ、ローマ", "甲、乙"), "term_other", "filling", ["B1 テーベ | B2 ローマ", "B1 甲 | B2 乙"]),
        (GAPS, (MAP, MAP), "(symbol-term_location-symbol)*2", "map", ["B1 Iran a | B2 Kuwait b"] * 2),
        ("", (f"ネアポリス―{LETTER('a')}", f"ローマ―{LETTER('b')}"), "(term_location-symbol)", "map",
         ["ネアポリス a", "ローマ b"]),
        *(("", (joint.join(("Treaty signed (1951)", "Cuban crisis")), f"Cuban crisis{joint}x"), "o(sentence-sentence)",
           "ordering", ["Treaty signed (1951) | Cuban crisis", "Cuban crisis | x"]) for joint in (" - ", "→", "―", " ⇒ ")),
        *(("", ("司馬遷―『史記』", "ダンテ―『神曲』"), kind, "pair", ["司馬遷 | 『史記』", "ダンテ | 『神曲』"])
          for kind in ("term_person-term_other", "")),
        # Sentences that mention a label have no parts.
        ('<data><uText id="U1"><label>①</label>唐</uText></data>',
         ('<ref target="U1">①</ref>は滅びた。', '都は<ref target="U1">①</ref>の長安である。'), "sentence", "sentence", ["", ""]),
        ("", ('<img src="1.png"/><adata field="写真">寺</adata>', '<img src="2.png"/>'), "image_photo", "picture", ["", ""]),
        ("", ("唐", "宋"), "term_other", "term", ["", ""]),
    ],
)  # fmt: skip
def test_the_shape_of_a_question_and_the_parts_of_its_choices(
    tmp_path: Path, data: str, rows: tuple[str, ...], kind: str, shape: str, expected: list[str]
) -> None:
    asked = only(tmp_path, section(question("選べ", data + choices(*rows), kind)))
    assert (parse_shape(asked).shape, parts(asked)) == (shape, expected)


def test_a_gap_outside_of_the_question_is_filled_or_spoken_of(tmp_path: Path) -> None:
    passage = '<data>都は<blank id="B1"><label>(4)</label></blank>である。</data>'
    gap = '<ref target="B1">(4)</ref>'
    filled = only(
        tmp_path, section(passage, question(f"{gap}に入れる", answer_type="term_location"))
    )
    assert (parse_shape(filled).shape, parts(filled)) == ("filling", ["", ""])
    rows = choices("彼は法典を発布した。", "彼は都を移した。")
    asked = only(tmp_path, section(passage, question(f"{gap}について正しい文", rows)))
    assert parse_shape(asked).shape == "sentence"


def test_fillers_where_the_file_marks_neither_gaps_nor_labels(tmp_path: Path) -> None:
    rows = choices("ア－甲　イ－乙", "ア－丙　イ－丁")
    asked = only(tmp_path, section(question("空欄（ア）（イ）に入れる語", rows, "")))
    assert parse_shape(asked).shape == "filling"
    assert parts(asked) == ["ア 甲 | イ 乙", "ア 丙 | イ 丁"]
