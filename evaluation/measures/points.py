"""Points of an exam: what right answers are worth, as National Center Tests are marked (seed 003, Table 1)."""

from __future__ import annotations

from collections.abc import Iterable
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
