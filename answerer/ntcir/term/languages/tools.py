"""What term questions ask of a language: how it finds candidates, and how its questions are read; chosen here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from answerer.ntcir.term.languages import english, japanese
from answerer.ntcir.term.languages.english import EnglishSpans
from answerer.ntcir.term.languages.japanese import JapaneseSpans
from answerer.ntcir.term.languages.spans import Finder
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for


class QuestionReader(Protocol):
    """A language's module that reads questions."""

    def interrogative(self, asked: str) -> str:
        """What the interrogative asks for: time, number, person or place; "" when it does not say."""

    def focus_of(self, asked: str) -> str:
        """The noun that names what is asked; "" for none."""

    def head_of(self, focus: str) -> str:
        """The noun that a noun in focus is a kind of, itself where it is made of no others."""

    def unit_of(self, asked: str) -> str:
        """What is counted where a question asks how many, in the form in which `counts_in` compares it; "" else."""

    def counts_in(self, text: str, after: str, unit: str) -> float:
        """1 for an amount in that unit, with what stands behind it, -1 in another, 0 for no amount or one without."""

    def asks_reading(self, asked: str) -> bool:
        """Whether a question asks how a word is read."""

    def interrogative_spans(self, asked: str, focus: str) -> list[tuple[int, int]]:
        """Where in the folded question the answer would stand, with the noun in focus; none where it is elsewhere."""


class Tools(NamedTuple):
    """A language's finder of candidates, made with the names of a glossary, and its reader of questions.

    `stride` is how many characters make a step of distance; `apposition_gap` how far a focus noun in apposition may
    stand; `reach` how many characters (words, where blanks part them) on either side of a slot are compared.
    """

    finder: Callable[[Sequence[str]], Finder]
    reader: QuestionReader
    stride: float
    apposition_gap: int
    reach: int


_JAPANESE = Tools(JapaneseSpans, japanese, 2.0, 5, 6)
_TOOLS: Mapping[Language, Tools] = {
    ENGLISH: Tools(EnglishSpans, english, 5.0, 12, 3),
    JAPANESE: _JAPANESE,
    CHINESE: _JAPANESE,
}


def term_tools(language: Language) -> Tools:
    """The tools of a language. UserError where term questions are not answered in it."""
    return offered_for(_TOOLS, language, "term questions are answered")
