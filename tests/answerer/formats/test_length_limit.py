"""Every printed form of a limit, and what it measures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.formats.length_limit import (
    NO_LIMIT,
    Limit,
    exceeds,
    limits_in,
    measure,
    read_limit,
    stricter,
)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("-1", NO_LIMIT),
        ("", NO_LIMIT),
        ("510字以内", Limit(510, "characters")),
        ("６０字以内", Limit(60, "characters")),
        ("30字程度", Limit(30, "characters")),
        ("30字", Limit(30, "characters")),
        ("50-60字", Limit(60, "characters")),
        ("50〜60字程度", Limit(60, "characters")),
        ("五十〜六十字程度", Limit(60, "characters")),
        ("100字未満", Limit(99, "characters")),
        ("no more than 255 English words", Limit(255, "words")),
        ("approximately 50-60 English words", Limit(60, "words")),
        ("255 English words", Limit(255, "words")),
        ("225 English words or less", Limit(225, "words")),
        ("less than 40 words", Limit(39, "words")),
        ("0字以内", Limit(0, "characters")),
        ("５０字以上６０字以内", Limit(60, "characters")),
        ("60文字以内", Limit(60, "characters")),
        ("二百四十字以上二百六十字以内", Limit(260, "characters")),
        ("六〇〇字程度", Limit(600, "characters")),
        ("2百字以内", Limit(200, "characters")),
        ("１，２００字以内", Limit(1200, "characters")),
        ("between 50 and 60 words", Limit(60, "words")),
        ("under 40 words", Limit(39, "words")),
        ("maximum 40 words", Limit(40, "words")),
        ("40 to 50 words at most", Limit(50, "words")),
        ("300字まで", Limit(300, "characters")),
        ("no more than 1,000 words", Limit(1000, "words")),
    ],
)
def test_reads_every_printed_form(printed: str, expected: Limit) -> None:
    assert read_limit(printed) == expected


@pytest.mark.parametrize(
    "printed",
    [
        "60-50字",
        pytest.param("九" * 5000 + "字", id="5,000 figures"),
        "some words",
        "no less than 40 words",
        "字以内",
        "3行",
        "-2",
        "12 letters",
        "1e3字",
    ],
)
def test_reads_nothing_into_what_is_no_limit(printed: str) -> None:
    assert read_limit(printed) is None


def test_finds_the_limits_of_an_instruction() -> None:
    english = "Write an essay explaining, in 225 English words or less, how canals changed two words of law."
    assert limits_in(english) == [Limit(225, "words")]
    assert limits_in("Write a text of no less than 40 words, of 60 words maximum.") == [
        Limit(60, "words")
    ]
    assert limits_in("理由を６０字以内で述べ、次に30字程度で説明せよ。9つの語句を用いよ。") == [
        Limit(60, "characters"),
        Limit(30, "characters"),
    ]


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("1,000字以内で述べよ。", Limit(1000, "characters")),
        ("Explain in 1,000 words or less.", Limit(1000, "words")),
        ("十字軍の背景を百二十字以内で述べよ。", Limit(120, "characters")),
        ("背景について，60字以内で述べよ。", Limit(60, "characters")),
        ("450字以上600字以内で述べよ。", Limit(600, "characters")),
    ],
)
def test_reads_whole_numbers_in_an_instruction(instruction: str, expected: Limit) -> None:
    assert limits_in(instruction) == [expected]


def test_some_hundred_characters_are_no_limit() -> None:
    assert limits_in("数百字程度の史料を読んで述べよ。") == []


def test_takes_the_lower_limit_of_the_same_unit() -> None:
    attribute = Limit(255, "words")
    assert stricter(attribute, [Limit(225, "words"), Limit(9, "characters")]) == Limit(225, "words")
    assert stricter(attribute, [Limit(300, "words")]) == attribute
    assert stricter(NO_LIMIT, [Limit(60, "characters")]) == Limit(60, "characters")


def test_measures_words_at_white_space_and_characters_with_punctuation() -> None:
    assert measure(" The Anglo-Saxon king , so  called. ", "words") == 6
    assert measure(" 汽船の発明、他。 ", "characters") == 8


@given(st.text(max_size=40), st.integers(0, 30), st.sampled_from(["words", "characters"]))
def test_a_text_exceeds_its_limit_exactly_when_it_measures_more(
    text: str, most: int, unit: str
) -> None:
    limit = read_limit(f"{most}字" if unit == "characters" else f"{most} English words")
    assert limit is not None
    assert exceeds(text, limit) == (measure(text, limit.unit or "words") > most)
