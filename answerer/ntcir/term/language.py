"""Term questions by language: a finder of candidates and a reader of questions, with the glossary of an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Protocol

from answerer.ntcir.term import english, japanese
from answerer.ntcir.term.entity_types import KindModel, Span
from indexer.analysis import Analyser
from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.years import read_years
from indexer.engines.contract import Index
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for
from retriever.queries import glossary_of, language_of

Places = dict[str, list[tuple[int, int]]]
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_NEAR = 60  # characters on either side among which the words around a candidate are
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class TermTools(Protocol):
    """The module of a language for term questions: it finds candidates and analyses questions.

    `STRIDE` is the number of characters that count as one step of distance; `REACH` is the number of words (characters
    in scripts without blanks) on either side of an answer that are compared.
    """

    STRIDE: float
    REACH: int

    def clean(self, text: str) -> str:
        """The text in the form in which spans are cut from it."""

    def span_finder(self, names: Sequence[str]) -> Callable[[str], list[Span]]:
        """Makes a cached function from a cleaned sentence to its candidates; `names` are a glossary's."""

    def speech_of(self, names: Iterable[str]) -> Mapping[str, str]:
        """The part of speech of the last word of each name, where the language knows any."""

    def in_apposition(self, before: str, after: str, focus: str) -> bool:
        """True if the focus noun is in apposition to the name between `before` and `after`."""

    def is_said_to_be(self, before: str, after: str, noun: str) -> bool:
        """True if the text around a name makes it a hyponym of the noun."""

    def is_reading(self, before: str, text: str) -> bool:
        """True if a span only gives the reading of the word before it."""

    def roles(self, before: str, after: str) -> Sequence[str]:
        """The roles that the words around a candidate give it: glossed, definition."""

    def interrogative(self, asked: str) -> str:
        """The answer type of the interrogative: time, number, person or place; "" if it does not show it."""

    def focus_of(self, asked: str) -> str:
        """The question focus: the noun that names what is asked; "" without one."""

    def head_of(self, focus: str) -> str:
        """The head noun of a focus, itself where it is one word."""

    def unit_of(self, asked: str) -> str:
        """The noun counted in a question that asks how many, in the form that `counts_in` compares; "" otherwise."""

    def counts_in(self, text: str, after: str, unit: str) -> float:
        """1 for an amount in that unit, with the text behind it, -1 in another, 0 for no amount or one without."""

    def asks_reading(self, asked: str) -> bool:
        """True if a question asks for the reading of a word."""

    def interrogative_spans(self, asked: str, focus: str) -> list[tuple[int, int]]:
        """The spans of the folded question at the answer's place, with the noun in focus; empty if it is elsewhere."""


_TOOLS: Mapping[Language, TermTools] = {ENGLISH: english, JAPANESE: japanese, CHINESE: japanese}


def term_tools(language: Language) -> TermTools:
    """The tools of a language. Raises UserError if term questions are not answered in it."""
    return offered_for(_TOOLS, language, "term questions are answered")


class TermLanguage:
    """The tools of one language with the glossary of one index; `spans` finds the candidates of a cleaned sentence.

    Contains no reference cycle, so that memory is freed at once: a server makes an object for each question.
    """

    def __init__(self, language: Language, glossary: Glossary) -> None:
        self.language = language
        self.glossary = glossary
        self.analyser: Analyser = language.analyser(glossary.terms())
        self.tools = term_tools(language)
        self.spans = self.tools.span_finder(glossary.names())
        self.proper_speech = frozenset(("人名", "地域", "組織", "固有名詞", "proper"))
        analyser = self.analyser  # not `self`: the function would refer back
        self._stem = cache(lambda word: next(iter(analyser.terms(word)), ""))

    @cached_property
    def kinds(self) -> KindModel:
        return KindModel(self.glossary, self.tools.speech_of(self._entries))

    @cached_property
    def _entries(self) -> dict[str, tuple[Entry, ...]]:
        return self.glossary.by_name()

    def names_of(self, text: str) -> list[str]:
        """The other names that the glossary has for a name."""
        names = dict.fromkeys(name for entry in self._entries.get(text, ()) for name in (entry.term, *entry.aliases))
        return [name for name in names if name != text]

    def first_year(self, text: str) -> int | None:
        """The first year of a text that is a date, or of the glossary entry of that name; None if neither applies."""
        try:
            years = read_years(text)
        except ValueError:
            years = None
        years = years or next((entry.start for entry in self._entries.get(text, ()) if entry.start), None)
        return years.first if years else None

    def fold(self, text: str) -> str:
        """The text as candidates are compared: cleaned, lower case."""
        return self.tools.clean(text).casefold()

    def terms(self, text: str) -> list[str]:
        return self.analyser.terms(text)

    def places(self, folded: str, terms: Collection[str]) -> Places:
        """The character spans of each term in a folded sentence (term → spans); absent terms are left out.

        A term occurs in words with that stem, or, in scripts without blanks, wherever its characters occur.
        """
        places: Places = {}
        if self.language.uses_spaces:
            for match in _WORD.finditer(folded):
                stem = self._stem(match.group())
                if stem in terms:
                    places.setdefault(stem, []).append(match.span())
            return places
        for term in terms:
            start = folded.find(term)
            while start >= 0:
                places.setdefault(term, []).append((start, start + len(term)))
                start = folded.find(term, start + len(term))
        return places

    def is_repeat(self, key: str, asked: str) -> bool:
        """True if a candidate in the question's text repeats it: as whole words, where blanks part words."""
        return not self.language.uses_spaces or re.search(rf"\b{re.escape(key)}\b", asked) is not None

    def around(self, before: str, after: str) -> tuple[Sequence[str], Sequence[str]]:
        """The `tools.REACH` words before a position, nearest first, and those after it.

        In scripts without blanks, characters instead of words.
        """
        reach = self.tools.REACH
        if not self.language.uses_spaces:
            return before[-reach:][::-1], after[:reach]
        # Punctuation counts as a word: a comma after the gap is context too.
        words = [_TOKEN.findall(text) for text in (before[-_NEAR:], after[:_NEAR])]
        return words[0][::-1][:reach], words[1][:reach]


def index_language(index: Index) -> TermLanguage:
    """The tools for an index's language, with the glossary that it was built with."""
    return TermLanguage(language_of(index), glossary_of(index))
