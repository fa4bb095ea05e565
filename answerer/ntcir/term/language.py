"""Term questions by language: a finder of candidates and a reader of questions, with the glossary
of an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache, cached_property
from typing import Protocol

from answerer.ntcir.term import english, japanese
from answerer.ntcir.term.entity_types import KindModel, Span
from indexer.analysis.analyser import Analyser
from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.years import read_years
from indexer.engines.contract import Index
from indexer.languages.language import Language
from retriever.queries import language_of

Places = dict[str, list[tuple[int, int]]]
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_NEAR = 60  # characters on either side among which the words around a candidate are
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class TermTools(Protocol):
    """The functions of a language's module, `english` or `japanese`, that find candidates.

    `STRIDE` is the number of characters that count as one step of distance; `REACH` is the number
    of words (characters in scripts without blanks) on either side of an answer that are compared.
    """

    STRIDE: float
    REACH: int

    def clean(self, text: str) -> str: ...
    def span_finder(self, names: Sequence[str]) -> Callable[[str], list[Span]]: ...
    def in_apposition(self, before: str, after: str, focus: str) -> bool: ...
    def is_said_to_be(self, before: str, after: str, noun: str) -> bool: ...
    def roles(self, before: str, after: str) -> Sequence[str]: ...


class TermLanguage:
    """The tools of one language with the glossary of one index; `spans` finds the candidates of a
    cleaned sentence, `spaced` says whether blanks part words. Contains no reference cycle, so
    memory is freed at once: a server makes an object for each question."""

    def __init__(self, language: Language, glossary: Glossary) -> None:
        self.language = language
        self.glossary = glossary
        self.analyser: Analyser = language.analyser(glossary.terms(), books=True)
        self.spaced = language.uses_spaces
        self.tools: TermTools = (
            english if language.uses_spaces else japanese
        )  # which serves Chinese too
        self.spans = self.tools.span_finder(glossary.names())
        self.proper_speech = frozenset(("人名", "地域", "組織", "固有名詞", "proper"))
        analyser = self.analyser  # not `self`: the function would refer back
        self.stem = cache(lambda word: next(iter(analyser.terms(word)), ""))

    @cached_property
    def kinds(self) -> KindModel:
        # Parts of speech do not distinguish English names.
        """The model of the entity classes of names, learned from the glossary."""
        speech = (
            dict.fromkeys(self.entries, "proper")
            if self.spaced
            else japanese.speech_of(self.entries)
        )
        return KindModel(self.entries, speech)

    @cached_property
    def entries(self) -> dict[str, tuple[Entry, ...]]:
        return self.glossary.by_name()

    def first_year(self, text: str) -> int | None:
        """The first year, below 0 for BC, of a text that `read_years` reads, or of the glossary
        entry of that name; None if neither applies."""
        try:
            years = read_years(text)
        except ValueError:
            years = None
        years = years or next(
            (entry.start for entry in self.entries.get(text, ()) if entry.start), None
        )
        return years.first if years else None

    def fold(self, text: str) -> str:
        """The text as candidates are compared: cleaned, case folded."""
        return self.tools.clean(text).casefold()

    def terms(self, text: str) -> list[str]:
        return self.analyser.terms(text)

    def places(self, folded: str, terms: Collection[str]) -> Places:
        """The character spans of each term in a folded sentence (term → spans); absent terms are
        left out. A term occurs in words with that stem, or, in scripts without blanks, wherever its
        characters occur."""
        places: Places = {}
        if self.spaced:
            for match in _WORD.finditer(folded):
                stem = self.stem(match.group())
                if stem in terms:
                    places.setdefault(stem, []).append(match.span())
            return places
        for term in terms:
            start = folded.find(term)
            while start >= 0:
                places.setdefault(term, []).append((start, start + len(term)))
                start = folded.find(term, start + len(term))
        return places

    def around(self, before: str, after: str) -> tuple[Sequence[str], Sequence[str]]:
        """The `tools.REACH` words and marks before a position, nearest first, and those after it,
        among `_NEAR` (60) characters on each side. In scripts without blanks, characters instead of
        words."""
        reach = self.tools.REACH
        if not self.spaced:
            return before[-reach:][::-1], after[:reach]
        # Punctuation counts as a word: a comma after the gap is context too.
        words = [_TOKEN.findall(text) for text in (before[-_NEAR:], after[:_NEAR])]
        return words[0][::-1][:reach], words[1][:reach]


def index_language(index: Index) -> TermLanguage:
    """The tools for an index's language, with the glossary that it was built with."""
    return TermLanguage(language_of(index), index.glossary)
