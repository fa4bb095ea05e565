"""Interface of the languages' analysers."""

from __future__ import annotations

from typing import Protocol


class Analyser(Protocol):
    """Interface of every language's analyser. Terms are normalised (NFKC, lower case), never empty, at most 255
    characters."""

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text in order, stripped, none empty; joined they give the text but for blanks."""

    def terms(self, text: str) -> list[str]:
        """The terms of a text in order, repeats kept, without punctuation and stop words."""

    def nouns(self, text: str) -> list[str]:
        """The nouns of a text in order: always among its terms."""
