"""Answers that are numbers, whole: with all words of the number and its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from answerer.asking.phrases import tag_words
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.analysis.english import singular
from indexer.analysis.english_numbers import NUMBER_WORDS, POWERS

_PER_CENT = re.compile(r" ?(?:%|per ?cent\b)", re.IGNORECASE)
_PER = re.compile(
    r" (?:per|an?|each) (?:second|minute|hour|day|night|week|month|year|annum|person|head)\b"
)
_SPAN = re.compile(r"\bfrom when (?:to|until|till) when\b|\b(?:which|what) years\b", re.IGNORECASE)
_RANGE = re.compile(r"\d{3,4} ?[–-] ?\d{1,4}\b")
_OF_THEM = re.compile(r" of (?:them|these|those|whom)\b")
_CURRENCIES = ("$", "£", "€", "¥")
_BEFORE_UNIT = ("JJ", "NN", "NNS", "NNP", "NNPS")  # cubic metres


_THEM = "them"
"""What a number counts that is a part of another one: "twenty of them"."""


class _Amount(NamedTuple):
    """A number of a sentence as written, alone and with what it counts behind it, and the
    singular of the last word of that: "them" for "of them", "" without one."""

    number: str
    whole: str
    unit: str


def amount_of(sentence: str, start: int, end: int) -> _Amount:
    """The number, of one or more words, of an English sentence that has the first number word which
    ends in characters `start` to `end`, a sign of a currency before it; with it the text up to its
    unit ("miles", "miles per hour"), and the unit (a singular noun, "percent", "them" or "").
    Empty strings without one."""
    words = tag_words(sentence)
    inside = (position for position, word in enumerate(words) if start < word.stop <= end)
    first = next((position for position in inside if _is_number(words[position].text)), -1)
    if first < 0:
        return _Amount("", "", "")
    last = first
    while first and _go_on(words[first - 1].text, words[first].text):
        first -= 1
    while last + 1 < len(words) and _go_on(words[last].text, words[last + 1].text):
        last += 1
    noun = last
    while noun + 1 < len(words) and words[noun + 1].tag in _BEFORE_UNIT:
        noun += 1
    while noun > last and words[noun].tag == "JJ":
        noun -= 1
    # the tagger takes "miles" in "six miles an hour" for a verb
    if noun == last and last + 1 < len(words) and _PER.match(sentence, words[last + 1].stop):
        noun = last + 1
    begin = words[first].start - (sentence[: words[first].start][-1:] in _CURRENCIES)
    number = sentence[begin : words[last].stop]
    if per_cent := _PER_CENT.match(sentence, words[last].stop):
        return _Amount(number, f"{number}{per_cent[0]}", "percent")
    if noun == last:
        is_part = _OF_THEM.match(sentence, words[last].stop)
        return _Amount(number, number, _THEM if is_part else "")
    rate = _PER.match(sentence, words[noun].stop)
    whole = sentence[begin : rate.end() if rate else words[noun].stop]
    return _Amount(number, whole, singular(words[noun].text.lower()))


def _is_number(word: str) -> bool:
    """Whether a word begins with a digit, or is a number word or several with hyphens."""
    return word[0].isdigit() or NUMBER_WORDS.issuperset(word.lower().split("-"))


def _go_on(before: str, word: str) -> bool:
    """Whether two words are of one number: a number word behind any other, behind digits only a
    power of ten ("nine hundred", "8 million", not "8 nine" or "nine 8")."""
    words = _is_number(before) and _is_number(word) and not word[0].isdigit()
    return words and (not before[0].isdigit() or word.lower() in POWERS)


def whole_text(candidate: TermCandidate, question: TermQuestion, language: TermLanguage) -> str:
    """What is shown of an answer: an English number with all its words, and with what it counts
    (eight million cubic metres) unless the question names that; the range of years that a year
    begins or ends where it asks from when to when; the candidate's text if it contains all this,
    and for anything else."""
    if language.spaced and question.group == "time" and _SPAN.search(question.text):
        start, end = candidate.span.start, candidate.span.end
        sentence = language.tools.clean(candidate.best.text)
        spans = (
            match for match in _RANGE.finditer(sentence) if match.start() <= start < match.end()
        )
        return next((match[0] for match in spans if end <= match.end()), candidate.text)
    if not language.spaced or candidate.span.shape != "number":
        return candidate.text
    amount = _amount(candidate, language)
    if not amount.number:
        return candidate.text
    shown = amount.number if amount.unit == question.counted else amount.whole
    return candidate.text if shown in candidate.text else shown


def first_of_unit(
    ranked: Sequence[TermCandidate], question: TermQuestion, language: TermLanguage
) -> TermCandidate | None:
    """Where the first candidate is an English number that counts another noun than the question
    does (how many people: seven weeks), the best one in its sentence, or in its paragraph if the
    first counts "of them", that counts the question's; else None."""
    first = ranked[0]
    if not (language.spaced and question.counted) or first.span.shape != "number":
        return None
    counted = _amount(first, language).unit
    if counted in ("", question.counted):
        return None
    for candidate in ranked[1:]:
        is_beside = candidate.span.shape == "number" and (
            candidate.best.text == first.best.text
            or (counted == _THEM and candidate.best.paragraph == first.best.paragraph)
        )
        if is_beside and _amount(candidate, language).unit == question.counted:
            return candidate
    return None


def apart(ranked: Sequence[TermCandidate], most: int) -> list[TermCandidate]:
    """Up to `most` candidates, best first, without those that overlap a better one of them in the
    same sentence."""
    chosen: list[TermCandidate] = []
    for candidate in ranked:
        if len(chosen) == most:
            break
        if not any(_overlap(candidate, better) for better in chosen):
            chosen.append(candidate)
    return chosen


def _overlap(first: TermCandidate, second: TermCandidate) -> bool:
    is_beside = first.best.text == second.best.text
    return is_beside and first.span.start < second.span.end and second.span.start < first.span.end


def _amount(candidate: TermCandidate, language: TermLanguage) -> _Amount:
    sentence = language.tools.clean(candidate.best.text)
    return amount_of(sentence, candidate.span.start, candidate.span.end)
