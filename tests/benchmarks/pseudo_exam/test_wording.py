"""A name in another's place leaves no mark of the exchange."""

from __future__ import annotations

import pytest
from pseudo_exam.book import Name
from pseudo_exam.swaps import agrees, replace_words, shape_of

from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE


@pytest.mark.parametrize(
    ("before", "new", "fits"),
    [
        ("He was a ", "Roman", True),
        ("He was a ", "Italian", False),
        ("He was an ", "Italian", True),
        ("He was an ", "Roman", False),
        ("It was a ", "European", True),
        ("It was a ", "Ukrainian", True),
        ("It was a ", "U.S.", True),
        ("It was an ", "MP", True),
        ("An ", "Egyptian", True),
        ("He met ", "Italian", True),
        ("In Africa ", "Rome", True),
    ],
)
def test_an_article_fits_the_name_that_follows(before: str, new: str, fits: bool) -> None:
    assert agrees(f"{before}X came.", len(before), new) is fits


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("The U.S. territories grew.", "U.S", "British", "The British territories grew."),
        ("The U.S. territories grew.", "U.S.", "British", "The British territories grew."),
        ("They left the U.S.", "U.S", "France", "They left the France."),
        ("They left the U.S.", "U.S.", "France", "They left the France."),
        ("The British territories grew.", "British", "U.S", "The U.S. territories grew."),
        ("They left France.", "France", "U.S", "They left U.S."),
        ("The U.S. and Spain.", "U.S", "U.K", "The U.K. and Spain."),
    ],
)
def test_an_abbreviation_takes_its_full_stop_along(
    text: str, old: str, new: str, after: str
) -> None:
    start = text.index(old)
    assert replace_words(text, start, start + len(old), new).text == after


@pytest.mark.parametrize(
    ("key", "surface", "shape"),
    [
        ("y:1945", "1945年", "0"),
        ("y:-221", "前221年", "0 before"),
        ("y:1801..1900", "１９世紀", "99"),
        ("y:-300..-201", "紀元前3世紀", "99 before"),
        ("y:1930..1939", "1930年代", "9"),
        ("y:1945", "昭和20年", "昭和20年"),
        ("y:1918", "18年", "18年"),
        ("y:1914", "1914", "1914"),
        ("y:1945", "1945年(昭和20年)", "1945年(昭和20年)"),
    ],
)
def test_japanese_dates_of_one_width_and_form_are_alike(key: str, surface: str, shape: str) -> None:
    assert shape_of(Name(key, "year", 1, (), frozenset()), surface, JAPANESE) == shape


@pytest.mark.parametrize(
    ("key", "surface", "shape"),
    [
        ("y:1914", "1914", "0"),
        ("y:1801..1900", "nineteenth century", "99"),
        ("y:-331", "331 BCE", "0 before"),
    ],
)
def test_english_dates_of_one_width_are_alike(key: str, surface: str, shape: str) -> None:
    assert shape_of(Name(key, "year", 1, (), frozenset()), surface, ENGLISH) == shape
