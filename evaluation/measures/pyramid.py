"""Nugget scores in the manner of [Pyramid]: the statements of the gold essays that an answer
contains."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

Terms = Sequence[str]
Weight = Callable[[str], float]
# share of a nugget's term weight that an answer must contain; [Pyramid] leaves this to human judges
THRESHOLD = 0.7


class Nugget(NamedTuple):
    """A statement: its terms, and the mean of the evaluators' scores for it (1 to 3)."""

    terms: Terms
    weight: float


def share_present(nugget: Nugget, terms: frozenset[str], weight: Weight) -> float:
    """The fraction, 0 to 1, of a nugget's weight over its different terms that a text with the
    terms `terms` contains.

    `weight` gives a term's weight; 0 if the nugget's terms weigh nothing.
    """
    # Each term once, whatever the wording of the nugget repeats.
    different = list(dict.fromkeys(nugget.terms))
    total = sum(weight(term) for term in different)
    return sum(weight(term) for term in different if term in terms) / total if total else 0.0


def contains_nuggets(nuggets: Sequence[Nugget], terms: Terms, weight: Weight) -> list[bool]:
    """For each nugget whether the text of `terms` contains it: at least 0.7 of its term weight
    ([Pyramid])."""
    term_set = frozenset(terms)
    return [share_present(nugget, term_set, weight) >= THRESHOLD for nugget in nuggets]


def pyramid(nuggets: Sequence[Nugget], present: Sequence[bool]) -> float:
    """The weight of the nuggets present divided by that of all ([QALab3]); 0 without nuggets."""
    total = sum(nugget.weight for nugget in nuggets)
    return (
        sum(n.weight for n, there in zip(nuggets, present, strict=True) if there) / total
        if total
        else 0.0
    )


def idf_over(texts: Iterable[Terms]) -> Weight:
    """The function term → idf(t) = ln(1 + N / df(t)) over N texts; a term that no text has is
    weighed as if df = 1, no texts as if N = 1."""
    counts: Counter[str] = Counter()
    size = 0
    for terms in texts:
        size += 1
        counts.update(set(terms))
    # At least ln 2, also for a term of every text: a nugget of common terms alone keeps a weight.
    return lambda term: math.log(1 + max(size, 1) / max(counts[term], 1))
