"""The words of a text with all their irregular forms: a passage that has "came" mentions "come"."""

from __future__ import annotations

import re
from functools import cache

from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.text import read_word_list

_WORD = re.compile(r"[^\W\d_]+")


def all_forms(text: str, language: TermLanguage) -> set[str]:
    """The terms of a text, in English also those of the other forms of its irregular words."""
    terms = set(language.terms(text))
    if language.language.code == "en":
        for word in _irregular().keys() & _WORD.findall(text.lower()):
            terms.update(language.terms(" ".join(_irregular()[word])))
    return terms


@cache
def _irregular() -> dict[str, set[str]]:
    """Irregular word → all forms of its words: "found" is of "find" alone, "lay" of "lie" too."""
    forms: dict[str, set[str]] = {}
    for line in read_word_list("retriever.ranking", "english_irregular_forms.txt"):
        for word in line.split():
            forms.setdefault(word, set()).update(line.split())
    return forms
