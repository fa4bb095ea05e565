"""The words of a claim and of a text in other forms: a passage that has "came" mentions "come", and
one with "wrote" may say "drafted"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from functools import cache
from itertools import takewhile

from answerer.ntcir import claims
from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.text import read_word_list
from retriever import ranking

_CHINESE = re.compile("[一-龥々]")
_WORD = re.compile(r"[^\W\d_]+")
_PHRASE = re.compile("([^をにが]+)[をにが]([一-龥つ].*)")


DERIVED = 0.85  # chosen by hand
"""The share of a word of the same family (invade, invasion) or meaning: nearly the word itself."""


def all_forms(text: str, language: TermLanguage) -> set[str]:
    """The terms of a text, in a language with spaces also those of the other forms of its irregular
    English words."""
    terms = set(language.terms(text))
    if language.spaced:
        for word in _irregular().keys() & _WORD.findall(text.lower()):
            terms.update(language.terms(" ".join(_irregular()[word])))
    return terms


def base_form(word: str) -> str:
    """The base form of an irregular English word (led, Led: lead), any other word unchanged."""
    return _bases().get(word.lower(), word)


def past_form(word: str) -> str:
    """The past of the base form of an irregular English verb (write: wrote), any other word
    unchanged."""
    return _pasts().get(word, word)


def base_terms(terms: Callable[[str], Sequence[str]]) -> Callable[[str], Sequence[str]]:
    """What gives the terms of an English word in its base form, those of a word of
    synonyms-en.txt as those of the first word of its line; `terms` gives the terms of a word."""

    def of_base(word: str) -> Sequence[str]:
        return [_first_synonyms().get(term, term) for term in terms(base_form(word))]

    return of_base


def word_share(term: str, present: Set[str]) -> float:
    """As `stem_share`, and `DERIVED` (0.85) too for an English term of which a synonym is among
    those `present`."""
    share = stem_share(term, present)
    if not share and not present.isdisjoint(_synonyms().get(base_form(term), ())):
        return DERIVED
    return share


def stem_share(stem: str, present: Set[str]) -> float:
    """1 for a stem among those `present` in a text, `DERIVED` (0.85) if another of its family is,
    else 0."""
    if stem in present:
        return 1.0
    return DERIVED if any(_are_of_same_family(stem, other) for other in present) else 0.0


def _are_of_same_family(first: str, second: str) -> bool:
    """True for two stems that begin with the same five letters or more, all but one of the shorter
    stem, or with the same four or more, three fifths of the longer. Chosen by hand."""
    if first[:4] != second[:4]:
        return False
    shorter, longer = sorted((len(first), len(second)))
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))))
    return (same >= 4 and same >= 0.6 * longer) or (same >= 5 and same >= shorter - 1)


def japanese_share(term: str, present: Set[str]) -> float:
    """1 for a Japanese term among those `present` in a text, `DERIVED` (0.85) for one of which a
    synonym is, or all of whose Chinese characters are in them (失う: 喪失), else 0."""
    if term in present:
        return 1.0
    if not present.isdisjoint(_japanese_synonyms().get(term, ())):
        return DERIVED
    characters = _CHINESE.findall(term)
    if characters and all(any(character in word for word in present) for character in characters):
        return DERIVED
    return 0.0


def japanese_phrases(text: str) -> dict[str, frozenset[str]]:
    """Each word, in base form, of the phrases of synonyms-ja.txt (命を落とす) that a Japanese text
    has, perhaps with another ending → the words of the phrase's meaning."""
    meanings: dict[str, frozenset[str]] = {}
    for phrase, words in _japanese_synonyms().items():
        match = _PHRASE.fullmatch(phrase)
        if match and phrase[:-1] in text:
            meanings |= dict.fromkeys(match.groups(), words)
    return meanings


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    """Stem → the stems of the other words of its lines of synonyms-en.txt."""
    return _others_of_groups(_synonym_stems())


@cache
def _japanese_synonyms() -> dict[str, frozenset[str]]:
    """Term → the other terms of its lines of synonyms-ja.txt."""
    lines = read_word_list(claims.__name__, "synonyms-ja.txt")
    return _others_of_groups([line.split() for line in lines])


def _others_of_groups(groups: Sequence[Sequence[str]]) -> dict[str, frozenset[str]]:
    """Member of a group → the other members of all its groups."""
    others: dict[str, frozenset[str]] = {}
    for group in groups:
        for member in group:
            others[member] = others.get(member, frozenset()) | frozenset(group) - {member}
    return others


@cache
def _first_synonyms() -> dict[str, str]:
    """Stem → the first stem of its line of synonyms-en.txt, the first line of several."""
    return {stem: stems[0] for stems in reversed(_synonym_stems()) for stem in stems}


def _synonym_stems() -> list[list[str]]:
    """The stems of each line of synonyms-en.txt, in the file's order."""
    from indexer.languages.english import ENGLISH

    lines = read_word_list(claims.__name__, "synonyms-en.txt")
    return [list(ENGLISH.analyser().terms(line)) for line in lines]


@cache
def _bases() -> dict[str, str]:
    """Irregular form → its base form, the last of the list for a form of several."""
    return {form: base for base, *forms in _irregular_words() for form in forms}


@cache
def _pasts() -> dict[str, str]:
    """Base form → the first of its other forms, if that is no participle of a regular past
    (shown)."""
    return {
        base: forms[0]
        for base, *forms in _irregular_words()
        if forms[0] not in (f"{base}n", f"{base}en")
    }


@cache
def irregular_pasts() -> frozenset[str]:
    """The pasts of the irregular English verbs that also have a participle of their own (overthrew,
    took), without those that are base forms (lay)."""
    words = [words for words in _irregular_words() if len(words) > 2]
    return frozenset(forms[1] for forms in words) - {forms[0] for forms in words}


@cache
def _irregular() -> dict[str, set[str]]:
    """Irregular word → all forms of its words: "found" is of "find" alone, "lay" of "lie" too."""
    forms: dict[str, set[str]] = {}
    for words in _irregular_words():
        for word in words:
            forms.setdefault(word, set()).update(words)
    return forms


def _irregular_words() -> list[list[str]]:
    """For each irregular word its base form and its other forms."""
    lines = read_word_list(ranking.__name__, "english_irregular_forms.txt")
    lines = [*lines, *read_word_list(claims.__name__, "irregular-en.txt")]
    return [line.split() for line in lines]


def read_opposites(file: str, terms: Callable[[str], Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Term → the terms of its opposites, sorted, of one of this package's word lists: a line has
    words of one meaning, "|", and those of the contrary; it counts both ways. `terms` gives the
    terms of a word."""
    opposites: dict[str, set[str]] = {}
    for line in read_word_list(claims.__name__, file):
        left, right = (
            {term for word in side.split() for term in terms(word)} for side in line.split("|")
        )
        for first, second in ((left, right), (right, left)):
            for word in first:
                opposites.setdefault(word, set()).update(second)
    return {word: tuple(sorted(others)) for word, others in opposites.items()}
