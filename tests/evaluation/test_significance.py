"""Differences between runs: by hand where few questions allow it, against scipy's own t-test where
many do."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from scipy import stats

from evaluation.significance import against_first, compare, estimate, holm


def named(scores: list[float]) -> dict[str, float]:
    return {f"q{number}": score for number, score in enumerate(scores)}


def test_difference_is_the_mean_of_paired_differences() -> None:
    found = compare(named([0, 0, 1, 1]), named([1, 1, 1, 0]))
    assert found.difference == (1 + 1 + 0 - 1) / 4


def test_p_counts_every_exchange_when_questions_are_few() -> None:
    differences = [1.0, 1.0, 1.0, 1.0, -1.0]
    observed = abs(sum(differences))
    signs = list(itertools.product((-1, 1), repeat=5))
    as_far = sum(
        abs(sum(s * d for s, d in zip(sign, differences, strict=True))) >= observed
        for sign in signs
    )
    found = compare(named([0.0] * 5), named(differences))
    assert found.p == pytest.approx(as_far / len(signs))


def test_equal_runs_do_not_differ() -> None:
    assert compare(named([0, 1, 1]), named([0, 1, 1])) == (0.0, 0.0, 0.0, 1.0, 0, 3, 0, None)


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
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.25 < found.high


def test_estimate_without_spread_has_none() -> None:
    assert estimate([1.0, 1.0, 1.0]) == (1.0, 0.0, 1.0, 1.0)
    assert estimate([1.0, 1.0, 1.0], bounds=False) == (1.0, 0.0, None, None)


def test_one_question_has_no_error_and_no_interval() -> None:
    assert estimate([0.5]) == (0.5, None, None, None)
    assert compare({"a": 0.5}, {"a": 1.0}) == (0.5, None, None, 1.0, 1, 0, 0, None)


def test_holm_multiplies_the_smallest_p_by_all_tests_the_next_by_one_less_and_never_falls() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([max(0.04 * 1, 0.03 * 2), 0.01 * 3, 0.03 * 2])


def test_holm_stays_at_most_one_and_takes_no_test_at_all() -> None:
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_runs_against_the_first_count_wins_ties_and_losses() -> None:
    (_, first), (_, second) = against_first([named([0, 0, 1, 1]), named([1, 1, 1, 0])])
    assert first is None
    assert second is not None
    assert (second.win, second.tie, second.loss, second.holm) == (2, 1, 1, None)


def test_two_runs_against_the_first_are_corrected() -> None:
    first, better, same = named([0.0] * 8), named([1.0] * 8), named([0.0] * 7 + [1.0])
    found = [one for _, one in against_first([first, better, same]) if one]
    assert [one.holm for one in found] == pytest.approx(holm([one.p for one in found]))
    assert found[0].holm == pytest.approx(2 * found[0].p)


def test_the_interval_is_scipys_percentile_bootstrap() -> None:
    draw = random.Random(4)
    scores = [draw.random() for _ in range(37)]
    rng = np.random.default_rng(7)
    theirs = stats.bootstrap(
        (scores,), np.mean, n_resamples=9_999, method="percentile", batch=200, rng=rng
    )
    own = estimate(scores, 7)
    assert (own.low, own.high) == pytest.approx(tuple(theirs.confidence_interval), rel=1e-12)
