"""Numbers written in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.text import ONES, ORDINALS, numeral_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一九四五", 1945),
        ("千九百四十五", 1945),
        ("十", 10),
        ("二十", 20),
        ("十四", 14),
        ("一四", 14),
        ("百五", 105),
        ("百〇五", 105),
        ("零", 0),
        ("二〇〇〇", 2000),
        ("１９４５", 1945),
        ("476", 476),
    ],
)
def test_numerals_are_read_by_places_and_by_digits(text: str, value: int) -> None:
    assert numeral_value(text) == value


def test_what_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="年"):
        numeral_value("年")


@given(st.integers(1, 9999))
def test_a_number_written_digit_by_digit_is_read_back(number: int) -> None:
    assert numeral_value("".join(f"〇{ONES}"[int(digit)] for digit in str(number))) == number


@given(st.integers(1, 9999))
def test_a_number_written_by_places_is_read_back(number: int) -> None:
    written = ""
    for sign, worth in (("千", 1000), ("百", 100), ("十", 10)):
        digit = number // worth % 10
        written += (ONES[digit - 1] if digit > 1 else "") + sign if digit else ""
    written += ONES[number % 10 - 1] if number % 10 else ""
    assert numeral_value(written) == number


def test_ordinals_reach_the_century_that_we_live_in() -> None:
    assert [ORDINALS[word] for word in ("first", "tenth", "twentieth", "twenty-first")] == [
        1,
        10,
        20,
        21,
    ]
