"""Where in the question the words stand that a derivation rests on, and how much of a cell they are."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.datasearch.derive.filters import Filter
from answerer.datasearch.derive.match import Match
from answerer.datasearch.question.read import ORDERS, is_stop

Features = list[tuple[str, float]]

_NEAR = 2
"""How many words after a word of order still follow it."""
_LAST = 3
"""The words that are the end of a question."""


def filter_closeness(match: Match, chosen: Filter) -> Features:
    """Features of the words on which a filter rests; none where it rests on no word.

    Words that name the kind of thing asked for ("which building …") stand in descriptions by chance; so do words
    that are scattered over the question, or a small part of the cell that holds them.
    """
    places = _places(match, chosen.mask)
    if not places:
        return []
    question = match.question
    found = {question.words[place] for place in places}
    focus = set(question.focus)
    features: Features = [
        ("filter of focus alone", float(found <= focus)),
        ("filter of focus too", float(bool(found & focus) and not found <= focus)),
        ("filter run", _longest_run(places) / len(places)),
    ]
    shares = _cell_shares(match, chosen)
    if shares:
        most, one = max(shares), float(len(found) == 1)
        features += [("filter cell share", most), ("filter cell share, least", min(shares))]
        features += [(f"filter {chosen.kind} cell share", most)]
        features += [("filter of one word", one), ("filter of one word, cell share", one * most)]
    orders = [place for trigger, place in question.places if trigger in ORDERS]
    if orders:
        follows = float(any(0 < place - order <= _NEAR for place in places for order in orders))
        features += [("filter follows order", follows), (f"filter {chosen.kind} follows order", follows)]
    return features


def neighbour_closeness(match: Match, operator: str, mask: int) -> Features:
    """Whether what has a neighbour is named after or before each word for neighbours: "the one after X" asks for the
    next row, "X was drafted after whom" for the previous one."""
    places = _places(match, mask)
    features: Features = []
    if operator not in ("next", "previous") or not places:
        return features
    for trigger, at in match.question.places:
        if trigger not in ORDERS:
            nearest = min(places, key=lambda place: abs(place - at))
            features.append((f"op {operator}, named {'after' if nearest > at else 'before'} {trigger}", 1.0))
            if at >= len(match.question.words) - _LAST:
                features.append((f"op {operator}, {trigger} at the end", 1.0))
    return features


def _places(match: Match, mask: int) -> list[int]:
    """The numbers of the question's words that a mask has."""
    named = {word for number, word in enumerate(match.question.content) if mask >> number & 1}
    return [place for place, word in enumerate(match.question.words) if word in named]


def _longest_run(places: Sequence[int]) -> int:
    best = run = 0
    for before, place in zip((-2, *places), places, strict=False):
        run = run + 1 if place == before + 1 else 1
        best = max(best, run)
    return best


def _cell_shares(match: Match, chosen: Filter) -> list[float]:
    """Of each cell of the filter's first row that holds its words the part of the cell that they are."""
    shares = []
    row = chosen.rows[0]
    for column in sorted(chosen.columns):
        held = match.cell_masks.get((row, column), 0) & chosen.mask
        if held:
            telling = {word for word in match.view.joined.get((row, column), "").split() if not is_stop(word)}
            shares.append(min(1.0, held.bit_count() / max(1, len(telling))))
    return shares
