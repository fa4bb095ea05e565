"""The one learner: conditional logit over lists of candidates (the top-one loss of ListNet) [ConditionalLogit].

From lists with features and gold to a model: ragged layout of lists, columns of the design, fit, cross-validation.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from retriever.learning.model import Model, column_scales


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


def sum_by_place(places: Int64Array, values: npt.ArrayLike, size: int) -> Float64Array:
    """The sum of the values at each place from 0 to size − 1, (size,); a place and a value, (n,), belong together."""
    return np.asarray(np.bincount(places, np.asarray(values, np.float64), size), np.float64)


@dataclass(frozen=True)
class ListLayout:
    """Ragged layout: the rows of lists one after another, every list with at least one.

    `sizes` (numbers of rows) and `starts` (first rows) are (lists,), `list_of`, each row's list, is (rows,).
    """

    sizes: Int64Array
    starts: Int64Array
    list_of: Int64Array

    @property
    def rows(self) -> int:
        return len(self.list_of)

    def of_rows(self, per_list: Float64Array) -> Float64Array:
        """A number a list, (lists,), repeated for each of its rows, (rows,)."""
        return per_list[self.list_of]

    def total(self, values: Float64Array) -> Float64Array:
        """The sum over each list, (lists,), of values (rows,)."""
        # reduceat does not take an empty array.
        return np.add.reduceat(values, self.starts) if self.rows else np.zeros(0)

    def largest(self, values: Float64Array) -> Float64Array:
        """The greatest value of each list, (lists,), of values (rows,)."""
        return np.maximum.reduceat(values, self.starts) if self.rows else np.zeros(0)

    def position(self) -> Float64Array:
        """Each row's place in its list, from 0, (rows,)."""
        return np.arange(self.rows) - self.of_rows(self.starts.astype(float))

    def blocks(self, most: int) -> list[range]:
        """Ranges of consecutive list numbers, each of at most `most` rows in total; a longer list is a range alone."""
        starts: list[int] = []
        rows = 0
        for number, size in enumerate(self.sizes.tolist()):
            if not starts or rows + size > most:
                starts.append(number)
                rows = 0
            rows += size
        return [range(first, end) for first, end in zip(starts, [*starts[1:], len(self.sizes)], strict=False)]

    def rows_of(self, block: range) -> range:
        """The rows of a block of consecutive lists."""
        first = int(self.starts[block.start])
        return range(first, first + int(self.sizes[block.start : block.stop].sum()))

    def shift(self, values: Float64Array, by: int) -> Float64Array:
        """For each row the value of the row `by` positions before it in its list (after it, if `by` is negative), 0
        beyond the list's ends; `values` and result (rows,)."""
        moved = np.zeros_like(values)
        if by > 0:
            same = self.list_of[by:] == self.list_of[:-by]
            moved[by:] = np.where(same, values[:-by], 0.0)
        elif by < 0:
            same = self.list_of[-by:] == self.list_of[:by]
            moved[:by] = np.where(same, values[-by:], 0.0)
        return moved


def layout(sizes: Sequence[int]) -> ListLayout:
    """The layout of lists with these numbers of rows; raises ValueError if a list is empty."""
    counts = np.asarray(sizes, np.int64)
    if np.any(counts <= 0):
        raise ValueError("a list has no candidates")
    starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64) if len(counts) else counts
    return ListLayout(counts, starts, np.repeat(np.arange(len(counts), dtype=np.int64), counts))


Families = Mapping[str, Mapping[str, Float64Array]]
COPIES = ("", " | z", " | below best", " | is best")


@dataclass(frozen=True)
class Types:
    """The type of each list's question, `of_list`, (lists,), a number into `names`.

    Features of the `families` get a further weight for each type: a "who" is answered by other signs than a "when".
    """

    names: tuple[str, ...] = ()
    of_list: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))
    families: frozenset[str] = frozenset()


class FeatureColumn(NamedTuple):
    """One column of the design: its name, its feature and the feature's family, and the values, (rows,).

    `typed` columns are of one type of question alone.
    """

    name: str
    feature: str
    family: str
    values: Float64Array
    typed: bool = False


def copies(values: Float64Array, lists: ListLayout) -> list[Float64Array]:
    """Four columns, each (rows,): the feature x itself and three comparisons of x inside its list.

    z-score (x − list mean) / (list sd + 1e-6), 0 where a list is constant; x − list max; 1 where x is the list's
    greatest, and not its least too, else 0.
    """
    sizes = lists.sizes.astype(float)
    # What a value means depends on the other candidates: scores are compared in a list, never across lists.
    centred = values - lists.of_rows(lists.total(values) / sizes)
    spread = lists.of_rows(np.sqrt(lists.total(centred**2) / sizes))
    z = np.where(spread > 1e-9, centred / (spread + 1e-6), 0.0)
    below = values - lists.of_rows(lists.largest(values))
    return [values, z, below, ((below == 0) & (spread > 1e-9)).astype(float)]


def columns(families: Families, lists: ListLayout, types: Types) -> Iterator[FeatureColumn]:
    """Yields the design's columns, family by family: each feature's copies (`copies`), then, for the families of
    `types`, its z-score once for every question type.

    A column of a type is 0 in the lists of other types.
    """
    # Only z is repeated by type: every copy that is repeated brings as many columns as there are types.
    type_of_row = types.of_list[lists.list_of] if types.families else types.of_list
    for family, features in families.items():
        for name, values in features.items():
            made = copies(values, lists)
            for ending, copy in zip(COPIES, made, strict=True):
                yield FeatureColumn(name + ending, name, family, copy)
            if family in types.families:
                for number, asked in enumerate(types.names):
                    of_type = np.where(type_of_row == number, made[1], 0.0)
                    yield FeatureColumn(f"{name} | z, {asked}", name, family, of_type, typed=True)


def column_names(families: Mapping[str, Iterable[str]], types: Types) -> tuple[str, ...]:
    """The names of the columns that `columns` yields, in their order; `families` maps a family to its feature names."""
    typed = [f" | z, {asked}" for asked in types.names]
    return tuple(
        name + ending
        for family, features in families.items()
        for name in features
        for ending in (*COPIES, *(typed if family in types.families else ()))
    )


Objective = Literal["each", "any"]


def group_starts(groups: Int64Array) -> Int64Array:
    """The row at which each group begins, (groups,), from the group number of each row, (rows,).

    Raises ValueError if the group numbers do not rise.
    """
    steps = np.diff(groups)
    if np.any(steps < 0):
        raise ValueError("the rows of a group must be adjacent, with increasing group numbers")
    if len(groups) == 0:
        return np.zeros(0, np.int64)
    return np.concatenate(([0], np.flatnonzero(steps) + 1)).astype(np.int64)


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

    end = minimize(
        objective_and_gradient, start_weights, jac=True, method="L-BFGS-B", options={"maxiter": 500, "maxcor": 20}
    )
    return np.asarray(end.x, float)


RANKER = "listwise"
"""Name of the learner in a model file."""


@dataclass(frozen=True)
class LearningProblem:
    """Lists with features, and the mask of the gold rows, (rows,).

    `groups` has a key for each list: lists of one key stay together in cross-validation; `types` has the types of their
    questions.
    """

    lists: ListLayout
    families: Families
    gold: BoolArray
    groups: Sequence[str]
    types: Types = field(default_factory=Types)


@dataclass(frozen=True)
class Recipe:
    """Training settings of a task's ranker: the penalty on the weights, and on which columns it is raised.

    `damping` maps a family to the factor on its standardised columns: below 1, its weights cost more. `typed` is the
    further factor of columns of one type of question.
    """

    task: str
    penalty: float
    damping: Mapping[str, float] = field(default_factory=dict)
    typed: float = 0.4


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
    return Design(
        np.column_stack([column.values for column in made]) if made else np.zeros((problem.lists.rows, 0)),
        tuple(column.name for column in made),
        tuple(column.family for column in made),
        np.array([recipe.damping.get(one.family, 1.0) * (recipe.typed if one.typed else 1.0) for one in made]),
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
    for number in range(int(fold.max(initial=-1)) + 1):
        test, known = fold == number, fold != number
        seen = made._replace(matrix=made.matrix[known])
        model = train(seen, problem.lists.list_of[known], problem.gold[known], recipe)
        scores[test] = model.score(made.matrix[test])
    return scores


def concatenate(problems: Sequence[LearningProblem]) -> LearningProblem:
    """Problems with the same features and type names as one problem, their lists one after another."""
    first = problems[0]
    if len(problems) == 1:
        return first
    families = {
        family: {name: np.concatenate([problem.families[family][name] for problem in problems]) for name in features}
        for family, features in first.families.items()
    }
    return LearningProblem(
        layout([int(size) for problem in problems for size in problem.lists.sizes]),
        families,
        np.concatenate([problem.gold for problem in problems]),
        [group for problem in problems for group in problem.groups],
        replace(first.types, of_list=np.concatenate([problem.types.of_list for problem in problems])),
    )


def score(model: Model, families: Families, lists: ListLayout, types: Types) -> Float64Array:
    """The model's score of every row, (rows,); columns are computed and added one by one, to save memory."""
    made = columns(families, lists, types)
    factors = model.weights / model.scales
    # The whole design of a large file would not fit into memory: a column is made, added and dropped.
    total = np.full(lists.rows, -float(model.means @ factors))
    for factor, column in zip(factors, made, strict=True):
        total += factor * column.values
    return total


def contributions(model: Model, families: Families, lists: ListLayout, types: Types) -> dict[str, Float64Array]:
    """Feature → contribution to each row's score, (rows,), all columns of the feature added up; over all features they
    sum to the score."""
    found = {name: np.zeros(lists.rows) for features in families.values() for name in features}
    made = columns(families, lists, types)
    for factor, mean, column in zip(model.weights / model.scales, model.means, made, strict=True):
        found[column.feature] += factor * (column.values - mean)
    return found
