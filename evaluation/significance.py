"""Whether two runs over the same questions differ: difference, bootstrap interval, paired randomisation test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from retriever.ranking.listwise import FloatArray

RESAMPLES = 9_999
CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A mean over questions with its standard error and its 95 % bootstrap interval."""

    mean: float
    standard_error: float
    low: float
    high: float


class Comparison(NamedTuple):
    """How much higher the second run's mean is: `low` and `high` bound the difference with 95 % confidence.

    `p` is the share of random exchanges of the two runs, question by question, that differ at least as much
    (two-sided): the probability of such a difference if the runs were alike.
    """

    difference: float
    low: float
    high: float
    p: float


def estimate(scores: Sequence[float], seed: int = 0) -> Estimate:
    """The mean of question scores; one question, or equal scores, have no spread; none at all is a ValueError."""
    import numpy as np

    if not scores:
        raise ValueError("no questions")
    values = np.asarray(scores, float)
    mean = float(values.mean())
    if len(values) < 2 or np.ptp(values) == 0:
        return Estimate(mean, 0.0, mean, mean)
    low, high = _interval(values, seed)
    return Estimate(mean, float(values.std(ddof=1) / len(values) ** 0.5), low, high)


def compare(first: Mapping[str, float], second: Mapping[str, float], seed: int = 0) -> Comparison:
    """The second run against the first, over the same questions. ValueError when the questions differ or are none.

    Interval: percentile bootstrap of the paired differences (scipy.stats.bootstrap); p: signs of the
    differences exchanged at random (scipy.stats.permutation_test), all of them where they are few.
    """
    import numpy as np
    from scipy.stats import permutation_test

    if set(first) != set(second) or not first:
        raise ValueError("two runs are compared over the same questions")
    names = sorted(first)
    differences = np.array([second[name] - first[name] for name in names], float)
    mean = float(differences.mean())
    if np.ptp(differences) == 0 and mean == 0:
        return Comparison(0.0, 0.0, 0.0, 1.0)
    if len(differences) == 1:
        return Comparison(mean, mean, mean, 1.0)
    low, high = (mean, mean) if np.ptp(differences) == 0 else _interval(differences, seed)
    test = permutation_test(
        (differences,),
        lambda sample, axis: sample.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=200,
        rng=np.random.default_rng(seed),
    )
    return Comparison(mean, low, high, float(test.pvalue))


def _interval(values: FloatArray, seed: int) -> tuple[float, float]:
    import numpy as np
    from scipy.stats import bootstrap

    found = bootstrap(
        (values,),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        method="percentile",
        batch=200,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(found.low), float(found.high)
