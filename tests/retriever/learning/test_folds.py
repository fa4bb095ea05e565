"""Cross-validation by groups: what belongs together stays together, and every row is scored by a stranger."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.errors import UserError
from retriever.learning.conditional_logit import LearningProblem, cross_validate, design, folds, link_groups
from retriever.ranking.ranker import Recipe, layout


@given(st.lists(st.sampled_from("abcdefgh"), min_size=8).filter(lambda keys: len(set(keys)) >= 3))
def test_equal_keys_share_a_fold(keys: list[str]) -> None:
    fold = folds(keys, 3, seed=0)
    assert len(set(zip(keys, fold.tolist(), strict=True))) == len(set(keys))


def test_folds_are_about_equal() -> None:
    fold = folds([f"article {number // 4}" for number in range(100)], 5, seed=3)
    assert np.bincount(fold).tolist() == [20, 20, 20, 20, 20]


def test_the_order_of_the_rows_does_not_matter() -> None:
    keys = list("abcdefghij")
    straight = dict(zip(keys, folds(keys, 3, 7).tolist(), strict=True))
    turned = dict(zip(keys[::-1], folds(keys[::-1], 3, 7).tolist(), strict=True))
    assert straight == turned


def test_another_seed_splits_otherwise() -> None:
    keys = [str(number) for number in range(50)]
    assert folds(keys, 5, 0).tolist() != folds(keys, 5, 1).tolist()


def test_more_folds_than_groups_are_refused() -> None:
    with pytest.raises(UserError, match="there are 2"):
        folds(["a", "b", "a"], 3, 0)


def test_one_fold_is_refused() -> None:
    with pytest.raises(UserError, match="at least 2"):
        folds(["a", "b"], 1, 0)


def test_every_row_is_scored_without_its_own_group() -> None:
    """The two lists contradict each other: each is scored by a model of the other, which puts its gold last."""
    values = {"family": {"x": np.array([0.0, 1.0, 0.0, 1.0])}}
    gold = np.array([True, False, False, True])
    problem = LearningProblem(layout([2, 2]), values, gold, ["a", "b"])
    recipe = Recipe("selqa", penalty=1.0)
    scores = cross_validate(design(problem, recipe), problem, recipe, k=2, seed=0)
    assert scores[0] < scores[1]
    assert scores[2] > scores[3]


def test_rows_that_share_a_key_are_linked_also_by_others() -> None:
    """The third row links the first two; the fourth shares nothing; the last comes to the first by its second key."""
    assert link_groups([["a"], ["b", "c"], ["c", "a"], ["d"], ["e", "b"]]) == ["a", "a", "a", "d", "a"]
