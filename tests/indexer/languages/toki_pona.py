"""Toki Pona, a language of a hundred words in Latin letters: all that a new language needs besides
its line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.analysis.text import clean_term, normalise, split_sentences
from indexer.languages.language import Language

_WORDS = frozenset(
    "a ala e en jan kama kulupu la lawa li lon ma mi moli nasin o ona pali pana pi pona sama seme "
    "sona suli tan tawa "
    "telo tenpo toki tomo utala".split()
)
_PARTICLES = frozenset("a e en la li o pi".split())
_ENDS = re.compile(r"[.!?:]+")
_WORD = re.compile(r"[^\W\d_]+|\d+")


class TokiPona:
    """Words without particles, which are all nouns."""

    def __init__(self, names: Sequence[str], *, books: bool = False) -> None:
        del names, books  # two words of a name stay two words

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS)

    def terms(self, text: str) -> list[str]:
        return [
            clean_term(word) for word in _WORD.findall(normalise(text)) if word not in _PARTICLES
        ]

    def nouns(self, text: str) -> list[str]:
        return self.terms(text)


def _claims(sample: str) -> bool:
    """Whether most words are ours."""
    words = _WORD.findall(normalise(sample))
    return sum(word in _WORDS for word in words) * 2 > len(words)


TOKI_PONA = Language(
    "tok",
    "Toki Pona",
    " ",
    f"{__name__}:TokiPona",
    "indexer.entities.english:EnglishNames",
    _claims,
)
