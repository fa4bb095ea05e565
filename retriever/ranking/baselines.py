"""Rankings without training: word overlap, BM25 over the question's own candidates, the rank-bm25 package."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from indexer.files.arrays import Float64Array
from retriever.learning.columns import Families, copies
from retriever.learning.lists import Layout
from retriever.ranking.overlap import Overlap, Tokens


def word_overlap(table: Overlap) -> Float64Array:
    """How many different terms of the question each row holds, (rows,)."""
    return table.sums(np.ones(len(table.term_list)))


def rank_bm25(
    questions: Sequence[Sequence[Hashable]], candidates: Sequence[Sequence[Sequence[Hashable]]]
) -> Float64Array:
    """BM25Okapi of the rank-bm25 package with its own defaults, each question over its own candidates.

    Lists whose candidates have no terms at all score 0 (the package divides by their mean length).
    """
    from rank_bm25 import BM25Okapi

    scores: list[float] = []
    for question, rows in zip(questions, candidates, strict=True):
        if not any(rows):
            scores += [0.0] * len(rows)
        else:
            scores += BM25Okapi([list(row) for row in rows]).get_scores(list(question)).tolist()
    return np.array(scores)


def token_lists(tokens: Tokens) -> list[list[int]]:
    """Each text's terms as a list."""
    ends = np.cumsum(tokens.lengths().astype(np.int64))
    ids = tokens.ids.tolist()
    return [ids[start:end] for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]


def by_list(rows: Sequence[list[int]], lists: Layout) -> list[Sequence[list[int]]]:
    """The rows of each list."""
    return [rows[start : start + size] for start, size in zip(lists.starts.tolist(), lists.sizes.tolist(), strict=True)]


def fixed_parts(
    families: Families, lists: Layout, weights: Mapping[str, Mapping[str, float]]
) -> dict[str, Float64Array]:
    """Weight · z of each feature of the fixed sum, (rows,), by its name; KeyError for an unknown feature."""
    return {
        name: weight * copies(families[family][name], lists)[1]
        for family, chosen in weights.items()
        for name, weight in chosen.items()
    }
