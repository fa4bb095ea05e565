"""Cross-validation by groups: rows that belong together (an article's, say) never stand on both sides."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError


def folds(group_keys: Sequence[str], k: int, seed: int) -> Int64Array:
    """The fold, 0 to k − 1, of each row, (rows,): equal keys share a fold, folds are about equal in rows.

    Depends on the keys, their counts and the seed only, not on the order of the rows. UserError when there
    are fewer different keys than folds, or fewer than two folds.
    """
    sizes = Counter(group_keys)
    if k < 2:
        raise UserError(f"--folds {k}: cross-validation takes at least 2 folds")
    if len(sizes) < k:
        raise UserError(f"{k} folds need at least {k} groups, there are {len(sizes)}; use fewer --folds")
    keys = sorted(sizes)
    random.Random(seed).shuffle(keys)  # noqa: S311 (no secret: a split that anyone can repeat)
    keys.sort(key=lambda key: -sizes[key])
    filled = [0] * k
    fold_of: dict[str, int] = {}
    for key in keys:
        fold_of[key] = min(range(k), key=lambda fold: filled[fold])
        filled[fold_of[key]] += sizes[key]
    return np.array([fold_of[key] for key in group_keys], np.int64)


def linked(keys: Sequence[Sequence[str]]) -> list[str]:
    """One group key for each row of several keys, (rows,): rows that share a key, or are linked by others that do, get
    the same, which is the first key of the first of them. ValueError for a row without keys."""
    above: dict[str, str] = {}

    def top(key: str) -> str:
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


def held_out(fold: Int64Array, train_and_score: Callable[[BoolArray, BoolArray], Float64Array]) -> Float64Array:
    """A score for every row, (rows,), from a model that has not seen its fold; `fold` is (rows,).

    `train_and_score(train_rows, test_rows)` gets two masks (rows,), and returns the test rows' scores, (test rows,).
    """
    scores = np.zeros(len(fold))
    for number in range(int(fold.max(initial=-1)) + 1):
        test = fold == number
        scores[test] = train_and_score(~test, test)
    return scores
