"""Differences between runs: by hand where few questions allow it, against scipy's own t-test where many do."""

from __future__ import annotations

import itertools
import random

import pytest

from evaluation.significance import compare, estimate


def named(scores: list[float]) -> dict[str, float]:
    return {f"q{number}": score for number, score in enumerate(scores)}


def test_difference_is_the_mean_of_paired_differences() -> None:
    found = compare(named([0, 0, 1, 1]), named([1, 1, 1, 0]))
    assert found.difference == (1 + 1 + 0 - 1) / 4


def test_p_counts_every_exchange_when_questions_are_few() -> None:
    differences = [1.0, 1.0, 1.0, 1.0, -1.0]
    observed = abs(sum(differences))
    signs = list(itertools.product((-1, 1), repeat=5))
    as_far = sum(abs(sum(s * d for s, d in zip(sign, differences, strict=True))) >= observed for sign in signs)
    found = compare(named([0.0] * 5), named(differences))
    assert found.p == pytest.approx(as_far / len(signs))


def test_equal_runs_do_not_differ() -> None:
    assert compare(named([0, 1, 1]), named([0, 1, 1])) == (0.0, 0.0, 0.0, 1.0)


def test_interval_covers_about_two_standard_errors_of_many_differences() -> None:
    rng = random.Random(5)
    first, second = ([float(rng.random() < share) for _ in range(300)] for share in (0.3, 0.6))
    found = compare(named(first), named(second))
    spread = (300 * (0.3 * 0.7 + 0.6 * 0.4)) ** 0.5 / 300
    assert found.high - found.low == pytest.approx(2 * 1.96 * spread, rel=0.15)
    assert found.p < 0.001


def test_same_seed_gives_the_same_interval_and_runs_may_change_places() -> None:
    rng = random.Random(1)
    first, second = ([rng.random() for _ in range(50)] for _ in range(2))
    there, back = compare(named(first), named(second)), compare(named(second), named(first))
    assert there == compare(named(first), named(second))
    assert there.difference == -back.difference
    assert there.p == pytest.approx(back.p, abs=0.02)


def test_runs_over_different_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="same questions"):
        compare({"a": 1.0}, {"b": 1.0})


def test_estimate_of_shares_has_the_binomial_standard_error() -> None:
    found = estimate([1.0] * 25 + [0.0] * 75)
    assert found.mean == 0.25
    assert found.standard_error == pytest.approx((0.25 * 0.75 / 99) ** 0.5)
    assert found.low < 0.25 < found.high


def test_estimate_without_spread_has_none() -> None:
    assert estimate([1.0, 1.0, 1.0]) == (1.0, 0.0, 1.0, 1.0)
