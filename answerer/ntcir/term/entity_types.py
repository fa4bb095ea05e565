"""Spans of sentences that may be answers, and the entity types of names: from a glossary, else by rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from indexer.analysis.glossary import Entry
from indexer.entities.gazetteer import class_of

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


# The classes; "time" and "number" are recognised by form and not learned.
CLASSES = tuple("person country city region nature building organisation event people work thought thing".split())
PLACES = frozenset(("country", "city", "region", "nature", "building"))
OTHERS = frozenset(CLASSES) - PLACES - {"person"}
ASKED = {"term_person": frozenset(("person",)), "term_location": PLACES, "term_time": frozenset(("time",))}

_BY_SPEECH: Mapping[str, Mapping[str, float]] = {
    "人名": {"person": 0.9},
    "姓": {"person": 0.9},
    "名": {"person": 0.9},
    "地域": {"country": 0.3, "city": 0.3, "region": 0.2, "nature": 0.1},
    "国": {"country": 0.9},
    "組織": {"organisation": 0.8},
    "proper": {
        "person": 0.35,
        "country": 0.1,
        "city": 0.1,
        "region": 0.1,
        "nature": 0.05,
        "people": 0.12,
        "event": 0.06,
    },
}


def class_shares(entries: Sequence[Entry], speech: str) -> Mapping[str, float]:
    """The probability of each entity class of a name, summing to 1: from its glossary entries with a class, each of
    which counts once, else from `speech`, the part of speech of its last word."""
    kinds = (next(filter(None, map(class_of, entry.kinds)), "") for entry in entries)
    counts = Counter(filter(None, kinds))
    if counts:
        return {label: count / counts.total() for label, count in counts.items()}
    shares = _BY_SPEECH.get(speech, {})
    rest = (1 - sum(shares.values())) / (len(CLASSES) - len(shares))
    return {label: shares.get(label, rest) for label in CLASSES}


# The classes of which a name may be, by its kind (of indexer.entities; "year" does not belong to any).
OF_KIND: Mapping[str, frozenset[str]] = {
    "person": frozenset(("person",)),
    "place": PLACES,
    "people": frozenset(("people",)),
    "period": frozenset(("event", "country", "thought")),
    "other": OTHERS,
}
