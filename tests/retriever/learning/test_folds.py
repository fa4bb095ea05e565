"""Cross-validation by groups: what belongs together stays together, and every row is scored by a
stranger."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.errors import UserError
from retriever.learning.conditional_logit import cross_validate, folds, link_groups


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
    with pytest.raises(UserError, match=" 2"):
        folds(["a", "b", "a"], 3, 0)


def test_every_example_is_measured_by_what_the_other_folds_teach() -> None:
    """What is learned is the numbers of the examples learned from."""
    fold_of = np.array([0, 1, 0, 2])
    assert cross_validate(
        fold_of, lambda inside: np.flatnonzero(inside).tolist(), lambda place, seen: (place, seen)
    ) == [
        (0, [1, 3]),
        (1, [0, 2, 3]),
        (2, [1, 3]),
        (3, [0, 1, 2]),
    ]


def test_rows_that_share_a_key_are_linked_also_by_others() -> None:
    """The third row links the first two; the fourth shares nothing; the last comes to the first by
    its second key."""
    assert link_groups([["a"], ["b", "c"], ["c", "a"], ["d"], ["e", "b"]]) == [
        "a",
        "a",
        "a",
        "d",
        "a",
    ]
