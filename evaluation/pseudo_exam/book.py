"""A textbook as the pseudo-exam needs it: its sentences with the names that stand in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from indexer.analysis import Language, analyser
from indexer.names import Kind, Mention, recogniser
from indexer.names.aliases import aliases, kinds_of

NEAR_PARAGRAPHS = 100  # on either side: what counts as the same chapter, as titles are those of sections


class Sentence(NamedTuple):
    """A sentence of the book, the number of its paragraph, and its names in order."""

    text: str
    paragraph: int
    mentions: tuple[Mention, ...]

    @property
    def keys(self) -> set[str]:
        return {mention.key for mention in self.mentions}


@dataclass(frozen=True)
class Name:
    """What the book says of a name: `frequency` counts sentences, `forms` how it is written there."""

    key: str
    kind: Kind
    frequency: int
    forms: tuple[tuple[str, int], ...]
    paragraphs: frozenset[int]


@dataclass(frozen=True)
class Book:
    """Sentences in order, names by key, and for each paragraph its section's first and last paragraph."""

    language: Language
    sentences: list[Sentence]
    names: dict[str, Name]
    sections: list[tuple[int, int]]
    keys_of_paragraph: list[frozenset[str]] = field(default_factory=list)

    def around(self, paragraph: int) -> tuple[int, int]:
        """The first and last paragraph that are near one."""
        return max(0, paragraph - NEAR_PARAGRAPHS), min(len(self.sections) - 1, paragraph + NEAR_PARAGRAPHS)


def read_book(paragraphs: Iterable[tuple[str, str]], language: Language) -> Book:
    """The book of (section title, text) pairs; every mention's key is that of its fullest name."""
    analysis, names = analyser(language), recogniser(language)
    raw: list[tuple[str, int, list[Mention]]] = []
    titles: list[str] = []
    for number, (title, text) in enumerate(paragraphs):
        titles.append(title)
        raw += [(s, number, names.mentions(s)) for s in analysis.sentences(" ".join(text.split()))]
    sure = {m.key for _, _, mentions in raw for m in mentions if m.sure}
    cues: dict[str, Counter[Kind]] = defaultdict(Counter)
    counts: Counter[str] = Counter()
    for text, _, mentions in raw:
        for mention in mentions:
            if mention.key in sure:
                counts[mention.key] += 1
                if kind := names.cue(text, mention):
                    cues[mention.key][kind] += 1
    kinds = kinds_of(cues)
    full = aliases(counts, kinds, names)
    sentences = [
        Sentence(t, p, tuple(m._replace(key=full.get(m.key, m.key)) for m in ms if m.key in sure)) for t, p, ms in raw
    ]
    known = _names(sentences, {full.get(key, key): kind for key, kind in sorted(kinds.items(), reverse=True)})
    keys = [set[str]() for _ in titles]
    for sentence in sentences:
        keys[sentence.paragraph] |= sentence.keys
    return Book(language, sentences, known, _sections(titles), [frozenset(k) for k in keys])


def _names(sentences: list[Sentence], kinds: dict[str, Kind]) -> dict[str, Name]:
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, list[int]] = defaultdict(list)
    for sentence in sentences:
        for mention in sentence.mentions:
            forms[mention.key][mention.surface] += 1
        for key in sorted(sentence.keys):
            places[key].append(sentence.paragraph)
    return {
        key: Name(
            key, kinds.get(key, "other"), len(places[key]), tuple(forms[key].most_common()), frozenset(places[key])
        )
        for key in sorted(forms)
    }


def _sections(titles: list[str]) -> list[tuple[int, int]]:
    """First and last paragraph of each paragraph's section: a run of equal titles, the whole of a book without."""
    found: list[tuple[int, int]] = []
    start = 0
    for place in range(1, len(titles) + 1):
        if place == len(titles) or titles[place] != titles[start]:
            found += [(start, place - 1)] * (place - start)
            start = place
    return found
