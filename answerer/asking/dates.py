"""Answers that are dates of a sentence with a date for each of several names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from answerer.asking.phrases import MONTH, tag_words
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion

_YEAR = re.compile(r"\b[12]\d{3}\b")
_MARK = re.compile(
    rf"(?:\d{{1,2}} )?(?:{MONTH} (?:\d{{1,2}}, )?)?\b[12]\d{{3}}\b"
    r"|[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*"
)


def year_behind_name(
    ranked: Sequence[TermCandidate], question: TermQuestion, language: TermLanguage
) -> TermCandidate | None:
    """Where an English question asks when, and the first candidate's sentence is a row of names
    with a year behind each, all of one verb ("the Wells branch was closed in 1952 and the Pellow
    branch in 1959"), the best candidate in that sentence with the year behind the name of the
    question, unless it is the first; else None. A name is of the question if all its terms that no
    other name of the sentence has are; None if none or several are."""
    first = ranked[0]
    if not language.spaced or question.group != "time" or not _YEAR.search(first.text):
        return None
    year = _year_behind_name(language.tools.clean(first.best.text), question.text, language)
    if not year or year in first.text:
        return None
    beside = (other for other in ranked[1:] if other.best.text == first.best.text)
    return next((candidate for candidate in beside if year in candidate.text), None)


_BORN = re.compile(r"\bborn\b|\bbirth\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:die|died|dead|death)\b", re.IGNORECASE)
_LIVED = re.compile(r"\blived?\b", re.IGNORECASE)
_LIFE = re.compile(r"([A-Z][\w’'-]*) ?\((?:born )?(?P<born>\d{3,4}) ?[–-] ?(?P<died>\d{3,4})\)")


def year_of_life(
    ranked: Sequence[TermCandidate], question: TermQuestion, language: TermLanguage
) -> TermCandidate | None:
    """Where an English question asks when somebody was born or died, the best year that stands for
    this in round brackets behind the last word of the question's name ("Ann Holm (1632–1723)"), and
    where it asks when somebody did anything else but live, the best candidate that is no such year;
    else None."""
    text = question.text
    if not language.spaced or question.group != "time" or _LIVED.search(text):
        return None
    event = ""
    if _BORN.search(text):
        event = "born"
    elif _DIED.search(text):
        event = "died"
    parts = ((_part_of_life(candidate, text, language), candidate) for candidate in ranked)
    return next((candidate for part, candidate in parts if part == event), None)


def _part_of_life(candidate: TermCandidate, text: str, language: TermLanguage) -> str:
    """Which end of a life, "born" or "died", a year in round brackets behind a name that a text has
    is; "" for other candidates."""
    for life in _LIFE.finditer(language.tools.clean(candidate.best.text)):
        if re.search(rf"\b{re.escape(life[1])}\b", text, re.IGNORECASE):
            for part in ("born", "died"):
                if life.start(part) == candidate.span.start:
                    return part
    return ""


def _year_behind_name(sentence: str, question: str, language: TermLanguage) -> str:
    """The year behind the one name of a question in a sentence in which names and dates alternate,
    a name first, at least two of each, and only the first name has a verb; "" in any other
    sentence, and without such a name."""
    marks = [mark for mark in _MARK.finditer(sentence) if language.terms(mark[0])]
    names, years = marks[::2], [_YEAR.search(mark[0]) for mark in marks[1::2]]
    if len(names) < 2 or len(names) != len(years) or any(_YEAR.search(name[0]) for name in names):
        return ""
    # With a separate verb, a later name's date is of something else.
    end = marks[1].end()
    if any(word.tag.startswith("VB") for word in tag_words(sentence) if word.start >= end):
        return ""
    terms = [set(language.terms(name[0])) for name in names]
    wanted = set(language.terms(question))
    years_of_question = []
    for position, (name_terms, year) in enumerate(zip(terms, years, strict=True)):
        others = set(chain(*terms[:position], *terms[position + 1 :]))
        if year is None:
            return ""
        if name_terms - others and name_terms - others <= wanted:
            years_of_question.append(year[0])
    return years_of_question[0] if len(years_of_question) == 1 else ""
