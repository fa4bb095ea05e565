"""One name of a sentence exchanged for another that makes the sentence false: far, near, section and any swaps."""

from __future__ import annotations

import bisect
import math
import random
from collections import defaultdict
from functools import cache
from typing import Literal, NamedTuple

from evaluation.pseudo_exam.book import Book, Name, Sentence
from evaluation.pseudo_exam.wording import Swap, agrees, replaced, shape_of_date
from indexer.entities import Kind, Mention
from indexer.languages.language import Language

BAND = math.log(4)  # a swap is at most four times rarer or more frequent than the name it replaces
_TOLERANCE = 0.2  # how near (in log frequency) a name must stand to the frequency drawn
_ROUNDING = 1e-9
_TRIES = 12
SWAPPED_KINDS: tuple[Kind, ...] = ("person", "place", "people", "period", "year")


class _Form(NamedTuple):
    """A name as it can be put into a sentence: its kind, the shape of its surface, the surface."""

    log_frequency: float
    name: Name
    surface: str


Reach = Literal["far", "near", "section", "any"]


class Swapper:
    """Draws swaps from one book, for all but `far` from around the sentence and without the truth rule.

    `any` takes names of every kind and frequency, also those that stand nowhere else in the book.
    """

    def __init__(self, book: Book, reach: Reach) -> None:
        self._book = book
        self._reach = reach
        self._kinds = (*SWAPPED_KINDS, "other") if reach == "any" else SWAPPED_KINDS
        minimum = 1 if reach == "any" else 2
        self._around = cache(self._standing)
        self._forms: dict[tuple[Kind, str], list[_Form]] = defaultdict(list)
        for key in sorted(book.names):
            name = book.names[key]
            if name.kind in self._kinds and name.frequency >= minimum:
                for shape, surface in _surfaces(name, book.language):
                    form = _Form(math.log(name.frequency), name, surface)
                    self._forms[name.kind, shape].append(form)
        for forms in self._forms.values():
            forms.sort(key=lambda form: (form.log_frequency, form.surface))

    def swappable(self, sentence: Sentence) -> list[Mention]:
        """The mentions that a swap may replace: of a known kind, once in the sentence, found elsewhere too.

        For `any` they may be of any kind and stand nowhere else.
        """
        keys = [mention.key for mention in sentence.mentions]
        once = [mention for mention in sentence.mentions if keys.count(mention.key) == 1]
        return [m for m in once if self._reach == "any" or self._frequency(m) > 0]

    def swap(self, sentence: Sentence, rng: random.Random, mention: Mention | None = None) -> Swap | None:
        """The sentence with one name (a given one, else one drawn) replaced, None where no other name fits."""
        slots = [mention] if mention else self.swappable(sentence)
        rng.shuffle(slots)
        for slot in slots:
            form = self._draw(sentence, slot, rng)
            if form:
                return replaced(sentence.text, slot.start, slot.end, form.surface, self._book.names[slot.key].kind)
        return None

    def _frequency(self, mention: Mention) -> int:
        """How many other sentences hold the name; 0 for names of a kind that is not swapped."""
        name = self._book.names[mention.key]
        return name.frequency - 1 if name.kind in SWAPPED_KINDS else 0

    def _draw(self, sentence: Sentence, slot: Mention, rng: random.Random) -> _Form | None:
        name = self._book.names[slot.key]
        forms = self._candidates(sentence.paragraph, name.kind, shape_of(name, slot.surface, self._book.language))
        if self._reach == "any":
            fit = [form for form in forms if self._fits(sentence, slot, form)]
            return rng.choice(fit) if fit else None
        own = math.log(self._frequency(slot))
        forms = _within(forms, math.log(name.frequency) - BAND, own + BAND)
        for _ in range(_TRIES):
            offset = rng.uniform(-BAND, BAND)
            there, back = (_within(forms, own + o - _TOLERANCE, own + o + _TOLERANCE) for o in (offset, -offset))
            if there and back:
                form = rng.choice(there)
                if self._fits(sentence, slot, form):
                    return form
        return None

    def _fits(self, sentence: Sentence, slot: Mention, form: _Form) -> bool:
        return agrees(sentence.text, slot.start, form.surface) and self._is_false(sentence, slot, form.name)

    def _candidates(self, paragraph: int, kind: Kind, shape: str) -> list[_Form]:
        """The names of a kind and shape, for all but far swaps those around the paragraph only."""
        if self._reach == "far":
            return self._forms.get((kind, shape), [])
        return self._around(
            (self._book.sections if self._reach == "section" else self._book.chapters)[paragraph], kind, shape
        )

    def _standing(self, span: tuple[int, int], kind: Kind, shape: str) -> list[_Form]:
        """The names of a kind and shape that stand from one paragraph to another."""
        keys = frozenset().union(*self._book.keys_of_paragraph[span[0] : span[1] + 1])
        return [form for form in self._forms.get((kind, shape), []) if form.name.key in keys]

    def _is_false(self, sentence: Sentence, slot: Mention, name: Name) -> bool:
        others = sentence.keys - {slot.key}
        if name.key in sentence.keys or any(_overlap(name.key, key) for key in sentence.keys):
            return False
        if self._reach != "far":
            return True
        holders = self._book.holders
        return not holders[name.key].intersection(*(holders[key] for key in others))


def _within(forms: list[_Form], low: float, high: float) -> list[_Form]:
    """The forms with a log frequency from low to high."""
    first = bisect.bisect_left(forms, low - _ROUNDING, key=lambda form: form.log_frequency)
    last = bisect.bisect_right(forms, high + _ROUNDING, key=lambda form: form.log_frequency)
    return forms[first:last]


def _overlap(left: str, right: str) -> bool:
    """Whether one key is a part of the other, so that they may name the same thing."""
    if left.startswith("y:") or right.startswith("y:"):
        return False
    a, b = set(left.split()), set(right.split())
    return a <= b or b <= a or (not left.isascii() and (left in right or right in left))


def _surfaces(name: Name, language: Language) -> list[tuple[str, str]]:
    """The most frequent surface of each shape that a name has."""
    surface_of: dict[str, str] = {}
    for surface, _ in name.forms:
        surface_of.setdefault(shape_of(name, surface, language), surface)
    return sorted(surface_of.items())


def shape_of(name: Name, surface: str, language: Language) -> str:
    """What must be alike for one surface to stand in the other's place: a date's width, plural, adjective, one sign."""
    if name.kind == "year":
        return shape_of_date(name.key, surface, language)
    if not surface.isascii():
        if len(surface) == 1:
            return "short"
        return surface[-1] if name.kind == "people" and surface[-1] in "人族" else ""
    if name.kind == "people":
        return "plural" if surface.endswith("s") else "plain" if name.key == surface.lower() else "adjective"
    return ""
