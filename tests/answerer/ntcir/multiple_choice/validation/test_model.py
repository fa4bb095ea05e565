"""How much of the evidence is in the light of the question, and what is learned from examples."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.choices import ChoiceTerms, QuestionTerms
from answerer.ntcir.multiple_choice.methods import probabilities
from answerer.ntcir.multiple_choice.validation import validation
from answerer.ntcir.multiple_choice.validation.features import COLUMNS, FEATURES, example
from answerer.ntcir.multiple_choice.validation.training import fit_weights, right
from tests.answerer.formats.exam.exams import choices, only, question, section

TERMS = QuestionTerms((), (ChoiceTerms(("a",)), ChoiceTerms(("b",))))
FOUND = np.array([[1.0] * len(FEATURES), [3.0] * len(FEATURES)])
NAMES = COLUMNS.index("names")


def asked(folder: Path, instruction: str, *texts: str) -> ExamQuestion:
    return only(folder, section(question(instruction, choices(*texts))))


@pytest.mark.parametrize(
    ("instruction", "texts", "way", "share"),
    [
        ("Which river?", ("the Nile", "the Rhine"), "statements", 1.0),
        ("Which is true?", ("Rome fell.", "Rome rose."), "statements", 0.5),
        ("Choose the true sentence.", ("Rome fell.", "Rome rose."), "statements", 0.1),
        ("Fill the gap.", ("the Nile", "the Rhine"), "fillers", 0.3),
        ("Choose the order.", ("a", "b"), "ordering", 0.0),
    ],
)
def test_the_share_of_the_question(
    tmp_path: Path, instruction: str, texts: tuple[str, str], way: str, share: float
) -> None:
    utilities, made = example(asked(tmp_path, instruction, *texts), TERMS, way, FOUND, [5.0, 1.0])
    assert made == share
    assert utilities[:, 0].tolist() == pytest.approx([-share, share])
    assert utilities[:, NAMES].tolist() == pytest.approx([2 * (1 - share), -2 * (1 - share)])


def test_reverse_is_centred_and_not_standardised(tmp_path: Path) -> None:
    utilities, _ = example(
        asked(tmp_path, "Which river?", "a", "b"), TERMS, "statements", FOUND * 0.1, None
    )
    assert utilities[:, COLUMNS.index("reverse_sentence")].tolist() == pytest.approx(
        [-0.1 / 0.13, 0.1 / 0.13]
    )
    assert utilities[:, COLUMNS.index("rank_sentence")].tolist() == pytest.approx([-1, 1])


def test_equal_values_say_nothing(tmp_path: Path) -> None:
    utilities, _ = example(
        asked(tmp_path, "Which river?", "a", "b"),
        TERMS,
        "statements",
        np.full((2, len(FEATURES)), 2.0),
        None,
    )
    assert not utilities.any()


def test_without_names_the_question_decides_all(tmp_path: Path) -> None:
    exam = asked(tmp_path, "Choose the true sentence.", "Rome fell.", "Rome rose.")
    assert example(exam, TERMS, "x", FOUND, None)[1] == 1


def test_where_the_false_choice_is_asked_for_evidence_is_turned_but_not_all_of_the_above(
    tmp_path: Path,
) -> None:
    of = TERMS._replace(choices=(*TERMS.choices, ChoiceTerms((), "all", (0, 1))))
    rows = np.vstack([FOUND, FOUND.mean(axis=0)])
    negated = asked(tmp_path, "Which is not a river?", "the Nile", "the Rhine", "all of the above")
    utilities, _ = example(negated, of, "statements", rows, None)
    assert utilities[:, COLUMNS.index("pmi_others_window")].tolist() == pytest.approx([1, -1, 0])
    assert utilities[:, 0].tolist() == pytest.approx([1, -1, 0])
    assert utilities[2, COLUMNS.index("all of them")] > 0


def test_probabilities_by_hand() -> None:
    assert probabilities([math.log(3.0), 0.0]) == pytest.approx([0.75, 0.25])


def test_training_finds_the_feature_that_decides() -> None:
    rows = np.zeros((2, len(COLUMNS)))
    rows[0, 0] = 1.0
    examples = [(rows, 0)] * 30 + [(-rows[::-1], 0)] * 30
    model = fit_weights(examples, penalty=0.1)
    assert model.weights[0] > 1
    assert np.abs(model.weights[1:]).max() < 1e-6
    assert all(right(examples, model))


def test_the_weights_that_ship_fit_the_features() -> None:
    assert tuple(validation().parameters["weights"]) == COLUMNS
