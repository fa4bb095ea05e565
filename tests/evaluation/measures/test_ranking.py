"""Ranking measures: hand-computed, by brute force over all orders of ties, and against
ir_measures."""

from __future__ import annotations

from itertools import pairwise, permutations

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.measures.ranking import (
    TIES,
    TiedGroup,
    accuracy_at,
    average_precision,
    reciprocal_rank,
    tied_groups,
)

SCORES = [3.0, 5.0, 3.0, 1.0, 3.0]
GOLD = [False, False, True, False, True]


def test_tied_groups_stand_best_first() -> None:
    assert tied_groups(SCORES, GOLD) == [TiedGroup(0, 1, 0), TiedGroup(1, 3, 2), TiedGroup(4, 1, 0)]


def test_reciprocal_rank_in_file_order() -> None:
    assert reciprocal_rank(SCORES, GOLD, "file") == 1 / 3


def test_reciprocal_rank_at_worst() -> None:
    assert reciprocal_rank([1.0, 1.0, 1.0], [True, False, False], "worst") == 1 / 3


def test_reciprocal_rank_with_average_ranks() -> None:
    """Ranks 2, 3 and 4 are tied: their mean is (2 + 3 + 4) / 3."""
    assert reciprocal_rank(SCORES, GOLD, "average") == pytest.approx(1 / ((2 + 3 + 4) / 3))


def test_reciprocal_rank_expected() -> None:
    """Two gold among three tied: the first gold stands at rank 2 in 2 of 3 orders, else at rank
    3."""
    assert reciprocal_rank(SCORES, GOLD, "expected") == pytest.approx(2 / 3 * 1 / 2 + 1 / 3 * 1 / 3)


def test_average_precision_in_file_order() -> None:
    assert average_precision(SCORES, GOLD, "file") == pytest.approx((1 / 3 + 2 / 4) / 2)


def test_accuracy_at_2_expected() -> None:
    """Rank 2 is one of three tied candidates, two of them gold."""
    assert accuracy_at(2, SCORES, GOLD, "expected") == pytest.approx(2 / 3)


def test_accuracy_at_2_with_average_ranks() -> None:
    assert (accuracy_at(2, SCORES, GOLD, "average"), accuracy_at(3, SCORES, GOLD, "average")) == (
        0.0,
        1.0,
    )


@pytest.mark.parametrize("ties", TIES)
def test_without_gold_everything_is_0(ties: str) -> None:
    none = [False] * 3
    found = [reciprocal_rank([1, 2, 3], none, ties), average_precision([1, 2, 3], none, ties)]  # type: ignore[arg-type]
    assert [*found, accuracy_at(1, [1, 2, 3], none, ties), reciprocal_rank([], [], ties)] == [
        0,
        0,
        0,
        0,
    ]  # type: ignore[arg-type]


lists_with_ties = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0, 2.0]), st.booleans()), min_size=1, max_size=6
)


def every_order(rows: list[tuple[float, bool]]) -> list[list[bool]]:
    """The gold marks of all orders that the scores allow."""
    orders = {tuple(order) for order in permutations(range(len(rows)))}
    allowed = [o for o in orders if all(rows[a][0] >= rows[b][0] for a, b in pairwise(o))]
    return [[rows[place][1] for place in order] for order in allowed]


@given(lists_with_ties)
def test_expected_values_are_the_mean_over_all_orders(rows: list[tuple[float, bool]]) -> None:
    scores, gold = [score for score, _ in rows], [mark for _, mark in rows]
    orders = every_order(rows)
    falling = list(range(len(rows), 0, -1))
    for measure in (reciprocal_rank, average_precision, lambda s, g, t: accuracy_at(2, s, g, t)):
        mean = sum(measure(falling, order, "file") for order in orders) / len(orders)
        assert measure(scores, gold, "expected") == pytest.approx(mean)


@given(lists_with_ties)
def test_worst_and_file_order_enclose_no_more_than_the_orders_allow(
    rows: list[tuple[float, bool]],
) -> None:
    scores, gold = [score for score, _ in rows], [mark for _, mark in rows]
    falling = list(range(len(rows), 0, -1))
    values = [reciprocal_rank(falling, order, "file") for order in every_order(rows)]
    assert reciprocal_rank(scores, gold, "worst") == min(values)
    assert reciprocal_rank(scores, gold, "file") in values


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.booleans(), min_size=1, max_size=8).filter(any), st.randoms(use_true_random=False)
)
def test_agrees_with_ir_measures_where_no_scores_tie(gold: list[bool], draw: object) -> None:
    scores = [float(place) for place in range(len(gold))]
    draw.shuffle(scores)  # type: ignore[attr-defined]
    qrels = [ir_measures.Qrel("q", f"d{place}", int(mark)) for place, mark in enumerate(gold)]
    run = [ir_measures.ScoredDoc("q", f"d{place}", score) for place, score in enumerate(scores)]
    wanted = [ir_measures.RR, ir_measures.AP, ir_measures.Success @ 3]
    found = ir_measures.calc_aggregate(wanted, qrels, run)
    ours = [
        reciprocal_rank(scores, gold),
        average_precision(scores, gold),
        accuracy_at(3, scores, gold),
    ]
    assert ours == pytest.approx([found[measure] for measure in wanted])


def test_a_random_order_finds_the_first_right_one_as_early_as_counting_all_orders_says() -> None:
    orders = list(permutations([True, True, False, False]))
    expected = sum(1 / (order.index(True) + 1) for order in orders) / len(orders)
    assert reciprocal_rank([0.0] * 4, [True, True, False, False], "expected") == pytest.approx(
        expected
    )
