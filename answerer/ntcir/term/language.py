"""What the term questions need of each language: candidates, folding, places of terms, kinds."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from answerer.ntcir.term.kinds import KindModel
from answerer.ntcir.term.spans import Finder, Span
from indexer.analysis import Analyser, Language, analyser
from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.years import Years
from indexer.engines.contract import Index

Places = dict[str, list[tuple[int, int]]]
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class TermLanguage:
    """The tools of one language with one index's glossary; made once for all questions.

    `stride` is how many characters make a step of distance; `apposition_gap` how far a focus noun in
    apposition may stand.
    """

    def __init__(self, language: Language, glossary: Glossary) -> None:
        self.language = language
        self.glossary = glossary
        names = glossary.names()
        self.analyser: Analyser = analyser(language, names)
        self._finder = _finder(language, names)
        self.stride = 5.0 if language == "en" else 2.0
        self.apposition_gap = 12 if language == "en" else 5
        self.common_speech = frozenset(("サ変接続", "形容動詞語幹", "副詞可能", "ナイ形容詞語幹", "common"))
        self.proper_speech = frozenset(("人名", "地域", "組織", "固有名詞", "proper"))
        self._stems: dict[str, str] = {}

    @cached_property
    def kinds(self) -> KindModel:
        return KindModel(self.glossary, self._finder.speech_of(self._entries))

    @cached_property
    def _entries(self) -> dict[str, tuple[Entry, ...]]:
        return self.glossary.by_name()

    def names_of(self, text: str) -> list[str]:
        """The other names that the glossary has for a name."""
        found = dict.fromkeys(name for entry in self._entries.get(text, ()) for name in (entry.term, *entry.aliases))
        return [name for name in found if name != text]

    def start_of(self, text: str) -> Years | None:
        """When the first glossary entry of that name with a date began, None without one."""
        return next((entry.start for entry in self._entries.get(text, ()) if entry.start), None)

    def clean(self, text: str) -> str:
        return self._finder.clean(text)

    def fold(self, text: str) -> str:
        """The text as candidates are compared: cleaned, lower case."""
        return self._finder.clean(text).casefold()

    def spans(self, sentence: str) -> Sequence[Span]:
        return self._finder.spans(sentence)

    def terms(self, text: str) -> list[str]:
        return self.analyser.terms(text)

    def places(self, folded: str, terms: Collection[str]) -> Places:
        """Where the terms stand in a folded sentence; in English a term stands where a word has its stem."""
        if self.language != "en":
            return _found(folded, terms)
        found: Places = {}
        for match in _WORD.finditer(folded):
            stem = self._stem(match.group())
            if stem in terms:
                found.setdefault(stem, []).append(match.span())
        return found

    def _stem(self, word: str) -> str:
        stem = self._stems.get(word)
        if stem is None:
            stem = self._stems[word] = next(iter(self.analyser.terms(word)), "")
        return stem

    def is_repeat(self, key: str, own: str) -> bool:
        """Whether a candidate that stands in the question's own text repeats it: in English only as whole words."""
        return self.language != "en" or re.search(rf"\b{re.escape(key)}\b", own) is not None

    def in_apposition(self, before: str, after: str, focus: str) -> bool:
        """Whether the focus noun stands in apposition: 首都ベルリン, ベルリンという首都, the capital, Berlin."""
        return self._finder.in_apposition(before, after, focus)

    def roles(self, before: str, after: str) -> Sequence[str]:
        return self._finder.roles(before, after)

    def neighbours(self, before: str, after: str) -> tuple[str, str]:
        return self._finder.neighbours(before, after)

    def has_unit(self, number: str, unit: str) -> bool:
        return self._finder.has_unit(number, unit)


def index_language(index: Index) -> TermLanguage:
    """The tools for an index's language, with the glossary that it was built with."""
    language: Language = "ja" if index.metadata.language == "ja" else "en"
    if index.metadata.language == "zh":
        language = "zh"
    return TermLanguage(language, Glossary.from_lines(index.metadata.settings.get("glossary", ())))


def _finder(language: Language, names: Sequence[str]) -> Finder:
    if language == "en":
        from answerer.ntcir.term.english import EnglishSpans

        return EnglishSpans(names)
    from answerer.ntcir.term.japanese import JapaneseSpans

    return JapaneseSpans(names)


def _found(folded: str, terms: Collection[str]) -> Places:
    places: Places = {}
    for term in terms:
        start = folded.find(term)
        while start >= 0:
            places.setdefault(term, []).append((start, start + len(term)))
            start = folded.find(term, start + len(term))
    return places
