"""The best sentences by an exact small integer program (HiGHS)."""

from __future__ import annotations

import os
import sys
from threading import Lock
from typing import NamedTuple

import numpy as np

from answerer.ntcir.essay.selection import Choice, Problem, own_values, settle
from indexer.files.arrays import Float64Array, Int64Array

_KEPT_PER_KEYWORD = 2
_GAP = 0.03
_NODES = 300


def choose(problem: Problem) -> Choice | None:
    """The best choice: first the fewest unused keywords, then the highest value; None where the solver fails.

    An integer program over the `sentences` most rewarding sentences, optimal within 3 % or the best within its nodes.
    It depends on nothing but the problem: no clock, no chance.
    """
    solved = _solved(problem) if len(problem.lengths) else ()
    return None if solved is None else settle(problem, solved)


class _Small(NamedTuple):
    """The program made small: the options kept, what each earns alone, and the concepts that several groups
    share, merged where the same options hold them (a row a concept: which options cover it; its worth)."""

    kept: Int64Array
    own: Float64Array
    cover: Float64Array
    worth: Float64Array


def _solved(problem: Problem) -> tuple[int, ...] | None:
    """The options that the program takes; None where the solver fails.

    Variables: options x, shared concepts y, keywords named in the clause z, unused keywords u, and whether
    there is a clause at all. Unused keywords cost more than any options can earn or lose.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    small = _small(problem)
    options, concepts, keywords = len(small.kept), len(small.worth), problem.holds.shape[1]
    rows, tops = _constraints(problem, small)
    penalty = 2 * (float(small.worth.sum()) + float(np.sort(np.abs(small.own))[-30:].sum()) + 1e-6)
    costs = [np.zeros(keywords), np.full(keywords, penalty), [0.0]]
    goal = np.concatenate([-small.own, -small.worth, *costs])
    whole = np.concatenate([np.ones(options), np.zeros(concepts), np.ones(2 * keywords + 1)])
    with SILENCE:
        result = milp(
            goal,
            constraints=LinearConstraint(csc_array(rows), -np.inf, tops),
            integrality=whole,
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": _GAP, "node_limit": _NODES},
        )
    if result.x is None:
        return None
    return tuple(int(small.kept[i]) for i in np.flatnonzero(result.x[:options] > 0.5))


def _constraints(problem: Problem, small: _Small) -> tuple[Float64Array, Float64Array]:
    """The rows A and tops b of A · (x, y, z, u, clause) ≤ b."""
    options, concepts, keywords = len(small.kept), len(small.worth), problem.holds.shape[1]
    groups, inverse = np.unique(problem.groups[small.kept], return_inverse=True)
    y, z, u = options, options + concepts, options + concepts + keywords
    rows = np.zeros((concepts + 1 + 2 * keywords + len(groups), u + keywords + 1))
    tops = np.zeros(len(rows))
    covered, length, used, named, single = np.split(
        rows, np.cumsum([concepts, 1, keywords, keywords])
    )  # views: filling them fills the rows
    covered[:, :options] = -small.cover
    covered[:, y:z] = np.eye(concepts)
    length[0, :options] = problem.lengths[small.kept]
    length[0, z:u] = problem.clause
    length[0, -1] = problem.opening
    tops[concepts] = problem.limit
    used[:, :options] = -problem.holds[small.kept].T.astype(float)
    used[:, z:u] = -np.eye(keywords)
    used[:, u:-1] = -np.eye(keywords)
    tops[concepts + 1 : concepts + 1 + keywords] = -1
    named[:, z:u] = np.eye(keywords)
    named[:, -1] = -1
    single[inverse, np.arange(options)] = 1
    tops[len(rows) - len(groups) :] = 1
    return rows, tops


def _small(problem: Problem) -> _Small:
    kept = _most_rewarding(problem)
    present = problem.counts[kept] > 0
    groups, inverse = np.unique(problem.groups[kept], return_inverse=True)
    by_group = np.zeros((len(groups), present.shape[1]), bool)
    np.logical_or.at(by_group, inverse, present)
    shared = by_group.sum(axis=0) > 1
    own = own_values(problem)[kept] + present[:, ~shared] @ problem.weights[~shared]
    patterns, merged = np.unique(present[:, shared].T, axis=0, return_inverse=True)
    worth = np.bincount(merged.ravel(), weights=problem.weights[shared], minlength=len(patterns))
    return _Small(kept, own, patterns.astype(float), worth.astype(float))


def _most_rewarding(problem: Problem) -> Int64Array:
    """The options of the sentences with the highest value for length, and the best holders of each keyword."""
    present = problem.counts > 0
    rewards = (present @ problem.weights + own_values(problem)) / np.maximum(problem.lengths, 1)
    order = np.argsort(-rewards, kind="stable")
    kept = list(dict.fromkeys(problem.groups[order].tolist()))[: problem.sentences]
    for keyword in range(problem.holds.shape[1]):
        holders = [option for option in order.tolist() if problem.holds[option, keyword]]
        kept += problem.groups[holders[:_KEPT_PER_KEYWORD]].tolist()
    return np.flatnonzero(np.isin(problem.groups, kept)).astype(np.int64)


class _Silence:
    """What keeps the process's own stdout from HiGHS while any thread solves: it belongs to the submission."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._solving = 0
        self._saved = -1

    def __enter__(self) -> None:
        with self._lock:
            self._solving += 1
            if self._solving == 1:
                sys.stdout.flush()
                self._saved = os.dup(1)
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.close(nowhere)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._solving -= 1
            if self._solving == 0:
                os.dup2(self._saved, 1)
                os.close(self._saved)


SILENCE = _Silence()
