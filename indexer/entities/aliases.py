"""Names of a whole corpus: which keys are names, of which kind, and which are aliases that name the
same thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from indexer.entities import Kind
from indexer.entities.english import DIRECTIONS, singular

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser, Recogniser

NO_REDIRECTS: Mapping[str, str] = {}
_NOTE = re.compile(r"\s?[(（][^()（）]*[)）]\Z")
_NO_FIRST_WORDS = frozenset(
    "new old great north south east west central saudi upper lower los san".split()
)
_RARER = 12  # a full name is at most this many times rarer than its part
_OFTEN = 8  # mentions from which a name with a direction (southern Italy) is a separate one
_COMMON = 0.1  # share of a word's sentences that have it as a name: up to this it is not a name
_SHARE = 0.5  # of the cues of a name must agree, else its kind is "other"


def names_of(
    mentions: Mapping[str, int],
    sure: Mapping[str, int],
    cues: Mapping[tuple[str, Kind], int],
    words: Mapping[str, int],
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> tuple[dict[str, str], dict[str, Kind], dict[str, str]]:
    """Selects the named entities of a textbook from its counts. Returns three dicts: the key that
    each name counts under, the kinds of keys, and alias keys, also without mentions, to keys.

    The counts: `mentions` of each key, those that are surely names (not only by a sentence's
    capital letter), mentions for which a kind was suggested by (key, kind), and sentences that
    contain each term (`words`). A key counts if it is in the glossary or more often surely a name
    than a tenth (`_COMMON`) of the sentences that contain it as a word (0 for a date or several
    words). Its kind, if any was suggested, is the one suggested most often, ties by name, "other"
    if fewer than half of the suggestions agree; "other" itself counts only against persons (the
    Sahara ruled nobody). `redirects` maps alias keys to keys.
    """
    glossary_keys = {mention.key for name in glossary for mention in recogniser.mentions(name)}
    counts = {}
    for key, often in mentions.items():
        # names of several words and dates are not words of lower case elsewhere
        terms = [] if " " in key or key.startswith("y:") else analysis.terms(key)
        as_word = words.get(terms[0], 0) if len(terms) == 1 else 0
        if key in glossary_keys or sure.get(key, 0) > _COMMON * as_word:
            counts[key] = often
    suggested: dict[
        str, Counter[Kind]
    ] = {}  # how often each kind was suggested for a name, where any was
    for (key, kind), often in cues.items():
        if key in counts:
            suggested.setdefault(key, Counter())[kind] = often
    kinds: dict[str, Kind] = {}
    for key, votes in suggested.items():
        others = votes.pop("other", 0)
        kind = min(votes, key=lambda vote: (-votes[vote], vote), default="other")
        needed = max(_SHARE * votes.total(), others if kind == "person" else 0)
        kinds[key] = kind if votes[kind] >= needed else "other"
    full = aliases(counts, kinds, recogniser, redirects)
    return {key: full.get(key, key) for key in counts}, kinds, full


def aliases(
    counts: Mapping[str, int],
    kinds: Mapping[str, Kind],
    recogniser: Recogniser,
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> dict[str, str]:
    """Maps alias keys to full keys: a part (surname) of exactly one longer key, words with blanks
    between them, that is at most 12 times rarer, if neither is known to be other than a person and
    the longer has no "of" and no first word such as Old; a plural (to its singular), a name of
    fewer than 8 mentions with a direction before it (to the name without; this and the singular go
    before the longer key), and redirects to a name with mentions. Chains are followed to their end.

    `counts` maps each key to its number of mentions. A redirect does not replace another alias, and
    is left out if both names have mentions and different kinds: a battle that redirects to its
    general is not the general.
    """
    whole: dict[str, set[str]] = {}
    for key in sorted(counts):
        for part in recogniser.parts(key):
            if part in counts and part != key and " " in key:
                whole.setdefault(part, set()).add(key)
    full = {}
    for part, longer in sorted(whole.items()):
        name = min(longer)
        words, not_persons = (
            name.split(),
            {kinds.get(name), kinds.get(part)} - {"person", None, "other"},
        )
        # a name of several words, one of which may mean it: a person's, and no Old Delhi or Philip
        # of Spain
        is_person = not not_persons and words[0] not in _NO_FIRST_WORDS and "of" not in words
        if len(longer) == 1 and is_person and counts[name] * _RARER >= counts[part]:
            full[part] = name
    for key in sorted(counts):
        direction, _, rest = key.partition(" ")
        if direction in DIRECTIONS and counts[key] < _OFTEN and rest in counts:
            full[key] = rest
        elif singular(key) in counts:
            full[key] = singular(key)
    if redirects:
        full |= _redirect_targets(redirects, full, counts, kinds)
    return {alias: _last(alias, full) for alias in full}


def _redirect_targets(
    redirects: Mapping[str, str],
    full: Mapping[str, str],
    counts: Mapping[str, int],
    kinds: Mapping[str, Kind],
) -> dict[str, str]:
    """Maps the redirects that `aliases` adds to `full` to the full key of their name: those to a
    name with mentions, of no other kind, that `full` does not have."""
    added = {}
    for alias, name in redirects.items():
        target = _last(name, full)
        different = {kinds.get(key, "other") for key in (alias, target) if key in counts} - {
            "other"
        }
        if target in counts and alias not in full and alias != target and len(different) < 2:
            added[alias] = target
    return added


def redirect_keys(titles: Iterable[tuple[str, str]], recogniser: Recogniser) -> dict[str, str]:
    """Maps the key of each wiki title to the key of the title it redirects to; notes in brackets
    are cut off.

    Titles whose keys are empty or equal are left out; of a repeated title the first redirect
    counts.
    """
    keys: dict[str, str] = {}
    for title, target in titles:
        alias, name = (recogniser.key(_NOTE.sub("", text)) for text in (title, target))
        if alias and name and alias != name:
            keys.setdefault(alias, name)
    return keys


def _last(part: str, targets: Mapping[str, str]) -> str:
    """Last key of the chain of aliases that begins at `part`; a circular chain ends before its
    first repeated key."""
    seen = {part}
    while part in targets and targets[part] not in seen:
        part = targets[part]
        seen.add(part)
    return part
