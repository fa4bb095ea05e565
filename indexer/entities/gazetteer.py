"""The class that a word for a kind of thing belongs to: a glossary's kinds, and what a question asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.text import NameFinder
from indexer.entities import Kind, Mention, Recogniser
from indexer.files.lists import read_word_list

# The class that a word for a kind of thing belongs to: a glossary's kinds, and what a question asks for.

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
    for line in read_word_list(__package__, "kinds.tsv"):
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
    """Kind of entity for a glossary's kinds (from narrow to wide): events are periods; None if none is known."""
    if any(_PERIOD.search(kind.strip().casefold()) for kind in kinds):
        return "period"
    found = next(filter(None, map(class_of, kinds)), "")
    return _KIND_OF_CLASS.get(found, "other") if kinds else None


# A recogniser with a user's glossary: aliases fold to their term, kinds override cues, years date the names.


class _Known(NamedTuple):
    """A glossary's data by key: an alias's term, kinds, and first and last years."""

    aliases: Mapping[str, str]
    kinds: Mapping[str, Kind]
    years: Mapping[str, tuple[int, int]]


def with_glossary(plain: Recogniser, glossary: Glossary, *, whole_words: bool) -> Recogniser:
    """A recogniser that also knows what a glossary says of names; without entries the recogniser itself.

    With `whole_words` the glossary's names are looked for, as words: capitals do not show all of them. A language
    without blanks between words finds them by itself.
    """
    return _GlossaryNames(plain, glossary, whole_words) if glossary.entries else plain


class _GlossaryNames:
    """The mentions of another recogniser with what a glossary says of them."""

    def __init__(self, plain: Recogniser, glossary: Glossary, whole_words: bool) -> None:
        self._plain = plain
        self._entries_by_key = _entries_by_key(plain, glossary)
        self._finder = NameFinder(glossary.names() if whole_words else ())
        self._capital = {name.lower() for name in glossary.names() if name[:1].isupper()}

    def key(self, surface: str) -> str:
        key = self._plain.key(surface)
        return self._entries_by_key.aliases.get(key, key)

    def mentions(self, sentence: str) -> list[Mention]:
        found = self._plain.mentions(sentence)
        if self._finder:
            # Names as found, and in the place of shorter ones those listed; dates stay, and so does what holds
            # a listed name within it.
            gazetteer_names = list(self._gazetteer_mentions(sentence))
            taken: list[Mention] = []
            for name in gazetteer_names:
                across = [m for m in found if m.overlaps(name)]
                if not any(m.span or (m.end - m.start) >= (name.end - name.start) for m in across):
                    taken.append(name)
            kept = [m for m in found if not m.overlaps_any(taken)]
            found = sorted([*kept, *taken])
        return [self._with_entry(mention) for mention in found]

    def parts(self, key: str) -> list[str]:
        return [self._entries_by_key.aliases.get(part, part) for part in self._plain.parts(key)]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        return self._entries_by_key.kinds.get(mention.key) or self._plain.cue(sentence, mention)

    def _with_entry(self, mention: Mention) -> Mention:
        """The mention with its glossary entry's key and years; dates stay unchanged."""
        if mention.span:
            return mention
        key = self._entries_by_key.aliases.get(mention.key, mention.key)
        return mention._replace(key=key, years=self._entries_by_key.years.get(key))

    def _gazetteer_mentions(self, sentence: str) -> Iterator[Mention]:
        """The glossary's names that occur in a sentence as whole words, with a capital where the glossary has one."""
        for start, end in self._finder.whole(sentence):
            surface = sentence[start:end]
            if surface[0].isupper() or surface.lower() not in self._capital:
                yield Mention(start, end, surface, self._plain.key(surface))


def _entries_by_key(plain: Recogniser, glossary: Glossary) -> _Known:
    """Merges a glossary's entries by key: entries of one term keep the kind and years in which they agree; an alias
    counts if it leads to one term and is not a term itself."""
    terms = Glossary(tuple(entry._replace(aliases=()) for entry in glossary.entries)).by_name()
    entries: dict[str, list[Entry]] = defaultdict(list)
    key_of: dict[str, str] = {}
    for form, own in terms.items():
        entries[plain.key(form)] += own
        key_of.update((entry.term, plain.key(form)) for entry in own)
    leads: dict[str, set[str]] = defaultdict(set)
    for form, own in glossary.by_name().items():
        if form not in terms and len(form) > 1:
            leads[plain.key(form)].update(key_of[entry.term] for entry in own)
    aliases = {alias: next(iter(to)) for alias, to in leads.items() if len(to) == 1 and alias not in entries}
    kinds = {key: {kind for each in own if (kind := name_kind(each.kinds))} for key, own in entries.items()}
    years = {key: {span for each in own if (span := _span(each))} for key, own in entries.items()}
    return _Known(
        aliases,
        {key: next(iter(found)) for key, found in kinds.items() if len(found) == 1},
        {key: next(iter(found)) for key, found in years.items() if len(found) == 1},
    )


def _span(entry: Entry) -> tuple[int, int] | None:
    """First and last year of an entry: an event with its first year alone or both, all else with both.

    What began and is not said to have ended (a country, an institution) may be spoken of in any later year.
    """
    is_event = any(class_of(kind) == "event" for kind in entry.kinds)
    if not entry.start or not (entry.end or is_event):
        return None
    last = entry.end.last if entry.end else entry.start.last
    return (entry.start.first, last) if entry.start.first <= last else (entry.start.first, entry.start.last)
