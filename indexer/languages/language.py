"""A language as one value: everything in which languages differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from indexer.analysis import Analyser
    from indexer.analysis.glossary import Glossary
    from indexer.entities import Recogniser

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_FEW = 100  # a stray character decides nothing: one character in this number must be of a script


def east_asian_script(sample: str) -> Literal["kana", "han", ""]:
    """The script of a sample: kana (with Han or without), Han characters alone, or another; "" also where fewer than
    one letter in a hundred is of these."""
    if sample.isascii():
        return ""
    kana, han = len(_KANA.findall(sample)), len(_HAN.findall(sample))
    if not kana + han or (kana + han) * _FEW < sum(map(str.isalpha, sample)):
        return ""
    return "kana" if kana * _FEW >= kana + han else "han"


_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def _claims_nothing(sample: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, repr=False)
class Language:
    """A language: how texts and tables are read, analysed and joined. Its text is its code.

    `code` is what options, indexes and files call it (ISO 639). `joiner` separates two sentences, and is a blank where
    blanks part words. `make_analyser` takes names with their terms, `make_recogniser` names that are to stay whole.
    `claims` returns from a sample whether a text is in this language; the default is always False: only `--language`
    chooses the language.

    `encodings` are tried in order where a text is not UTF-8. Of tables that are not, `table_encodings` are those that
    fit all of a file, `tried_encodings` those that may fit most of it, and a file of which nine in ten lines fit one
    of `trusted_encodings` is in that one. `date_formats` are a spreadsheet's built-in formats that follow the country.

    `packages` are those of others by which its texts are analysed: their versions decide what the terms are.
    """

    code: str
    name: str
    joiner: str
    make_analyser: Callable[[Mapping[str, str]], Analyser]
    make_recogniser: Callable[[Sequence[str]], Recogniser]
    claims: Callable[[str], bool] = _claims_nothing
    encodings: tuple[str, ...] = ("cp1252",)
    table_encodings: tuple[str, ...] = ()
    tried_encodings: tuple[str, ...] = ("cp1252",)
    trusted_encodings: tuple[str, ...] = ("utf-8",)
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

    def analyser(self, names: Mapping[str, str] = _NO_NAMES) -> Analyser:
        """Its analyser; each of `names` (`Glossary.terms`: name to term) adds its term and noun."""
        return self.make_analyser(names)

    def recogniser(self, glossary: Glossary | None = None) -> Recogniser:
        """Its recogniser of names, which always finds those of a glossary and knows what it says of them."""
        if glossary is None or not glossary.entries:
            return self.make_recogniser(())
        from indexer.entities.gazetteer import GlossaryNames

        return GlossaryNames(self.make_recogniser(glossary.names()), glossary, whole_words=self.uses_spaces)
