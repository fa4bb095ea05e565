"""The one learner: conditional logit over lists of candidates (the top-one loss of ListNet)
[ConditionalLogit].

From candidates with features and gold to a model: folds, columns of the design, fit,
cross-validation.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Literal, TypeVar

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from retriever.learning.model import Model, column_scales


def folds(group_keys: Sequence[str], k: int, seed: int) -> Int64Array:
    """The fold of each row, (rows,): rows of one group key are in one fold, and folds have about
    equally many rows.

    Depends on the keys, their counts and the seed only, not on the order of the rows. Raises
    UserError if there are fewer different keys than folds.
    """
    sizes = Counter(group_keys)
    if len(sizes) < k:
        raise UserError(
            f"{k} folds need at least {k} groups, there are {len(sizes)}; use fewer --folds"
        )
    # Sorted before it is shuffled: the split must not depend on the order in which rows came.
    keys = sorted(sizes)
    random.Random(seed).shuffle(keys)  # noqa: S311 (no secret: a split that anyone can repeat)
    keys.sort(key=lambda key: -sizes[key])
    # Large groups first, each into the emptiest fold: an article of hundreds of rows would tip the
    # balance later.
    filled = [0] * k
    fold_of: dict[str, int] = {}
    for key in keys:
        fold_of[key] = min(range(k), key=lambda fold: filled[fold])
        filled[fold_of[key]] += sizes[key]
    return np.array([fold_of[key] for key in group_keys], np.int64)


def link_groups(keys: Sequence[Sequence[str]]) -> list[str]:
    """A group key for each row: rows linked by common keys, also through others, get the first key
    of the first row among them.

    `keys` has the keys of each row. Raises IndexError for a row without keys.
    """
    from scipy.sparse.csgraph import connected_components

    number = {key: number for number, key in enumerate(dict.fromkeys(chain(*keys)))}
    # A graph of keys: each row links its first with all of its keys.
    first = [number[row_keys[0]] for row_keys in keys for _ in row_keys]
    other = [number[key] for row_keys in keys for key in row_keys]
    graph = csr_array((np.ones(len(other)), (first, other)), (len(number), len(number)))
    _, component_of = connected_components(graph)
    name_of: dict[int, str] = {}
    groups = []
    for row_keys in keys:
        component = int(component_of[number[row_keys[0]]])
        groups.append(name_of.setdefault(component, row_keys[0]))
    return groups


Objective = Literal["each", "any"]


def group_starts(groups: Int64Array) -> Int64Array:
    """The row at which each group begins, (groups,), from the rising group number of each row,
    (rows,)."""
    return np.flatnonzero(np.diff(groups, prepend=-1))


def loss(
    scores: Float64Array, starts: Int64Array, gold: BoolArray, objective: Objective
) -> tuple[float, Float64Array]:
    """The negative log likelihood of the gold rows, and its derivative by each row's score,
    (rows,).

    `scores` and the mask `gold` are (rows,), `starts` is (groups,). Every group must hold gold.
    "each": −Σ_q mean over the gold of log p. "any": −Σ_q log Σ over the gold of p.
    """
    sizes = np.diff(np.append(starts, len(scores)))
    # Scores less the greatest of their group: exp() of the rest cannot overflow.
    centred = scores - np.repeat(np.maximum.reduceat(scores, starts), sizes)
    log_p = centred - np.repeat(np.log(np.add.reduceat(np.exp(centred), starts)), sizes)
    if objective == "each":
        share = gold / np.repeat(np.add.reduceat(gold.astype(float), starts), sizes)
        return -float(share @ log_p), np.exp(log_p) - share
    # Log-sum-exp over the gold rows alone; every group has some, so that `best` is finite.
    of_gold = np.where(gold, log_p, -np.inf)
    best = np.maximum.reduceat(of_gold, starts)
    likelihood = best + np.log(np.add.reduceat(np.exp(of_gold - np.repeat(best, sizes)), starts))
    return -float(likelihood.sum()), np.exp(log_p) - np.exp(of_gold - np.repeat(likelihood, sizes))


def fit(
    features: Float64Array | csr_array,
    groups: Int64Array,
    gold: BoolArray,
    *,
    penalty: float,
    prior: Float64Array | None = None,
    objective: Objective = "any",
) -> Float64Array:
    """The weights w, (features,), that minimise `loss` of the scores features @ w, plus penalty / 2
    · |w − prior|²; with "any" a local minimum, from the prior on; at most 500 steps of L-BFGS.

    `features` is (rows, features), a row a candidate, dense or scipy's csr_array; `groups`, the
    rising number of each row's question, and the mask `gold` are (rows,), `prior` is (features,).
    With "any" the probabilities of the gold rows are summed (one of several derivations is enough),
    with "each" every gold row counts alike. Groups without gold, and groups of gold alone under
    "any", teach nothing; without any other group the prior comes back (zeros by default).
    """
    from scipy.optimize import (
        minimize,
    )  # a third of a second that answering with a model need not wait for

    width = features.shape[1]
    start_weights = np.zeros(width) if prior is None else np.asarray(prior, float)
    starts = group_starts(groups)
    has_gold = np.repeat(
        np.logical_or.reduceat(gold, starts), np.diff(np.append(starts, len(groups)))
    )
    if width == 0 or not has_gold.any():
        return start_weights.copy()
    # A mask copies the matrix, which can be large: not where every group has gold.
    rows = features if has_gold.all() else features[has_gold]
    kept_starts, kept_gold = group_starts(groups[has_gold]), gold[has_gold]

    def objective_and_gradient(weights: Float64Array) -> tuple[float, Float64Array]:
        value, slope = loss(rows @ weights, kept_starts, kept_gold, objective)
        away = weights - start_weights
        return value + penalty / 2 * float(away @ away), slope @ rows + penalty * away

    # "each" is convex: any start leads to the same weights. "any" is not, and starts at what is
    # known, the prior.
    end = minimize(
        objective_and_gradient,
        start_weights,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 500, "maxcor": 20},
    )
    return np.asarray(end.x, float)


def fit_logistic(features: Float64Array, gold: BoolArray, penalty: float) -> Float64Array:
    """The weights, (features,), of a logistic regression of `gold` (rows,) on `features` (rows,
    features), with L2 `penalty`; an intercept is a feature that is always 1.

    Fitted as a conditional logit that chooses between each row and a row of zeros.
    """
    rows = np.zeros((2 * len(gold), features.shape[1]))
    rows[::2] = features
    right = np.column_stack([gold, ~gold]).ravel()
    return fit(rows, np.repeat(np.arange(len(gold)), 2), right, penalty=penalty)


RANKER = "listwise"  # the name of the learner in a model file
Learned = TypeVar("Learned")
Measured = TypeVar("Measured")


def train(
    task: str,
    names: tuple[str, ...],
    features: Float64Array,
    groups: Int64Array,
    gold: BoolArray,
    *,
    penalty: float,
    objective: Objective = "any",
    factors: Float64Array | float = 1.0,
    prior: Float64Array | None = None,
    **facts: Any,
) -> Model:
    """A model of `task` fitted to standardised features (rows, names); the other arguments are
    those of `fit`.

    Standardised columns are multiplied by `factors`: below 1, a weight costs more. `prior` has
    weights of the raw features. Constant columns get weight 0 without a prior. `facts` are further
    fields of the model, as its data.
    """
    means, scales = column_scales(features)
    # A column whose scale is larger has a smaller standardised value, and its weight is the dearer
    # to the penalty.
    scales = scales / factors
    # A weight of a standardised column is as many times larger as its scale.
    start = None if prior is None else prior * scales
    weights = fit(
        (features - means) / scales, groups, gold, penalty=penalty, prior=start, objective=objective
    )
    return Model(task, RANKER, names, weights, means, scales, **facts)


def cross_validate(
    fold_of: Int64Array,
    learn: Callable[[BoolArray], Learned],
    measure: Callable[[int, Learned], Measured],
) -> list[Measured]:
    """The measure of each example by what the other folds teach.

    `fold_of`, (examples,), has fold numbers from 0; `learn` takes the mask of the examples to learn
    from, `measure` the number of an example and what was learned without its fold.
    """
    measures: dict[int, Measured] = {}
    for number in range(int(fold_of.max(initial=-1)) + 1):
        learned = learn(fold_of != number)
        measures |= {
            example: measure(example, learned)
            for example in np.flatnonzero(fold_of == number).tolist()
        }
    return [measures[example] for example in range(len(fold_of))]
