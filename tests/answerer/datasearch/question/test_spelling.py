"""Words one slip apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerer.datasearch.question.words import misspelt, one_slip_apart


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        ("mushrom", "mushroom", True),
        ("secotr", "sector", True),
        ("potatoe", "potato", True),
        ("garlik", "garlic", True),
        ("garlic", "garlic", False),
        ("barley", "garlic", False),
        ("secrot", "sector", False),
        ("abcd", "ab", False),
    ],
)
def test_one_slip(first: str, second: str, apart: bool) -> None:
    assert one_slip_apart(first, second) is apart
    assert one_slip_apart(second, first) is apart


@given(st.text("abc", min_size=1, max_size=6), st.integers(0, 5), st.sampled_from("abc"))
def test_a_letter_put_in_is_one_slip(word: str, place: int, letter: str) -> None:
    assert one_slip_apart(word, word[:place] + letter + word[place:])


def test_short_words_and_other_first_letters_are_left() -> None:
    assert misspelt("goat", ["goats", "boat"]) is None
    assert misspelt("harlic", ["garlic"]) is None
    assert misspelt("garlik", ["garlic", "onion"]) == "garlic"
