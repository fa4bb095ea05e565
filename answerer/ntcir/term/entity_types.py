"""Spans of sentences that may be answers, and entity types: learned from a glossary's kinds, with
rules."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, partial
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
    """A candidate answer in its sentence, at `sentence[start:end]`; `text` is the answer as written
    into a sheet.

    `speech` is the part of speech of its last word ("" if unknown). `whole` is the number of its
    ends (0–2) that are also ends of the run of nouns around it; `hint` the entity type that
    neighbouring words suggest; `key` a common key of its spellings ("" for the text itself).
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
CLASSES = tuple(
    "person country city region nature building organisation event people work thought "
    "thing".split()
)
PLACES = frozenset(("country", "city", "region", "nature", "building"))
OTHERS = frozenset(CLASSES) - PLACES - {"person"}
ASKED = {
    "term_person": frozenset(("person",)),
    "term_location": PLACES,
    "term_time": frozenset(("time",)),
}

_SCRIPTS = (
    ("K", "ァヺ"),
    ("K", "ーー"),
    ("h", "ぁん"),
    ("9", "09"),
    ("A", "AZ"),
    ("a", "az"),
    ("C", "一鿿"),
)
_TEMPER, _BACK_OFF = (
    0.5,
    5.0,
)  # the features of a name overlap: full factors would be too sure of themselves
_FEW = 300  # names of a glossary that counts as much as the part of speech
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


def _features(name: str, speech: str) -> list[str]:
    """Features of a name: its last one, two and three characters ("short" up to three), its first,
    sequence of scripts (ルイ14世: K9C), length (at most 9) and part of speech `speech`."""
    letters = [
        next((letter for letter, ends in _SCRIPTS if ends[0] <= character <= ends[1]), character)
        for character in name
    ]
    script = "".join(
        letter
        for position, letter in enumerate(letters)
        if position == 0 or letters[position - 1] != letter
    )
    return [
        f"last {name[-1:]}",
        f"last two {name[-2:]}",
        f"last three {name[-3:]}" if len(name) > 3 else "short",
        f"first {name[:1]}",
        f"script {script}",
        f"length {min(len(name), 9)}",
        f"speech {speech}",
    ]


class KindModel:
    """Estimates the probability of each entity class for a name: from its glossary entry, else by
    naive Bayes.

    Naive Bayes is learned from all glossary names with a class: P(class) Π P(feature | class), each
    factor tempered. Without a glossary the part of speech alone decides.
    """

    def __init__(
        self, entries: Mapping[str, Sequence[Entry]], speech_of: Mapping[str, str]
    ) -> None:
        """`entries` maps a glossary name to its entries, `speech_of` to the part of speech of its
        last word."""
        self._known: dict[str, dict[str, float]] = {}
        self._counts: dict[str, defaultdict[str, float]] = {
            name: defaultdict(float) for name in CLASSES
        }
        self._totals = dict.fromkeys(CLASSES, 0.0)
        for name, listed in entries.items():
            # Each entry's class counts once; an entry without a class says nothing.
            kinds = (next(filter(None, map(class_of, entry.kinds)), "") for entry in listed)
            counts = Counter(filter(None, kinds))
            self._known[name] = {label: count / counts.total() for label, count in counts.items()}
            for label, share in self._known[name].items():
                self._totals[label] += share
                for feature in _features(name, speech_of.get(name, "")):
                    self._counts[label][feature] += share
        self._learned = cache(partial(_class_shares, self._counts, self._totals))

    def classes(self, name: str, speech: str) -> Mapping[str, float]:
        """The probability of each entity class of a name, summing to 1, of a glossary name only
        those of its entries; `speech` is the part of speech of its last word."""
        return self._known.get(name) or self._learned(name, speech)


def _class_shares(
    counts: Mapping[str, Mapping[str, float]], totals: Mapping[str, float], name: str, speech: str
) -> Mapping[str, float]:
    """Class → probability of a name, naive Bayes over its features with the part of speech as
    prior; without any counts by the part of speech alone. `counts` are class → feature → names,
    `totals` class → names."""
    hinted = _BY_SPEECH.get(speech, {})
    rest = (1 - sum(hinted.values())) / (len(CLASSES) - len(hinted))
    by_speech = {label: hinted.get(label, rest) for label in CLASSES}
    size = sum(totals.values())
    if not size:
        return by_speech
    unsure = _FEW / (_FEW + size)
    scores = {
        label: math.log((totals[label] + 1) / (size + len(CLASSES)))
        + unsure * math.log(by_speech[label])
        for label in CLASSES
    }
    for feature in _features(name, speech):
        share = sum(features.get(feature, 0.0) for features in counts.values()) / size
        if not share:
            continue
        for label, features in counts.items():
            scores[label] += _TEMPER * math.log(
                (features.get(feature, 0.0) / share + _BACK_OFF) / (totals[label] + _BACK_OFF)
            )
    highest = max(scores.values())
    weights = {label: math.exp(score - highest) for label, score in scores.items()}
    total = sum(weights.values())
    return {label: weight / total for label, weight in weights.items()}


# The classes of which a name may be, by its kind (of indexer.entities; "year" does not belong to
# any).
OF_KIND: Mapping[str, frozenset[str]] = {
    "person": frozenset(("person",)),
    "place": PLACES,
    "people": frozenset(("people",)),
    "period": frozenset(("event", "country", "thought")),
    "other": OTHERS,
}
