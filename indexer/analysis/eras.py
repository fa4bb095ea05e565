"""Eras of Japan and China: their first years, and the common year of an era's."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from indexer.files.lists import listed

FIRST = "元"
"""The number of an era's first year."""


class Era(NamedTuple):
    """An era that tables still count in (Japan's since 1868): its first day, its name, and its letter."""

    first: datetime.date
    name: str
    letter: str


_ROWS = [line.split() for line in listed(__package__, "eras-ja.txt")]
FIRST_YEARS = {row[0]: int(row[1][:4]) for row in _ROWS}
"""The first year of every era."""

ERAS = tuple(Era(datetime.date.fromisoformat(row[1]), row[0], row[2]) for row in _ROWS if len(row) > 2)
"""The eras that tables count in, oldest first."""

NAMES = "|".join(era.name for era in ERAS)
"""Their names, for a regular expression."""

ERA_YEAR = rf"({NAMES})\s*(\d{{1,2}}|{FIRST})"
"""One of them and the number of its year, as two groups."""

_STARTS = FIRST_YEARS | {era.letter: era.first.year for era in ERAS}


def era_year(era: str, year: str) -> int:
    """The common year of the year of an era, called by its name or letter: 平成 27 is 2015; 元 is the first."""
    return _STARTS[era] + (1 if year == FIRST else int(year)) - 1


def spelt_out(text: str) -> str:
    """A year that is an era's letter and a number with the era's name: H17 is 平成17年; any other text as it is."""
    found = _LETTERED.fullmatch(unicodedata.normalize("NFKC", text).strip().upper())
    return f"{_BY_LETTER[found[1]]}{found[2]}年" if found else text


def spelt_across(headings: Sequence[str]) -> list[str]:
    """Headings side by side, as they are but for years by their letters: three at least beside a Japanese heading.

    R1 to R4 beside Player are rounds.
    """
    spelt = list(map(spelt_out, headings))
    years = sum(one != other for one, other in zip(spelt, headings, strict=True))
    return spelt if years >= _ACROSS and any(map(_JAPANESE.search, headings)) else list(headings)


_ACROSS = 3
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_BY_LETTER = {era.letter: era.name for era in ERAS}
_LETTERED = re.compile(rf"([{''.join(_BY_LETTER)}])\.?(\d{{1,2}}|{FIRST})年?度?")
