"""Measures of one answer text against one gold text: exact match and F1 over sets of words (seed 001)."""

from __future__ import annotations

from collections.abc import Collection

from evaluation.measures.answer_sets import precision_recall


def exact_match(answer: str, gold: str) -> float:
    """1 where the two texts are the same character by character, blanks at their ends aside, else 0."""
    return float(answer.strip() == gold.strip())


def word_f1(answer: Collection[str], gold: Collection[str]) -> float:
    """F1 = 2PR / (P + R) of two sets of words, P = |X ∩ Y| / |X|, R = |X ∩ Y| / |Y|; 0 where P + R = 0 or one
    is empty (seed 001, "Macro-averaged F1 score")."""
    return precision_recall(answer, gold).f1
