"""The rules by which the scores of several sources become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from indexer.engines.ties import rounded

Rule = Literal["max", "mean", "vote"]
RULES: tuple[Rule, ...] = get_args(Rule)
DEFAULT: Rule = "max"
DEPTH = 10
"""So many of a source's best documents say, by their mean, how high its scores run for a query."""


def shares(scores: Sequence[Sequence[float]], rule: Rule) -> list[list[float]]:
    """What each source adds to the combined score of each of the things that all sources judged.

    `scores` has a row a source, a column a thing (the choices of a question). Columns of the result add up to the
    combined scores. `max`: the highest score, all of it from its source (of equal ones, at 5 digits, from the first);
    `mean`: the mean of the scores; `vote`: the mean share of the others that a source puts a thing before, equal ones
    counting half (Borda's count), 0 where there are no others: how far apart scores are does not matter.
    """
    if rule == "max":
        best = [_first_best(column) for column in zip(*scores, strict=True)]
        return [
            [score if source == place else 0.0 for score, source in zip(row, best, strict=True)]
            for place, row in enumerate(scores)
        ]
    rows = [_points(row) for row in scores] if rule == "vote" else scores
    return [[score / len(scores) for score in row] for row in rows]


def _first_best(column: Sequence[float]) -> int:
    return max(range(len(column)), key=lambda place: (rounded(column[place]), -place))


def _points(scores: Sequence[float]) -> list[float]:
    """The share of the others that each score is above, equal ones counting half."""
    level = [rounded(score) for score in scores]
    others = max(len(level) - 1, 1)
    return [(sum(one > other for other in level) + (level.count(one) - 1) / 2) / others for one in level]


def unit_of(best: Sequence[float], rule: Rule) -> float | None:
    """What the scores of a source's documents for a query are divided by, to be level with another's; None: by nothing.

    Every document is in one source only, so that rules differ in how sources are put on a level. `best` are the scores
    of the source's `DEPTH` best documents, falling. `max`: the scores stay as they are; `mean`: by the mean of `best`;
    `vote`: by the first of `best`, so that each source's best document counts 1. None too where nothing was found.
    """
    if rule == "max" or not best:
        return None
    level = [rounded(score) for score in best]
    return level[0] if rule == "vote" else rounded(sum(level) / len(level))


def in_units(score: float, unit: float | None) -> float:
    """A score divided by a unit; both have 5 digits, which engines agree on, so that quotients agree too."""
    return score if unit is None else rounded(score) / unit
