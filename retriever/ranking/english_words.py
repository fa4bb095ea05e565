"""English text to term numbers, once for a whole file: stems with their surface facts, stop words kept and marked."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count

import numpy as np
import Stemmer

from indexer.files.arrays import BoolArray, Int64Array
from indexer.files.lists import read_word_list
from retriever.ranking.overlap import Tokens

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?|[^\W_]+(?:['’][^\W_]+)*")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_POSSESSIVE = re.compile(r"['’]s?$")


@cache
def stop_words() -> frozenset[str]:
    """English function words, which carry no topic of a question or a sentence."""
    return frozenset(word for line in read_word_list(__package__, "english_stop_words.txt") for word in line.split())


@cache
def irregular_forms() -> dict[str, str]:
    """Irregular form → base form (went → go)."""
    forms: dict[str, str] = {}
    for line in read_word_list(__package__, "english_irregular_forms.txt"):
        base, *others = line.split()
        forms |= dict.fromkeys(others, base)
    return forms


@cache
def related_words() -> dict[str, int]:
    """Stem → the number of its group of words that ask or answer the same thing (born, birth, birthplace)."""
    stem = Stemmer.Stemmer("english").stemWord
    return {
        stem(word): number
        for number, line in enumerate(read_word_list(__package__, "english_related_words.txt"))
        for word in line.split()
    }


def fold(text: str) -> str:
    """NFKD without its accents: é → e, ﬁ → fi; plain ASCII comes back unchanged."""
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


def find_words(text: str) -> list[str]:
    """The words and numbers of a folded text, in order."""
    return _WORD.findall(text)


def word_matches(text: str) -> Iterator[re.Match[str]]:
    """The places of the words and numbers of a folded text, in order."""
    return _WORD.finditer(text)


def letter_runs(word: str) -> list[str]:
    """Runs of four letters of a word whose ends are marked; a short word is one run."""
    marked = f"^{word}$"
    return [marked[place : place + 4] for place in range(max(1, len(marked) - 3))]


class Stems(dict[str, str]):
    """Lower-cased word → its stem, worked out when first met."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer("english").stemWord
        self._stop = stop_words()

    def __missing__(self, word: str) -> str:
        plain = _POSSESSIVE.sub("", word).replace(".", "") or word
        self[word] = stem = self._stem(irregular_forms().get(plain, plain)) or word
        return stem

    def is_stop(self, word: str) -> bool:
        return _POSSESSIVE.sub("", word) in self._stop


@dataclass(frozen=True)
class Words:
    """The distinct surface forms of a file and their properties, every array (forms,); a token is its form's number."""

    surfaces: list[str]
    stems: list[str]
    stem: Int64Array
    is_stop: BoolArray
    is_capital: BoolArray
    is_number: BoolArray
    group: Int64Array

    @cached_property
    def _letters(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Letter runs of all forms as a ragged array: runs, offsets (forms,), counts (forms,); a stop word has none."""
        numbers = _numbering()
        runs = [
            [] if stop else [numbers[run] for run in letter_runs(word.lower())]
            for word, stop in zip(self.surfaces, self.is_stop.tolist(), strict=True)
        ]
        counts = np.array([len(one) for one in runs], np.int64)
        return np.array([number for one in runs for number in one], np.int64), np.cumsum(counts) - counts, counts

    def letters(self, tokens: Tokens) -> Tokens:
        """The runs of four letters of each content word."""
        flat, starts, counts = self._letters
        n = counts[tokens.ids]
        first = np.repeat(starts[tokens.ids] - (np.cumsum(n) - n), n)
        return Tokens(flat[first + np.arange(n.sum())], np.repeat(tokens.rows, n), tokens.texts)

    def view(self, tokens: Tokens, ids: Int64Array) -> Tokens:
        """The tokens with another number for each surface form (its stem, its group), `ids`, (forms,)."""
        return Tokens(ids[tokens.ids], tokens.rows, tokens.texts)


def _numbering() -> defaultdict[str, int]:
    """Gives each word its number when it is first met."""
    return defaultdict(count().__next__)


def read_words(*collections: Sequence[str]) -> tuple[Words, list[Tokens]]:
    """The words of several collections of texts under one numbering, and each collection's tokens."""
    known = _numbering()
    read = [_tokens(texts, known) for texts in collections]
    return _describe(list(known)), read


def _tokens(texts: Iterable[str], known: dict[str, int]) -> Tokens:
    """The words of texts as numbers; `known` numbers the surface forms and grows by those met."""
    find, number = _WORD.findall, known.__getitem__
    ids: list[int] = []
    counts: list[int] = []
    for text in texts:
        words = find(fold(text))
        ids.extend(map(number, words))
        counts.append(len(words))
    rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return Tokens(np.array(ids, np.int64), rows, len(counts))


def _describe(surfaces: list[str]) -> Words:
    """The properties of surface forms: stem, group of related words, stop word, capital, figure."""
    lowered = [_POSSESSIVE.sub("", word.lower()).replace("’", "'").replace(".", "") or word for word in surfaces]
    stop, irregular, related = stop_words(), irregular_forms(), related_words()
    stems = Stemmer.Stemmer("english").stemWords([irregular.get(word, word) for word in lowered])
    numbers = _numbering()
    stem = np.array([numbers[one] for one in stems], np.int64)
    group = np.array([related.get(one, -1) for one in stems], np.int64)
    return Words(
        surfaces,
        list(numbers),
        stem,
        np.array([word in stop for word in lowered], bool),
        np.array([word[0].isupper() for word in surfaces], bool),
        np.array([word[0].isdigit() for word in surfaces], bool),
        np.where(group >= 0, group, len(surfaces) + stem),
    )
