"""Candidate answers of a sentence: noun phrases, names, dates, numbers with their unit, quoted titles.

English noun phrases are found by the tags of a part-of-speech tagger, Japanese ones are runs of nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from answerer.asking.answer_types import singular
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.languages.spans import Span

LONGEST = 5
"""Words of a noun phrase; of the answers of up to three words that review questions have none is longer."""

_TOKEN = re.compile(r"[^\W_]+(?:[-'.’&/][^\W_]+)*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")
_NOUN = frozenset(("NN", "NNS", "NNP", "NNPS"))
_MODIFIER = frozenset(("JJ", "VBN", "VBG", "NN", "NNS", "NNP", "NNPS", "CD"))
_NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion third half "
    "quarter fourth".split()
)
_NO_HEADS = frozenset(
    "way ways time times part parts kind kinds type types sort lot number use many much several such other others same "
    "own first second last one ones thing things something anything example examples chapter "
    "link table page more most all some any each every both few little less least he she it they we you i his "
    "her its their our your this that these those who which what".split()
)
_FRACTION = re.compile(r"(?:\d+|[一二三四五六七八九十]+)分の(?:\d+|[一二三四五六七八九十]+)")


def spans_of(sentence: str, language: TermLanguage) -> list[Span]:
    """The candidates of a cleaned sentence in order of their place, the longer first at one place.

    No phrase cuts a date or a name of several words.
    """
    found = {(span.start, span.end): span for span in language.finder.spans(sentence)}
    if language.language.spaced:
        fixed = [place for place, span in found.items() if span.shape in ("time", "name")]
        for span in _phrases(sentence):
            if not any(
                start < span.end and span.start < end and not (span.start <= start and end <= span.end)
                for start, end in fixed
            ):
                if span.shape == "number" and any(s < span.end and span.start < e for s, e in fixed):
                    continue
                if (known := found.get((span.start, span.end))) is None or known.shape == "number":
                    found[span.start, span.end] = span
    else:
        for match in _FRACTION.finditer(sentence):
            found[match.span()] = Span(match.group(), *match.span(), "number", "数")
    return sorted(found.values(), key=lambda span: (span.start, -span.end))


@lru_cache(20_000)
def _tagged(sentence: str) -> tuple[tuple[str, int, int, str], ...]:
    """The words and marks of an English sentence: text, from, up to, tag."""
    from indexer.analysis.english_tags import tags

    words: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(sentence):
        start, end = match.span()
        if _POSSESSIVE.search(match.group()):
            words += [(sentence[start : end - 2], start, end - 2), ("'s", end - 2, end)]
        else:
            words.append((match.group(), start, end))
    tagged = tags([word for word, _, _ in words]) if words else []
    return tuple((*word, tag) for word, tag in zip(words, tagged, strict=True))


def _phrases(sentence: str) -> Iterator[Span]:
    """Noun phrases with their shorter ends and beginnings, with "of" and a second one, adjectives and numbers.

    `whole` counts the ends at which a phrase could not be longer; speech is the tag of the last word.
    """
    words = _tagged(sentence)
    place = 0
    while place < len(words):
        if words[place][3] not in _MODIFIER or words[place][0].lower() in _NO_HEADS:
            place += 1
            continue
        end = place
        while end < len(words) and words[end][3] in _MODIFIER and words[end][0].lower() not in _NO_HEADS:
            end += 1
        yield from _of_run(sentence, words, place, end)
        place = end


def _of_run(sentence: str, words: Sequence[tuple[str, int, int, str]], first: int, end: int) -> Iterator[Span]:
    for left in range(first, end):
        numeric = words[left][3] == "CD" or words[left][0].lower() in _NUMBER_WORDS
        for right in range(left, min(end, left + LONGEST)):
            tag = words[right][3]
            whole = (left == first) + (right == end - 1)
            text = sentence[words[left][1] : words[right][2]]
            if numeric:
                if right - left < 3 and (tag == "CD" or tag in _NOUN or words[right][0].lower() in _NUMBER_WORDS):
                    yield Span(text, words[left][1], words[right][2], "number", tag, whole)
            elif tag in _NOUN or tag == "VBG":
                if whole:
                    yield Span(text, words[left][1], words[right][2], "noun", tag, whole)
            elif left == right and tag in ("JJ", "VBN"):
                yield Span(text, words[left][1], words[right][2], "noun", "JJ", whole)
    if end + 1 < len(words) and words[end][0] == "of" and words[end - 1][3] in _NOUN:
        start = end + 1 + (words[end + 1][0].lower() in ("the", "a", "an"))
        stop = start
        while stop < len(words) and words[stop][3] in _MODIFIER:
            stop += 1
        if start < stop and words[stop - 1][3] in _NOUN and stop - end <= LONGEST:
            for left in range(max(first, end - 2), end):
                text = sentence[words[left][1] : words[stop - 1][2]]
                yield Span(text, words[left][1], words[stop - 1][2], "noun", words[stop - 1][3], 1 + (left == first))


def key_of(span: Span, language: TermLanguage) -> str:
    """What a candidate's spellings have in common: small letters, in English the last word in the singular."""
    folded = language.fold(span.text)
    if not language.language.spaced or span.shape in ("time", "number"):
        return folded
    *others, last = folded.split()
    return " ".join([*others, singular(last)])
