"""The matrix that rankers of lists learn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.ranking.ranker import Column, RankingBlock, columns


def design(
    blocks: Iterable[RankingBlock], damping: Mapping[str, float], typed: float
) -> tuple[Float64Array, tuple[str, ...], Float64Array]:
    """The matrix that rankers of lists learn from, (rows, columns), a row a candidate, a column a
    copy of a feature; and the names and factors of its columns, those of `train`. Blocks of lists
    have the same features and type names. ValueError without blocks.

    `damping` maps a family to the factor of its columns, 1 by default; `typed` is a further one, of
    a type's columns.
    """
    parts, block_columns = list[Float64Array](), list[Column]()
    for block in blocks:
        block_columns = list(columns(block))
        parts.append(np.column_stack([column.values for column in block_columns]))
    names = tuple(column.name for column in block_columns)
    factors = [
        damping.get(column.family, 1.0) * (typed if column.is_typed else 1.0)
        for column in block_columns
    ]
    return np.vstack(parts), names, np.array(factors)
