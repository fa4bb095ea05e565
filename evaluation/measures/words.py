"""Measures of one answer text against one gold text: exact match and F1 over sets of words (seed 001)."""

from __future__ import annotations

from collections.abc import Collection


def exact_match(answer: str, gold: str) -> float:
    """1 where the two texts are the same character by character, blanks at their ends aside, else 0."""
    return float(answer.strip() == gold.strip())


def word_f1(answer: Collection[str], gold: Collection[str]) -> float:
    """F1 = 2PR / (P + R) of two sets of words, P = |X ∩ Y| / |X|, R = |X ∩ Y| / |Y|; 0 where P + R = 0 or one
    is empty (seed 001, "Macro-averaged F1 score")."""
    given, right = set(answer), set(gold)
    shared = len(given & right)
    if not shared:
        return 0.0
    precision, recall = shared / len(given), shared / len(right)
    return 2 * precision * recall / (precision + recall)
