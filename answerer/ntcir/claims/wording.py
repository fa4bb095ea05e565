"""The words of a text with their irregular forms and numbers in figures and words: a passage that
has "came" mentions "come", and one that has "sixteen" mentions 16."""

from __future__ import annotations

import re
from functools import cache

from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.text import read_word_list
from retriever import ranking

_WORD = re.compile(r"[^\W\d_]+")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_POWERS = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_VALUES = {word: value for value, word in enumerate(_UNITS)}
_VALUES |= {word: 20 + 10 * place for place, word in enumerate(_TENS)}
_ORDINAL = r"-\w+(?:th|rd|nd|first)\b"
_ROUND = rf"(?:{'|'.join(_TENS)})\b(?!{_ORDINAL})(?:[ -](?:{'|'.join(_UNITS[1:10])})\b)?"
_SMALL = rf"(?:{_ROUND}|(?:{'|'.join(_UNITS)})\b)"
_NUMBER = re.compile(
    rf"\b{_SMALL}(?: (?:{'|'.join(_POWERS)})\b(?:(?: and)? {_SMALL})?)*+", re.IGNORECASE
)
_FIGURES = re.compile(r"(?<![\d.,])\d{1,2}(?![\d.,]*\d)")


def all_forms(text: str, language: TermLanguage) -> set[str]:
    """The terms of a text, in English also those of the other forms of its irregular words, and of
    its numbers in figures, those below 100 in words too."""
    terms = set(language.terms(text))
    if language.spaced:
        terms.update(language.terms(with_figures(text)))
        for figures in set(_FIGURES.findall(text)):
            terms.update(language.terms(_in_words(int(figures))))
        for word in _irregular().keys() & _WORD.findall(text.lower()):
            terms.update(language.terms(" ".join(_irregular()[word])))
    return terms


def with_figures(text: str) -> str:
    """An English text with its number words in figures ("twenty-four" as 24), but for "one" alone,
    which is seldom a number, and for a power without a number before it (millions of)."""
    return _NUMBER.sub(lambda match: _in_figures(match.group()), text)


def _in_figures(words: str) -> str:
    if words.lower() == "one":
        return words
    total = value = 0
    for word in re.findall("[a-z]+", words.lower()):
        if word == "hundred":
            value *= 100
        elif word in _POWERS:
            total, value = total + value * _POWERS[word], 0
        else:
            value += _VALUES.get(word, 0)
    return str(total + value)


def _in_words(number: int) -> str:
    """A number below 100 in words."""
    if number < len(_UNITS):
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return f"{_TENS[tens - 2]} {_UNITS[unit] if unit else ''}"


def base_form(word: str) -> str:
    """The base form of an irregular English word (led: lead), others as they are."""
    return _bases().get(word.lower(), word)


@cache
def _bases() -> dict[str, str]:
    return {form: base for base, *forms in _irregular_words() for form in forms}


@cache
def _irregular() -> dict[str, set[str]]:
    """Irregular word → all forms of its words: "found" is of "find" alone, "lay" of "lie" too."""
    forms: dict[str, set[str]] = {}
    for words in _irregular_words():
        for word in words:
            forms.setdefault(word, set()).update(words)
    return forms


def _irregular_words() -> list[list[str]]:
    """For each irregular word its base form and its other forms."""
    lines = read_word_list(ranking.__name__, "english_irregular_forms.txt")
    return [line.split() for line in lines]
