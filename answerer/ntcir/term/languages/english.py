"""Candidates in English: capitalised names, dates, numbers with their noun, quoted names, glossary names, nouns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from answerer.ntcir.term.languages.spans import Span
from indexer.analysis.text import NameFinder
from indexer.names.english import EnglishNames

_NUMBER = re.compile(
    r"(?<![\w.,])(?:about |around |over |nearly |some )?(?P<number>(?:\d[\d,.]*\d|\d|two|three|four|five|six|"
    r"seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred)(?: (?:hundred|thousand|million|billion))? "
    r"(?:percent|%|[a-z]+))"
)
_QUOTED = re.compile(r"[“\"]([A-Za-z][^”\"]{2,30}?)[,.]?[”\"]")
_ARTICLE = re.compile(r"^(?:the|a|an) ", re.I)
_WORDS = re.compile(r"[^\W_]+|'s\b")
_ROLES = (
    ("glossed", re.compile(r" ?\(|, (?:a|an|the|who|which) ")),
    ("of", re.compile(r"['’]s?\b")),
    ("definition", re.compile(r",? (?:is|was|are|were) (?:a|an|the)\b")),
)


@cache
def _kind_patterns(noun: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What says behind a name and before it that it is one of what the noun names."""
    stem = re.escape(noun.removesuffix("y")) if noun.endswith("y") else re.escape(noun)
    named = rf"{stem}(?:s|es|y|ies)?\b" if noun.endswith("y") else rf"{stem}(?:s|es)?\b"
    few = r"(?:[a-z'-]+ ){0,3}?"
    return (
        re.compile(
            rf",? (?:is|was|are|were|became) (?:an?|the|one of (?:the|his|her|its|their)) {few}{named}"
            rf"|, (?:an?|the) {few}{named}|(?:, [^,.;]+)*,? (?:and|or) other {few}{named}"
        ),
        re.compile(rf"\b{named},? (?:such as|including|like|called|named|known as) (?:[^.;:]{{1,40}}(?:, |,? and ))?$"),
    )


class EnglishSpans:
    """Finds candidates by capitals and dates (indexer.names); `names` are a glossary's, whole wherever they stand."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = EnglishNames(names)
        self._glossary = NameFinder(names)
        self._known: dict[str, list[Span]] = {}

    def clean(self, text: str) -> str:
        """The text with single blanks and plain apostrophes."""
        return " ".join(text.replace("’", "'").split())

    def spans(self, sentence: str) -> list[Span]:
        if sentence not in self._known:
            self._known[sentence] = sorted(self._find(sentence), key=lambda span: (span.start, -span.end))
        return self._known[sentence]

    def _find(self, sentence: str) -> Iterator[Span]:
        taken = list(self._known_names(sentence))
        for start, end in taken:
            yield Span(sentence[start:end], start, end, "name", "proper")
        for mention in self._names.mentions(sentence):
            start, end = mention.start, mention.end
            if any(start < right and left < end for left, right in taken):
                continue
            taken.append((start, end))
            if mention.span:
                surface = mention.surface
                text = surface[:-1] if surface.endswith(".") and surface.count(".") == 1 else surface
                yield Span(text, start, end, "time", "number")
                continue
            text = _ARTICLE.sub("", mention.surface)
            hint = self._names.cue(sentence, mention) or ""
            whole = 2 if mention.sure else 0
            yield Span(text, end - len(text), end, "name", "proper", whole, hint, mention.key)
        for match in _NUMBER.finditer(sentence):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                yield Span(match["number"], match.start(), match.end(), "number", "number")
        for match in _QUOTED.finditer(sentence):
            if match.span(1) not in taken:
                yield Span(match[1], *match.span(1), "quoted")

    def _known_names(self, sentence: str) -> Iterator[tuple[int, int]]:
        """Where glossary names of several words stand, as whole words."""
        for start, end in self._glossary.whole(sentence):
            if " " in sentence[start:end]:
                yield start, end

    def speech_of(self, names: Iterable[str]) -> Mapping[str, str]:
        """English names do not have a part of speech of their own."""
        return dict.fromkeys(names, "proper")

    def in_apposition(self, before: str, after: str, focus: str) -> bool:
        """The capital, Berlin; the city of Troy; Berlin, the capital; Berlin was the capital."""
        noun = rf"{re.escape(focus)}(?:es|s)?"
        return bool(
            re.search(rf"\b{noun}(?:,| of| is| was| were| called| named| known as)?(?: the)? ?[“\"(]?$", before)
            or re.match(
                rf"[”\")]?,?(?: (?:is|was|were|became|as))?(?: (?:the|a|an|its|their|his))?(?: \w+)? {noun}\b", after
            )
        )

    def is_said_to_be(self, before: str, after: str, noun: str) -> bool:
        """Troy was an ancient city; Troy, a city; cities such as Troy; Troy and other cities."""
        behind, ahead = _kind_patterns(noun)
        inside = before[-1:].isalnum() or after[:1].isalnum()
        return not inside and bool(behind.match(after) or ahead.search(before))

    def is_reading(self, before: str, text: str) -> bool:
        """Never: how an English word is read is not printed beside it."""
        return False

    def roles(self, before: str, after: str) -> Sequence[str]:
        """of (Caesar's), glossed (a bracket, or a comma and what it is), definition (was a …)."""
        return [role for role, pattern in _ROLES if pattern.match(after)]

    def neighbours(self, before: str, after: str) -> tuple[str, str]:
        """The last word before and the first word after, "" at the ends of the sentence."""
        left, right = _WORDS.findall(before[-30:]), _WORDS.match(after.lstrip())
        return (left[-1] if left else ""), (right.group() if right else "")
