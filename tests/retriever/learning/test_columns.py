"""Copies of a feature: compared inside its list, by hand."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from retriever.ranking.ranker import RankingBlock, columns, copies, layout

VALUES = np.array([1.0, 3.0, 5.0, 5.0])
LISTS = layout([2, 1, 1])


def test_copies_of_a_list() -> None:
    """Mean 2, deviation √((1 + 1) / 2) = 1; lists of one are constant and give 0."""
    value, z, below, _ = copies(VALUES, LISTS)
    assert value.tolist() == VALUES.tolist()
    assert z == pytest.approx([-1 / (1 + 1e-6), 1 / (1 + 1e-6), 0, 0])
    assert below.tolist() == [1 - 3, 0, 0, 0]


def test_deviation_is_of_the_whole_list() -> None:
    z = copies(np.array([0.0, 0.0, 3.0]), layout([3]))[1]
    assert z == pytest.approx(np.array([-1, -1, 2]) / (sqrt((1 + 1 + 4) / 3) + 1e-6))


def test_the_best_of_a_list_is_marked_but_not_where_all_are_equal() -> None:
    best = copies(np.array([2.0, 7.0, 7.0, 1.0, 4.0, 4.0]), layout([4, 2]))[3]
    assert best.tolist() == [0, 1, 1, 0, 0, 0]


def test_names_stand_in_the_order_of_the_columns() -> None:
    features = {"a": lambda: {"x": VALUES, "y": VALUES}, "b": lambda: {"w": VALUES}}
    types = {
        "types": ("who", "when"),
        "type_of_list": np.array([1, 0, 1]),
        "typed": frozenset({"b"}),
    }
    made = tuple(column.name for column in columns(RankingBlock(LISTS, features, **types)))
    assert made[:4] == ("x", "x | z", "x | below best", "x | is best")
    assert made[8:] == ("w", "w | z", "w | below best", "w | is best", "w | z, who", "w | z, when")


def test_a_column_of_a_type_compares_in_the_lists_of_that_type_alone() -> None:
    """Lists of (0, 2) and (0, 4): deviations 1 and 2, so z is −1 and 1 in both; the second question
    is a "who"."""
    features = {"a": lambda: {"x": np.array([0.0, 2.0, 0.0, 4.0])}}
    types = {"types": ("who", "when"), "type_of_list": np.array([1, 0]), "typed": frozenset({"a"})}
    made = list(columns(RankingBlock(layout([2, 2]), features, **types)))
    who, when = made[4:]
    assert who[3] == pytest.approx([0, 0, -1, 1], abs=1e-5)
    assert when[3] == pytest.approx([-1, 1, 0, 0], abs=1e-5)
    assert [(column.family, column.is_typed) for column in made] == [
        *[("a", False)] * 4,
        *[("a", True)] * 2,
    ]


def test_without_types_no_column_is_of_a_type() -> None:
    assert len(list(columns(RankingBlock(LISTS, {"a": lambda: {"x": VALUES}})))) == 4
