"""Weights of term candidates learned from half of the questions, and measured on the other half."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from answerer.ntcir.term.ranking import HAND
from tests.places import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import term_weights

NAMES = ("passage", "latent")


def asked(text: str, rows: list[list[float]], right: list[bool]) -> term_weights.Asked:
    return term_weights.Asked(
        text, np.array(rows, float).reshape(len(right), 2), np.array(right, bool), NAMES
    )


def test_reciprocal_ranks_are_of_the_best_right_candidate() -> None:
    questions = [
        asked("second is right", [[1, 0], [0, 1]], [False, True]),
        asked("both are right", [[1, 0], [0, 1]], [True, True]),
        asked("equal, the first is right", [[1, 0], [1, 0]], [True, False]),
        asked("none is right", [[1, 0]], [False]),
        asked("no candidate", [], []),
    ]
    ranks = term_weights.reciprocal_ranks(questions, {"passage": 1.0, "latent": 0.0})
    assert ranks.tolist() == [1 / 2, 1, 1, 0, 0]


def test_what_tells_right_from_wrong_gains_and_a_constant_keeps_its_hand_weight_or_nothing() -> (
    None
):
    questions = [asked(f"q{n}", [[1, 0], [1, 1]], [False, True]) for n in range(400)]
    weights = term_weights.learn(questions, "gap")
    assert weights["latent"] > 1.0
    assert weights["passage"] == HAND["passage"]
    still = [asked(f"q{n}", [[1, 0], [0, 0]], [False, True]) for n in range(400)]
    assert term_weights.learn(still, "gap")["latent"] == 0.0


def test_each_question_is_answered_by_weights_of_the_other_half() -> None:
    questions = [asked(f"q{n}", [[1, 0], [1, 1]], [False, True]) for n in range(400)]
    accuracy, error, at_five, by_hand, gain, _ = term_weights.figures(questions, questions, "gap")
    # the hand weights hold the two equal, and the first is wrong
    assert (accuracy, error, at_five, by_hand, gain) == pytest.approx((1.0, 0.0, 1.0, 0.0, 1.0))
