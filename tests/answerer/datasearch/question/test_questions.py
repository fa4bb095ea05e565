"""Words and questions: what a question asks for, in English and Japanese."""

from __future__ import annotations

import pytest

from answerer.datasearch.question.analysis import fulfils, read_question
from answerer.datasearch.question.words import acronym, alike, kinds_of, shape, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("São Paulo's 1,234 winners", ("sao", "paulo", "1234", "win")),
        ("Ærø", ("aerø",)),
        ("Sept. 31st, 12.5%", ("month9", "31", "st", "12.5", "percent")),
        ("Q3 and the fourth quarter", ("quarter", "3", "and", "the", "quarter", "4")),
        ("two towns", ("2", "town")),
        ("総　数", ("総数",)),
        ("札幌市の女", ("札幌", "幌市", "の", "女")),
        ("平成27年", ("2015", "年")),
        ("平成27(2015)年", ("2015", "年")),
        ("令和元年度", ("2019", "年度")),
        ("2020-1-3 12:00", ("3", "month1", "2020", "1", "12:00")),
        ("2020/01/03", ("3", "month1", "2020", "1")),
        ("令和２年１月３日", ("3", "month1", "2020", "1")),
        ("2020年5月", ("2020", "年", "5", "月")),
        ("65+", ("65", "以上")),
        ("100歳以上の男性", ("100", "歳", "以上", "の", "男")),
        ("総人口に", ("総数", "人口", "に")),
        ("合計", ("総数",)),
        ("合計額", ("合計", "計額")),
        ("", ()),
    ],
)
def test_words(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "wh", "focus", "triggers"),
    [
        ("Which team won the most games?", "which", ("team", "win"), {"most"}),
        ("How many acres of kale are there in total?", "how many", ("acr", "kale"), {"total"}),
        ("How long is the track?", "how", ("long", "track"), set()),
        ("Who was next after Bo?", "who", ("bo",), {"next", "after"}),
        ("札幌市の人口はいくつですか", "how many", ("人口",), set()),
        (
            "人口が最も多い都道府県はどこですか",
            "where",
            ("府県", "道府", "都道"),
            {"most", "highest"},
        ),
        ("総人口に占める割合は何％か", "how many", ("割合",), {"percent"}),
        ("タイの宿泊者が最も少ない月は何月ですか", "when", (), {"least", "lowest"}),
        ("どの区分が最大ですか", "which", ("区分",), {"highest"}),
        ("死亡数を教えてください", "", ("亡数", "死亡"), set()),
        ("図書館の名前は何ですか", "what", ("名前",), set()),
        ("出生数は？", "", ("生数", "出生"), set()),
    ],
)
def test_questions(text: str, wh: str, focus: tuple[str, ...], triggers: set[str]) -> None:
    question = read_question(text)
    assert question.wh == wh
    assert question.focus == focus[:2]
    assert triggers <= set(question.triggers)


def test_an_acronym_has_two_letters_at_least() -> None:
    assert [acronym(("revenu", "passeng", "mile")), acronym(("revenu",))] == ["rpm", ""]


def test_kinds_of_things() -> None:
    assert read_question("who won?").kinds == {"person"}
    assert read_question("which city is it?").kinds == {"place"}
    assert kinds_of(words("Opponent")) == {"person", "group"}
    assert words("title")[0] in alike("song")
    assert shape(["Ann Lee", "Bo van Berg", "x"]) == "names"
    assert shape(['"A"', '"B"']) == "quoted"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("more than 1,200 people", 1200 + 1e-9, float("inf")),
        ("at least 3 teams", 3 - 1e-9, float("inf")),
        ("no less than 3 teams", 3 - 1e-9, float("inf")),
        ("a slope of 20% or greater", 20 - 1e-9, float("inf")),
        ("no more than 30,000 passengers", float("-inf"), 30_000 + 1e-9),
        ("5 games or fewer", float("-inf"), 5 + 1e-9),
        ("less than 2 million", float("-inf"), 2e6 - 1e-9),
        ("平成27年の人口", 2015 - 1e-9, 2016),
    ],
)
def test_comparisons(text: str, low: float, high: float) -> None:
    (comparison,) = read_question(text).comparisons
    assert (comparison.low, comparison.high) == (low, high)


def test_a_one_in_figures_is_told_from_the_word() -> None:
    assert "1" in read_question("who had 1 loss?").content
    assert "1" not in read_question("which one of them came 1st?").content


def test_ordinals_and_halves() -> None:
    assert read_question("the fifth most common").ordinal == 5
    assert read_question("the 12th").ordinal == 12
    assert read_question("is it red or blue?").halves == (("red", "it", words("is")[0]), ("blue",))


def test_the_sides_of_a_japanese_choice() -> None:
    assert read_question("函館市と奈良市では、どちらの人口が多いですか").halves == (
        ("館市", "函館"),
        ("奈良", "良市"),
    )


def test_a_number_too_large_to_hold_is_beaten_by_none() -> None:
    (comparison,) = read_question(f"more than {'9' * 400} people").comparisons
    assert not fulfils(None, 5.0, comparison)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("人口が1,200人を超える町", 1200 + 1e-9, float("inf")),
        ("3万人以上の市", 30000 - 1e-9, float("inf")),
        ("500円未満の品目", -float("inf"), 500 - 1e-9),
        ("平成20年以前", -float("inf"), 2008 + 1e-9),
    ],
)
def test_japanese_comparisons(text: str, low: float, high: float) -> None:
    first = read_question(text).comparisons[0]
    assert (first.low, first.high) == (low, high)


def test_an_age_is_no_comparison() -> None:
    assert read_question("65歳以上の人口は何人ですか").comparisons == ()
