"""Measures of answer lists against a set of right answers: reciprocal rank, accuracy, precision,
recall and F1."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

# Papers and textbooks write ・ and quotes differently for the same name; soft hyphens, zero-width
# spaces, marks of direction and variation selectors are not seen.
_MARKS = re.compile(
    r"[\s・･=＝゠‐「」『』“”\"‘'’.,、。\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef-]+"
)


def fold_text(text: str) -> str:
    """Normalises a text for comparison: NFKC, case folded, without blanks, middle dots, quotes,
    commas, full stops, hyphens, "=" and characters that nobody sees."""
    return _MARKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def is_match(answer: str, alternatives: Collection[str]) -> bool:
    """Whether the answer equals one of the alternatives, both folded; an empty answer does not
    equal any."""
    return bool(fold_text(answer)) and fold_text(answer) in {
        fold_text(text) for text in alternatives
    }


def overlap(answer: str, alternatives: Collection[str]) -> float:
    """The highest F1 of the answer with one of the alternatives, 0 to 1, over their normalised
    words or characters; 0 for an empty answer.

    Words are compared if the alternative has a blank, else characters; both as multisets.
    """
    best = 0.0
    for text in alternatives:
        # The gold decides for both sides: an answer in characters and a gold text in words would
        # never share a piece.
        of_words = " " in text.strip()
        ours, gold = (
            Counter(filter(None, map(fold_text, side.split())) if of_words else fold_text(side))
            for side in (answer, text)
        )
        if common := (ours & gold).total():
            best = max(best, 2 * common / (ours.total() + gold.total()))
    return best


def credit(answer: str, alternatives: Collection[str], match_type: str) -> float:
    """The credit, 0 to 1, of an answer: 1 if it equals an alternative, else its `overlap` if
    `match_type` is "broad", else 0."""
    if is_match(answer, alternatives):
        return 1.0
    return overlap(answer, alternatives) if match_type == "broad" else 0.0


def best_assignment(table: Sequence[Sequence[float]]) -> list[float]:
    """The credit of each gold slot in the assignment of answers to slots with the highest sum.

    `table` has the credit of each answer (column) for each slot (row). Each answer fills at most
    one slot; a slot without an answer has 0.
    """
    from scipy.optimize import linear_sum_assignment

    if not table or not table[0]:
        return [0.0] * len(table)
    # Not greedily: the best answer to one slot may be the only answer to another.
    rows, columns = linear_sum_assignment(table, maximize=True)
    earned = [0.0] * len(table)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        earned[row] = float(table[row][column])
    return earned


class PrecisionRecall(NamedTuple):
    """Precision, recall and F1, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


def reciprocal_rank(answers: Sequence[str], gold: Collection[str]) -> float:
    """1 / rank of the first answer that equals a gold text exactly, 0 if none does ([NLPCC2017],
    MRR)."""
    return next((1.0 / rank for rank, text in enumerate(answers, 1) if text in gold), 0.0)


def accuracy_at(answers: Sequence[str], gold: Collection[str], n: int) -> float:
    """1 if one of the first n answers equals a gold text exactly, else 0 ([NLPCC2017],
    Accuracy@N)."""
    return float(any(text in gold for text in answers[:n]))


def precision_recall(answers: Collection[str], gold: Collection[str]) -> PrecisionRecall:
    """Precision, recall and F1 of the sets of both sides (repeated texts count once); all 0 if they
    are disjoint or one is empty ([NLPCC2017], Averaged F1)."""
    # Sets, as the guideline defines it: an answer that is given twice counts once.
    answer_set, right = set(answers), set(gold)
    shared = len(answer_set & right)
    if not shared:
        return PrecisionRecall(0.0, 0.0, 0.0)
    precision, recall = shared / len(answer_set), shared / len(right)
    return PrecisionRecall(precision, recall, 2 * precision * recall / (precision + recall))
