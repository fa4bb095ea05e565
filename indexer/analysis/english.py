"""English text to terms: one pattern, Porter stems, stop words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from importlib import resources

import Stemmer

from indexer.analysis.text import TERM_LIMIT, normalise, split_sentences, words_of

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ENDS = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)")
_BEFORE = re.compile(r"([^\s(\"“]*?)[.!?]+[\"'”’)\]]*$")
_FOLLOWING = re.compile(r"\s+[\"“'(]*([^\s.,]+)")
_OPENERS = frozenset("the a an in on at by he she it they we this that these those but and after before when".split())
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st jr sr prof rev gen col capt lt sgt gov sen rep hon no vol pp ed eds vs cf ca c fl b d r "
    "jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e etc al inc ltd co corp u.s u.k b.c a.d b.c.e c.e".split()
)


class EnglishAnalyser:
    """Terms are Porter stems in lower case without accents; a possessive 's falls off; every term is a noun.

    Sentences end at . ! ? followed by a blank, but not after initials and common abbreviations, nor where
    a small letter follows. Names of the glossary are one term each, their words joined by "_".
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._stem = Stemmer.Stemmer("porter").stemWord
        self._stop = words_of(
            resources.files(__package__).joinpath("stop-words-en.txt").read_text("utf-8").splitlines()
        )
        self._terms: dict[str, str] = {}
        self._names = _names_by_first_word(names)

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS, _ends_sentence)

    def terms(self, text: str) -> list[str]:
        words = _words(text)
        if self._names:
            words = self._join_names(words)
        known = self._terms
        found = []
        for word in words:
            try:
                term = known[word]
            except KeyError:
                term = known[word] = self._term(word)
            if term:
                found.append(term)
        return found

    def nouns(self, text: str) -> list[str]:
        return self.terms(text)

    def _term(self, word: str) -> str:
        """The term of a word, "" when it is none (a stop word, or a stem of nothing such as that of "s")."""
        if word in self._stop:
            return ""
        if "_" in word:
            return word[:TERM_LIMIT]
        word = word.replace("'", "")
        return str(self._stem(word[:TERM_LIMIT]))

    def _join_names(self, words: list[str]) -> list[str]:
        joined: list[str] = []
        position = 0
        while position < len(words):
            lengths = (
                len(n) for n in self._names.get(words[position], ()) if tuple(words[position : position + len(n)]) == n
            )
            length = max(lengths, default=1)
            joined.append("_".join(words[position : position + length]))
            position += length
        return joined


def _words(text: str) -> list[str]:
    text = normalise(text)
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
        text = text.replace("’", "'").replace("ʻ", "'").replace("ʼ", "'")
    return [word.removesuffix("'s") for word in _WORD.findall(text)]


def _names_by_first_word(names: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for words in sorted({tuple(_words(name)) for name in names}):
        if len(words) > 1:
            found.setdefault(words[0], []).append(words)
    return found


def _ends_sentence(line: str, end: int) -> bool:
    following = _FOLLOWING.match(line, end)
    if not following:
        return True
    if following[1][0].islower():
        return False
    before = _BEFORE.search(line[max(0, end - 40) : end])
    word = before.group(1).lower() if before else ""
    is_initial = len(word) == 1 and word.isalpha() and word != "i"
    if "." in word and following[1].lower() in _OPENERS:
        return True
    return line[end - 1] != "." or not (is_initial or word in _ABBREVIATIONS)
