"""What the term questions need of each language: candidates, folding, places of terms, kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache, cached_property

from answerer.ntcir.term.kinds import KindModel
from answerer.ntcir.term.languages.tools import term_tools
from indexer.analysis import Analyser
from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.years import Years
from indexer.engines.contract import Index
from indexer.languages.language import Language
from retriever.queries import glossary_of, language_of

Places = dict[str, list[tuple[int, int]]]
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_NEAR = 60  # characters on either side in which the nearest words stand
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class TermLanguage:
    """The tools of one language with one index's glossary; made once for all questions. `finder` finds candidates.

    It goes with the last who uses it: what it remembers does not lead back to it, nor in what it is made of. A server
    makes one for each question, and those of large glossaries waited long for Python to look for cycles.
    """

    def __init__(self, language: Language, glossary: Glossary) -> None:
        self.language = language
        self.glossary = glossary
        names = glossary.names()
        self.analyser: Analyser = language.analyser(glossary.terms())
        self.tools = term_tools(language)
        self.finder = self.tools.finder(names)
        self.proper_speech = frozenset(("人名", "地域", "組織", "固有名詞", "proper"))
        self._stem = _stems(self.analyser)

    @cached_property
    def kinds(self) -> KindModel:
        return KindModel(self.glossary, self.finder.speech_of(self._entries))

    @cached_property
    def _entries(self) -> dict[str, tuple[Entry, ...]]:
        return self.glossary.by_name()

    def names_of(self, text: str) -> list[str]:
        """The other names that the glossary has for a name."""
        names = dict.fromkeys(name for entry in self._entries.get(text, ()) for name in (entry.term, *entry.aliases))
        return [name for name in names if name != text]

    def start_of(self, text: str) -> Years | None:
        """When the first glossary entry of that name with a date began, None without one."""
        return next((entry.start for entry in self._entries.get(text, ()) if entry.start), None)

    def fold(self, text: str) -> str:
        """The text as candidates are compared: cleaned, lower case."""
        return self.finder.clean(text).casefold()

    def terms(self, text: str) -> list[str]:
        return self.analyser.terms(text)

    def places(self, folded: str, terms: Collection[str]) -> Places:
        """Where the terms stand in a folded sentence; where blanks part words, where one has its stem."""
        if not self.language.spaced:
            return _found(folded, terms)
        places: Places = {}
        for match in _WORD.finditer(folded):
            stem = self._stem(match.group())
            if stem in terms:
                places.setdefault(stem, []).append(match.span())
        return places

    def is_repeat(self, key: str, own: str) -> bool:
        """Whether a candidate that the question holds repeats it: as whole words, where blanks part words."""
        return not self.language.spaced or re.search(rf"\b{re.escape(key)}\b", own) is not None

    def around(self, before: str, after: str) -> tuple[Sequence[str], Sequence[str]]:
        """What stands before, backwards, and after, as far as `tools.reach`: words, or characters without blanks."""
        reach = self.tools.reach
        if not self.language.spaced:
            return before[-reach:][::-1], after[:reach]
        words = [_TOKEN.findall(text) for text in (before[-_NEAR:], after[:_NEAR])]
        return words[0][::-1][:reach], words[1][:reach]


def _stems(analyser: Analyser) -> Callable[[str], str]:
    """The first term of a word, of each word once."""
    return cache(lambda word: next(iter(analyser.terms(word)), ""))


def index_language(index: Index) -> TermLanguage:
    """The tools for an index's language, with the glossary that it was built with."""
    return TermLanguage(language_of(index), glossary_of(index))


def _found(folded: str, terms: Collection[str]) -> Places:
    places: Places = {}
    for term in terms:
        start = folded.find(term)
        while start >= 0:
            places.setdefault(term, []).append((start, start + len(term)))
            start = folded.find(term, start + len(term))
    return places
