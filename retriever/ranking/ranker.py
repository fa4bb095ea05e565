"""Ranking of a file of questions with their candidates, block by block: what every ranking task works with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.learning.conditional_logit import Families, ListLayout, Recipe, Types, column_names, contributions, score
from retriever.learning.model import Model, load_model
from retriever.ranking.overlap import fixed_parts

DEFAULT = "sum"


@dataclass(frozen=True)
class RankingBlock:
    """Consecutive lists of a file, as many as are ranked at once.

    `features` computes each family of features, `baselines` the scores of an untrained method other than the sum;
    `matched` gives for each row the terms that it shares with its question, with their idf in the list; `types` are
    those of the questions, by which a model weights some families.
    """

    lists: ListLayout
    features: Mapping[str, Callable[[], Mapping[str, Float64Array]]]
    baselines: Mapping[str, Callable[[], Float64Array]]
    matched: Callable[[], list[dict[str, float]]]
    types: Types = field(default_factory=Types)

    @cached_property
    def families(self) -> Families:
        """The features by family and name, one value a row."""
        return {name: compute() for name, compute in self.features.items()}


@dataclass(frozen=True)
class Ranking:
    """The lists of a file and the ways to score them.

    `kinds` are the types of the questions, `untrained` the weights of the fixed sum (the default method) by family and
    name. `blocks` makes the blocks of the file in their order, each when it is needed: a file of any size is ranked in
    the memory of one of them.
    """

    lists: ListLayout
    questions: Sequence[str]
    kinds: Sequence[str]
    recipe: Recipe
    untrained: Mapping[str, Mapping[str, float]]
    blocks: Callable[[], Iterator[RankingBlock]]

    @cached_property
    def _first(self) -> RankingBlock:
        return next(self.blocks())

    def _each(self) -> Iterator[RankingBlock]:
        """The blocks; the first one, from which the names of the features are read, is computed once."""
        yield self._first
        yield from islice(self.blocks(), 1, None)

    @property
    def family_names(self) -> tuple[str, ...]:
        """The families of features in their order."""
        return tuple(self._first.features)

    @cached_property
    def families(self) -> Families:
        """The features of the whole file by family and name, one value a row."""
        found = [block.families for block in self._each()]
        return {
            family: {name: np.concatenate([one[family][name] for one in found]) for name in features}
            for family, features in found[0].items()
        }

    @property
    def types(self) -> Types:
        """The types of the whole file's questions, by which a model weights some families."""
        found = [block.types for block in self._each()]
        return Types(found[0].names, np.concatenate([one.of_list for one in found]), found[0].families)

    def by_method(self, method: str = DEFAULT) -> Float64Array:
        """One score a row by an untrained method; raises KeyError for an unknown one."""
        parts = self.contributions_by_method(method)
        return np.asarray(sum(parts.values(), np.zeros(self.lists.rows)), float)

    def contributions_by_method(self, method: str = DEFAULT) -> dict[str, Float64Array]:
        """The contribution of each feature to the scores of an untrained method, (rows,), by name."""
        if method != DEFAULT:
            return {method: np.concatenate([block.baselines[method]() for block in self._each()])}
        return _concatenate(
            fixed_parts({name: block.features[name]() for name in self.untrained}, block.lists, self.untrained)
            for block in self._each()
        )

    def by_model(self, model: Model) -> Float64Array:
        """One score a row by a trained model."""
        return np.concatenate([score(model, block.families, block.lists, block.types) for block in self._each()])

    def contributions_by_model(self, model: Model) -> dict[str, Float64Array]:
        """The contribution of each feature to the scores of a trained model, (rows,), by name."""
        return _concatenate(contributions(model, block.families, block.lists, block.types) for block in self._each())

    def matched_terms(self) -> list[dict[str, float]]:
        """For each row the terms that it shares with its question, with their idf in the list."""
        return [row for block in self._each() for row in block.matched()]

    def load(self, path: str) -> Model:
        """A model for these features; UserError, one line, for any other."""
        return load_model(path, self.recipe.task, column_names(self._first.families, self._first.types))


def _concatenate(blocks: Iterator[dict[str, Float64Array]]) -> dict[str, Float64Array]:
    """The values of all blocks, row after row, by name."""
    found = list(blocks)
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}
