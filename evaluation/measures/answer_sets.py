"""Measures of answer lists against a set of right answers: reciprocal rank, accuracy, precision, recall and F1."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


class PrecisionRecall(NamedTuple):
    """Precision, recall and F1, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


def reciprocal_rank(answers: Sequence[str], gold: Collection[str]) -> float:
    """1 / the place of the first right answer, 0 where none is right (NLPCC 2017 guideline, MRR)."""
    return next((1.0 / place for place, text in enumerate(answers, 1) if text in gold), 0.0)


def accuracy_at(answers: Sequence[str], gold: Collection[str], n: int) -> float:
    """1 if one of the first n answers is right, else 0 (NLPCC 2017 guideline, Accuracy@N)."""
    return float(any(text in gold for text in answers[:n]))


def precision_recall(answers: Collection[str], gold: Collection[str]) -> PrecisionRecall:
    """Of the different answers; all 0 where the two have nothing in common or one is empty (guideline, Averaged F1)."""
    given, right = set(answers), set(gold)
    shared = len(given & right)
    if not shared:
        return PrecisionRecall(0.0, 0.0, 0.0)
    precision, recall = shared / len(given), shared / len(right)
    return PrecisionRecall(precision, recall, 2 * precision * recall / (precision + recall))
