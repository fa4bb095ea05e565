"""Training a ranker on lists with gold: the design, the learner, cross-validation, families left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from retriever.learning.columns import Families, Types, columns
from retriever.learning.folds import folds, held_out
from retriever.learning.lists import Layout
from retriever.learning.listwise import fit
from retriever.learning.model import Model, column_scales

RANKER = "listwise"
"""What a model file calls its learner."""


@dataclass(frozen=True)
class Problem:
    """Lists with features, and which rows are gold, (rows,).

    `groups` has the key of each list that cross-validation keeps together, `types` the type of its question.
    """

    lists: Layout
    families: Families
    gold: BoolArray
    groups: Sequence[str]
    types: Types = field(default_factory=Types)


@dataclass(frozen=True)
class Recipe:
    """How a task's ranker learns: the penalty on the weights, and what is held back.

    `damping` maps a family to the factor on its standardised columns: below 1, its weights cost more. `typed` is the
    further factor of columns of one type of question.
    """

    task: str
    penalty: float
    damping: Mapping[str, float] = field(default_factory=dict)
    typed: float = 0.4


@dataclass(frozen=True)
class Design:
    """The matrix that is learned from, (rows, columns): a row a candidate, a column a copy of a feature.

    `names`, `families` and `factors`, by which the standardised columns are multiplied, have an entry a column.
    """

    matrix: Float64Array
    names: tuple[str, ...]
    families: tuple[str, ...]
    factors: Float64Array

    def silenced(self, family: str) -> Design:
        """The design with one family's columns all 0, so that they get no weight."""
        keep = np.array([name != family for name in self.families], bool)
        return Design(np.where(keep, self.matrix, 0.0), self.names, self.families, self.factors)


def design(problem: Problem, recipe: Recipe) -> Design:
    """All columns of a problem."""
    made = list(columns(problem.families, problem.lists, problem.types))
    return Design(
        np.column_stack([column.values for column in made]) if made else np.zeros((problem.lists.rows, 0)),
        tuple(column.name for column in made),
        tuple(column.family for column in made),
        np.array([recipe.damping.get(one.family, 1.0) * (recipe.typed if one.typed else 1.0) for one in made]),
    )


def train(made: Design, groups: Int64Array, gold: BoolArray, recipe: Recipe, **facts: Any) -> Model:
    """A model from the rows of a design; `facts` are the model's data, figures and settings.

    `groups`, the list number of each row, and the mask `gold` are (rows,). Columns that are constant here get weight 0.
    """
    means, scales = column_scales(made.matrix)
    scales = scales / made.factors
    weights = fit((made.matrix - means) / scales, groups, gold, penalty=recipe.penalty, objective="each")
    return Model(recipe.task, RANKER, made.names, weights, means, scales, **facts)


def cross_validate(made: Design, problem: Problem, recipe: Recipe, *, k: int, seed: int) -> Float64Array:
    """The score of every row, (rows,), by a model that has not seen its group; UserError for too few groups."""
    fold = folds(problem.groups, k, seed)[problem.lists.list_of]

    def train_and_score(known: BoolArray, unknown: BoolArray) -> Float64Array:
        seen = Design(made.matrix[known], made.names, made.families, made.factors)
        groups, gold = problem.lists.list_of[known], problem.gold[known]
        return train(seen, groups, gold, recipe).score(made.matrix[unknown])

    return held_out(fold, train_and_score)


def joined(problems: Sequence[Problem]) -> Problem:
    """Several problems of the same features as one, list after list."""
    from retriever.learning.lists import layout

    first = problems[0]
    if len(problems) == 1:
        return first
    families = {
        family: {name: np.concatenate([problem.families[family][name] for problem in problems]) for name in features}
        for family, features in first.families.items()
    }
    return Problem(
        layout([int(size) for problem in problems for size in problem.lists.sizes]),
        families,
        np.concatenate([problem.gold for problem in problems]),
        [group for problem in problems for group in problem.groups],
        replace(first.types, of_list=np.concatenate([problem.types.of_list for problem in problems])),
    )


def score(model: Model, families: Families, lists: Layout, types: Types) -> Float64Array:
    """One score a row, (rows,), of features that nothing was learned from; columns are made and dropped one by one."""
    made = columns(families, lists, types)
    factors = model.weights / model.scales
    total = np.full(lists.rows, -float(model.means @ factors))
    for factor, column in zip(factors, made, strict=True):
        total += factor * column.values
    return total


def added(model: Model, families: Families, lists: Layout, types: Types) -> dict[str, Float64Array]:
    """What each feature adds to each row's score, (rows,), all its columns together; they sum to the score."""
    found = {name: np.zeros(lists.rows) for features in families.values() for name in features}
    made = columns(families, lists, types)
    for factor, mean, column in zip(model.weights / model.scales, model.means, made, strict=True):
        found[column.feature] += factor * (column.values - mean)
    return found
