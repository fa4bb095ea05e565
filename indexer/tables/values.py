"""Meaning of a cell's text: a number, a date or a year, in any notation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from indexer.analysis.years import ERAS, FIRST, NAMES, SHORT_MONTH, SHORT_MONTHS, era_year

Kind = Literal["blank", "missing", "number", "date", "measure", "text"]


class Value(NamedTuple):
    """The meaning of a text.

    `kind`: blank; missing (a dash, x, n/a …); number (a number and at most a currency, a percent sign or a
    footnote); date (a day, month or year with a month, or an era's year); measure (text that begins with a number);
    text. `number` is its first number (a time in seconds, a share as written: 5 % is 5), None without one.
    `moment` orders dates: the year plus the part of it that is past, or that part alone where no year is
    given; `year` is the year that the text names, if any.
    """

    kind: Kind
    number: float | None = None
    moment: float | None = None
    year: int | None = None


_MISSING = re.compile(r"[-‐-―−－‥….:*xXfF†‡/]{1,3}|n\.?/?a\.?|nm|nil|none|tba|tbd|\?+|該当なし|不詳", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])[-+−△▲]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?<![\w.])[-+−]?\.\d+")
_CLOCK = re.compile(r"(?<!\d)(?:(\d{1,3}):)?(\d{1,3}):(\d{2}(?:\.\d+)?)(?![\d:])")
_PURE = re.compile(  # blanks are taken once and for all: else a run of them would be shared out in all ways
    r"[\[(]?\s*+(?:[$€£¥#]|US\$|C\$|A\$|約|第)?\s*+[\[(]?[-+−△▲]?\s*+[$€£¥]?"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?\s*+(?:e[+-]?\d+)?"
    r"\s*+(?:%|¢|‰|°[CF]?|[a-z]|st|nd|rd|th|年|人|円|件|戸|世帯|歳)?\s*+[\])]?\s*+%?\s*+"
    r"(?:[\[(][a-z0-9]{1,3}[\])])*[*†‡]*",
    re.IGNORECASE,
)
_SIMPLE = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d{1,300})(?:\.\d+)?", re.ASCII)
_DIGIT = re.compile(rf"[\d{FIRST}]")
_WORDED_DATE = re.compile(rf"^(?:{SHORT_MONTH})", re.IGNORECASE)
_BRACKETED_YEAR = re.compile(r"\((1[0-9]|20)\d\d\)", re.ASCII)
_ABROAD = re.compile(r"([^\d.,]{0,3})([1-9]\d{0,2}(?:[. '’]\d{3})+|\d+)(?:([.,])(\d+))?(\D{0,5})", re.ASCII)
_GROUPS = re.compile("[. '’]")
_THOUSANDS_OR_PARTS = re.compile(r"[-+−]?\s?[1-9]\d{0,2}\.\d{3}(?!\d)(\D{0,5})", re.ASCII)
_PARTS = re.compile(r"\.(?:\d\d?|\d{4,})(?!\d)", re.ASCII)
_ACCOUNTED = re.compile(r"[$€£¥]?\s?\([$€£¥]?[\d,.]+%?\)\s?%?")
_YEAR = re.compile(r"(?<![\d.,])(1[0-9]\d\d|20\d\d)(?!\d|[,.]\d)")
_MONTH = rf"({SHORT_MONTH})[a-z]{{0,6}}\.?"
_DAY_MONTH = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?[-\s]\s*{_MONTH}\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b{_MONTH}\s*[-\s]?\s*(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])", re.IGNORECASE)
_MONTH_ONLY = re.compile(rf"\b{_MONTH}(?![a-z])", re.IGNORECASE)
_NUMERIC_DATE = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DAY_OR_MONTH = re.compile(r"(?<![\d./-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d./-])", re.ASCII)
_JAPANESE_DATE = re.compile(
    rf"(?:(\d{{4}})(?=年)|({NAMES}|\b[{''.join(era.letter for era in ERAS)}](?=\d+[年.]))\s*(\d{{1,2}}|{FIRST}))"
    r"\s*(?:\(\d{4}\))?\s*[年.]?(?:\s*(\d{1,2})\s*[月.](?:\s*(\d{1,2})日?)?)?"
)
_JAPANESE_MONTH = re.compile(r"(?<!\d)(\d{1,2})月(?:\s*(\d{1,2})日)?")
_MONTHS = 12  # of a year
_FACTORS = {"万": 1e4, "億": 1e8, "兆": 1e12, "million": 1e6, "billion": 1e9, "thousand": 1e3}
_FACTOR = re.compile(r"\s*(万|億|兆|million|billion|thousand)", re.IGNORECASE)


@lru_cache(maxsize=65536)
def parse_value(text: str) -> Value:
    """The meaning of a cell's text as shown; full-width characters count as their usual forms."""
    plain = text.strip() if text.isascii() else unicodedata.normalize("NFKC", text).strip()
    if not plain:
        return Value("blank")
    if _SIMPLE.fullmatch(plain):
        return _number_value(float(plain.replace(",", "")), plain)
    if len(plain) <= 4 and _MISSING.fullmatch(plain):
        return Value("missing")
    if not _DIGIT.search(plain):
        moment, year = _moment(plain) if _WORDED_DATE.search(plain) else (None, None)
        return Value("text") if moment is None else Value("date", None, moment, year)
    plain = _as_usual(plain) or plain
    number = parse_number(plain)
    if _BRACKETED_YEAR.fullmatch(plain):
        return Value("number", float(plain[1:5]), float(plain[1:5]), int(plain[1:5]))
    if number is not None and _PURE.fullmatch(plain):
        return _number_value(number, plain)
    moment, year = _moment(plain)
    if moment is not None:
        return Value("date", number, moment, year)
    if number is None:
        return Value("text")
    return Value("measure" if plain[0].isdigit() or plain[0] in "+-−$€£¥△▲" else "text", number, None, year)


def column_values(cells: Sequence[str]) -> list[Value]:
    """The meaning of each cell of a column, in order, where a cell may determine how the others are written.

    Beside 2.100.250 or 812,4 a cell 998.500 is a whole number, unless decimals are written behind a point too. Beside
    15/06/2019 a cell 04/03/2021 is a day of March, and else one of April.
    """
    values = [parse_value(cell) for cell in cells]
    dated = [(row, found) for row, cell in enumerate(cells) if (found := _DAY_OR_MONTH.search(cell))]
    if any(int(found[1]) > _MONTHS for _, found in dated):
        for row, found in dated:
            if int(found[1]) <= _MONTHS and found[2] == "/":
                values[row] = parse_value(_DAY_OR_MONTH.sub(r"\1.\3.\4", cells[row]))
    unclear = [row for row, cell in enumerate(cells) if _THOUSANDS_OR_PARTS.fullmatch(cell.strip())]
    if unclear and any(map(_has_comma_for_point, cells)) and not any(map(_PARTS.search, cells)):
        for row in unclear:
            values[row] = parse_value(cells[row].replace(".", ","))
    return values


def _has_comma_for_point(cell: str) -> bool:
    """Returns whether a cell is a figure with a decimal comma, or with points between its thousands."""
    plain = unicodedata.normalize("NFKC", cell).strip()
    usual = _as_usual(plain)
    return usual is not None and ("," in plain or "." in plain) and plain.count(".") != usual.count(".")


def _as_usual(plain: str) -> str | None:
    """Rewrites a figure such as 1.234,5, 1 234,5, 1'234.50 or 18,8 in English notation: commas between thousands, a
    decimal point.

    None for other texts, and for 1.234 and 1,234, which may be either.
    """
    found = _ABROAD.fullmatch(plain)
    if found is None:
        return None
    before, whole, mark, parts, after = found.groups()
    groups = _GROUPS.findall(whole)
    if len(set(groups)) > 1:
        return None
    if groups[:1] == ["."]:
        told = mark == "," or (mark is None and len(groups) > 1)
    else:
        told = bool(groups) or (mark == "," and len(parts) != 3)
    return f"{before}{_GROUPS.sub(',', whole)}{'.' + parts if mark else ''}{after}" if told else None


def _number_value(number: float, plain: str) -> Value:
    """The value of a figure, from its number and its text; a whole number from 1000 to 2100 without a comma is a year
    as well."""
    if 1000 <= number <= 2100 and number == int(number) and "," not in plain:
        return Value("number", number, number, int(number))
    return Value("number", number)


def parse_number(plain: str) -> float | None:
    """The first number of a text (NFKC), clock times in seconds; None when it has none.

    Accountants' parentheses and Japanese triangles are minus signs; 万, 億 and 'million' multiply.
    """
    clock = _CLOCK.search(plain)
    found = _NUMBER.search(plain)
    if clock and (found is None or clock.start() <= found.start()):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    if found is None:
        return None
    digits = "".join(found.group().replace(",", "").split())
    if len(digits) > 300:
        return None
    negative = digits[0] in "-−△▲" or _ACCOUNTED.fullmatch(plain) is not None
    number = float(digits.lstrip("-+−△▲"))
    factor = _FACTOR.match(plain, found.end())
    if factor:
        number *= _FACTORS[factor[1].lower()]
    return -number if negative else number


def _moment(plain: str) -> tuple[float | None, int | None]:
    """The date in a text (NFKC) as (moment, year): the year plus the fraction of it that is past, or that fraction
    alone if the text has no year. (None, year or None) for a text that is not a date."""
    japanese = _JAPANESE_DATE.search(plain)
    if japanese:
        year = int(japanese[1]) if japanese[1] else era_year(japanese[2], japanese[3])
        return year + _part(int(japanese[4] or 0), int(japanese[5] or 0)), year
    numeric = _NUMERIC_DATE.search(plain)
    if numeric:
        return int(numeric[1]) + _part(int(numeric[2]), int(numeric[3])), int(numeric[1])
    if shown := _DAY_OR_MONTH.search(plain):
        first, second, year = int(shown[1]), int(shown[3]), int(shown[4])
        month, day = (first, second) if shown[2] == "/" and first <= _MONTHS else (second, first)
        if 1 <= month <= _MONTHS:
            return year + _part(month, day), year
    found = _YEAR.search(plain)
    year_or_none = int(found[1]) if found else None
    month, day = _month_and_day(plain)
    if month and len(plain) < 60:
        return (year_or_none or 0) + _part(month, day), year_or_none
    if found and len(plain) <= found.end() - found.start() + 8:
        return float(found[1]), year_or_none
    return None, year_or_none


def _month_and_day(plain: str) -> tuple[int, int]:
    """Month and day of a text, each 0 where it has none."""
    if found := _DAY_MONTH.search(plain):
        return SHORT_MONTHS.index(found[2][:3].lower()) + 1, int(found[1])
    if found := _MONTH_DAY.search(plain):
        return SHORT_MONTHS.index(found[1][:3].lower()) + 1, int(found[2])
    if found := _JAPANESE_MONTH.search(plain):
        return int(found[1]), int(found[2] or 0)
    if (found := _MONTH_ONLY.search(plain)) and (_YEAR.search(plain) or len(plain) < 10):
        return SHORT_MONTHS.index(found[1][:3].lower()) + 1, 0
    return 0, 0


def _part(month: int, day: int) -> float:
    """Fraction of a year that has passed on a day, below 1."""
    return min(max(month - 1, 0) / 12 + min(day, 31) / 384, 0.999)
