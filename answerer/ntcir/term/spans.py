"""A stretch of a sentence that may be an answer: what every language's finder of candidates yields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

Shape = Literal["name", "noun", "time", "number", "quoted", "years", "period"]
# What a shape answers besides names: 6年 is a year or a count of years, 江戸時代 a time and a name.
ANSWERS: Mapping[Shape, frozenset[str]] = {
    "time": frozenset(("time",)),
    "number": frozenset(("number",)),
    "years": frozenset(("time", "number")),
    "period": frozenset(("time",)),
}
NAMED = frozenset(("name", "noun", "quoted", "period"))


class Span(NamedTuple):
    """A candidate answer in its sentence, at `sentence[start:end]`; `text` is the answer as written into a sheet.

    `speech` is the part of speech of its last word ("" if unknown). `whole` is the number of its ends (0–2) that are
    also ends of the run of nouns around it; `hint` the entity type that neighbouring words suggest; `key` a common key
    of its spellings ("" for the text itself).
    """

    text: str
    start: int
    end: int
    shape: Shape
    speech: str = ""
    whole: int = 2
    hint: str = ""
    key: str = ""


class Finder(Protocol):
    """The interface of every language's candidate finder."""

    def clean(self, text: str) -> str:
        """The text in the form in which spans are cut from it."""

    def spans(self, sentence: str) -> list[Span]:
        """The candidates of a cleaned sentence in order of their place, the longer first at one place."""

    def speech_of(self, names: Iterable[str]) -> Mapping[str, str]:
        """The part of speech of the last word of each name, where the language knows any."""

    def in_apposition(self, before: str, after: str, focus: str) -> bool:
        """True if the focus noun is in apposition to the name between `before` and `after`."""

    def is_said_to_be(self, before: str, after: str, noun: str) -> bool:
        """True if the text around a name makes it a hyponym of the noun."""

    def is_reading(self, before: str, text: str) -> bool:
        """True if a stretch only gives the reading of the word before it."""

    def roles(self, before: str, after: str) -> Sequence[str]:
        """The roles that the words around a candidate give it: glossed, definition."""
