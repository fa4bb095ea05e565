"""Lists of candidates with features, and their scores: untrained, or by a linear model over each
feature's copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from indexer.files.arrays import Float64Array, Int64Array
from retriever.learning.model import Model, load_model

# Endings of the columns' names, in the order of `copies`; a change makes all model files of before
# unfit.
COPIES = ("", " | z", " | below best", " | is best")
DEFAULT = "sum"  # the untrained method: a fixed sum of a few features


class ListLayout(NamedTuple):
    """Ragged layout of lists: `rows` rows, one list after another, every list with at least one.

    `sizes` (numbers of rows) and `starts` (first rows) are (lists,), `list_of`, each row's list, is
    (rows,).
    """

    sizes: Int64Array
    starts: Int64Array
    list_of: Int64Array
    rows: int

    def spans(self) -> tuple[list[int], list[int]]:
        """First row and number of rows of each list."""
        return self.starts.tolist(), self.sizes.tolist()


def layout(sizes: Sequence[int]) -> ListLayout:
    """The layout of lists with these numbers of rows; raises ValueError if a list is empty."""
    counts = np.asarray(sizes, np.int64)
    if np.any(counts <= 0):
        raise ValueError("a list has no candidates")
    return ListLayout(
        counts,
        np.cumsum(counts) - counts,
        np.repeat(np.arange(len(counts)), counts),
        int(counts.sum()),
    )


class RankingBlock(NamedTuple):
    """Consecutive lists of a file that are ranked together.

    `features` maps a family to the function that computes its features (name → values, (rows,)),
    `baseline` computes the scores of an untrained method, KeyError for an unknown one; `matched`
    gives for each row the terms that it shares with its question, with their list idf.
    `type_of_list`, (lists,), is the type of each question as a number into `types`: features of the
    `typed` families get a further weight for each type, as who and when have other answers.
    """

    lists: ListLayout
    features: Mapping[str, Callable[[], Mapping[str, Float64Array]]]
    baseline: Callable[[str], Float64Array] = dict[str, Float64Array]().__getitem__
    matched: Callable[[], list[dict[str, float]]] = list
    types: tuple[str, ...] = ()
    type_of_list: Int64Array = np.zeros(0, np.int64)
    typed: frozenset[str] = frozenset()


def copies(values: Float64Array, lists: ListLayout) -> list[Float64Array]:
    """Four columns, each (rows,): the feature x itself and three comparisons of x inside its list.

    z-score (x − list mean) / (list sd + 1e-6), 0 where a list is constant; x − list max; 1 where x
    is the list's greatest, and not its least too, else 0. There must be a list.
    """
    list_of, starts, sizes = lists.list_of, lists.starts, lists.sizes.astype(float)
    # What a value means depends on the other candidates: scores are compared in a list, never
    # across lists.
    centred = values - (np.add.reduceat(values, starts) / sizes)[list_of]
    spread = np.sqrt(np.add.reduceat(centred**2, starts) / sizes)[list_of]
    # In a constant list both are rounding errors, whose quotient would be an arbitrary feature.
    z = np.where(spread > 1e-9, centred / (spread + 1e-6), 0.0)
    below = values - np.maximum.reduceat(values, starts)[list_of]
    return [values, z, below, ((below == 0) & (spread > 1e-9)).astype(float)]


class Column(NamedTuple):
    """A column of the model: a copy of a feature of a family. `name` is that in a model, the
    feature's with one of `COPIES` or a type's ending; `is_typed` is whether it counts for the
    questions of one type only; `values` are (rows,)."""

    family: str
    name: str
    is_typed: bool
    values: Float64Array


def columns(block: RankingBlock) -> Iterator[Column]:
    """Yields the columns of the model: each feature's copies, then, for the typed families, its z
    once for every question type, 0 in the lists of other types."""
    # Only z is repeated by type: every copy that is repeated brings as many columns as there are
    # types.
    for family, compute in block.features.items():
        for feature, values in compute().items():
            variants = copies(values, block.lists)
            for ending, column in zip(COPIES, variants, strict=True):
                yield Column(family, feature + ending, False, column)
            for number, name in enumerate(block.types if family in block.typed else ()):
                of_type = block.type_of_list[block.lists.list_of] == number
                z = np.where(of_type, variants[1], 0.0)
                yield Column(family, f"{feature} | z, {name}", True, z)


class Ranking(NamedTuple):
    """The lists of a file and the ways to score them.

    `task` is that of the models that fit; `kinds` are the types of the questions, `untrained` the
    weights of the fixed sum (the default method) by family and name. `blocks` makes the blocks of
    the file in their order, each when it is needed: a file of any size is ranked in the memory of
    one of them.
    """

    task: str
    lists: ListLayout
    questions: Sequence[str]
    kinds: Sequence[str]
    untrained: Mapping[str, Mapping[str, float]]
    blocks: Callable[[], Iterator[RankingBlock]]


def concatenate_blocks(blocks: Iterable[Mapping[str, Float64Array]]) -> dict[str, Float64Array]:
    """The values of all blocks, row after row, by name; there must be a block, and all have the
    same names."""
    listed = list(blocks)
    return {name: np.concatenate([block[name] for block in listed]) for name in listed[0]}


def untrained_contributions(ranking: Ranking, method: str = DEFAULT) -> dict[str, Float64Array]:
    """Feature → contribution to the scores of an untrained method, (rows,), which sum to the
    scores: weight · z for a feature of the fixed sum; {method: score} for any other method. Raises
    KeyError for an unknown method."""
    if method != DEFAULT:
        return {method: np.concatenate([block.baseline(method) for block in ranking.blocks()])}
    return concatenate_blocks(
        {
            name: weight * copies(features[name], block.lists)[1]
            for family, weights in ranking.untrained.items()
            for features in [block.features[family]()]
            for name, weight in weights.items()
        }
        for block in ranking.blocks()
    )


def score_untrained(ranking: Ranking, method: str = DEFAULT) -> Float64Array:
    """One score a row, (rows,), by an untrained method. Raises KeyError for an unknown method."""
    # The scores are the sum of what a trace shows, so that the two cannot differ.
    return np.asarray(
        sum(untrained_contributions(ranking, method).values(), np.zeros(ranking.lists.rows)), float
    )


def score_by_model(ranking: Ranking, path: str) -> tuple[Model, Float64Array]:
    """The model of a file, and its score of every row, (rows,), of a ranking with lists. Raises
    UserError as `load_model` does: for another task or other features."""
    scores: list[Float64Array] = []
    for block in ranking.blocks():
        block_columns = list(columns(block))
        if not scores:
            model = load_model(path, ranking.task, [column.name for column in block_columns])
        scores.append(model.score(column.values for column in block_columns))
    return model, np.concatenate(scores)


def model_contributions(ranking: Ranking, model: Model) -> dict[str, Float64Array]:
    """Feature → contribution to the scores of a trained model, (rows,), as `Model.contributions`
    has it; they sum to the scores."""
    return concatenate_blocks(
        model.contributions(column.values for column in columns(block))
        for block in ranking.blocks()
    )
