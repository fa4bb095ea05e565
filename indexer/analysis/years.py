"""Years of a text: numbers, months' names, eras of East Asia, spans."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from indexer.analysis.text import ONES, numeral_value, read_word_list

# The months in English, and their short forms.

MONTHS = (
    "January February March April May June July August September October November December".split()
)
SHORT_MONTHS = [month[:3].lower() for month in MONTHS]
"""In small letters: jan, feb, …"""

SHORT_MONTH = "|".join(SHORT_MONTHS)
"""A short form, for a regular expression."""


# Eras of Japan and China: their first years, and the common year of an era's.

FIRST = "元"
"""The number of an era's first year."""


class Era(NamedTuple):
    """A Japanese era that tables still count years in (since 1868): its first day, its name, and
    its letter."""

    first: datetime.date
    name: str
    letter: str


_ROWS = [line.split() for line in read_word_list(__package__, "eras-ja.txt")]
FIRST_YEARS = {row[0]: int(row[1][:4]) for row in _ROWS}
"""The first year of every era."""

ERAS = tuple(
    Era(datetime.date.fromisoformat(row[1]), row[0], row[2]) for row in _ROWS if len(row) > 2
)
"""The eras that tables count in, oldest first."""

NAMES = "|".join(era.name for era in ERAS)
"""Their names, for a regular expression."""

ERA_YEAR = rf"({NAMES})\s*(\d{{1,2}}|{FIRST})"
"""One of them and the number of its year, as two groups."""

_STARTS = FIRST_YEARS | {era.letter: era.first.year for era in ERAS}


def era_year(era: str, year: str) -> int:
    """The common year of the year of an era, called by its name or letter: 平成 27 is 2015; 元 is
    the first. Raises KeyError for another era, ValueError for no number; the era's end does not
    count."""
    return _STARTS[era] + (1 if year == FIRST else int(year)) - 1


_ACROSS = 3  # headings with an era's letter from which on these are years
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_BY_LETTER = {era.letter: era.name for era in ERAS}
_LETTERED = re.compile(rf"([{''.join(_BY_LETTER)}])\.?(\d{{1,2}}|{FIRST})年?度?")


def spell_out_eras(headings: Sequence[str]) -> list[str]:
    """Headings side by side, as they are but for years by an era's letter and a number, which get
    its name: H17, H17年 and H17年度 are 平成17年, if three or more of the headings are such years
    and any heading is Japanese: R1 to R4 beside Player, rounds of a game, stay.
    """
    matches = [
        _LETTERED.fullmatch(unicodedata.normalize("NFKC", heading).strip().upper())
        for heading in headings
    ]
    if len(headings) - matches.count(None) < _ACROSS or not any(map(_JAPANESE.search, headings)):
        return list(headings)
    pairs = zip(matches, headings, strict=True)
    return [f"{_BY_LETTER[match[1]]}{match[2]}年" if match else heading for match, heading in pairs]


class Years(NamedTuple):
    """A span of years, both ends included: negative before Christ, never 0 (1 follows -1).

    `text` is what was read. A day or a month counts as its year, 17世紀 as 1601 to 1700, 前5世紀 as
    -500 to -401, 17世紀半ば as its middle third, 19世紀末 as its last quarter, 1920年代 as 1920 to
    1929, 前256または前249 as all between.
    """

    first: int
    last: int
    text: str = ""


# The part of a century, decade or millennium that a word names, as a share of its length.
_PORTIONS = {
    word: share
    for words, share in (
        ("初頭/初め/初期/初/early", (0.0, 0.25)),
        ("前半/first half of the", (0.0, 0.5)),
        ("半ば/中頃/中葉/中期/半/mid/middle of the", (1 / 3, 2 / 3)),
        ("後半/後期/second half of the", (0.5, 1.0)),
        ("末期/末葉/末/late/end of the", (0.75, 1.0)),
    )
    for word in words.split("/")
}
_UNITS = {
    "世紀": 100,
    "c": 100,
    "century": 100,
    "centuries": 100,
    "千年紀": 1000,
    "millennium": 1000,
}

_BEFORE = r"(?P<before>-|−|紀元前|西暦前|前|b\.?c\.?(?:e\.?)? ?)?"
_AFTER = r"(?: ?(?P<after>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?))?"
_WORD = "|".join(
    sorted((re.escape(word) for word in _PORTIONS if word.isascii()), key=len, reverse=True)
)
_PART = "|".join(sorted((word for word in _PORTIONS if not word.isascii()), key=len, reverse=True))
_POINT = re.compile(
    rf"(?:c\.|ca\.?|circa|about|around|(?P<since>紀元|西暦|a\.?d\.?))? ?(?:(?P<word>{_WORD})[ -]?)?"
    rf"{_BEFORE}(?P<number>[0-9]{{1,9}})"
    r"(?:(?P<century>世紀|千年紀|年紀|(?:st|nd|rd|th)[ -](?:century|centuries|millennium))"
    r"|(?P<ordinal>st|nd|rd|th)"  # of a century that the other end of a range names
    r"|(?P<ago>万年前|年前)|(?P<decade>年代|代|s)"
    r"|(?P<date>[/.][0-9]{1,2}(?:[/.][0-9]{1,2})?/?|(?<=[0-9]{3})-[0-9]{1,2}-[0-9]{1,2}"
    r"|年[0-9]{1,2}月(?:[0-9]{1,2}日)?)|年)?"
    rf"(?P<part>{_PART})?(?:頃|ころ|ごろ|前後|\?)?{_AFTER}"
)
_SEPARATOR = re.compile(r" ?(?:-|–|—|~|〜|@|または|から|to|or) ?")
# A glossary's values for an unknown year: the name of a period, or a question mark.
_PERIOD = re.compile(
    r"\?+|-|unknown|不明|紀元前後|[^\d]*(?:時代|王朝|朝|代|世|期|漢|帝政|氷期|新世|更新世|完新世)"
    r"(?:初頭|初期|前半|前期|半ば|中期|後半|後期|末期|末)?|[a-z .'-]*(?:period|age|era|dynasty"
    r"|times)"
)


def read_years(text: str) -> Years | None:
    """Span of years that a text states; None for an empty text or a mere period (唐代, Bronze Age,
    ?).

    Reads such as 前525, -525, 525 BC, 476年, 1793/6/24, 1919-06-28, 17世紀半ば, mid-17th century,
    1960代後半, 前2千年紀初頭, 12000年前, 400頃, ranges (1337-1453, 1904-05, 16世紀末-17世紀初頭)
    and several values joined by `@` (one span that covers all). Raises ValueError for anything
    else: text that is not a date, the year 0, a span that runs backwards.
    """
    shown = " ".join(text.split())
    if not shown:
        return None
    folded = unicodedata.normalize("NFKC", shown).casefold().strip("@ ")
    folded = re.sub(
        rf"(?<![0-9])[〇{ONES}十百千]+(?=年(?!紀)|世紀)",  # 前2千年紀 counts millennia
        lambda match: str(numeral_value(match.group())),
        folded,
    )
    pieces = [piece.strip() for piece in re.split(r"@|または", folded)]
    spans = [_span(piece) for piece in pieces if piece and not _PERIOD.fullmatch(piece)]
    if not spans:
        return None
    return Years(min(first for first, _ in spans), max(last for _, last in spans), shown)


def _span(text: str) -> tuple[int, int]:
    """First and last year, both included, of one value in normal form: a date, or two joined by a
    range sign.

    What one end of a range leaves out (century, BC, leading digits) is taken from the other:
    前5-4世紀, 16th-17th century, 570-560 BC, 1904-05. Raises ValueError if the text is not a date
    or the range runs backwards.
    """
    match = _POINT.match(text)
    rest = text[match.end() :] if match else ""
    if match and not rest and not match["ordinal"]:
        return _point(
            match, int(match["number"]), century=match["century"], before=_is_before(match)
        )
    separator = _SEPARATOR.match(rest)
    second = _POINT.fullmatch(rest[separator.end() :]) if separator else None
    if match is None or second is None or second["ordinal"]:
        raise ValueError(f"{text[:40]!r} is not a year")
    start_number, end_number = int(match["number"]), int(second["number"])
    last_before = _is_before(second) or (
        _is_before(match)
        and not (second["after"] or second["since"])
        and end_number <= start_number
    )
    first_before = _is_before(match) or (bool(second["after"]) and last_before)
    century = match["century"] or second["century"]
    if match["ordinal"] and not century:
        raise ValueError(f"{text[:40]!r} is not a year")
    if len(second["number"]) < len(match["number"]) and not (
        century or first_before or last_before
    ):
        end_number += start_number // 10 ** len(second["number"]) * 10 ** len(second["number"])
    first, _ = _point(match, start_number, century=century, before=first_before)
    _, last = _point(second, end_number, century=second["century"], before=last_before)
    if first > last:
        raise ValueError(f"{text[:40]!r} runs backwards")
    return first, last


def _is_before(match: re.Match[str]) -> bool:
    """Whether a date of `_POINT` has a mark of years before Christ, before or behind it."""
    return bool(match["before"]) or (match["after"] or "").startswith("b")


def _point(
    match: re.Match[str], number: int, *, century: str | None, before: bool
) -> tuple[int, int]:
    """First and last year, both included, of one date matched by `_POINT`.

    `number` is its year, decade or century number, `century` the unit that it counts (None: years),
    `before` whether it is before Christ. 1960s is ten years, 1900s a hundred; a word such as
    early or 半ば takes that part of them; 12000年前 is −12000. Raises ValueError for the year 0.
    """
    if match["ago"]:
        years = number * (10_000 if match["ago"] == "万年前" else 1)
        return -years, -years
    if number == 0:
        raise ValueError("there is no year 0")
    if century == "年紀":
        first, last = (number - 999, number) if before else (number, number + 999)
    elif century:
        length = _UNITS[re.sub(r"^(st|nd|rd|th)[ -]", "", century)]
        first, last = (number - 1) * length + 1, number * length
    elif match["decade"]:
        first, last = number, number + (99 if match["decade"] == "s" and number % 100 == 0 else 9)
    else:
        first = last = number
    if before:
        first, last = -last, -first
    low, high = _PORTIONS.get(match["part"] or match["word"] or "", (0.0, 1.0))
    width = last - first + 1
    return first + int(low * width), first + max(int(high * width), int(low * width) + 1) - 1
