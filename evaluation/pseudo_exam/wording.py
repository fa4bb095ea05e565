"""How a name is put in another's place, so that its form does not tell: articles, full stops, dates."""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluation.pseudo_exam.languages import exam_language
from indexer.languages.language import Language

_ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)
_LIKE_A_CONSONANT = re.compile(r"eu|ew|one\b|ug|uk|uni|uru|us|ut|u\.", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Z](?:\.?[A-Z])+\b")  # spoken letter by letter: an MP, a UN
_LIKE_VOWELS = {False: "AEIOUÀÁÂÄÅÈÉÊËÌÍÎÏÒÓÔÖÙÚÛÜ", True: "AEFHILMNORSX"}
_ABBREVIATION = re.compile(r"(?:[A-Z]\.)+[A-Z]\.?")


class Swap(NamedTuple):
    """A statement with what stood at [start, end) of the source, `old`, replaced by `new`; `kind` is what was changed.

    `kind` is the name's (person, place, year …), or date, direction or roles.
    """

    text: str
    start: int
    end: int
    old: str
    new: str
    kind: str = ""


def replaced(text: str, start: int, end: int, new: str, kind: str = "") -> Swap:
    """The text with other words at [start, end); the full stop of U.S. goes along, that of a sentence stays."""
    if _ABBREVIATION.fullmatch(text[start:end]):
        end += text[end : end + 1] == "." and end + 1 < len(text)
        end -= end == len(text)
    if _ABBREVIATION.fullmatch(new):
        new = new.removesuffix(".") + ("" if text[end : end + 1] == "." else ".")
    return Swap(text[:start] + new + text[end:], start, end, text[start:end], new, kind)


def is_abbreviation(surface: str) -> bool:
    """Whether a name is written with full stops, so that the sentence's may be its own."""
    return _ABBREVIATION.fullmatch(surface) is not None


def agrees(text: str, start: int, new: str) -> bool:
    """Whether a name can follow what stands before it: `a` before a consonant, `an` before a vowel."""
    article = _ARTICLE.search(text, 0, start)
    if not article:
        return True
    letters = _LETTERS.match(new) is not None
    vowel = new[:1].upper() in _LIKE_VOWELS[letters] and not _LIKE_A_CONSONANT.match(new)
    return vowel == (len(article[1]) == 2)


def shape_of_date(key: str, surface: str, language: Language) -> str:
    """The width of a date and its side of Christ; one of another form (昭和20年) is like no other."""
    first, *last = key.removeprefix("y:").split("..")
    width = int(last[0]) - int(first) if last else 0
    shape = f"{width} before" if first.startswith("-") else f"{width}"
    years = {abs(int(year)) for year in (first, *last)}
    return shape if exam_language(language).is_plain_date(surface, years, width) else surface
