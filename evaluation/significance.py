"""Differences between runs over the same questions: bootstrap interval and paired randomisation
test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

RESAMPLES = 9_999  # scipy's default: p is a multiple of 1 / 10,000
CONFIDENCE = 0.95  # of intervals, the custom of the field
_BATCH = 200  # resamples drawn at once; bounds memory


class Estimate(NamedTuple):
    """A mean over questions with its standard error and its 95 % bootstrap interval; None for a
    single question."""

    mean: float
    standard_error: float | None
    low: float | None
    high: float | None


class Comparison(NamedTuple):
    """The second run's mean minus the first's: `low` and `high` bound the difference with 95 %
    confidence.

    `p` is the share of random exchanges of the two runs, question by question, that differ at least
    as much (two-sided): the probability of such a difference if the runs were alike. For a single
    question the bounds are None. `win`, `tie` and `loss` count questions; `holm` is p by Holm's
    correction over all runs, None for fewer than three.
    """

    difference: float
    low: float | None
    high: float | None
    p: float
    win: int
    tie: int
    loss: int
    holm: float | None = None


def estimate(scores: Sequence[float], seed: int = 0, bounds: bool = True) -> Estimate:
    """The mean of question scores with its standard error and its 95 % interval by the percentile
    bootstrap (9,999 resamples); both are None for a single question.

    Without `bounds` the interval is None: computing it takes nearly all of the time. Raises
    ValueError without questions.
    """
    import numpy as np

    if not scores:
        raise ValueError("no questions")
    values = np.asarray(scores, float)
    mean = float(values.mean())
    if len(values) == 1:
        return Estimate(mean, None, None, None)
    # Equal scores have no error; by the formula a rounded mean would give them a tiny one.
    equal = np.ptp(values) == 0
    error = 0.0 if equal else float(values.std(ddof=1) / len(values) ** 0.5)
    if not bounds:
        return Estimate(mean, error, None, None)
    if equal:
        return Estimate(mean, error, mean, mean)
    # The percentile bootstrap of scipy.stats.bootstrap, which takes a second to import.
    rng = np.random.default_rng(seed)
    means = []
    for done in range(0, RESAMPLES, _BATCH):
        drawn = rng.integers(0, len(values), (min(_BATCH, RESAMPLES - done), len(values)))
        means.append(values[drawn].mean(axis=-1))
    outside = (1 - CONFIDENCE) / 2
    low, high = np.percentile(np.concatenate(means), [100 * outside, 100 * (1 - outside)])
    return Estimate(mean, error, float(low), float(high))


def clustered_error(scores: Sequence[float], clusters: Sequence[str]) -> float | None:
    """The standard error of the mean of scores whose questions are alike within clusters (Liang and
    Zeger, 1986).

    `clusters` has the cluster of each score. None for a single cluster.
    """
    by_cluster: dict[str, list[float]] = {}
    for score, cluster in zip(scores, clusters, strict=True):
        by_cluster.setdefault(cluster, []).append(score)
    number = len(by_cluster)
    if number < 2:
        return None
    mean = sum(map(sum, by_cluster.values())) / len(scores)
    squares = sum((sum(values) - mean * len(values)) ** 2 for values in by_cluster.values())
    return float((squares * number / (number - 1)) ** 0.5 / len(scores))


def compare(first: Mapping[str, float], second: Mapping[str, float], seed: int = 0) -> Comparison:
    """Compares the second run with the first over the same questions; both map a question to its
    score.

    Interval: percentile bootstrap of the paired differences. p: randomisation test of their signs
    (scipy.stats.permutation_test), exact for few questions ([ExactRandomization]), 1 for a single
    one. Raises ValueError if the questions differ, or without questions.
    """
    if set(first) != set(second) or not first:
        raise ValueError("two runs are compared over the same questions")
    # Sorted, so that a seed gives the same resamples whatever the order of the files.
    differences = [second[name] - first[name] for name in sorted(first)]
    whole = estimate(differences, seed)
    win = sum(difference > 0 for difference in differences)
    loss = sum(difference < 0 for difference in differences)
    p = 1.0
    if whole.standard_error is not None and (whole.standard_error or whole.mean):
        import numpy as np
        from scipy.stats import permutation_test

        p = float(
            permutation_test(
                (np.array(differences),),
                lambda sample, axis: sample.mean(axis=axis),
                permutation_type="samples",
                vectorized=True,
                n_resamples=RESAMPLES,
                batch=_BATCH,
                rng=np.random.default_rng(seed),
            ).pvalue
        )
    return Comparison(
        whole.mean, whole.low, whole.high, p, win, len(differences) - win - loss, loss
    )


def against_first(
    scored: Sequence[Mapping[str, float]], seed: int = 0
) -> list[tuple[Estimate, Comparison | None]]:
    """The mean of every run, and its comparison with the first (None for that), in order; each maps
    a question to its score. Several comparisons have p corrected by `holm`. Raises ValueError for
    runs over different questions, and without questions or runs."""
    first, *others = scored
    means = [estimate([scores[name] for name in sorted(scores)], seed) for scores in scored]
    comparisons = [compare(first, scores, seed) for scores in others]
    if len(comparisons) > 1:
        corrected = holm([comparison.p for comparison in comparisons])
        comparisons = [
            comparison._replace(holm=p)
            for comparison, p in zip(comparisons, corrected, strict=True)
        ]
    return list(zip(means, [None, *comparisons], strict=True))


def holm(values: Sequence[float]) -> list[float]:
    """Corrects the p values of several tests by the step-down method of [Holm], in the order given,
    at most 1."""
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, position in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[position]))
        corrected[position] = highest
    return corrected
