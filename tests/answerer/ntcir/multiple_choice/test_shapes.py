"""What each shape of question makes of its choices: pairs, maps, and shapes that cannot be followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.ntcir.multiple_choice.shapes import Plan, places_of, plan
from tests.answerer.formats.exam.exams import choices, only, question, read, section

ORDER = "Choose the correct order of events."


def planned(folder: Path, asked: str) -> Plan:
    return plan(only(folder, section(asked)))


def judged(made: Plan) -> list[list[str]]:
    """The words of each statement that must be judged."""
    return [[each.text[start:end] for start, end in each.fillers] for each in made.statements]


def test_the_values_of_a_pair_are_judged_apart(tmp_path: Path) -> None:
    made = planned(tmp_path, question("Choose.", choices("Mansa Musa - Mali", "Akbar - Rome"), "X-Y"))
    assert judged(made) == [["Mansa Musa", "Mali"], ["Akbar", "Rome"]]
    assert made.statements[0].text == "Mansa Musa, Mali"


def test_a_japanese_pair_keeps_the_dots_inside_its_names(tmp_path: Path) -> None:
    made = planned(tmp_path, question("選べ。", choices("チンギス・ハン―モンゴル", "ビスマルク―清"), "X-Y"))
    assert judged(made) == [["チンギス・ハン", "モンゴル"], ["ビスマルク", "清"]]
    assert made.statements[1].text == "ビスマルク、清"


def marked(*values: str) -> str:
    return choices(*(f'{value}<ref comment="画像内">{letter}</ref>' for value in values for letter in "ab"))


def test_a_letter_in_a_map_stands_for_what_the_description_says_it_marks(tmp_path: Path) -> None:
    described = '<data id="D1" type="image"><adata field="地図">aはフランス、bはスペイン</adata></data>'
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
    ["a Peru; b Rome, Italy", "Map. (a) Peru (b) Rome, Italy.", "ａ：Peru\nｂ：Rome, Italy", "a. Peru b. Rome, Italy"],
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
            "Choose for the gap.", data + choices(row.format("Iran", "a"), row.format("Kuwait", "b")), "(symbol-X)"
        ),
    )
    assert [each.text.strip() for each in made.statements] == ["1990 Invaded Iran", "1990 Invaded Kuwait"]


@pytest.mark.parametrize(
    ("kind", "texts", "said"),
    [
        ("zzz(%%", ("Rome fell.", "Rome rose."), "the shape 'zzz(%%' is unknown"),
        ("(symbol-TF)*2", ("a- Correct b- Correct", "a- Correct b- Incorrect"), "of shape 'combination' speak of"),
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
