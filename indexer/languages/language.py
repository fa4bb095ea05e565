"""A language as one value: everything in which languages differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Literal, cast

from indexer.analysis.text import NO_NAMES

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser, Recogniser
    from indexer.analysis.glossary import Glossary


@dataclass(frozen=True, slots=True, repr=False)
class Language:
    """A language: how texts and tables are read, analysed and joined. Its `str` is its code (ISO
    639).

    `joiner` goes between two sentences, a blank if the language writes blanks between words.
    `analyser_class` (called with glossary names and their terms, and `books`) and
    `recogniser_class` (called with names that are to stay whole) are `module:attribute`, imported
    when needed. `claims(sample)` returns whether a text is in this language; without it only
    `--language` chooses it. `encodings` are tried in order if a text is not UTF-8. `date_formats`
    are a spreadsheet's built-in formats that depend on the country. `packages` are those that
    analyse its texts, whose versions decide what the terms are.
    """

    code: str
    name: str
    joiner: str
    analyser_class: str
    recogniser_class: str
    claims: Callable[[str], bool] | None = None
    encodings: tuple[str, ...] = ("cp1252",)
    date_formats: tuple[tuple[int, str], ...] = ()
    packages: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def uses_spaces(self) -> bool:
        """Returns whether blanks separate its words."""
        return bool(self.joiner)

    def analyser(self, names: Mapping[str, str] = NO_NAMES, *, books: bool = False) -> Analyser:
        """Its analyser; each of `names` (`Glossary.terms`: name to term) adds its term and noun.
        With `books` that of textbooks and of what is asked of them."""
        return cast("Analyser", resolve_name(self.analyser_class)(names, books=books))

    def recogniser(self, glossary: Glossary | None = None) -> Recogniser:
        """Makes the language's named-entity recogniser; with a glossary, it always finds the
        glossary's names and adds their kinds, years and aliases."""
        names = glossary.names() if glossary else []
        recogniser = cast("Recogniser", resolve_name(self.recogniser_class)(names))
        if glossary is None or not glossary.entries:
            return recogniser
        from indexer.entities.gazetteer import GlossaryNames

        return GlossaryNames(recogniser, glossary, whole_words=self.uses_spaces)


# Recognition of a text by its script, for `claims`.

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_FEW = 100  # a stray character decides nothing: one character in this number must be of a script


def is_written_in(script: Literal["kana", "Han"], sample: str) -> bool:
    """Returns whether a sample is written with kana, or in Han characters without kana: together
    they are one in a hundred letters at least, and kana one in a hundred of them."""
    if sample.isascii():
        return False
    kana, han = len(_KANA.findall(sample)), len(_HAN.findall(sample))
    if not kana + han or (kana + han) * _FEW < sum(map(str.isalpha, sample)):
        return False
    return (kana * _FEW >= kana + han) == (script == "kana")
