"""Logistic regression over single candidates, for comparison with the list-wise learner."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from retriever.ranking.listwise import BoolArray, FloatArray


def fit_pointwise(features: FloatArray, gold: BoolArray, *, penalty: float) -> FloatArray:
    """The weights of an L2-penalised logistic regression (its intercept, free of penalty, is left out).

    Minimises Σ log(1 + exp(−y (w·x + b))) + penalty / 2 · |w|² with y = ±1.
    """
    sign = np.where(gold, 1.0, -1.0)

    def objective_and_gradient(point: FloatArray) -> tuple[float, FloatArray]:
        weights, intercept = point[:-1], point[-1]
        margin = sign * (features @ weights + intercept)
        slope = -sign / (1 + np.exp(np.clip(margin, -500, 500)))
        value = float(np.logaddexp(0, -margin).sum()) + penalty / 2 * float(weights @ weights)
        return value, np.append(slope @ features + penalty * weights, slope.sum())

    start = np.zeros(features.shape[1] + 1)
    found = minimize(objective_and_gradient, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x[:-1], float)
