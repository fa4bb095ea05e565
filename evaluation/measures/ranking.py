"""Measures of ranked candidates, one question at a time: reciprocal rank, average precision,
accuracy at N.

Definitions of the NLPCC 2017 guideline ([NLPCC2017]) and of the SelQA challenge ([SelQA-Challenge],
average ranks). `scores` are the candidates' in file order, higher is better; `gold` marks the right
ones. Without gold every measure is 0.

Equal scores are ordered by a rule: "file" keeps file order, "worst" puts gold last, "expected" is
the mean over all orders of the tied, "average" gives all tied the mean of their ranks (only
reciprocal rank and accuracy at N are defined so; average precision takes the expected value).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Literal, NamedTuple


class Agreement(NamedTuple):
    """Correlations in [-1, 1]; None where they are not defined (fewer than two pairs, or all marks
    equal)."""

    kendall: float | None
    spearman: float | None
    pearson: float | None
    pairs: int


def agreement(ours: Sequence[float], theirs: Sequence[float]) -> Agreement:
    """Kendall's τ-b, Spearman's ρ and Pearson's r of paired marks, and the number of pairs; equal
    marks share their mean rank. All three are None for fewer than two pairs, and where one side's
    marks are all equal."""
    # scipy gives nan here, and for some of the three a warning.
    if len(ours) < 2 or len(set(ours)) == 1 or len(set(theirs)) == 1:
        return Agreement(None, None, None, len(ours))
    from scipy import stats

    # scipy's default is tau-b, which corrects for ties.
    results = [
        measure(ours, theirs) for measure in (stats.kendalltau, stats.spearmanr, stats.pearsonr)
    ]
    kendall, spearman, pearson = (float(result.statistic) for result in results)
    return Agreement(kendall, spearman, pearson, len(ours))


Ties = Literal["file", "expected", "worst", "average"]
TIES: tuple[Ties, ...] = ("file", "expected", "worst", "average")


class TiedGroup(NamedTuple):
    """Candidates with equal scores: the number ranked above them, their number, and how many of
    them are gold."""

    above: int
    size: int
    gold: int


def tied_groups(
    scores: Sequence[float], gold: Sequence[bool], ties: Ties = "average"
) -> list[TiedGroup]:
    """The groups of equal scores, best first; under "file" and "worst" every candidate is a
    separate group, equal scores in the order passed, under "worst" gold behind the others."""
    order = sorted(range(len(scores)), key=lambda position: (-scores[position], position))
    # Gold last among equals: a run of constant scores, which ranks nothing, earns as little as any
    # order gives.
    if ties == "worst":
        order.sort(key=lambda position: (-scores[position], bool(gold[position])))
    groups: list[TiedGroup] = []
    for above, position in enumerate(order):
        if (
            groups
            and ties in ("expected", "average")
            and scores[position] == scores[order[above - 1]]
        ):
            last = groups[-1]
            groups[-1] = TiedGroup(last.above, last.size + 1, last.gold + bool(gold[position]))
        else:
            groups.append(TiedGroup(above, 1, int(gold[position])))
    return groups


def reciprocal_rank(scores: Sequence[float], gold: Sequence[bool], ties: Ties = "file") -> float:
    """1 / rank of the best gold candidate; 0 without gold. Under "expected" its mean over all
    orders of equal scores, under "average" 1 / the mean rank of its group."""
    best = next((group for group in tied_groups(scores, gold, ties) if group.gold), None)
    if best is None:
        return 0.0
    if ties == "average":
        # The mean of the ranks above + 1 to above + size.
        return 1 / (best.above + (best.size + 1) / 2)
    # With the first gold at place `first` of the group, the others are among the size − first
    # places behind it.
    orders = comb(best.size, best.gold)
    return sum(
        comb(best.size - first, best.gold - 1) / orders / (best.above + first)
        for first in range(1, best.size - best.gold + 2)
    )


def average_precision(scores: Sequence[float], gold: Sequence[bool], ties: Ties = "file") -> float:
    """The mean of the precision at each gold candidate; 0 without gold. Under "expected" and
    "average" its mean over all orders of equal scores.

    [NLPCC2017] divides by min(m, n) of m gold and n ranked candidates, which is m because all
    candidates are ranked.
    """
    # Expected precision over all orders of a tied group, position by position.
    total, gold_above = 0.0, 0
    for group in tied_groups(scores, gold, ties):
        others = max(1, group.size - 1)
        for position in range(1, group.size + 1):
            # Gold down to here, if this position is gold: of the group's others a share (gold − 1)
            # / (size − 1) is.
            before = gold_above + 1 + (position - 1) * (group.gold - 1) / others
            total += group.gold / group.size * before / (group.above + position)
        gold_above += group.gold
    return total / gold_above if gold_above else 0.0


def accuracy_at(
    n: int, scores: Sequence[float], gold: Sequence[bool], ties: Ties = "file"
) -> float:
    """1 if a gold candidate is among the first n, else 0; under "expected" the probability of that.

    Under "average" a candidate counts when the mean of its group's ranks is at most n.
    """
    missed = 1.0
    for group in tied_groups(scores, gold, ties):
        if ties == "average":
            if group.gold and group.above + (group.size + 1) / 2 <= n:
                return 1.0
            continue
        room = min(group.size, n - group.above)
        if room > 0:
            # Hypergeometric: none of the group's gold is among the places that it has within the
            # first n.
            missed *= comb(group.size - group.gold, room) / comb(group.size, room)
    return 0.0 if ties == "average" else 1 - missed
