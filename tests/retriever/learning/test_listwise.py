"""The list-wise learner: hand-computed likelihoods, gradients against finite differences, what it
learns."""

from __future__ import annotations

import math
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array

from retriever.learning.conditional_logit import fit, fit_logistic, group_starts, loss

GROUPS = np.array([0, 0, 0, 1, 1, 4, 4, 4, 4])
GOLD = np.array([1, 0, 1, 0, 1, 0, 1, 0, 0], bool)


def test_loss_any_sums_the_gold_probabilities() -> None:
    value, _ = loss(np.log([1.0, 2.0, 5.0]), np.array([0]), np.array([True, False, True]), "any")
    assert value == pytest.approx(-log(1 / 8 + 5 / 8))


def test_loss_each_takes_the_mean_log_probability() -> None:
    value, _ = loss(np.log([1.0, 2.0, 5.0]), np.array([0]), np.array([True, False, True]), "each")
    assert value == pytest.approx(-(log(1 / 8) + log(5 / 8)) / 2)


@pytest.mark.parametrize("objective", ["any", "each"])
def test_gradient_equals_finite_differences(objective: str) -> None:
    scores = np.random.default_rng(1).normal(size=len(GROUPS))
    starts = group_starts(GROUPS)
    slope = loss(scores, starts, GOLD, objective)[1]  # type: ignore[arg-type]
    numeric = approx_fprime(scores, lambda s: loss(s, starts, GOLD, objective)[0], 1e-7)  # type: ignore[arg-type]
    assert slope == pytest.approx(numeric, abs=1e-5)


@pytest.mark.parametrize("objective", ["any", "each"])
def test_fit_ends_where_the_penalised_gradient_is_zero(objective: str) -> None:
    features = np.random.default_rng(2).normal(size=(len(GROUPS), 3))
    prior = np.array([0.5, -1.0, 0.0])
    weights = fit(features, GROUPS, GOLD, penalty=0.7, prior=prior, objective=objective)  # type: ignore[arg-type]
    slope = loss(features @ weights, group_starts(GROUPS), GOLD, objective)[1]  # type: ignore[arg-type]
    assert slope @ features + 0.7 * (weights - prior) == pytest.approx(np.zeros(3), abs=1e-3)


def test_one_pair_has_a_closed_solution() -> None:
    """One group of two rows with x = 1 (gold) and 0: the slope is −1 / (1 + e^w) + penalty · w."""
    weight = fit(np.array([[1.0], [0.0]]), np.array([0, 0]), np.array([True, False]), penalty=0.5)[
        0
    ]
    assert 0.5 * weight == pytest.approx(1 / (1 + exp(weight)), abs=1e-5)


def test_groups_without_gold_do_not_count() -> None:
    features = np.array([[1.0], [0.0], [-5.0], [9.0]])
    groups, gold = np.array([0, 0, 1, 1]), np.array([True, False, False, False])
    assert fit(features, groups, gold, penalty=0.5) == pytest.approx(
        fit(features[:2], groups[:2], gold[:2], penalty=0.5)
    )


def test_without_gold_the_prior_comes_back() -> None:
    prior = np.array([2.0])
    assert fit(
        np.ones((2, 1)), np.array([0, 0]), np.zeros(2, bool), penalty=1.0, prior=prior
    ) == pytest.approx([2.0])


def test_sparse_features_give_the_same_weights() -> None:
    features = np.random.default_rng(3).normal(size=(len(GROUPS), 4)) * (np.arange(4) > 1)
    dense = fit(features, GROUPS, GOLD, penalty=1.0)
    assert fit(csr_array(features), GROUPS, GOLD, penalty=1.0) == pytest.approx(dense, abs=1e-5)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=9), st.floats(-100, 100))
def test_the_loss_does_not_change_when_a_constant_is_added(
    scores: list[float], constant: float
) -> None:
    array, start, gold = np.array(scores), np.array([0]), np.arange(len(scores)) == 0
    added, _ = loss(array + constant, start, gold, "each")
    assert added == pytest.approx(loss(array, start, gold, "each")[0], abs=1e-9)


def test_weights_are_those_of_a_logistic_regression() -> None:
    # Of 800 rows with the feature at 1 three in four are gold, of 800 at -1 one in four: the slope
    # of the loss, 1600 * (p - 3/4) + penalty * w with p = 1 / (1 + exp(-w)), is 0.
    features = np.repeat([[1.0], [-1.0]], 800, axis=0)
    gold = np.concatenate([np.arange(800) < 600, np.arange(800) < 200])
    (weight,) = fit_logistic(features, gold, 30.0)
    assert 1600 * (1 / (1 + math.exp(-weight)) - 0.75) + 30 * weight == pytest.approx(0, abs=0.05)
