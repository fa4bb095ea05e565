"""How far two ways of marking agree: Kendall's τ, Spearman's ρ, Pearson's r (scipy)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Agreement(NamedTuple):
    """Correlations in [-1, 1]; None where they are not defined (fewer than two pairs, or all marks equal)."""

    kendall: float | None
    spearman: float | None
    pearson: float | None
    pairs: int


def agreement(ours: Sequence[float], theirs: Sequence[float]) -> Agreement:
    """τ-b, ρ and r of paired marks, higher meaning better in both; equal marks share their rank."""
    if len(ours) != len(theirs):
        raise ValueError("marks come in pairs")
    if len(ours) < 2 or len(set(ours)) == 1 or len(set(theirs)) == 1:
        return Agreement(None, None, None, len(ours))
    from scipy import stats

    kendall = float(stats.kendalltau(ours, theirs).statistic)
    spearman = float(stats.spearmanr(ours, theirs).statistic)
    pearson = float(stats.pearsonr(ours, theirs).statistic)
    return Agreement(kendall, spearman, pearson, len(ours))
