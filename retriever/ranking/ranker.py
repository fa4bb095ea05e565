"""Ranking of a file of questions with their candidates, block by block: what every ranking task works with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.learning.conditional_logit import (
    Families,
    ListLayout,
    Recipe,
    Types,
    column_names,
    contributions,
    copies,
    score,
)
from retriever.learning.model import Model, load_model

DEFAULT = "sum"  # the untrained method: a fixed sum of a few features


@dataclass(frozen=True, kw_only=True)
class RankingBlock:
    """Consecutive lists of a file that are ranked together.

    `features` maps a family to the function that computes its features (name → values, (rows,)), `baselines` an
    untrained method to the function that computes its scores; `matched` gives for each row the terms that it shares
    with its question, with their list idf; `types` are those of the questions, by which a model weights some families.
    """

    lists: ListLayout
    features: Mapping[str, Callable[[], Mapping[str, Float64Array]]]
    baselines: Mapping[str, Callable[[], Float64Array]]
    matched: Callable[[], list[dict[str, float]]]
    types: Types = field(default_factory=Types)

    # Computed once a block: training and answering ask for them, and for what each adds.
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
    def first(self) -> RankingBlock:
        """The first block, which has the names of all features."""
        return next(self.blocks())

    def each_block(self) -> Iterator[RankingBlock]:
        """Yields the blocks; the first is not computed again."""
        return chain([self.first], islice(self.blocks(), 1, None))

    @cached_property
    def families(self) -> Families:
        """The features of the whole file by family and name, one value a row."""
        blocks = [block.families for block in self.each_block()]
        return {family: concatenate_columns(block[family] for block in blocks) for family in blocks[0]}

    @property
    def types(self) -> Types:
        """The types of the whole file's questions, by which a model weights some families."""
        first = self.first.types
        return Types(first.names, np.concatenate([block.types.of_list for block in self.each_block()]), first.families)

    def by_method(self, method: str = DEFAULT) -> Float64Array:
        """One score a row by an untrained method; raises KeyError for an unknown one."""
        # The scores are the sum of what the trace shows, so that the two cannot differ.
        parts = self.contributions_by_method(method)
        return np.asarray(sum(parts.values(), np.zeros(self.lists.rows)), float)

    def contributions_by_method(self, method: str = DEFAULT) -> dict[str, Float64Array]:
        """Feature name → contribution to the scores of an untrained method, (rows,): weight · z for a feature of the
        sum, z as in `copies`; {method: score} for any other method."""
        if method != DEFAULT:
            return {method: np.concatenate([block.baselines[method]() for block in self.each_block()])}
        return concatenate_columns(
            {
                name: weight * copies(features[name], block.lists)[1]
                for family, weights in self.untrained.items()
                for features in [block.features[family]()]
                for name, weight in weights.items()
            }
            for block in self.each_block()
        )

    def by_model(self, model: Model) -> Float64Array:
        """One score a row by a trained model."""
        return np.concatenate([score(model, block.families, block.lists, block.types) for block in self.each_block()])

    def contributions_by_model(self, model: Model) -> dict[str, Float64Array]:
        """The contribution of each feature to the scores of a trained model, (rows,), by name."""
        return concatenate_columns(
            contributions(model, block.families, block.lists, block.types) for block in self.each_block()
        )

    def matched_terms(self) -> list[dict[str, float]]:
        """For each row the terms that it shares with its question, with their idf in the list."""
        return [row for block in self.each_block() for row in block.matched()]

    def load(self, path: str) -> Model:
        """A model for these features; UserError, one line, for any other."""
        return load_model(path, self.recipe.task, column_names(self.first.families, self.first.types))


def concatenate_columns(blocks: Iterable[Mapping[str, Float64Array]]) -> dict[str, Float64Array]:
    """The values of all blocks, row after row, by name."""
    listed = list(blocks)
    return {name: np.concatenate([block[name] for block in listed]) for name in listed[0]}
