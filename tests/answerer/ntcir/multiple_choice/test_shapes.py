"""What each shape of question makes of its choices: pairs, maps, and shapes that cannot be
followed."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    statements = '<data><lText id="L1"><label>a</label>甲。</lText><lText id="L2"><label>b</label>乙。</lText></data>'
    made = planned(tmp_path, question(instruction, statements + choices("a", "b")))
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


# Parts of choices.

STATEMENTS = '<data><lText id="L1"><label>a</label>甲。</lText><lText id="L2"><label>b</label>乙。</lText></data>'


def test_true_false_combinations(tmp_path: Path) -> None:
    rows = choices(
        '<ref target="L1">a</ref>―正<ref target="L2">b</ref>―誤',
        '<ref target="L1">a</ref>－ 誤 <ref target="L2">b</ref>－ 正',
    )
    asked = only(tmp_path, section(question("正誤の組合せ", STATEMENTS + rows, "(symbol-TF)*2")))
    assert parse_shape(asked).shape == "combination"
    assert [[(s.label, s.phrase, s.correct) for s in row] for row in parse_shape(asked).slots] == [
        [("a", "甲。", True), ("b", "乙。", False)],
        [("a", "甲。", False), ("b", "乙。", True)],
    ]


def test_plain_letters_mean_the_labels_of_the_statements(tmp_path: Path) -> None:
    wide = STATEMENTS.replace(">a<", ">ａ<").replace(">b<", ">ｂ<")
    asked = only(
        tmp_path,
        section(
            question("正誤", wide + choices("a－正　b－誤", "ａ－誤　ｂ－誤"), "(symbol-TF)*2")
        ),
    )
    assert [[(s.phrase, s.correct) for s in row] for row in parse_shape(asked).slots] == [
        [("甲。", True), ("乙。", False)],
        [("甲。", False), ("乙。", False)],
    ]
    ordered = only(tmp_path, section(question("年代順", STATEMENTS + choices("b → a", "ａ→ｂ"))))
    assert [[s.phrase for s in row] for row in parse_shape(ordered).slots] == [
        ["乙。", "甲。"],
        ["甲。", "乙。"],
    ]
    chosen = only(tmp_path, section(question("組合せ", STATEMENTS + choices("a・b", "b"))))
    assert parse_shape(chosen).shape == "selection"
    assert [[s.phrase for s in row] for row in parse_shape(chosen).slots] == [
        ["甲。", "乙。"],
        ["乙。"],
    ]


def test_labels_are_not_tried_in_all_their_combinations(tmp_path: Path) -> None:
    longer = STATEMENTS.replace(
        "<label>b<", "<label>aa<"
    )  # 50 letters are rows of a and aa in 20 billion ways
    asked = only(tmp_path, section(question("組合せ", longer + choices("a" * 50 + "x", "a", "a"))))
    assert [row[-1].phrase for row in parse_shape(asked).slots] == ["", "甲。", "甲。"]


def test_statements_that_the_file_does_not_mark(tmp_path: Path) -> None:
    data = "<data>ａ　唐は滅びた。<br/>ｂ　宋は栄えた。</data>"
    asked = only(
        tmp_path,
        section(
            question("正誤", data + choices("ａ－正　ｂ－誤", "ａ－誤　ｂ－誤"), "(symbol-TF)*2")
        ),
    )
    assert [(s.label, s.phrase) for s in parse_shape(asked).statements] == [
        ("ａ", "唐は滅びた。"),
        ("ｂ", "宋は栄えた。"),
    ]
    assert [(s.phrase, s.correct) for s in parse_shape(asked).slots[0]] == [
        ("唐は滅びた。", True),
        ("宋は栄えた。", False),
    ]


def test_true_false_without_labels_goes_by_the_order_of_the_statements(tmp_path: Path) -> None:
    asked = only(
        tmp_path, section(question("正誤の組合せ", STATEMENTS + choices("正―誤", "誤―誤"), ""))
    )
    assert parse_shape(asked).shape == "combination"
    assert [(s.label, s.correct) for s in parse_shape(asked).slots[0]] == [
        ("a", True),
        ("b", False),
    ]


@pytest.mark.parametrize("dash", ["-", "―", "－", "ー", "：", " - "])
def test_fillers_stand_behind_labels_and_dashes(tmp_path: Path, dash: str) -> None:
    gaps = '<data><blank id="B1"><label>ア</label></blank>と<blank id="B2"><label>イ</label></blank></data>'
    rows = choices(
        f'<ref target="B1">ア</ref>{dash}テーベ　<ref target="B2">イ</ref>{dash}ローマ',
        "ア―甲　イ―乙",
    )
    asked = only(tmp_path, section(question("入れる語", gaps + rows, "(symbol-term_other)*2")))
    assert parse_shape(asked).shape == "filling"
    assert [[(s.id, s.value) for s in row] for row in parse_shape(asked).slots] == [
        [("B1", "テーベ"), ("B2", "ローマ")],
        [("B1", "甲"), ("B2", "乙")],
    ]


def test_fillers_in_plain_print_belong_to_the_gaps_of_their_labels(tmp_path: Path) -> None:
    gaps = '<data><blank id="B5"><label>(A)</label></blank> x <blank id="B6"><label>(B)</label></blank></data>'
    rows = choices("(A)-Justinian(B)-Frederick II", "(A)-Constantine(B)-Wilhelm II")
    asked = only(
        tmp_path, section(question("fit into the gaps", gaps + rows, "(symbol-term_person)*2"))
    )
    assert [(s.id, s.value) for s in parse_shape(asked).slots[0]] == [
        ("B5", "Justinian"),
        ("B6", "Frederick II"),
    ]


def test_fillers_in_columns_go_by_the_order_of_the_gaps(tmp_path: Path) -> None:
    gaps = '<data><blank id="B1"><label>ア</label></blank>と<blank id="B2"><label>イ</label></blank></data>'
    asked = only(
        tmp_path,
        section(question("入れる語", gaps + choices("テーベ、ローマ", "甲、乙"), "term_other")),
    )
    assert [(s.id, s.value) for s in parse_shape(asked).slots[1]] == [("B1", "甲"), ("B2", "乙")]


def test_a_gap_a_name_and_a_place_in_a_picture(tmp_path: Path) -> None:
    gaps = '<data><blank id="B2"><label>(A)</label></blank><blank id="B3"><label>(B)</label></blank></data>'
    picture = '<ref comment="画像内">{}</ref>'.format
    text = f'<ref target="B2">(A)</ref>-Iran-{picture("a")}<ref target="B3">(B)</ref>-Kuwait-{picture("b")}'
    asked = only(
        tmp_path,
        section(question("choose", gaps + choices(text, text), "(symbol-term_location-symbol)*2")),
    )
    parsed = parse_shape(asked)
    assert parsed.shape == "map"
    assert [(s.id, s.value, s.symbol) for s in parsed.slots[0]] == [
        ("B2", "Iran", "a"),
        ("B3", "Kuwait", "b"),
    ]


def test_a_name_and_its_letter_in_a_picture(tmp_path: Path) -> None:
    rows = choices(
        'ネアポリス―<ref comment="画像内">a</ref>', 'ローマ―<ref comment="画像内">b</ref>'
    )
    asked = only(tmp_path, section(question("選べ", rows, "(term_location-symbol)")))
    assert parse_shape(asked).shape == "map"
    assert [(s.value, s.symbol) for row in parse_shape(asked).slots for s in row] == [
        ("ネアポリス", "a"),
        ("ローマ", "b"),
    ]


def test_an_order_of_statements(tmp_path: Path) -> None:
    a, b = '<ref target="L1">a</ref>', '<ref target="L2">b</ref>'
    asked = only(
        tmp_path, section(question("年代順", STATEMENTS + choices(f"{a}→{b}", f"{b}→{a}"), ""))
    )
    assert parse_shape(asked).shape == "ordering"
    assert [[s.phrase for s in row] for row in parse_shape(asked).slots] == [
        ["甲。", "乙。"],
        ["乙。", "甲。"],
    ]


@pytest.mark.parametrize("joint", [" - ", "→", "―", " ⇒ "])
def test_an_order_of_events_in_words(tmp_path: Path, joint: str) -> None:
    rows = choices(
        joint.join(("Treaty signed (1951)", "Cuban crisis")), joint.join(("Cuban crisis", "x"))
    )
    asked = only(tmp_path, section(question("choose", rows, "o(sentence-sentence)")))
    assert [s.value for s in parse_shape(asked).slots[0]] == [
        "Treaty signed (1951)",
        "Cuban crisis",
    ]


def test_pairs_by_their_type_or_their_look(tmp_path: Path) -> None:
    rows = choices("司馬遷―『史記』", "ダンテ―『神曲』")
    for answer_type in ("term_person-term_other", ""):
        asked = only(tmp_path, section(question("組合せ", rows, answer_type)))
        assert parse_shape(asked).shape == "pair"
        assert [s.value for s in parse_shape(asked).slots[1]] == ["ダンテ", "『神曲』"]


def test_a_selection_of_statements(tmp_path: Path) -> None:
    rows = choices('<ref target="L1">a</ref>・<ref target="L2">b</ref>', '<ref target="L2">b</ref>')
    asked = only(tmp_path, section(question("選べ", STATEMENTS + rows, "referenceSymbol")))
    assert parse_shape(asked).shape == "selection"
    assert [[s.phrase for s in row] for row in parse_shape(asked).slots] == [
        ["甲。", "乙。"],
        ["乙。"],
    ]


def test_a_single_gap_is_filled_by_whole_choices(tmp_path: Path) -> None:
    passage = '<data>都は<blank id="B1"><label>(4)</label></blank>である。</data>'
    asked = only(
        tmp_path,
        section(
            passage, question('<ref target="B1">(4)</ref>に入れる', answer_type="term_location")
        ),
    )
    assert (parse_shape(asked).shape, parse_shape(asked).slots) == ("filling", ((), ()))


def test_fillers_where_the_file_marks_neither_gaps_nor_labels(tmp_path: Path) -> None:
    asked = only(
        tmp_path,
        section(
            question("空欄（ア）（イ）に入れる語", choices("ア－甲　イ－乙", "ア－丙　イ－丁"), "")
        ),
    )
    assert parse_shape(asked).shape == "filling"
    assert [[(s.label, s.value) for s in row] for row in parse_shape(asked).slots] == [
        [("ア", "甲"), ("イ", "乙")],
        [("ア", "丙"), ("イ", "丁")],
    ]


def test_sentences_about_a_gap_are_sentences(tmp_path: Path) -> None:
    passage = '<data><blank id="B1"><label>(4)</label></blank>の王。</data>'
    rows = choices("彼は法典を発布した。", "彼は都を移した。")
    asked = only(
        tmp_path, section(passage, question('<ref target="B1">(4)</ref>について正しい文', rows))
    )
    assert parse_shape(asked).shape == "sentence"


def test_sentences_that_mention_a_label_have_no_parts(tmp_path: Path) -> None:
    passage = '<data><uText id="U1"><label>①</label>唐</uText></data>'
    rows = choices(
        '<ref target="U1">①</ref>は滅びた。', '都は<ref target="U1">①</ref>の長安である。'
    )
    asked = only(tmp_path, section(passage, question("選べ", rows)))
    assert (parse_shape(asked).shape, parse_shape(asked).slots) == ("sentence", ((), ()))


def test_pictures_and_terms(tmp_path: Path) -> None:
    pictures = choices('<img src="1.png"/><adata field="写真">寺</adata>', '<img src="2.png"/>')
    assert (
        parse_shape(only(tmp_path, section(question("選べ", pictures, "image_photo")))).shape
        == "picture"
    )
    assert (
        parse_shape(
            only(tmp_path, section(question("選べ", choices("唐", "宋"), "term_other")))
        ).shape
        == "term"
    )
