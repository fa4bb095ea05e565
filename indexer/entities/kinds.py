"""The class that a word for a kind of thing belongs to: a glossary's kinds, and what a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from indexer.entities import Kind
from indexer.files.lists import listed

_PERIOD = re.compile(r"(?:時代|年代|王朝|\b(?:period|era|age|dynasty))$")
_KIND_OF_CLASS: dict[str, Kind] = {
    "person": "person",
    **dict.fromkeys(("country", "city", "region", "nature", "building"), "place"),
    "people": "people",
    "event": "period",
}


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Classes and what the words for them end with, in the order of trial: glossary kinds and focus nouns alike."""
    endings: dict[str, list[str]] = {}
    for line in listed(__package__, "kinds.tsv"):
        name, words = line.split("\t")
        endings.setdefault(name, []).extend(
            rf"\b{one}" if one.isalpha() and one.isascii() else one for one in words.split()
        )
    return [(name, re.compile(rf"(?:{'|'.join(words)})s?$")) for name, words in endings.items()]


def class_of(kind: str) -> str:
    """The class that a kind's word belongs to by its ending (理論物理学者 → person), "" for none."""
    kind = kind.strip().casefold()
    return next((name for name, pattern in _patterns() if pattern.search(kind)), "") if kind else ""


def name_kind(kinds: Sequence[str]) -> Kind | None:
    """What names of these kinds (from narrow to wide) are to the counts: events are periods; None for no kind."""
    if any(_PERIOD.search(kind.strip().casefold()) for kind in kinds):
        return "period"
    found = next(filter(None, map(class_of, kinds)), "")
    return _KIND_OF_CLASS.get(found, "other") if kinds else None
