"""What making an exam asks of a language: a module each, chosen here."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Protocol

from evaluation.pseudo_exam import english, japanese
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for


class ExamLanguage(Protocol):
    """A language's module.

    `MARKS` stand before choices, `GAPS` in gaps, `DASH` between a reference and what is said of it; `TRUTH` says T and
    F, `ASKS` what a question of a shape asks (T or F), `FILL` what a term question does. Sentences have from the first
    to the last of `LENGTHS` characters, those of term questions of `TERM_LENGTHS`. `OPPOSITES` is the list of words
    that turn a statement round, "" without one.
    """

    MARKS: tuple[str, ...]
    GAPS: tuple[str, str]
    DASH: str
    TRUTH: dict[str, str]
    ASKS: dict[tuple[str, str], str]
    FILL: str
    LENGTHS: tuple[int, int]
    TERM_LENGTHS: tuple[int, int]
    OPPOSITES: str

    def gives_roles(self, between: str) -> bool:
        """Whether what stands between two names gives them different roles, and does not only list them."""

    def is_plain_date(self, surface: str, years: Set[int], width: int) -> bool:
        """Whether a date of these years, from the first to `width` later, is written as them (昭和20年 is not)."""


_MODULES: Mapping[Language, ExamLanguage] = {ENGLISH: english, JAPANESE: japanese}


def exam_language(language: Language) -> ExamLanguage:
    """The module of a language. UserError where exams are not made in it."""
    return offered_for(_MODULES, language, "exams are made")
