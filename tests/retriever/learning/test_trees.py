"""LightGBM's text in a model file: the same trees after the check, and no damage of it reaches LightGBM."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retriever.learning.trees import checked_trees

pytest.importorskip("lightgbm")

from retriever.learning.lambdamart import computed, fit_trees, predict, shapley_values

DRAW = np.random.default_rng(0)
FEATURES = DRAW.normal(size=(300, 4))
GROUPS, GOLD = np.repeat(np.arange(30), 10), np.arange(300) % 10 == 0
TREES = fit_trees(FEATURES, GROUPS, GOLD, rounds=5, seed=0)
SCORES = next(computed(TREES, FEATURES, False))


def test_checked_trees_give_the_same_scores_in_a_process_of_their_own() -> None:
    checked = checked_trees(TREES, 4)
    assert checked_trees(checked, 4) == checked
    assert np.array_equal(predict(checked, FEATURES), SCORES)
    shares = shapley_values(checked, FEATURES)
    assert shares.shape == (300, 5)
    assert np.allclose(shares.sum(axis=1), SCORES)


def test_a_tree_of_one_leaf() -> None:
    alike = fit_trees(np.zeros((300, 2)), GROUPS, GOLD, rounds=1, seed=0)
    assert predict(checked_trees(alike, 2), np.zeros((2, 2))).tolist() == [0.0, 0.0]


def changed(name: str, change: str) -> str:
    """The text with the first number of the first such line changed."""
    text, count = re.subn(rf"(?m)^{name}=\S+", f"{name}={change}", TREES, count=1)
    assert count == 1
    return text


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("left_child", "99", "tree 0: left_child beyond its bounds"),
        ("left_child", "-99", "tree 0: left_child beyond its bounds"),
        ("left_child", "0", "tree 0: a split that leads back"),
        ("split_feature", "4", "tree 0: split_feature beyond its bounds"),
        ("decision_type", "1", "tree 0: decision_type beyond its bounds"),
        ("threshold", "nan", "tree 0: threshold holds what is no number"),
        ("leaf_value", "1e999", "tree 0: leaf_value holds what is no number"),
        ("leaf_value", "1 1", "tree 0: leaf_value has"),
        ("num_leaves", "1000000000", "tree 0: num_leaves beyond its bounds"),
        ("num_cat", "1", "tree 0 is of a kind that is not read"),
        ("feature_infos", "none none none none none", "trees over 8 features, not over 4"),
    ],
)
def test_what_lightgbm_would_believe_is_refused(name: str, change: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        checked_trees(changed(name, change), 4)


def test_a_leaf_that_hangs_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="tree 0: its splits and leaves are not one tree"):
        checked_trees(changed("right_child", "-1").replace("left_child=1", "left_child=-1", 1), 4)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_damage_is_an_error_or_gives_finite_scores(seed: int) -> None:
    draw, text = random.Random(seed), TREES
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(TREES.partition("end of trees")[0]))
        text = text[:place] + draw.choice("0123456789-=e. \n") + text[place + 1 :]
    try:
        checked = checked_trees(text, 4)
    except ValueError:
        return
    assert np.isfinite(predict(checked, FEATURES)).all()
