"""Essays by language: a module each, chosen here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from answerer.ntcir.essay import chinese, english, japanese
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for


class EssayLanguage(Protocol):
    """A language's module.

    `TASK_WORDS` are words about the essay itself, `STOP` ends a sentence, `WEIGHTS` is the file of the default model,
    `FURTHER_FEATURES` are those of `concepts.FURTHER` that it has, `SOLVED_FROM` is the number of sentences that the
    integer program chooses from.
    """

    TASK_WORDS: str
    STOP: str
    WEIGHTS: str
    FURTHER_FEATURES: tuple[str, ...]
    SOLVED_FROM: int

    def is_fit(self, text: str) -> bool:
        """True if a sentence fits an essay: no question, quotation or heading, and not in the first person."""

    def depends_on_previous(self, text: str) -> bool:
        """True if a sentence without its opening connective refers to a previous one."""

    def bare(self, text: str) -> str:
        """A sentence without asides in brackets and without an opening connective."""

    def with_stop(self, text: str) -> str:
        """A text that is not empty, ending as a sentence does."""

    def shorter_forms(self, text: str, tight: bool) -> list[str]:
        """A cleaned sentence without clauses that can go, in each such form; `tight` allows fragments of a clause."""

    def closing_clause(self, names: Sequence[str]) -> str:
        """A sentence that only names the keywords that no other sentence uses."""

    def keyword_list(self, names: Sequence[str]) -> str:
        """The bare list of these keywords, for a limit too short for a clause."""


_MODULES: Mapping[Language, EssayLanguage] = {ENGLISH: english, JAPANESE: japanese, CHINESE: chinese}


def essay_language(language: Language) -> EssayLanguage:
    """The module of a language. Raises UserError if essays are not written in it."""
    return offered_for(_MODULES, language, "essays are written")
