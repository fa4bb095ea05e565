"""The words right before and after a name, by hand: of a name that has them in the book, of one
that has not."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from answerer.ntcir.multiple_choice.names.judgement import read_claims
from answerer.ntcir.multiple_choice.names.signals import NAMES, signal_rows
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.engines.contract import Index
from retriever.association.features import flatten

BOOK = """Then King Cyrus ruled Persia. Later King Cyrus met Croesus.

Then Croesus ruled Lydia. Later Croesus ruled Sardis. Then Ardys ruled Lydia.
"""
BESIDE = [NAMES.index("word_before"), NAMES.index("word_after")]


@pytest.fixture(scope="module")
def book(indexed: Callable[[str], Index]) -> Index:
    return indexed(BOOK)


def signals(index: Index, text: str, label: str) -> list[float]:
    """The signals of a name of a statement."""
    claims = read_claims([ChoiceStatement(text)], index)
    row = signal_rows(flatten(claims.claims), claims.counts)[claims.labels[0].index(label)]
    return row[BESIDE].tolist()


# Of six mentions of persons two have "king" before them and four "ruled" after; k = .5.
def test_a_name_that_has_the_words_beside_it_in_the_book(book: Index) -> None:
    before, after = signals(book, "Once King Cyrus ruled Lydia.", "cyrus")
    assert before == pytest.approx(math.log((2 + 0.5) / (2 * 2 / 6 + 0.5)))  # both of two mentions
    assert after == pytest.approx(math.log((1 + 0.5) / (2 * 4 / 6 + 0.5)))  # one of two


def test_a_name_that_has_them_not_is_below_zero(book: Index) -> None:
    before, _ = signals(book, "Once King Croesus ruled Lydia.", "croesus")
    assert before == pytest.approx(math.log(0.5 / (3 * 2 / 6 + 0.5)))  # none of three mentions


def test_a_word_that_stands_beside_no_name_of_the_kind_says_nothing(book: Index) -> None:
    assert signals(book, "Once rich Croesus met Lydia.", "lydia") == [
        0.0,
        pytest.approx(math.log(2.5 / 2.5)),
    ]
    assert signals(book, "Rich Croesus slept.", "croesus") == [0.0, 0.0]


def test_a_name_that_the_book_does_not_know_says_nothing(book: Index) -> None:
    assert signals(book, "Once King Gyges ruled Lydia.", "gyges") == [0.0, 0.0]
