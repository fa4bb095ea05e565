"""The words of a text with all their irregular forms: a passage that has "came" mentions "come"."""

from __future__ import annotations

import re
from functools import cache

from answerer.ntcir import claims
from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.text import read_word_list
from retriever import ranking

_WORD = re.compile(r"[^\W\d_]+")


def all_forms(text: str, language: TermLanguage) -> set[str]:
    """The terms of a text, in a language with spaces also those of the other forms of its irregular
    English words."""
    terms = set(language.terms(text))
    if language.spaced:
        for word in _irregular().keys() & _WORD.findall(text.lower()):
            terms.update(language.terms(" ".join(_irregular()[word])))
    return terms


def base_form(word: str) -> str:
    """The base form of an irregular English word (led, Led: lead), any other word unchanged."""
    return _bases().get(word.lower(), word)


@cache
def _bases() -> dict[str, str]:
    """Irregular form → its base form, the last of the list for a form of several."""
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
    lines = [*lines, *read_word_list(claims.__name__, "irregular-en.txt")]
    return [line.split() for line in lines]
