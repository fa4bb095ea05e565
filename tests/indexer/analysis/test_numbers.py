"""A number is one term of a textbook, the same in words and in figures, and only a whole number
matches."""

from __future__ import annotations

import pytest

from indexer.analysis.english_numbers import with_figures
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE


def terms(text: str) -> list[str]:
    return ENGLISH.analyser(books=True).terms(text)


@pytest.mark.parametrize(
    ("words", "figures"),
    [
        ("eleven", "11"),
        ("Twenty-three", "23"),
        ("four hundred and twelve", "412"),
        ("nine hundred", "900"),
        ("a hundred", "100"),
        ("six hundred and fifty thousand", "650,000"),
        ("one thousand two hundred and five", "1205"),
        ("eight million", "8,000,000"),
        ("eight million", "8 million"),
        ("1.5 million", "1500000"),
        ("first", "1st"),
        ("nineteenth", "19th"),
        ("twenty-first", "21st"),
        ("eighty metres", "80 m"),
        ("two kilometers", "2 kilometres"),
    ],
)
def test_a_number_is_the_same_term_in_words_and_in_figures(words: str, figures: str) -> None:
    assert terms(words) == terms(figures) != []


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a tower of 3.7 metres", ["tower", "3.7", "metr"]),
        ("5,200 signatures", ["5200", "signatur"]),
        ("one hundred and two hundred", ["100", "200"]),
        ("two, three or four", ["2", "3", "4"]),
        ("two thousand and three million", ["2000", "3000000"]),
        ("hundreds of ships", ["hundr", "ship"]),
        ("half a million ships", ["half", "million", "ship"]),
        ("one ship", ["ship"]),  # a stop word
    ],
)
def test_numbers_stay_apart_and_whole(text: str, whole: list[str]) -> None:
    assert terms(text) == whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("see Figure 3.7", "3.7"),
        ("see Fig. 4", "4"),
        ("Table 7 lists ships", "7"),
        ("in sections 7.4 and 7.5", "7.5"),
        ("Chapter eleven", "11"),
        ("p. 12", "12"),
    ],
)
def test_the_number_of_a_figure_or_section_is_no_number(text: str, number: str) -> None:
    assert number not in terms(text)
    assert terms(text) == terms(text.upper())


def test_a_number_behind_a_figure_counts_again() -> None:
    assert terms("In Figure 2 and four ships")[-2:] == ["4", "ship"]


def test_other_texts_keep_lucenes_words() -> None:
    assert ENGLISH.analyser().terms("eleven ships, 5,200 men") == [
        "eleven", "ship", "5", "200", "men",
    ]  # fmt: skip


def test_a_name_of_the_glossary_with_a_number_is_found_in_both_forms() -> None:
    analyser = ENGLISH.analyser({"Order of Twelve": "Order of Twelve"}, books=True)
    assert analyser.terms("the Order of 12") == ["order_of_12", "order", "12"]
    assert analyser.terms("the Order of Twelve") == ["order_of_12", "order", "12"]


def test_number_words_of_a_text_become_figures() -> None:
    text = "Twenty-four men, one boy: in Chapter two, 8 million, the twenty-first of May"
    assert with_figures(text) == "24 men, one boy: in Chapter 2, 8000000, the 21st of May"


def test_nouns_behind_a_number_of_several_words_are_nouns() -> None:
    assert ENGLISH.analyser(books=True).nouns("The four hundred and twelve sailors left.") == [
        "sailor"
    ]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("二十三人", ["23", "人"]),
        ("２３人", ["23", "人"]),
        ("千九百四十五年", ["1945", "年"]),
        ("一九四五年", ["1945", "年"]),
        ("五千二百人", ["5200", "人"]),
        ("5,200人", ["5200", "人"]),
        ("3万5千人", ["35000", "人"]),
        ("1.5億円", ["150000000", "円"]),
        ("二、三人", ["2", "3", "人"]),
        ("3.7倍", ["3.7", "倍"]),
        ("何人", ["何", "人"]),
        ("1.2.3", ["1.2.3"]),
        ("図3", ["図", "図3"]),
        ("七章", ["7章", "章"]),
    ],
)
def test_a_japanese_number_is_one_term(text: str, whole: list[str]) -> None:
    assert JAPANESE.analyser(books=True).terms(text) == whole
    assert set(JAPANESE.analyser(books=True).nouns(text)) <= set(whole)


def test_a_japanese_name_of_the_glossary_is_found_behind_numbers() -> None:
    analyser = JAPANESE.analyser({"白い橋": "白橋"}, books=True)
    assert analyser.terms("二十三の白い橋") == ["23", "白橋", "白い", "橋"]


def test_chinese_books_are_analysed_as_other_texts() -> None:
    text = "大学创办于一九二一年，有三个系。"
    assert CHINESE.analyser(books=True).terms(text) == CHINESE.analyser().terms(text)
