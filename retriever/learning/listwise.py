"""The one learner of every task: a list-wise conditional logit, fitted by L-BFGS with analytic gradients."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import BoolArray, Float64Array, Int64Array

Matrix = Float64Array | csr_array
Objective = Literal["each", "any"]


def group_starts(groups: Int64Array) -> Int64Array:
    """The row at which each group begins, (groups,), from the group number of each row, (rows,).

    ValueError when the group numbers do not rise.
    """
    steps = np.diff(groups)
    if np.any(steps < 0):
        raise ValueError("the rows of a group must stand together, with rising group numbers")
    if len(groups) == 0:
        return np.zeros(0, np.int64)
    return np.concatenate(([0], np.flatnonzero(steps) + 1)).astype(np.int64)


def _sizes(starts: Int64Array, rows: int) -> Int64Array:
    """How many rows each group has, (groups,)."""
    return np.diff(np.append(starts, rows))


def _log_softmax(scores: Float64Array, starts: Int64Array) -> Float64Array:
    """The logarithms of the probabilities, (rows,); `starts` is (groups,)."""
    sizes = _sizes(starts, len(scores))
    centred: Float64Array = scores - np.repeat(np.maximum.reduceat(scores, starts), sizes)
    totals: Float64Array = np.add.reduceat(np.exp(centred), starts)
    log_totals: Float64Array = np.repeat(np.log(totals), sizes)
    return centred - log_totals


def loss(scores: Float64Array, starts: Int64Array, gold: BoolArray, objective: Objective) -> tuple[float, Float64Array]:
    """The negative log likelihood of the gold rows, and its derivative by each row's score, (rows,).

    `scores` and the mask `gold` are (rows,), `starts` is (groups,). Every group must hold gold.
    "each": −Σ_q mean over the gold of log p. "any": −Σ_q log Σ over the gold of p.
    """
    sizes = _sizes(starts, len(scores))
    log_p = _log_softmax(scores, starts)
    if objective == "each":
        share = gold / np.repeat(np.add.reduceat(gold.astype(float), starts), sizes)
        return -float(share @ log_p), np.exp(log_p) - share
    of_gold = np.where(gold, log_p, -np.inf)
    best = np.maximum.reduceat(of_gold, starts)
    likelihood = best + np.log(np.add.reduceat(np.exp(of_gold - np.repeat(best, sizes)), starts))
    return -float(likelihood.sum()), np.exp(log_p) - np.exp(of_gold - np.repeat(likelihood, sizes))


def fit(
    features: Matrix,
    groups: Int64Array,
    gold: BoolArray,
    *,
    penalty: float,
    prior: Float64Array | None = None,
    objective: Objective = "any",
) -> Float64Array:
    """The weights w, (features,), that minimise `loss` of the scores features @ w, plus penalty / 2 · |w − prior|².

    `features` is (rows, features), a row a candidate, dense or scipy's csr_array; `groups`, the rising number of each
    row's question, and the mask `gold` are (rows,), `prior` is (features,). With "any" the probabilities of the gold
    rows are summed (one of several derivations is enough), with "each" every gold row counts alike. Groups without
    gold, and groups of gold alone under "any", teach nothing; without any other group the prior comes back (zeros by
    default).
    Raises ValueError for features that are not finite, and for groups that do not rise.
    """
    from scipy.optimize import minimize  # a third of a second that answering with a model need not wait for

    if not np.all(np.isfinite(features.data if isinstance(features, csr_array) else features)):
        raise ValueError("a feature is not finite")
    width = features.shape[1]
    start_weights = np.zeros(width) if prior is None else np.asarray(prior, float)
    starts = group_starts(groups)
    if len(starts) == 0 or width == 0:
        return start_weights.copy()
    has_gold = np.repeat(np.logical_or.reduceat(gold, starts), _sizes(starts, len(groups)))
    if not has_gold.any():
        return start_weights.copy()
    rows = features if has_gold.all() else features[has_gold]
    kept_starts, kept_gold = group_starts(groups[has_gold]), gold[has_gold]

    def objective_and_gradient(weights: Float64Array) -> tuple[float, Float64Array]:
        value, slope = loss(rows @ weights, kept_starts, kept_gold, objective)
        away = weights - start_weights
        return value + penalty / 2 * float(away @ away), slope @ rows + penalty * away

    end = minimize(
        objective_and_gradient, start_weights, jac=True, method="L-BFGS-B", options={"maxiter": 500, "maxcor": 20}
    )
    return np.asarray(end.x, float)
