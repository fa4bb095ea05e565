"""Misspelt words: which word of a table a question's word may be, one letter wrong, left out, added or moved."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 5
"""Letters that a word needs: of shorter ones too many are one letter apart by chance."""


def one_slip_apart(first: str, second: str) -> bool:
    """Whether one letter exchanged, left out or added, or two neighbours changed places, turns one into the other."""
    if len(first) > len(second):
        first, second = second, first
    at = next((place for place, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), None)
    if at is None:
        return len(second) == len(first) + 1
    if len(second) == len(first) + 1:
        return first[at:] == second[at + 1 :]
    if len(first) != len(second):
        return False
    moved = first[at + 1 : at + 2] + first[at] == second[at : at + 2] and first[at + 2 :] == second[at + 2 :]
    return moved or first[at + 1 :] == second[at + 1 :]


def misspelt(word: str, known: Iterable[str]) -> str | None:
    """The known word that a longer word of Latin letters may stand for: with its first letter and one slip apart,
    the first by alphabet of several; None for none."""
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha()):
        return None
    near = (
        other
        for other in known
        if other[0] == word[0] and len(other) >= SHORTEST and abs(len(other) - len(word)) < 2 and other.isalpha()
    )
    return min((other for other in near if one_slip_apart(word, other)), default=None)
