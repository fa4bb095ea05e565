"""The slots of a question, its gaps or its interrogative: a name fits where the same stands around it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import gap_spans

_LEAST = 0.2  # of an agreement in a sentence that holds nothing of the question


class Slots:
    """Where the answer would stand in the question, found once and compared with every candidate.

    Nothing agrees where the question has no slot.
    """

    def __init__(self, asked: str, focus: str, weights: Mapping[str, float], language: TermLanguage) -> None:
        """`weights` are those of the question's terms; one that stands near a slot keeps more of its own."""
        self._language, self._stride = language, language.tools.stride
        folded = language.fold(asked)
        spans = gap_spans(folded) or language.tools.reader.interrogative_spans(folded, focus)
        self._around = [language.around(folded[:start], folded[end:]) for start, end in spans]
        near = {}
        for term, places in language.places(folded, weights).items() if spans else ():
            gap = min(distance(place, slot) for place in places for slot in spans)
            near[term] = weights[term] / math.log2(2 + gap / self._stride)
        total = sum(near.values()) or 1.0
        self._weights = {term: weight / total for term, weight in near.items()}

    def context(self, before: str, after: str, coverage: float) -> float:
        """How far the text around a candidate is that around a slot, 0 to 1, more where its sentence covers more."""
        if not self._around:
            return 0.0
        left, right = self._language.around(before, after)
        most = max(_common(own[0], left) + _common(own[1], right) for own in self._around)
        return most / (2 * self._language.tools.reach) * (_LEAST + (1 - _LEAST) * coverage)

    def proximity(self, start: int, end: int, places: Mapping[str, Sequence[tuple[int, int]]]) -> float:
        """How near a candidate the question's terms stand, those near the slot above all, 0 to 1."""
        total = 0.0
        for term, where in places.items():
            if term in self._weights:
                gap = min(distance(place, (start, end)) for place in where)
                total += self._weights[term] / math.log2(2 + gap / self._stride)
        return total


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How many characters lie between two stretches, 0 where they touch or overlap."""
    return max(0, one[0] - other[1], other[0] - one[1])


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many of the first members are the same."""
    alike = [one == other for one, other in zip(first, second, strict=False)]
    return alike.index(False) if False in alike else len(alike)
