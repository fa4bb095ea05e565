"""English text to term numbers, once for a whole file: stems with their surface facts, stop words kept and marked."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

import numpy as np
import Stemmer

from indexer.files.arrays import BoolArray, Int64Array
from indexer.files.lists import read_word_list
from retriever.ranking.overlap import Tokens

# Abbreviations with points (U.S.), numbers with their marks (1,000.5, 1st), words with apostrophes (O'Neill's).
WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?|[^\W_]+(?:['’][^\W_]+)*")
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


def fold(text: str) -> str:
    """NFKD without its accents: é → e, ﬁ → fi; plain ASCII comes back unchanged."""
    return text if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


class Stems(dict[str, str]):
    """Cache: lower-cased word → its stem, computed at first access."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer("english").stemWord

    def __missing__(self, word: str) -> str:
        plain = _POSSESSIVE.sub("", word).replace(".", "") or word
        self[word] = stem = self._stem(irregular_forms().get(plain, plain)) or word
        return stem

    def is_stop(self, word: str) -> bool:
        return _POSSESSIVE.sub("", word) in stop_words()


@dataclass(frozen=True, kw_only=True)
class Words:
    """The distinct surface forms of a file and their properties, every array (forms,); a token is its form's number.

    `stem` numbers `stems`. `letter_runs` are the runs of four letters of all content words, one form after the other:
    those of a form begin at its `runs_start` and are as many as its `runs_count`.
    """

    surfaces: list[str]
    stems: list[str]
    stem: Int64Array
    is_stop: BoolArray
    is_capital: BoolArray
    is_number: BoolArray
    letter_runs: Int64Array
    runs_start: Int64Array
    runs_count: Int64Array

    def letters(self, tokens: Tokens) -> Tokens:
        """The runs of four letters of each content word, its ends marked; a short word is one run."""
        counts = self.runs_count[tokens.ids]
        first = np.repeat(self.runs_start[tokens.ids] - (np.cumsum(counts) - counts), counts)
        return Tokens(self.letter_runs[first + np.arange(counts.sum())], np.repeat(tokens.rows, counts), tokens.texts)


def numbering() -> defaultdict[str, int]:
    """Gives each term its number when it is first met."""
    return defaultdict(count().__next__)


def read_words(*collections: Sequence[str]) -> tuple[Words, list[Tokens]]:
    """The distinct words of several collections of texts under one numbering, and each collection's tokens."""
    known = numbering()
    read = []
    for texts in collections:
        ids = [[known[word] for word in WORD.findall(fold(text))] for text in texts]
        rows = np.repeat(np.arange(len(ids), dtype=np.int64), [len(each) for each in ids])
        read.append(Tokens(np.array([number for each in ids for number in each], np.int64), rows, len(ids)))
    surfaces = list(known)
    plain = [_POSSESSIVE.sub("", word.lower()).replace("’", "'").replace(".", "") or word for word in surfaces]
    stop, irregular = stop_words(), irregular_forms()
    stems, runs = numbering(), numbering()
    stem = [stems[one] for one in Stemmer.Stemmer("english").stemWords([irregular.get(word, word) for word in plain])]
    letters: list[list[int]] = []
    for surface, word in zip(surfaces, plain, strict=True):
        marked = f"^{surface.lower()}$"
        places = range(0 if word in stop else max(1, len(marked) - 3))
        letters.append([runs[marked[place : place + 4]] for place in places])
    counts = np.array([len(each) for each in letters], np.int64)
    words = Words(
        surfaces=surfaces,
        stems=list(stems),
        stem=np.array(stem, np.int64),
        is_stop=np.array([word in stop for word in plain], bool),
        is_capital=np.array([word[0].isupper() for word in surfaces], bool),
        is_number=np.array([word[0].isdigit() for word in surfaces], bool),
        letter_runs=np.array([number for each in letters for number in each], np.int64),
        runs_start=np.cumsum(counts) - counts,
        runs_count=counts,
    )
    return words, read
