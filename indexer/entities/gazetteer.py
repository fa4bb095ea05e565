"""Gazetteer: a recogniser that knows a user's glossary, and the class that a word for a kind of
thing belongs to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from indexer.analysis.glossary import Entry, Glossary, bare
from indexer.analysis.name_finder import NameFinder
from indexer.analysis.text import read_word_list
from indexer.entities import Kind, Mention

if TYPE_CHECKING:
    from indexer.analysis.analyser import Recogniser

_PERIOD = re.compile(r"(?:時代|年代|王朝|\b(?:period|era|age|dynasty))$")
_KIND_OF_CLASS: dict[str, Kind] = {
    "person": "person",
    **dict.fromkeys(("country", "city", "region", "nature", "building"), "place"),
    "people": "people",
    "event": "period",
}


_ENDINGS: dict[str, list[str]] = defaultdict(list)
for _line in read_word_list(__package__, "kinds.tsv"):
    _name, _words = _line.split("\t")
    # an English word ends at a blank before it; Japanese and Chinese write compounds in one
    _ENDINGS[_name] += [
        rf"\b{word}" if word.isalpha() and word.isascii() else word for word in _words.split()
    ]
# Patterns of the end of a glossary kind or focus noun, by the class, in order of trial.
_PATTERNS = {name: re.compile(rf"(?:{'|'.join(words)})s?$") for name, words in _ENDINGS.items()}


def class_of(kind: str) -> str:
    """The class that a kind's word belongs to by its ending (理論物理学者 → person), "" for
    none."""
    folded = kind.strip().casefold()
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(folded)), "")


def name_kind(kinds: Sequence[str]) -> Kind | None:
    """Kind of entity for a glossary entry's kinds (from narrow to wide): "period" if one is a
    period, era, age or dynasty, else by the first that has a class (an event is a "period" too),
    "other" if none has; None without kinds."""
    if any(_PERIOD.search(kind.strip().casefold()) for kind in kinds):
        return "period"
    entity_class = next(filter(None, map(class_of, kinds)), "")
    return _KIND_OF_CLASS.get(entity_class, "other") if kinds else None


# A recogniser with a user's glossary: aliases fold to their term, kinds override cues, years date
# the names.


class GlossaryNames:
    """Recogniser that adds a glossary to another recogniser: an alias's term as its key, kinds, and
    years.

    Entries of one term keep the kind and years in which they agree; an alias counts if it has two
    characters at least, leads to one term and is not a term itself. With `whole_words` the
    glossary's names are searched for as words, since capitals do not show all of them; recognisers
    of languages without blanks find them themselves.
    """

    def __init__(self, plain: Recogniser, glossary: Glossary, *, whole_words: bool) -> None:
        self._plain = plain
        self._finder = NameFinder(glossary.names() if whole_words else ())
        self._capital = {name.lower() for name in glossary.names() if name[:1].isupper()}
        entries: dict[str, list[Entry]] = defaultdict(list)
        leads: dict[str, set[str]] = defaultdict(set)
        for form, listed in glossary.by_name().items():
            if matches := [entry for entry in listed if bare(entry.term) == form]:
                entries[plain.key(form)] += matches
            elif len(form) > 1:
                leads[plain.key(form)].update(plain.key(bare(entry.term)) for entry in listed)
        self._aliases = {
            alias: next(iter(to))
            for alias, to in leads.items()
            if len(to) == 1 and alias not in entries
        }
        self._entries = entries
        years = {
            key: {span for entry in of_key if (span := _span(entry))}
            for key, of_key in entries.items()
        }
        self._years = {key: next(iter(values)) for key, values in years.items() if len(values) == 1}

    def key(self, surface: str) -> str:
        """The key of a name; of an alias in the glossary that of its term."""
        key = self._plain.key(surface)
        return self._aliases.get(key, key)

    def mentions(self, sentence: str) -> list[Mention]:
        """Mentions of a sentence in order, with the key and years of the glossary; a glossary name
        replaces shorter mentions that it overlaps, and is left out if it overlaps a date or a
        mention as long, or begins small where the glossary writes a capital."""
        mentions = self._plain.mentions(sentence)
        # the glossary's names, with a capital where it has one, take the place of shorter ones;
        # dates stay, and so does what holds a listed name within it
        taken: list[Mention] = []
        for start, end in self._finder.whole(sentence):
            surface = sentence[start:end]
            name = Mention(start, end, surface, self._plain.key(surface))
            if surface[0].isupper() or surface.lower() not in self._capital:
                across = [m for m in mentions if m.start < name.end and name.start < m.end]
                if not any(m.span or m.end - m.start >= end - start for m in across):
                    taken.append(name)
        mentions = sorted([*(m for m in mentions if not m.overlaps_any(taken)), *taken])
        for number, mention in enumerate(mentions):
            if not mention.span:
                key = self._aliases.get(mention.key, mention.key)
                mentions[number] = mention._replace(key=key, years=self._years.get(key))
        return mentions

    def parts(self, key: str) -> list[str]:
        """Keys that may be short for a key; aliases among them as the keys of their terms."""
        return [self._aliases.get(part, part) for part in self._plain.parts(key)]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        """The kind that the glossary gives a mention's name, if it gives just one; else the kind
        that name and sentence indicate."""
        return self._kinds.get(mention.key) or self._plain.cue(sentence, mention)

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        """The kind of each name whose entries agree in one, by the name's key."""
        kinds = {
            key: {kind for entry in of_key if (kind := name_kind(entry.kinds))}
            for key, of_key in self._entries.items()
        }
        return {key: next(iter(values)) for key, values in kinds.items() if len(values) == 1}


def _span(entry: Entry) -> tuple[int, int] | None:
    """First and last year of an entry; None without a first year, and without a last one unless it
    is an event. The first year alone counts if the last is missing or earlier.

    What began and has no known end (a country, an institution) may be mentioned in any later year.
    """
    is_event = any(class_of(kind) == "event" for kind in entry.kinds)
    if not entry.start or not (entry.end or is_event):
        return None
    last = entry.end.last if entry.end else entry.start.last
    return (
        (entry.start.first, last)
        if entry.start.first <= last
        else (entry.start.first, entry.start.last)
    )
