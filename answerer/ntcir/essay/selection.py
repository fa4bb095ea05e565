"""Which sentences make the best essay: the problem, what an option earns, and how a choice is settled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array, Int64Array


class Problem(NamedTuple):
    """What to choose from. Rows are options: sentences as they are or shortened; of a `group` at most one.

    `counts` says how often each concept stands in an option, `weights` what covering it is worth; `repeat` is the share
    of its weight that every mention earns again, `bonus` what an option earns besides. `holds` says which keywords an
    option uses; those that no sentence uses are named in a closing clause, `clause` long each and `opening` for the
    first. Lengths are in the limit's unit. The `sentences` that reward most for their length are chosen from.
    """

    counts: Float64Array
    weights: Float64Array
    repeat: float
    bonus: Float64Array
    lengths: Int64Array
    groups: Int64Array
    holds: BoolArray
    clause: Int64Array
    opening: int
    limit: int
    sentences: int


class Choice(NamedTuple):
    """The options taken, the keywords that the closing clause names, and those that did not fit."""

    options: tuple[int, ...]
    named: tuple[int, ...]
    unused: tuple[int, ...]


def own_values(problem: Problem) -> Float64Array:
    """What each option earns whatever else is taken: the weights of its mentions times `repeat`, its bonus."""
    earned: Float64Array = problem.repeat * (problem.counts @ problem.weights) + problem.bonus
    return earned


def settle(problem: Problem, options: tuple[int, ...]) -> Choice:
    """The choice that takes these options: keywords that they leave open go into the clause while it fits."""
    taken = list(options)
    used = problem.holds[taken].any(axis=0) if taken else np.zeros(problem.holds.shape[1], bool)
    room = problem.limit - int(problem.lengths[taken].sum())
    named: list[int] = []
    cost = problem.opening
    for keyword in sorted(np.flatnonzero(~used).tolist(), key=lambda k: (problem.clause[k], k)):
        cost += int(problem.clause[keyword])
        if cost <= room:
            named.append(keyword)
    left = [k for k in np.flatnonzero(~used).tolist() if k not in named]
    return Choice(tuple(sorted(taken)), tuple(sorted(named)), tuple(left))
