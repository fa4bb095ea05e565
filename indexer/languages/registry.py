"""The languages that there are: a new one is a file and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import TypeVar

from indexer.files.errors import UserError
from indexer.files.validation import validate_choice
from indexer.languages.language import Language

Offer = TypeVar("Offer")

_REGISTERED = {
    "ja": "indexer.languages.japanese:JAPANESE",
    "en": "indexer.languages.english:ENGLISH",
    "zh": "indexer.languages.chinese:CHINESE",
}
LANGUAGES: dict[str, Language] = {}
for _code, _path in _REGISTERED.items():
    LANGUAGES[_code] = resolve_name(_path)
"""The languages by their codes."""

SAMPLE = 10_000  # characters by which a language is recognised; the beginning of a page or two


def offered_for(offers: Mapping[Language, Offer], language: Language, what: str) -> Offer:
    """The value of `offers` for a language. Raises UserError if it has none; `what` begins the
    message ("Exams are answered") and the languages with an offer follow."""
    if language not in offers:
        names = ", ".join(candidate.name for candidate in offers)
        raise UserError(f"{what} in {names}, and not in {language.name}")
    return offers[language]


def detect_language(text: str) -> Language:
    """The first language that claims a text by its first 10,000 characters: Japanese with kana,
    Chinese with Han characters and without kana, each from one in a hundred letters on
    (`is_written_in`); English if none does."""
    sample = text[:SAMPLE]
    return next(
        (
            language
            for language in LANGUAGES.values()
            if language.claims and language.claims(sample)
        ),
        LANGUAGES["en"],
    )


def language_named(language: Language | str | None) -> Language | None:
    """The language of a code; a `Language` and None are returned unchanged. Raises UserError for an
    unknown code."""
    if language is None or isinstance(language, Language):
        return language
    return LANGUAGES[validate_choice(language, LANGUAGES, "language")]
