"""Interfaces of the languages' analysers and recognisers of named entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from indexer.entities import Kind, Mention


class Analyser(Protocol):
    """Interface of every language's analyser. Terms are normalised (NFKC, lower case), never empty,
    at most 255 characters."""

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text in order, stripped, none empty; joined they give the text but for
        blanks."""

    def terms(self, text: str) -> list[str]:
        """The terms of a text in order, repeats kept, without punctuation and stop words."""

    def nouns(self, text: str) -> list[str]:
        """The nouns of a text in order: always among its terms."""


class Recogniser(Protocol):
    """Interface of every language's recogniser of named entities."""

    def key(self, surface: str) -> str:
        """The folded form of a name by itself."""

    def mentions(self, sentence: str) -> list[Mention]:
        """The names of a sentence in order; they do not overlap."""

    def parts(self, key: str) -> list[str]:
        """Shorter keys that may mean the same name (a surname; a name without its title), likeliest
        first."""

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        """The kind that the mention's form or its neighbours suggest here, None when they suggest
        none."""
