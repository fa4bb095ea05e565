"""The two things between which a question chooses: what matches best before its "or", and what after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from answerer.datasearch.derive.match import Match

_NEXT = 0.8
"""What a word counts beside the one that stands a word nearer to the "or"."""
_LEAST = 0.3


def both_sides(match: Match, masks: Mapping[int, int], weigh: Callable[[int], float]) -> tuple[float, int, int] | None:
    """The best of some things for each side of an "or" with their summed score, the words next to it counting most.

    `masks` are the things with the question's words that each holds, ties to the first; None where the question
    has no "or", where a side matches nothing, and where both match the same thing best.
    """
    halves = match.question.halves
    if not halves:
        return None
    places = {word: place for place, word in enumerate(match.question.content)}
    picked: list[tuple[float, int]] = []
    for half in halves:
        nearness = {1 << places[word]: _NEXT**at for at, word in reversed(list(enumerate(half))) if word in places}
        scores = {
            key: sum(near * weigh(bit) for bit, near in nearness.items() if mask & bit) for key, mask in masks.items()
        }
        best = max(scores, key=lambda key: scores[key], default=None)
        if best is None or scores[best] <= _LEAST:
            return None
        picked.append((scores[best], best))
    (left_score, left), (right_score, right) = picked
    return (left_score + right_score, left, right) if left != right else None
