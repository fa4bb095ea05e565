"""A file of questions with their candidates, ready to be ranked: what every task of this kind works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from indexer.files.arrays import Float64Array
from retriever.learning.columns import Families, Types, column_names
from retriever.learning.lists import Layout
from retriever.learning.model import Model, load_model
from retriever.learning.train import Recipe, added, score
from retriever.ranking.baselines import fixed_parts, fixed_sum

DEFAULT = "sum"


@dataclass(frozen=True)
class Ranking:
    """The lists of a file and the ways to score them.

    `features` computes each family of features, when it is needed; `untrained` are the weights of the fixed sum
    (the default method) by family and name, `baselines` the other methods. `matched` gives for each row the
    terms that it shares with its question, with their idf in the list; `kinds` the type of each question, `types`
    what a model weights by it.
    """

    lists: Layout
    questions: Sequence[str]
    kinds: Sequence[str]
    recipe: Recipe
    features: Mapping[str, Callable[[], Mapping[str, Float64Array]]]
    untrained: Mapping[str, Mapping[str, float]]
    baselines: Mapping[str, Callable[[], Float64Array]]
    matched: Callable[[], list[dict[str, float]]]
    types: Types = field(default_factory=Types)

    @cached_property
    def families(self) -> Families:
        """The features by family and name, one value a row."""
        return {name: compute() for name, compute in self.features.items()}

    def by_method(self, method: str = DEFAULT) -> Float64Array:
        """One score a row by an untrained method; KeyError for an unknown one."""
        if method == DEFAULT:
            return fixed_sum({name: self.features[name]() for name in self.untrained}, self.lists, self.untrained)
        return self.baselines[method]()

    def added_by_method(self, method: str = DEFAULT) -> dict[str, Float64Array]:
        """What each feature adds to the scores of an untrained method, (rows,), by name; a baseline is one itself."""
        if method == DEFAULT:
            return fixed_parts({name: self.features[name]() for name in self.untrained}, self.lists, self.untrained)
        return {method: self.baselines[method]()}

    def by_model(self, model: Model) -> Float64Array:
        """One score a row by a trained model."""
        return score(model, self.families, self.lists, self.types)

    def added_by_model(self, model: Model) -> dict[str, Float64Array]:
        """What each feature adds to the scores of a trained model, (rows,), by name."""
        return added(model, self.families, self.lists, self.types)

    def load(self, path: str) -> Model:
        """A model for these features; UserError, one line, for any other."""
        return load_model(path, self.recipe.task, column_names(self.families, self.types))
