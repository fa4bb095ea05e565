"""A sentence made shorter where a clause can go: cleaned of asides, and cut at clauses."""

from __future__ import annotations

from answerer.formats.length_limit import Unit
from answerer.ntcir.essay.language import EssayLanguage, essay_language
from indexer.languages.language import Language

FORMS = 12
"""Shorter forms of a sentence at most: each is one more option of the program that chooses."""


def cleaned(text: str, language: Language) -> str:
    """A sentence without asides in brackets and without an opening connective, ending as a sentence does."""
    own = essay_language(language)
    return _finished(own.bare(text).strip(), own)


def shortened(text: str, language: Language, tight: bool) -> list[str]:
    """Shorter forms of a cleaned sentence, at most `FORMS`, the longest first, all different from it: without clauses
    that can go, and its clauses by themselves.

    Where the limit is tight also what stands alone when the sentence is cut at a comma.
    """
    own = essay_language(language)
    forms = own.shorter(text) + (own.cuts(text) if tight else [])
    finished = [_finished(form, own) for form in forms]
    different = [form for form in dict.fromkeys(finished) if form and form != text]
    return sorted(different, key=len, reverse=True)[:FORMS]


def _finished(text: str, own: EssayLanguage) -> str:
    """A text that ends as a sentence does; "" for punctuation alone."""
    text = text.strip(" ,;:、—–")
    return own.finished(text) if text else ""


def cut(text: str, most: int, unit: Unit, language: Language) -> str:
    """A text cut to a number of words or characters, where nothing else fits; "" where even that does not."""
    if unit == "words":
        words = text.split()[:most]
        return " ".join(words).rstrip(",;:") if words else ""
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip(",、 ") + essay_language(language).STOP if most > 1 else text[:most]
