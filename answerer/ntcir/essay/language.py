"""What writing essays asks of a language: a module each, chosen here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from answerer.ntcir.essay.languages import chinese, english, japanese
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for


class EssayLanguage(Protocol):
    """A language's module: words about the essay itself, what ends a sentence, the file of the default model, what that
    model knows of a term besides `concepts.FEATURES`, some of `concepts.FURTHER`, and from how many sentences the
    program chooses."""

    SILENT: str
    STOP: str
    WEIGHTS: str
    FURTHER_SIGNALS: tuple[str, ...]
    CHOSEN_FROM: int

    def is_fit(self, text: str) -> bool:
        """Whether a sentence can stand in an essay: no question, no quotation, no heading, and nobody speaks."""

    def leans(self, text: str) -> bool:
        """Whether a sentence without its opening connective points to something said before it."""

    def bare(self, text: str) -> str:
        """A sentence without asides in brackets and without an opening connective."""

    def finished(self, text: str) -> str:
        """A text that is not empty, ending as a sentence does."""

    def shorter(self, text: str) -> list[str]:
        """A cleaned sentence without a clause that can go, in each such form."""

    def cuts(self, text: str) -> list[str]:
        """What can stand alone of a cleaned sentence when it is cut at a comma, the longest first."""

    def closing(self, names: Sequence[str]) -> str:
        """A sentence that only names the keywords that no other one uses."""

    def listed(self, names: Sequence[str]) -> str:
        """The same where there is no room for more than the names."""


_MODULES: Mapping[Language, EssayLanguage] = {ENGLISH: english, JAPANESE: japanese, CHINESE: chinese}


def essay_language(language: Language) -> EssayLanguage:
    """The module of a language. UserError where essays are not written in it."""
    return offered_for(_MODULES, language, "essays are written")
