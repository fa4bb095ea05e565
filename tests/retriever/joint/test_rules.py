"""The rules by which the scores of several sources become one, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retriever.joint.rules import RULES, Rule, in_units, shares, unit_of

TWO = [[4.0, 1.0, 2.0], [3.0, 3.0, 2.0]]  # a row a source, a column a choice


def test_the_highest_score_is_all_of_the_maximum_and_the_first_sources_where_they_are_equal() -> None:
    assert shares(TWO, "max") == [[4.0, 0.0, 2.0], [0.0, 3.0, 0.0]]


def test_scores_that_differ_after_five_digits_are_equal() -> None:
    assert shares([[1.0], [1.000001]], "max") == [[1.0], [0.0]]


def test_the_mean_is_made_of_halves() -> None:
    assert shares(TWO, "mean") == [[2.0, 0.5, 1.0], [1.5, 1.5, 1.0]]


def test_a_vote_counts_the_others_that_a_source_puts_it_before() -> None:
    # the first source orders 1, 3, 2: 2/2, 0/2, 1/2 of the others; the second has 1 and 2 level: (1 + ½)/2, so, 0
    assert shares(TWO, "vote") == [[0.5, 0.0, 0.25], [0.375, 0.375, 0.0]]


def test_one_choice_alone_is_before_nothing() -> None:
    assert shares([[7.0], [2.0]], "vote") == [[0.0], [0.0]]


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.sampled_from(RULES))
def test_two_sources_that_say_the_same_order_things_as_one_does(scores: list[float], rule: Rule) -> None:
    combined = [sum(column) for column in zip(*shares([scores, scores], rule), strict=True)]
    for one, a in zip(scores, combined, strict=True):
        for other, b in zip(scores, combined, strict=True):
            assert not (one > other and a < b)


@pytest.mark.parametrize(("rule", "unit"), [("max", None), ("mean", 3.0), ("vote", 4.0)])
def test_what_the_scores_of_a_source_are_divided_by(rule: Rule, unit: float | None) -> None:
    assert unit_of([4.0, 3.0, 2.0], rule) == unit
    assert unit_of([], rule) is None


def test_quotients_are_of_what_engines_agree_on() -> None:
    assert in_units(1.2345678, 2.0) == 1.2346 / 2
    assert in_units(1.2345678, None) == 1.2345678
