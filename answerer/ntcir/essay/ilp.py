"""The integer linear program that chooses the sentences of an essay ([ILP-Summary]): concepts once, lengths within
the limit, keywords used or named in a closing clause."""

from __future__ import annotations

import os
import sys
from threading import Lock
from typing import NamedTuple

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array, Int64Array

_PER_KEYWORD = 2  # best sentences with each keyword that are solved for besides the most rewarding
_GAP = 0.03  # the relative gap at which the solver stops; a smaller one took longer and brought nothing
_NODES = 300
# Cost of a keyword that only the closing clause names, as a share of that of an unused one: a clause in 5 of 164 essays
# instead of 35, ROUGE-1 +0.00 ± 0.08 points in English and -0.36 ± 0.24 in Japanese.
NAMED_COST = 0.02


class SummaryProblem(NamedTuple):
    """Options (sentences, verbatim or shortened) to choose an essay from; the first axis of each array is the option.

    `counts` (options, concepts) are concept counts, `weights` (concepts,) the values of covering a concept; every
    mention earns the fraction `repeat` of that value in addition, and `bonus` is an option's further value. `lengths`
    are in the unit of `limit`. At most one option of the same `groups` number is chosen. `holds` (options, keywords)
    says which keywords an option uses; unused keywords are listed in a closing clause of length `opening` plus `clause`
    for each. Only the `sentences` groups with the highest value for length are considered.
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

    @property
    def own_values(self) -> Float64Array:
        """The worth of each option by itself: the weights of its mentions times `repeat`, and its bonus."""
        earned: Float64Array = self.repeat * (self.counts @ self.weights) + self.bonus
        return earned


class ChosenOptions(NamedTuple):
    """Indices of the options chosen, of the keywords in the closing clause, and of the keywords that did not fit."""

    options: tuple[int, ...]
    named: tuple[int, ...]
    unused: tuple[int, ...]


def settle(problem: SummaryProblem, options: tuple[int, ...]) -> ChosenOptions:
    """The choice made of the given options.

    Keywords that these do not use go into the closing clause while it fits, shortest first; the others are `unused`.
    """
    taken = list(options)
    used = problem.holds[taken].any(axis=0) if taken else np.zeros(problem.holds.shape[1], bool)
    space = problem.limit - int(problem.lengths[taken].sum())
    named: list[int] = []
    cost = problem.opening
    # Short keywords first: so most of them are named.
    for keyword in sorted(np.flatnonzero(~used).tolist(), key=lambda k: (problem.clause[k], k)):
        cost += int(problem.clause[keyword])
        if cost <= space:
            named.append(keyword)
    left = [k for k in np.flatnonzero(~used).tolist() if k not in named]
    return ChosenOptions(tuple(sorted(taken)), tuple(sorted(named)), tuple(left))


def without_fillers(problem: SummaryProblem, choice: ChosenOptions, least: float) -> ChosenOptions:
    """Removes options off the subject from a choice, least valuable first, while more than two remain.

    An option is removed if the concepts that only it covers are worth less than `least` times the mean of the other
    options, and if no keyword depends on it.
    """
    taken = list(choice.options)
    while len(taken) > 2:
        present = problem.counts[taken] > 0
        alone = (present & (present.sum(axis=0) == 1)) @ problem.weights
        needed = (problem.holds[taken] & (problem.holds[taken].sum(axis=0) == 1)).any(axis=1)
        mean = (alone.sum() - alone) / (len(taken) - 1)
        fillers = [place for place in range(len(taken)) if alone[place] < least * mean[place] and not needed[place]]
        if not fillers:
            break
        del taken[min(fillers, key=lambda place: (alone[place], place))]
    return choice if len(taken) == len(choice.options) else settle(problem, tuple(taken))


def solve(problem: SummaryProblem) -> ChosenOptions | None:
    """Solves the problem as an integer linear program; None if the solver finds no solution.

    First the fewest unused keywords, then the highest value, less a cost for each keyword in the closing clause only.
    The solution is within 3 % of the optimum over the `sentences` most valuable sentences, or the best within the node
    limit; deterministic. Variables: options x, concepts y that several groups share (merged where the same options have
    them), keywords in the clause z, unused keywords u, and whether there is a clause. An unused keyword costs more than
    any options can earn or lose.
    """
    if not len(problem.lengths):
        return settle(problem, ())
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    kept = _most_rewarding(problem)
    present = problem.counts[kept] > 0
    groups, inverse = np.unique(problem.groups[kept], return_inverse=True)
    by_group = np.zeros((len(groups), present.shape[1]), bool)
    np.logical_or.at(by_group, inverse, present)
    shared = by_group.sum(axis=0) > 1
    own = problem.own_values[kept] + present[:, ~shared] @ problem.weights[~shared]
    patterns, merged = np.unique(present[:, shared].T, axis=0, return_inverse=True)
    worth = np.bincount(merged.ravel(), weights=problem.weights[shared], minlength=len(patterns)).astype(float)
    options, concepts, keywords = len(kept), len(worth), problem.holds.shape[1]
    y, z, u = options, options + concepts, options + concepts + keywords
    rows = np.zeros((concepts + 1 + 2 * keywords + len(groups), u + keywords + 1))
    tops = np.zeros(len(rows))
    covered, length, used, named, single = np.split(rows, np.cumsum([concepts, 1, keywords, keywords]))  # views
    covered[:, :options] = -patterns.astype(float)
    covered[:, y:z] = np.eye(concepts)
    length[0, :options] = problem.lengths[kept]
    length[0, z:u] = problem.clause
    length[0, -1] = problem.opening
    tops[concepts] = problem.limit
    used[:, :options] = -problem.holds[kept].T.astype(float)
    used[:, z:u] = -np.eye(keywords)
    used[:, u:-1] = -np.eye(keywords)
    tops[concepts + 1 : concepts + 1 + keywords] = -1
    named[:, z:u] = np.eye(keywords)
    named[:, -1] = -1
    single[inverse, np.arange(options)] = 1
    tops[len(rows) - len(groups) :] = 1
    penalty = 2 * (float(worth.sum()) + float(np.sort(np.abs(own))[-30:].sum()) + 1e-6)
    costs = [np.full(keywords, NAMED_COST * penalty), np.full(keywords, penalty), [0.0]]
    with SILENT_STDOUT:
        result = milp(
            np.concatenate([-own, -worth, *costs]),
            constraints=LinearConstraint(csc_array(rows), -np.inf, tops),
            integrality=np.concatenate([np.ones(options), np.zeros(concepts), np.ones(2 * keywords + 1)]),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": _GAP, "node_limit": _NODES},
        )
    # Nothing was found within the nodes.
    if result.x is None:
        return None
    return settle(problem, tuple(int(kept[i]) for i in np.flatnonzero(result.x[:options] > 0.5)))


def _most_rewarding(problem: SummaryProblem) -> Int64Array:
    """Indices, rising, of the options in the `problem.sentences` groups with the highest value for length.

    The groups of the best `_PER_KEYWORD` options that use each keyword are added.
    """
    present = problem.counts > 0
    rewards = (present @ problem.weights + problem.own_values) / np.maximum(problem.lengths, 1)
    order = np.argsort(-rewards, kind="stable")
    kept = list(dict.fromkeys(problem.groups[order].tolist()))[: problem.sentences]
    for keyword in range(problem.holds.shape[1]):
        users = [option for option in order.tolist() if problem.holds[option, keyword]]
        kept += problem.groups[users[:_PER_KEYWORD]].tolist()
    return np.flatnonzero(np.isin(problem.groups, kept)).astype(np.int64)


class _SilentStdout:
    """Context manager that sends file descriptor 1 to the null device while any thread is inside.

    HiGHS prints there, and stdout belongs to the submission.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._solving = 0
        self._saved = -1

    def __enter__(self) -> None:
        """Redirects file descriptor 1 to the null device if no other thread has done so."""
        with self._lock:
            self._solving += 1
            if self._solving == 1:
                sys.stdout.flush()
                self._saved = os.dup(1)
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.close(nowhere)

    def __exit__(self, *error: object) -> None:
        """Restores file descriptor 1 when the last thread leaves."""
        with self._lock:
            self._solving -= 1
            if self._solving == 0:
                os.dup2(self._saved, 1)
                os.close(self._saved)


SILENT_STDOUT = _SilentStdout()
