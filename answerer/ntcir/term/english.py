"""Candidates in English: capitalised names, dates, numbers with their noun, quoted names, glossary
names, nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from answerer.ntcir.term.entity_types import Span
from indexer.analysis.name_finder import NameFinder
from indexer.entities.english import EnglishNames

_NUMBER = re.compile(
    r"(?<![\w.,])(?:about |around |over |nearly |some )?(?P<number>(?:\d[\d,.]*\d|\d|two|three"
    r"|four|five|six|"
    r"seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred)(?: (?:hundred|thousand"
    r"|million|billion))? "
    r"(?:percent|%|[a-z]+))"
)
_QUOTED = re.compile(r"[“\"]([A-Za-z][^”\"]{2,30}?)[,.]?[”\"]")
_ARTICLE = re.compile(r"^(?:the|a|an) ", re.I)
_ROLES = (
    ("glossed", re.compile(r" ?\(|, (?:a|an|the|who|which) ")),
    ("definition", re.compile(r",? (?:is|was|are|were) (?:a|an|the)\b")),
)


@cache
def _kind_patterns(noun: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns that make a name a hyponym of `noun`: (for the text after the name, for the text
    before it)."""
    stem, endings = (noun[:-1], "y|ys|ies") if noun.endswith("y") else (noun, "|s|es")
    nouns = rf"{re.escape(stem)}(?:{endings})\b"
    few = r"(?:[a-z'-]+ ){0,3}?"
    return (
        re.compile(
            rf",? (?:is|was|are|were|became) (?:an?|the|one of (?:the|his|her|its|their)) "
            rf"{few}{nouns}"
            rf"|, (?:an?|the) {few}{nouns}|(?:, [^,.;]+)*,? (?:and|or) other {few}{nouns}"
        ),
        re.compile(
            rf"\b{nouns},? (?:such as|including|like|called|named|known as) (?:[^.;:]{{1,40}}(?:, "
            rf"|,? and ))?$"
        ),
    )


STRIDE, REACH = 5.0, 3  # letters of an average word; a noun phrase on either side


def clean(text: str) -> str:
    """The text with single blanks and plain apostrophes."""
    return " ".join(text.replace("’", "'").split())


def in_apposition(before: str, after: str, focus: str) -> bool:
    """True if the text around a name, in small letters, calls it a `focus`. For capital: the
    capital, Berlin; the capital of Berlin; Berlin, the capital; Berlin was the capital."""
    ahead, behind = _apposition_patterns(focus)
    return bool(ahead.search(before) or behind.match(after))


@cache
def _apposition_patterns(focus: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of an apposition to `focus`: (for the text before a name, for the text after it)."""
    noun = rf"{re.escape(focus)}(?:es|s)?"
    return (
        re.compile(
            rf"\b{noun}(?:,| of| is| was| were| called| named| known as)?(?: the)? ?[“\"(]?$"
        ),
        re.compile(
            rf"[”\")]?,?(?: (?:is|was|were|became|as))?(?: (?:the|a|an|its|their|his))?(?: \w+)? "
            rf"{noun}\b"
        ),
    )


def is_said_to_be(before: str, after: str, noun: str) -> bool:
    """True if the text around a name, in small letters, makes it a hyponym of `noun`. For city:
    Troy was an ancient city; Troy, a city; cities such as Troy; Troy and other cities. False inside
    of a word."""
    behind, ahead = _kind_patterns(noun)
    inside = before[-1:].isalnum() or after[:1].isalnum()
    return not inside and bool(behind.match(after) or ahead.search(before))


def roles(before: str, after: str) -> Sequence[str]:
    """The roles of a candidate by the text behind it: "glossed" (a bracket, or a comma and what it
    is), "definition" (was a …)."""
    return [role for role, pattern in _ROLES if pattern.match(after)]


def span_finder(names: Sequence[str] = ()) -> Callable[[str], list[Span]]:
    """Makes a cached function from a cleaned sentence to its candidates, in order of start, the
    longer first.

    Candidates are glossary `names` of several words, recognised names, without an article before
    them, and dates, numbers with the small word or % behind them, and quoted phrases of 3 to 31
    characters; only these may overlap others.
    """
    entities, glossary = EnglishNames(names), NameFinder(names)

    def find(sentence: str) -> Iterator[Span]:
        taken = [
            (start, end) for start, end in glossary.whole(sentence) if " " in sentence[start:end]
        ]
        for start, end in taken:
            yield Span(sentence[start:end], start, end, "name", "proper")
        for mention in entities.mentions(sentence):
            start, end = mention.start, mention.end
            # A glossary name is not cut by another way to read the sentence.
            if any(start < right and left < end for left, right in taken):
                continue
            taken.append((start, end))
            if mention.span:
                surface = mention.surface
                # A full stop after a date ends the sentence, unless it is one of several (B.C.).
                text = (
                    surface[:-1] if surface.endswith(".") and surface.count(".") == 1 else surface
                )
                yield Span(text, start, end, "time", "number")
                continue
            text = _ARTICLE.sub("", mention.surface)
            hint = entities.cue(sentence, mention) or ""
            yield Span(
                text, end - len(text), end, "name", "proper", 2 * mention.sure, hint, mention.key
            )
        for match in _NUMBER.finditer(sentence):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                yield Span(match["number"], match.start(), match.end(), "number", "number")
        for match in _QUOTED.finditer(sentence):
            if match.span(1) not in taken:
                yield Span(match[1], *match.span(1), "quoted")

    return cache(lambda sentence: sorted(find(sentence), key=lambda span: (span.start, -span.end)))
