"""Words and questions: what a question asks for, in English and Japanese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.datasearch.kinds import alike, kinds_of, shape
from answerer.datasearch.question import read_question
from answerer.datasearch.words import acronym, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("São Paulo's 1,234 winners", ("sao", "paulo", "1234", "win")),
        ("Sept. 31st, 12.5%", ("month9", "31", "st", "12.5", "percent")),
        ("Q3 and the fourth quarter", ("quarter", "3", "and", "the", "quarter", "4")),
        ("two towns", ("2", "town")),
        ("総　数", ("総数",)),
        ("札幌市の女", ("札幌", "幌市", "の", "女")),
        ("平成27年", ("2015", "平成", "27", "年")),
        ("", ()),
    ],
)
def test_words(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


@given(st.text(max_size=60))
def test_no_word_is_empty(text: str) -> None:
    assert all(words(text))


def test_an_acronym_has_two_letters_at_least() -> None:
    assert [acronym(("revenu", "passeng", "mile")), acronym(("revenu",))] == ["rpm", ""]


@pytest.mark.parametrize(
    ("text", "wh", "focus", "triggers"),
    [
        ("Which team won the most games?", "which", ("team", "win"), {"most"}),
        ("How many acres of kale are there in total?", "how many", ("acr", "kale"), {"total"}),
        ("How long is the track?", "how", ("long", "track"), set()),
        ("Who was next after Bo?", "who", ("bo",), {"next", "after"}),
        ("札幌市の人口はいくつですか", "how many", (), set()),
    ],
)
def test_questions(text: str, wh: str, focus: tuple[str, ...], triggers: set[str]) -> None:
    question = read_question(text)
    assert question.wh == wh
    assert question.focus[: len(focus)] == focus
    assert triggers <= set(question.triggers)


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
        ("less than 2 million", float("-inf"), 2e6 - 1e-9),
        ("between 1990 and 1995", 1990 - 1e-9, 1995 + 1e-9),
        ("in the 1980s", 1980 - 1e-9, 1990),
        ("平成27年の人口", 2015 - 1e-9, 2016),
    ],
)
def test_comparisons(text: str, low: float, high: float) -> None:
    (comparison,) = read_question(text).comparisons
    assert (comparison.low, comparison.high) == (low, high)


def test_ordinals_and_halves() -> None:
    assert read_question("the fifth most common").ordinal == 5
    assert read_question("the 12th").ordinal == 12
    assert read_question("is it red or blue?").halves == (("red", "it", words("is")[0]), ("blue",))
