"""The one learner: conditional logit over lists of candidates (the top-one loss of ListNet) [ConditionalLogit].

From lists with features and gold to a model: columns of the design, fit, cross-validation.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from retriever.learning.model import Model, column_scales
from retriever.ranking.ranker import COPIES, Families, ListLayout, Ranking, Recipe, Types, columns, families_of, layout


def folds(group_keys: Sequence[str], k: int, seed: int) -> Int64Array:
    """The fold number, 0 to k − 1, of each row, (rows,): rows of one group key are in one fold, and folds have about
    equally many rows.

    Depends on the keys, their counts and the seed only, not on the order of the rows. Raises UserError if there are
    fewer different keys than folds, or fewer than two folds.
    """
    sizes = Counter(group_keys)
    if k < 2:
        raise UserError(f"--folds {k}: cross-validation takes at least 2 folds")
    if len(sizes) < k:
        raise UserError(f"{k} folds need at least {k} groups, there are {len(sizes)}; use fewer --folds")
    # Sorted before it is shuffled: the split must not depend on the order in which rows came.
    keys = sorted(sizes)
    random.Random(seed).shuffle(keys)  # noqa: S311 (no secret: a split that anyone can repeat)
    keys.sort(key=lambda key: -sizes[key])
    # Large groups first, each into the emptiest fold: an article of hundreds of rows would tip the balance later.
    filled = [0] * k
    fold_of: dict[str, int] = {}
    for key in keys:
        fold_of[key] = min(range(k), key=lambda fold: filled[fold])
        filled[fold_of[key]] += sizes[key]
    return np.array([fold_of[key] for key in group_keys], np.int64)


def link_groups(keys: Sequence[Sequence[str]]) -> list[str]:
    """One group key for each row: rows that have a key in common, directly or through other rows, get the same, the
    first key of the first of them.

    `keys` has the keys of each row. Raises ValueError for a row without keys.
    """
    above: dict[str, str] = {}

    def top(key: str) -> str:
        """The representative of the set that contains a key (union-find); shortens the paths in `above`."""
        while (higher := above.setdefault(key, key)) != key:
            above[key] = above[higher]
            key = higher
        return key

    named: dict[str, str] = {}
    for own in keys:
        first, *others = own
        for other in others:
            above[top(other)] = top(first)
    return [named.setdefault(top(own[0]), own[0]) for own in keys]


Objective = Literal["each", "any"]


def group_starts(groups: Int64Array) -> Int64Array:
    """The row at which each group begins, (groups,), from the group number of each row, (rows,).

    Raises ValueError if the group numbers do not rise.
    """
    steps = np.diff(groups, prepend=-1)
    if np.any(steps < 0):
        raise ValueError("the rows of a group must be adjacent, with increasing group numbers")
    return np.flatnonzero(steps)


def loss(scores: Float64Array, starts: Int64Array, gold: BoolArray, objective: Objective) -> tuple[float, Float64Array]:
    """The negative log likelihood of the gold rows, and its derivative by each row's score, (rows,).

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
    """The weights w, (features,), that minimise `loss` of the scores features @ w, plus penalty / 2 · |w − prior|².

    `features` is (rows, features), a row a candidate, dense or scipy's csr_array; `groups`, the rising number of each
    row's question, and the mask `gold` are (rows,), `prior` is (features,). With "any" the probabilities of the gold
    rows are summed (one of several derivations is enough), with "each" every gold row counts alike. Groups without
    gold, and groups of gold alone under "any", teach nothing; without any other group the prior comes back (zeros by
    default).
    Raises ValueError for features that are not finite, and for groups that do not rise.
    """
    from scipy.optimize import minimize  # a third of a second that answering with a model need not wait for

    if not np.all(np.isfinite(features.data if isinstance(features, csr_array) else features)):
        raise ValueError("a feature is not finite")
    width = features.shape[1]
    start_weights = np.zeros(width) if prior is None else np.asarray(prior, float)
    starts = group_starts(groups)
    if len(starts) == 0 or width == 0:
        return start_weights.copy()
    has_gold = np.repeat(np.logical_or.reduceat(gold, starts), np.diff(np.append(starts, len(groups))))
    if not has_gold.any():
        return start_weights.copy()
    # A mask copies the matrix, which can be large: not where every group has gold.
    rows = features if has_gold.all() else features[has_gold]
    kept_starts, kept_gold = group_starts(groups[has_gold]), gold[has_gold]

    def objective_and_gradient(weights: Float64Array) -> tuple[float, Float64Array]:
        value, slope = loss(rows @ weights, kept_starts, kept_gold, objective)
        away = weights - start_weights
        return value + penalty / 2 * float(away @ away), slope @ rows + penalty * away

    # "each" is convex: any start leads to the same weights. "any" is not, and starts at what is known, the prior.
    end = minimize(
        objective_and_gradient, start_weights, jac=True, method="L-BFGS-B", options={"maxiter": 500, "maxcor": 20}
    )
    return np.asarray(end.x, float)


def fit_logistic(features: Float64Array, gold: BoolArray, penalty: float) -> Float64Array:
    """The weights, (features,), of a logistic regression of `gold` (rows,) on `features` (rows, features), with L2
    `penalty`; an intercept is a feature that is always 1.

    Fitted as a conditional logit that chooses between each row and a row of zeros.
    """
    rows = np.zeros((2 * len(gold), features.shape[1]))
    rows[::2] = features
    right = np.column_stack([gold, ~gold]).ravel()
    return fit(rows, np.repeat(np.arange(len(gold)), 2), right, penalty=penalty)


RANKER = "listwise"  # the name of the learner in a model file


class LearningProblem(NamedTuple):
    """Lists with features, and the mask of the gold rows, (rows,).

    `groups` has a key for each list: lists of one key stay together in cross-validation; `types` has the types of their
    questions.
    """

    lists: ListLayout
    families: Families
    gold: BoolArray
    groups: Sequence[str]
    types: Types = Types()


def learning_problem(ranking: Ranking, gold: BoolArray, groups: Sequence[str]) -> LearningProblem:
    """The learning problem of all lists of a ranking, with the mask `gold` (rows,) and the lists' `groups`."""
    blocks, row, number = list[LearningProblem](), 0, 0
    for block in ranking.blocks():
        rows, lists = slice(row, row + block.lists.rows), slice(number, number + len(block.lists.sizes))
        blocks.append(LearningProblem(block.lists, families_of(block), gold[rows], groups[lists], block.types))
        row, number = rows.stop, lists.stop
    return concatenate(blocks)


def concatenate(problems: Sequence[LearningProblem]) -> LearningProblem:
    """Problems with the same features and type names as one problem, their lists one after another."""
    first = problems[0]
    if len(problems) == 1:
        return first
    return LearningProblem(
        layout([int(size) for problem in problems for size in problem.lists.sizes]),
        {
            family: {name: np.concatenate([one.families[family][name] for one in problems]) for name in features}
            for family, features in first.families.items()
        },
        np.concatenate([problem.gold for problem in problems]),
        [group for problem in problems for group in problem.groups],
        # Names and families of the types are the task's, and so the same in every problem.
        first.types._replace(of_list=np.concatenate([problem.types.of_list for problem in problems])),
    )


class Design(NamedTuple):
    """The matrix that is learned from, (rows, columns): a row a candidate, a column a copy of a feature.

    `names`, `families` and `factors`, by which the standardised columns are multiplied, have an entry a column.
    """

    matrix: Float64Array
    names: tuple[str, ...]
    families: tuple[str, ...]
    factors: Float64Array


def design(problem: LearningProblem, recipe: Recipe) -> Design:
    """The matrix of all columns of a problem, with their names, families and the recipe's factors."""
    made = list(columns(problem.families, problem.lists, problem.types))
    typed = [recipe.typed if ending not in COPIES else 1.0 for _, _, ending, _ in made]
    return Design(
        np.column_stack([values for *_, values in made]),
        tuple(feature + ending for _, feature, ending, _ in made),
        tuple(family for family, *_ in made),
        np.array([recipe.damping.get(family, 1.0) for family, *_ in made]) * typed,
    )


def train(made: Design, groups: Int64Array, gold: BoolArray, recipe: Recipe, **facts: Any) -> Model:
    """A model fitted to the rows of a design; `facts` are further fields of the model (data, figures, settings).

    `groups`, the list number of each row, and the mask `gold` are (rows,). Columns that are constant here get weight 0.
    """
    means, scales = column_scales(made.matrix)
    # A column whose scale is larger has a smaller standardised value, and its weight is the dearer to the penalty.
    scales = scales / made.factors
    weights = fit((made.matrix - means) / scales, groups, gold, penalty=recipe.penalty, objective="each")
    return Model(recipe.task, RANKER, made.names, weights, means, scales, **facts)


def cross_validate(made: Design, problem: LearningProblem, recipe: Recipe, *, k: int, seed: int) -> Float64Array:
    """The score of every row, (rows,), by a model trained on the other folds of k; raises UserError if there are fewer
    groups than folds."""
    fold = folds(problem.groups, k, seed)[problem.lists.list_of]
    scores = np.zeros(len(fold))
    for number in range(k):
        test, known = fold == number, fold != number
        # Means and scales too are those of the training rows: nothing of the held-out fold may reach the model.
        seen = made._replace(matrix=made.matrix[known])
        model = train(seen, problem.lists.list_of[known], problem.gold[known], recipe)
        scores[test] = model.score(made.matrix[test])
    return scores
