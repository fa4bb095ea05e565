"""Entity types of names and answer types of questions: learned from a glossary's kinds, with rules."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping

from indexer.analysis.glossary import Glossary
from indexer.entities.gazetteer import class_of

# The classes; "time" and "number" are recognised by form and not learned.
CLASSES = (
    "person",
    "country",
    "city",
    "region",
    "nature",
    "building",
    "organisation",
    "event",
    "people",
    "work",
    "thought",
    "thing",
)
PLACES = frozenset(("country", "city", "region", "nature", "building"))
OTHERS = frozenset(CLASSES) - PLACES - {"person"}
ASKED = {"term_person": frozenset(("person",)), "term_location": PLACES, "term_time": frozenset(("time",))}


_SCRIPTS = (
    ("K", "ァ", "ヺ"),
    ("K", "ー", "ー"),
    ("h", "ぁ", "ん"),
    ("9", "0", "9"),
    ("A", "A", "Z"),
    ("a", "a", "z"),
    ("C", "一", "鿿"),
)
_TEMPER, _BACK_OFF = 0.5, 5.0  # the features of a name overlap: full factors would be too sure of themselves
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
    """The features of a name for naive Bayes: its ends, its length, the part of speech of its last word, and its
    sequence of scripts, each run as one letter (ルイ14世: K9C).
    """
    letters = [next((letter for letter, low, high in _SCRIPTS if low <= one <= high), one) for one in name]
    script = "".join(letter for place, letter in enumerate(letters) if place == 0 or letters[place - 1] != letter)
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
    """Estimates the probability of each entity class for a name: from its glossary entry, else by naive Bayes.

    Naive Bayes is learned from all glossary names with a class: P(class) Π P(feature | class), each factor tempered.
    Without a glossary the part of speech alone decides.
    """

    def __init__(self, glossary: Glossary, speech_of: Mapping[str, str]) -> None:
        """`speech_of` maps a glossary name to the part of speech of its last word, if known."""
        self._known: dict[str, dict[str, float]] = {}
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
        self._totals: Counter[str] = Counter()
        for name, entries in glossary.by_name().items():
            # Each entry's class counts once; an entry without a class says nothing.
            kinds = (next(filter(None, map(class_of, entry.kinds)), "") for entry in entries)
            counts = Counter(filter(None, kinds))
            self._known[name] = {label: count / counts.total() for label, count in counts.items()}
            for label, share in self._known[name].items():
                self._totals[label] += share  # type: ignore[assignment]
                for feature in _features(name, speech_of.get(name, "")):
                    self._counts[label][feature] += share  # type: ignore[assignment]
        self._size = sum(self._totals.values())
        self._everywhere = sum(self._counts.values(), Counter())
        self._learned: dict[tuple[str, str], Mapping[str, float]] = {}
        self._factors: dict[str, tuple[float, ...]] = {}

    def classes(self, name: str, speech: str, hints: Mapping[str, int] | None = None) -> Mapping[str, float]:
        """The probability of each entity class of a name, summing to 1.

        `speech` is the part of speech of its last word; `hints` counts the types (person, place) suggested by
        neighbouring words, ignored for glossary names with a class.
        """
        if known := self._known.get(name):
            return known
        if (name, speech) not in self._learned:
            self._learned[name, speech] = self._learn_shares(name, speech)
        shares = self._learned[name, speech]
        if not hints:
            return shares
        weights = dict(shares)
        for hint, count in sorted(hints.items()):  # each counts less and less the more there are
            for label in _HINTED.get(hint, ()):
                weights[label] = weights.get(label, 0.0) * _HINT ** math.sqrt(count)
        total = sum(weights.values())
        return {label: weight / total for label, weight in weights.items()}

    def _learn_shares(self, name: str, speech: str) -> Mapping[str, float]:
        """The probability of each class from the part of speech and, if there is a glossary, the naive Bayes model."""
        hinted = _BY_SPEECH.get(speech, {})
        rest = (1 - sum(hinted.values())) / (len(CLASSES) - len(hinted))
        by_speech = {label: hinted.get(label, rest) for label in CLASSES}
        if not self._size:
            return by_speech
        unsure = _FEW / (_FEW + self._size)
        scores = [
            math.log((self._totals[label] + 1) / (self._size + len(CLASSES))) + unsure * math.log(by_speech[label])
            for label in CLASSES
        ]
        for feature in _features(name, speech):
            for place, factor in enumerate(self._learn_factors(feature)):
                scores[place] += factor
        highest = max(scores)
        weights = [math.exp(score - highest) for score in scores]
        total = sum(weights)
        return {label: weight / total for label, weight in zip(CLASSES, weights, strict=True)}

    def _learn_factors(self, feature: str) -> tuple[float, ...]:
        """The log-probability terms of a feature, one per class in order; 0 for a feature that no glossary name has."""
        if feature not in self._factors:
            share = self._everywhere[feature] / self._size
            self._factors[feature] = tuple(
                _TEMPER * math.log((counts[feature] / share + _BACK_OFF) / (self._totals[label] + _BACK_OFF))
                if share
                else 0.0
                for label, counts in self._counts.items()
            )
        return self._factors[feature]


_HINT = 4.0  # how much likelier one hint makes its classes
_HINTED = {
    "person": frozenset(("person",)),
    "place": PLACES,
    "people": frozenset(("people",)),
    "period": frozenset(("event", "country", "thought")),
}
_OF_KIND: Mapping[str, frozenset[str]] = {**_HINTED, "other": OTHERS}


def is_of(kind: str, classes: Collection[str]) -> bool:
    """True if a name of that kind (of indexer.entities; "year" does not belong to any) may be of one of the classes."""
    return not _OF_KIND.get(kind, frozenset()).isdisjoint(classes)
