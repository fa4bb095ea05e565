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


def aliases(
    counts: Mapping[str, int],
    kinds: Mapping[str, Kind],
    recogniser: Recogniser,
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> dict[str, str]:
    """Maps alias keys to full keys: a part (surname) of exactly one person's longer key, a plural (to its singular),
    a rare name with a direction before it (to the name without), and redirects to a name with mentions. Chains are
    followed to their end.

    `counts` maps each key to its number of mentions, `kinds` to its kind. A redirect does not replace another alias,
    and is left out if both names have mentions and different kinds: a battle that redirects to its general is not the
    general.
    """
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
    merged = dict(found)
    for alias, name in redirects.items():
        target = _last(name, found)
        different = {kinds.get(key, "other") for key in (alias, target) if key in counts} - {"other"}
        if target in counts and alias not in found and alias != target and len(different) < 2:
            merged[alias] = target
    return {alias: _last(alias, merged) for alias in merged}


def redirect_keys(titles: Iterable[tuple[str, str]], recogniser: Recogniser) -> dict[str, str]:
    """Maps the key of each wiki title to the key of the title it redirects to; notes in brackets are cut off.

    Titles whose keys are empty or equal are left out; of a repeated title the first redirect counts.
    """
    found: dict[str, str] = {}
    for title, target in titles:
        alias, name = (recogniser.key(_NOTE.sub("", each)) for each in (title, target))
        if alias and name and alias != name:
            found.setdefault(alias, name)
    return found


def _last(part: str, found: Mapping[str, str]) -> str:
    """Last key of the chain of aliases that begins at `part`; a circular chain ends before its first repeated key."""
    seen = {part}
    while part in found and found[part] not in seen:
        part = found[part]
        seen.add(part)
    return part


def kinds_of(cues: Mapping[str, Counter[Kind]]) -> dict[str, Kind]:
    """Kind of each key: the kind that most of its mentions' cues indicated, "other" if too few of them agree.

    `cues` maps each key to the number of mentions of each kind. "other" itself counts only against persons (the Sahara
    ruled nobody).
    """
    found: dict[str, Kind] = {}
    for key, votes in cues.items():
        suggested = [(number, kind) for kind, number in votes.items() if kind != "other"]
        nothing: tuple[int, Kind] = (0, "other")
        number, kind = min(suggested, key=lambda vote: (-vote[0], vote[1]), default=nothing)
        needed = max(_SHARE * sum(each for each, _ in suggested), votes["other"] if kind == "person" else 0)
        found[key] = kind if number >= needed else "other"
    return found
