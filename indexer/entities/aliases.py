"""Aliases, keys that name the same thing: a surname alone is the full name where only one full name ends with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from indexer.entities import Kind, Recogniser
from indexer.entities.english import directions, singular

NO_REDIRECTS: Mapping[str, str] = {}
_NOTE = re.compile(r"\s?[(（][^()（）]*[)）]\Z")
_NO_FIRST_WORDS = frozenset("new old great north south east west central saudi upper lower los san".split())
_RARER = 12  # a full name is at most this many times rarer than its part
_OFTEN = 8  # mentions from which a name with a direction (southern Italy) is a separate one
_SHARE = 0.5  # of the cues of a name must agree, else its kind is "other"


def aliases(counts: Mapping[str, int], kinds: Mapping[str, Kind], recogniser: Recogniser) -> dict[str, str]:
    """Maps each key that is a part of exactly one person's longer key to that key; a plural's singular; and for
    a rare name with a direction before it the name without."""
    whole: dict[str, set[str]] = {}
    for key in sorted(counts):
        for part in recogniser.parts(key):
            if part in counts and part != key and " " in key:
                whole.setdefault(part, set()).add(key)
    found = {}
    for part, longer in sorted(whole.items()):
        if len(longer) > 1:
            continue
        (name,) = longer
        words, kind, kind_of_part = name.split(), kinds.get(name), kinds.get(part)
        # a name of several words, one of which may mean it: a person's, and no Old Delhi or Philip of Spain
        is_person = kind in ("person", None, "other") and kind_of_part not in ("place", "people", "period", "year")
        is_person = is_person and words[0] not in _NO_FIRST_WORDS and "of" not in words
        if is_person and counts[name] * _RARER >= counts[part]:
            found[part] = name
    compass = directions()
    for key in sorted(counts):
        direction, _, rest = key.partition(" ")
        if direction in compass and counts[key] < _OFTEN and rest in counts:
            found[key] = rest
        elif singular(key) in counts:
            found[key] = singular(key)
    return {part: _last(part, found) for part in found}


def redirect_keys(titles: Iterable[tuple[str, str]], recogniser: Recogniser) -> dict[str, str]:
    """The keys of a wiki's titles that lead to others, each with that of its target; notes in brackets are cut off."""
    found: dict[str, str] = {}
    for title, target in titles:
        alias, name = (recogniser.key(_NOTE.sub("", each)) for each in (title, target))
        if alias and name and alias != name:
            found.setdefault(alias, name)
    return found


def with_redirects(
    found: Mapping[str, str], redirects: Mapping[str, str], counts: Mapping[str, int], kinds: Mapping[str, Kind]
) -> dict[str, str]:
    """Aliases and those of redirects to names that are counted.

    A name that occurs in the book itself keeps the alias it has, and is not an alias where its kind is another than its
    target's: a battle that leads to its general is not the general.
    """
    merged = dict(found)
    for alias, name in redirects.items():
        target = found.get(name, name)
        told = {kinds.get(key, "other") for key in (alias, target) if key in counts} - {"other"}
        if target in counts and alias not in found and alias != target and len(told) < 2:
            merged[alias] = target
    return {alias: _last(alias, merged) for alias in merged}


def _last(part: str, found: Mapping[str, str]) -> str:
    """The last name of the chain of aliases that begins at `part`; chains in a circle end."""
    seen = {part}
    while part in found and found[part] not in seen:
        part = found[part]
        seen.add(part)
    return part


def kinds_of(cues: Mapping[str, Counter[Kind]]) -> dict[str, Kind]:
    """The kind of each key: the cue that most of its mentions gave, "other" where the cues disagree.

    "other" itself is a cue against persons only (the Sahara ruled nobody).
    """
    found: dict[str, Kind] = {}
    for key, votes in cues.items():
        told = Counter({kind: number for kind, number in votes.items() if kind != "other"})
        nothing: tuple[Kind, int] = ("other", 0)
        kind, number = min(told.items(), key=lambda vote: (-vote[1], vote[0]), default=nothing)
        against = votes["other"] if kind == "person" else 0
        found[key] = kind if number >= max(_SHARE * told.total(), against) else "other"
    return found
