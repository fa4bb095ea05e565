"""Text to terms: one analyser a language, all with the same three methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

Language = Literal["ja", "en", "zh"]
LANGUAGES: tuple[Language, ...] = ("ja", "en", "zh")


class Analyser(Protocol):
    """What every language offers. Terms are normalised (NFKC, lower case), never empty, at most 255 characters."""

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text in order, stripped, none empty; joined they give the text but for blanks."""

    def terms(self, text: str) -> list[str]:
        """The terms of a text in order, repeats kept, without punctuation and stop words."""

    def nouns(self, text: str) -> list[str]:
        """The nouns of a text in order: always among its terms."""


def analyser(language: Language, names: Sequence[str] = ()) -> Analyser:
    """The analyser of a language; `names` (a glossary's) stay whole, each one term and one noun."""
    if language == "ja":
        from indexer.analysis.japanese import JapaneseAnalyser

        return JapaneseAnalyser(names)
    if language == "zh":
        from indexer.analysis.chinese import ChineseAnalyser

        return ChineseAnalyser(names)
    from indexer.analysis.english import EnglishAnalyser

    return EnglishAnalyser(names)
