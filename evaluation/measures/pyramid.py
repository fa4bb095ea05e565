"""Pyramid-like nugget scores: which statements of the gold essays an answer makes, and what they weigh."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

Terms = Sequence[str]
Weight = Callable[[str], float]
THRESHOLD = 0.7


class Nugget(NamedTuple):
    """A statement: its terms, and how highly the evaluators scored it (mean of 1 to 3)."""

    terms: tuple[str, ...]
    weight: float


def share_present(nugget: Nugget, held: frozenset[str], weight: Weight) -> float:
    """The share of a nugget's term weight that stands anywhere in a text of the terms `held`; 0 without weight."""
    different = list(dict.fromkeys(nugget.terms))
    total = sum(weight(term) for term in different)
    return sum(weight(term) for term in different if term in held) / total if total else 0.0


def matched(nuggets: Sequence[Nugget], terms: Terms, weight: Weight) -> list[bool]:
    """Which nuggets a text holds: at least `THRESHOLD` of each one's term weight is in it ([Pyramid])."""
    held = frozenset(terms)
    return [share_present(nugget, held, weight) >= THRESHOLD for nugget in nuggets]


def pyramid(nuggets: Sequence[Nugget], present: Sequence[bool]) -> float:
    """The weight of the nuggets found, of the weight of all ([QALab3]); 0 without nuggets."""
    total = sum(nugget.weight for nugget in nuggets)
    return sum(n.weight for n, there in zip(nuggets, present, strict=True) if there) / total if total else 0.0


def nugget_recall(present: Sequence[bool]) -> float:
    """The share of the nuggets found, each counted alike; 0 without nuggets."""
    return sum(present) / len(present) if present else 0.0


def idf_over(texts: Iterable[Terms]) -> Weight:
    """idf(t) = ln(1 + N / df) over texts of terms; a term of a text beside these weighs as one of a single text."""
    counts: Counter[str] = Counter()
    size = 0
    for terms in texts:
        size += 1
        counts.update(set(terms))
    return lambda term: math.log(1 + max(size, 1) / max(counts[term], 1))
