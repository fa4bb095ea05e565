"""What all languages share: normal form, names, sentence ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import ahocorasick

LONGEST_SENTENCE = 5_000
"""Characters: what is longer is a list, a table or damage, and parsers and searches for names labour at it."""

_PIECE = re.compile(rf".{{1,{LONGEST_SENTENCE}}}(?:(?<=[\s,;、，；])|\Z)|.{{1,{LONGEST_SENTENCE}}}", re.DOTALL)
NO_NAMES: Mapping[str, str] = {}
TERM_LIMIT = 255  # characters; Elasticsearch's whitespace tokenizer cuts longer ones


def normalise(text: str) -> str:
    """NFKC, lower case, no NUL (MeCab would stop there)."""
    return narrow(text).lower()


def narrow(text: str) -> str:
    """NFKC, no NUL, capitals as they are."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).replace("\0", " ")


def is_katakana(character: str) -> bool:
    """Whether a character is of katakana, ー among it; False for "" too."""
    return "ァ" <= character <= "ヺ" or character == "ー"


_LIGATURES = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"})


def plain_letters(text: str) -> str:
    """A text without accents, ligatures as two letters (Cæsar as Caesar): older books print what newer ones do not."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text.translate(_LIGATURES))
    return "".join(c for c in text if not unicodedata.combining(c))


def clean_term(term: str) -> str:
    """A term that both engines take as one: no blanks inside, at most 255 characters; "" when nothing is left."""
    if len(term) > TERM_LIMIT:
        term = term[:TERM_LIMIT]
    pieces = term.split()
    return term if len(pieces) == 1 and len(pieces[0]) == len(term) else "".join(pieces)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is no piece of a longer word, where blanks part words."""
    return not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()


class NameFinder:
    """Finds names in normalised text, the longest at the leftmost place, in one pass however many there are."""

    def __init__(self, names: Iterable[str]) -> None:
        self._automaton = ahocorasick.Automaton()
        for name in dict.fromkeys(map(normalise, names)):
            if name.strip():
                self._automaton.add_word(name, len(name))
        if self._automaton:
            self._automaton.make_automaton()

    def __bool__(self) -> bool:
        return bool(self._automaton)

    def whole(self, sentence: str) -> list[tuple[int, int]]:
        """Start and end of each name that stands in a sentence as whole words; none where lower case is of another
        length."""
        folded = sentence.lower()
        spans = self.spans(folded) if len(folded) == len(sentence) else []
        return [span for span in spans if is_whole(sentence, *span)]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each name in a normalised text, in order, not overlapping."""
        if not self._automaton or not text:
            return []
        return [(last + 1 - length, last + 1) for last, length in self._automaton.iter_long(text)]


def split_sentences(text: str, ends: re.Pattern[str], is_end: Callable[[str, int], bool] | None = None) -> list[str]:
    """The pieces of a text up to and with each end, and at line breaks; stripped, none empty.

    A piece of punctuation alone belongs to the sentence before it. One that is longer than a sentence is cut.
    """
    found: list[str] = []
    for piece in _pieces(text, ends, is_end):
        if found and not any(map(str.isalnum, piece)):
            found[-1] += piece
        elif piece:
            found.append(piece)
    return [stripped for one in found for part in of_bearable_length(one) if (stripped := part.strip())]


def of_bearable_length(text: str) -> list[str]:
    """The text itself, or, where it is longer than any sentence, pieces of it, cut after blanks or commas if it can be.

    Parsers and searches for names take time with the square of a text's length; in pieces it grows with the length.
    """
    return [text] if len(text) <= LONGEST_SENTENCE else _PIECE.findall(text)


def _pieces(text: str, ends: re.Pattern[str], is_end: Callable[[str, int], bool] | None) -> Iterator[str]:
    for line in text.splitlines():
        start = 0
        for match in ends.finditer(line):
            if is_end is None or is_end(line, match.end()):
                yield line[start : match.end()].strip()
                start = match.end()
        yield line[start:].strip()


def words_of(lines: Sequence[str]) -> frozenset[str]:
    """A word list's words: one a line, `#` starts a comment."""
    return frozenset(word for line in lines if (word := line.split("#")[0].strip()))
