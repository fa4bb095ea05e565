"""How often names and terms stand in a book, and what follows: which names it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indexer.analysis import Analyser
from indexer.entities import Kind, Recogniser
from indexer.entities.aliases import NO_REDIRECTS, aliases, kinds_of, with_redirects

_COMMON = 0.1  # of a word's sentences have it as a name at most, then it is none


class Vocabulary(NamedTuple):
    """Of each name its mentions, those that are one for sure, and the kinds suggested; of each term its sentences."""

    mentions: Mapping[str, int]
    sure: Mapping[str, int]
    cues: Mapping[tuple[str, Kind], int]
    words: Mapping[str, int]


class Names(NamedTuple):
    """The names of a book: `full` leads from every form to the one that it counts under; kinds; further aliases."""

    full: Mapping[str, str]
    kinds: Mapping[str, Kind]
    aliases: Mapping[str, str]


def names_of(
    vocabulary: Vocabulary,
    recogniser: Recogniser,
    analysis: Analyser,
    glossary: Sequence[str] = (),
    redirects: Mapping[str, str] = NO_REDIRECTS,
) -> Names:
    """The names of a book of this vocabulary.

    A name that stands somewhere for sure (not by a sentence's capital letter only) counts wherever it stands,
    and under its fullest form. A single word that is nearly always written small is no name (the War), unless
    the glossary has it. `redirects` lead from keys to those of the names that they are aliases of.
    """
    kept = {mention.key for name in glossary for mention in recogniser.mentions(name)}
    known = {
        key: often
        for key, often in vocabulary.mentions.items()
        if key in kept or vocabulary.sure.get(key, 0) > _COMMON * _as_word(key, analysis, vocabulary.words)
    }
    kinds = kinds_of(_cues_of(known, vocabulary.cues))
    full = with_redirects(aliases(known, kinds, recogniser), redirects, known, kinds)
    return Names({key: full.get(key, key) for key in known}, kinds, full)


def _cues_of(known: Mapping[str, int], cues: Mapping[tuple[str, Kind], int]) -> dict[str, Counter[Kind]]:
    """How often each kind was suggested for the names that are known; none for those without a suggestion."""
    found: dict[str, Counter[Kind]] = {}
    for (key, kind), often in cues.items():
        if key in known:
            found.setdefault(key, Counter())[kind] = often
    return found


def _as_word(key: str, analysis: Analyser, words: Mapping[str, int]) -> int:
    """In how many sentences a name of one word stands as any word; 0 for longer names and dates."""
    terms = [] if " " in key or key.startswith("y:") else analysis.terms(key)
    return words.get(terms[0], 0) if len(terms) == 1 else 0
