"""Measures of answer lists against a set of right answers: reciprocal rank, accuracy, precision, recall and F1."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple


class Points(NamedTuple):
    """`right` of `questions`, worth `points` of `possible`."""

    right: int
    questions: int
    points: float
    possible: float

    @property
    def share(self) -> float:
        """Right answers a question, in [0, 1]; 0 without questions."""
        return self.right / self.questions if self.questions else 0.0


def total(marks: Iterable[tuple[bool, float]]) -> Points:
    """The sum over questions, each given as (answered rightly, what it is worth).

    An unanswered question is a wrong one: it scores 0 and counts.
    """
    rows = list(marks)
    return Points(
        right=sum(right for right, _ in rows),
        questions=len(rows),
        points=sum(worth for right, worth in rows if right),
        possible=sum(worth for _, worth in rows),
    )


_MARKS = re.compile(r"[\s・･=＝「」『』“”\"'’.,、。-]+")


def folded(text: str) -> str:
    """The text as terms are compared: NFKC, case folded, without blanks, middle dots, quotes and punctuation."""
    return _MARKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def is_match(answer: str, alternatives: Collection[str]) -> bool:
    """Whether the answer equals one of the alternatives, both folded; an empty answer does not equal any."""
    return bool(folded(answer)) and folded(answer) in {folded(text) for text in alternatives}


def overlap(answer: str, alternatives: Collection[str]) -> float:
    """Best F1 of the answer's pieces with an alternative's, 0 to 1; 0 for an empty answer.

    Pieces are words where the alternative has a blank, else characters; counted as often as they stand.
    """
    return max((_f1(_pieces(answer, text), _pieces(text, text)) for text in alternatives), default=0.0)


def _pieces(text: str, like: str) -> Counter[str]:
    return Counter(filter(None, map(folded, text.split())) if " " in like.strip() else folded(text))


def _f1(answer: Counter[str], gold: Counter[str]) -> float:
    common = (answer & gold).total()
    return 2 * common / (answer.total() + gold.total()) if common else 0.0


def credit(answer: str, alternatives: Collection[str], match_type: str) -> float:
    """1 for a match; else 0 where `match_type` is exact, and the overlap where it is broad."""
    if is_match(answer, alternatives):
        return 1.0
    return overlap(answer, alternatives) if match_type == "broad" else 0.0


def best_assignment(table: Sequence[Sequence[float]]) -> list[float]:
    """The credit of each gold slot (row) when every answer (column) fills at most one, at the highest sum.

    For lists without order. A slot left without an answer has 0.
    """
    from scipy.optimize import linear_sum_assignment

    if not table or not table[0]:
        return [0.0] * len(table)
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


def exact_match(answer: str, gold: str) -> float:
    """1 where the two texts are the same character by character, blanks at their ends aside, else 0."""
    return float(answer.strip() == gold.strip())


def word_f1(answer: Collection[str], gold: Collection[str]) -> float:
    """F1 = 2PR / (P + R) of two sets of words, P = |X ∩ Y| / |X|, R = |X ∩ Y| / |Y|; 0 where P + R = 0 or one
    is empty ([DataSearch2], "Macro-averaged F1 score")."""
    return precision_recall(answer, gold).f1
