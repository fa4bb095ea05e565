"""Columns of a terminal, counted by hand: full-width texts, lines that break where they may, bars
to an eighth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.cli.screen import bar, beginning, columns, pad, shorten, wrap


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("Rome", 4),
        ("漢の武帝", 8),
        ("ﾛｰﾏ", 3),
        ("e\u0301a", 2),
        ("한국", 4),
        ("A漢\u200d", 3),
        ("１", 2),
    ],
)
def test_full_width_characters_take_two_columns_and_joined_marks_none(
    text: str, expected: int
) -> None:
    assert columns(text) == expected


def test_blanks_fill_a_width_on_either_side() -> None:
    assert (pad("漢", 4), pad("7", 3, right=True), pad("long", 2)) == ("漢  ", "  7", "long")


def test_a_text_is_cut_where_it_does_not_fit_and_says_so() -> None:
    assert (shorten("abcdef", 6), shorten("abcdefg", 6), shorten("漢漢漢", 5)) == (
        "abcdef",
        "abcde…",
        "漢漢…",
    )


def test_lines_break_between_words_and_between_full_width_characters() -> None:
    assert wrap("The kings ruled long", [9]) == ["The kings", "ruled", "long"]
    assert wrap("漢の武帝は張騫を", [6]) == ["漢の武", "帝は張", "騫を"]


def test_closing_marks_do_not_begin_a_line() -> None:
    assert wrap("漢の武帝。張騫", [8]) == ["漢の武", "帝。張騫"]


def test_the_first_line_may_be_shorter_than_the_others() -> None:
    assert wrap("one two three", [3, 9]) == ["one", "two three"]


def test_a_word_longer_than_a_line_is_cut() -> None:
    assert wrap("abcdefgh ij", [3]) == ["abc", "def", "gh", "ij"]
    assert wrap("abc", [-2]) == ["a", "b", "c"]  # behind a lead that fills the line


def test_what_has_too_many_lines_ends_in_an_ellipsis() -> None:
    assert wrap("one two three four", [5], 2) == ["one", "two…"]
    assert wrap("one two", [5], 2) == ["one", "two"]


@given(
    st.text(st.sampled_from("ab 漢、。é\u0301👩"), max_size=60),
    st.integers(2, 12),
    st.integers(0, 4),
)
def test_no_line_is_wider_than_it_may_be_and_no_character_is_lost(
    text: str, width: int, most: int
) -> None:
    lines = wrap(text, [width], most)
    assert all(columns(line) <= width for line in lines)
    if not most:
        assert "".join("".join(lines).split()) == "".join(text.split())
    else:
        assert len(lines) <= most


@given(st.text(max_size=30), st.integers(0, 20))
def test_the_beginning_is_the_longest_that_fits(text: str, width: int) -> None:
    found = beginning(text, width)
    assert text.startswith(found)
    assert columns(found) <= width
    assert found == text or columns(text[: len(found) + 1]) > width


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (1.0, 0.0, 1.0, "████"),
        (0.5, 0.0, 1.0, "██  "),
        (0.53, 0.0, 1.0, "██▏ "),  # 0.53 × 4 × 8 = 16.96 eighths
        (1e-9, 0.0, 1.0, "▏   "),
        (0.0, 0.0, 0.0, "    "),
        (1.0, -1.0, 1.0, "  │█"),  # zero at round(3 × 1 / 2) = 2
        (-1.0, -1.0, 1.0, "██│ "),
        (-0.5, -1.0, 1.0, " █│ "),
        (-1.0, -1.0, 0.0, "███│"),
    ],
)
def test_a_bar_is_as_long_as_its_value(
    value: float, low: float, high: float, expected: str
) -> None:
    assert bar(value, low, high, 4) == expected
