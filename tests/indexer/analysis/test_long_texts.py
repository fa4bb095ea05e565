"""Texts without an end of a sentence: cut where it does least harm, nothing lost, in time as their
length."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.text import LONGEST_SENTENCE, split_long_text
from indexer.languages.registry import LANGUAGES

LONG = LONGEST_SENTENCE


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("a" * LONG, [LONG]),
        ("a" * (2 * LONG + 1), [LONG, LONG, 1]),
        ("a " * LONG, [LONG, LONG]),
        ("ab " * LONG, [LONG - 2, LONG - 2, LONG - 2, 6]),  # 3 × 1,666 characters
        (f"国、{'年' * LONG}", [2, LONG]),
    ],
)
def test_a_long_text_is_cut_after_a_blank_or_comma_if_it_can_be(
    text: str, lengths: list[int]
) -> None:
    assert list(map(len, split_long_text(text))) == lengths


@given(st.text(alphabet="a 、\n1", max_size=8).map(lambda text: text * 2_000))
def test_nothing_of_a_long_text_is_lost(text: str) -> None:
    assert "".join(split_long_text(text)) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_has_no_end_of_a_sentence_becomes_several(language: str) -> None:
    sentences = LANGUAGES[language].analyser().sentences("Rome, " * LONG)
    assert [len(one) for one in sentences] == [LONG - 3] * 6 + [30_000 - 6 * (LONG - 2) - 1]


def test_japanese_terms_take_time_in_proportion_to_the_length() -> None:
    """A run of 100,000 digits took four seconds, one of 400,000 over a minute."""
    start = time.process_time()
    assert "".join(LANGUAGES["ja"].analyser().terms("1" * 400_000)) == "1" * 400_000
    assert time.process_time() - start < 20
