"""Candidate answers of a sentence: noun phrases, names, dates, numbers with their unit, quoted titles.

English noun phrases are found by the tags of a part-of-speech tagger, Japanese ones are runs of nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from answerer.asking.answer_types import singular
from answerer.ntcir.term.entity_types import Span
from answerer.ntcir.term.language import TermLanguage

LONGEST = 5  # words of a noun phrase; of the answers of up to three words that review questions have none is longer

_TOKEN = re.compile(r"[^\W_]+(?:[-'.’&/][^\W_]+)*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")
_NOUN = frozenset(("NN", "NNS", "NNP", "NNPS"))
_MODIFIER = frozenset(("JJ", "VBN", "VBG", "NN", "NNS", "NNP", "NNPS", "CD"))
_NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion third "
    "half quarter fourth".split()
)
_NO_HEADS = frozenset(
    "way ways time times part parts kind kinds type types sort lot number use many much several such other others same "
    "own first second last one ones thing things something anything example examples chapter "
    "link table page more most all some any each every both few little less least he she it they we you i his "
    "her its their our your this that these those who which what".split()
)
_FRACTION = re.compile(r"(?:\d+|[一二三四五六七八九十]+)分の(?:\d+|[一二三四五六七八九十]+)")
# Authors in brackets with the year of their work, (Darley & Latané, 1968, p. 3): they answer nothing.
_REFERENCE = re.compile(r"\([^()]*[A-Z][^()]*, (?:18|19|20)\d\d[a-z]?(?:[;,][^()]*)?\)")


def spans_of(sentence: str, language: TermLanguage) -> list[Span]:
    """Candidate answers of a cleaned sentence as spans, sorted by start, then longest first; a span occurs once.

    In English: entities, dates, quoted titles, and noun phrases that do not cut a date or a complete name of several
    words; nothing inside a reference in parentheses but dates. Otherwise: what the language's span finder finds, and
    fractions.
    """
    found = {(span.start, span.end): span for span in language.spans(sentence)}
    if language.language.uses_spaces:
        phrases = list(_phrases(sentence))
        modifying = {span.start for span in phrases if span.shape == "noun"}
        ends = {(span.start, span.end) for span in phrases if span.whole == 2}
        # dates, and names whose two ends are sure, are not cut by a phrase
        fixed = [
            place for place, span in found.items() if span.shape == "time" or (span.shape == "name" and span.whole)
        ]
        for place, span in found.items():  # Gupta in "the Gupta dynasty" is not a whole name
            if span.shape == "name":
                longer = place[0] in modifying and place not in ends
                longer = longer and any(start <= place[0] and place[1] < end for start, end in ends)
                found[place] = span._replace(whole=1 if longer else 2)
        for span in phrases:
            inside = [place for place in fixed if place[0] < span.end and span.start < place[1]]
            if any(not (span.start <= start and end <= span.end) for start, end in inside):
                continue
            if not (inside and span.shape == "number"):
                known = found.get((span.start, span.end))
                if known is None or known.shape == "number":
                    found[span.start, span.end] = span
        for start, end in [match.span() for match in _REFERENCE.finditer(sentence)]:
            found = {
                place: span
                for place, span in found.items()
                if span.shape == "time" or not (start < place[0] and place[1] < end)
            }
    else:
        for match in _FRACTION.finditer(sentence):
            found[match.span()] = Span(match.group(), *match.span(), "number", "数")
    return sorted(found.values(), key=lambda span: (span.start, -span.end))


_Tagged = tuple[str, int, int, str]  # a word or mark, from, up to, its tag


@lru_cache(20_000)
def _tag_words(sentence: str) -> tuple[_Tagged, ...]:
    """The words and punctuation marks of an English sentence as (text, start, end, Penn tag), start and end character
    offsets; a possessive 's is a separate word."""
    from indexer.analysis.english import tags

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
    """Yields the noun phrases of an English sentence as spans: every part, up to `LONGEST` words, of a run of nouns,
    adjectives and numbers that `_shape` accepts, and noun phrases joined by "of".

    `whole`, 0 to 2, counts the ends at which the span reaches the end of its run; `speech` is the tag of the last word
    ("JJ" for a single adjective or participle).
    """
    words = _tag_words(sentence)
    place = 0
    while place < len(words):
        if words[place][3] not in _MODIFIER or words[place][0].lower() in _NO_HEADS:
            place += 1
            continue
        end = place
        while end < len(words) and words[end][3] in _MODIFIER and words[end][0].lower() not in _NO_HEADS:
            end += 1
        for left in range(place, end):
            for right in range(left, min(end, left + LONGEST)):
                whole = (left == place) + (right == end - 1)
                if shape := _shape(words[left : right + 1], whole):
                    start, stop = words[left][1], words[right][2]
                    speech = "JJ" if left == right and words[left][3] in ("JJ", "VBN") else words[right][3]
                    yield Span(sentence[start:stop], start, stop, shape, speech, whole)
        if end + 1 < len(words) and words[end][0] == "of" and words[end - 1][3] in _NOUN:
            after = end + 1 + (words[end + 1][0].lower() in ("the", "a", "an"))
            last = after
            while last < len(words) and words[last][3] in _MODIFIER:
                last += 1
            if after < last and words[last - 1][3] in _NOUN and last - end <= LONGEST:
                for left in range(max(place, end - 2), end):
                    start, (_, _, stop, speech) = words[left][1], words[last - 1]
                    yield Span(sentence[start:stop], start, stop, "noun", speech, 1 + (left == place))
        place = end


def _shape(words: Sequence[_Tagged], whole: int) -> Literal["number", "noun"] | None:
    """Shape of a part of a noun phrase: "number" for a number alone or with its noun (at most 3 words), "noun" for a
    phrase that reaches at least one end of its run (`whole` > 0) and for a single adjective; None if it is not a
    candidate."""
    tag = words[-1][3]
    counted = tag == "CD" or tag in _NOUN or words[-1][0].lower() in _NUMBER_WORDS
    if words[0][3] == "CD" or words[0][0].lower() in _NUMBER_WORDS:
        return "number" if len(words) <= 3 and counted else None
    if tag in _NOUN or tag == "VBG":
        return "noun" if whole else None
    return "noun" if len(words) == 1 and tag in ("JJ", "VBN") else None


def key_of(span: Span, language: TermLanguage) -> str:
    """Key under which the spellings of one candidate answer are merged: its text in lower case; in English the last
    word in the singular, but for dates and numbers."""
    folded = language.fold(span.text)
    if not language.language.uses_spaces or span.shape in ("time", "number"):
        return folded
    *others, last = folded.split()
    return " ".join([*others, singular(last)])
