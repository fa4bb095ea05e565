"""Meaning of a cell's text: a number, a date or a year, in any notation."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from indexer.analysis.years import ERAS, FIRST, NAMES, SHORT_MONTH, SHORT_MONTHS, era_year

Kind = Literal["blank", "missing", "number", "date", "measure", "text"]


class Value(NamedTuple):
    """The meaning of a text.

    `kind`: blank; missing (a dash, x, n/a …); number (a number and at most a currency, a unit, a
    percent sign or a footnote); date (a day, month or year with a month, or an era's year); measure
    (text that begins with a number); text. `number` is its first number (a time in seconds, a share
    as written: 5 % is 5; 万 and million multiply), None without one, and `digits` that number as
    written, in ASCII with a point and without commas, "" for times. `moment` orders dates: the year
    plus the part of it that is past, or that part alone where no year is given; `year` is the year
    that the text names, if any.
    """

    kind: Kind
    number: float | None = None
    moment: float | None = None
    year: int | None = None
    digits: str = ""


_MISSING = re.compile(
    r"[-‐-―−－─ー‥….:*xXfF†‡/]{1,3}|#?n\.?/?a\.?|nm|nil|null|none|tba|tbd|\?+|該当なし"
    r"|データなし|不詳|#(?:null|ref|div/0|value|num|spill|calc|blocked|field)!|#name\?|err:\d{3}",
    re.IGNORECASE,
)
_LONGEST_MISSING = 9  # characters: #BLOCKED!
_NUMBER = re.compile(
    r"(?<![\w.])[-+−△▲▴▵]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?<![\w.])[-+−]?\.\d+"
)
_CLOCK = re.compile(r"(?<!\d)(?:(\d{1,3}):)?(\d{1,3}):(\d{2}(?:\.\d+)?)(?![\d:])")
# blanks are taken once and for all: else a run of them would be shared out in all ways
_PURE = re.compile(
    r"[\[(〔]?\s*+(?:[$€£¥#]|US\$|C\$|A\$|約|第)?\s*+[\[(]?[-+−±△▲▴▵]?\s*+[$€£¥]?"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?\s*+(?:e[+-]?\d+)?"
    r"\s*+(?:%|¢|‰|°[CF]?|[a-z]|st|nd|rd|th"
    r"|(?:十億|[百十]?万|億|千|百)?\s?(?:円|株|米?ドル|人|名|件|戸|世帯|[歳才年倍個回社口]"
    r"|[ヶカか]月|銘柄))?\s*+[\])〕]?\s*+%?\s*+"
    r"(?:[\[(][a-z0-9]{1,3}[\])]|\s?[(\[]\s?[\d.,]+%?\s?[)\]])*[*†‡]*",
    re.IGNORECASE,
)
_SIMPLE = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d{1,300})(?:\.\d+)?", re.ASCII)
_DIGIT = re.compile(rf"[\d{FIRST}]")
_WORDED_DATE = re.compile(rf"^(?:{SHORT_MONTH})", re.IGNORECASE)
_BRACKETED_YEAR = re.compile(r"\((1[0-9]|20)\d\d\)", re.ASCII)
_ABROAD = re.compile(
    r"(?P<before>[^\d.,]{0,3})(?P<whole>[1-9]\d{0,2}(?:[. '’]\d{3})+|\d+)"
    r"(?:(?P<mark>[.,])(?P<decimals>\d+))?(?P<after>\D{0,5})",
    re.ASCII,
)
_GROUPS = re.compile("[. '’]")
_ACCOUNTED = re.compile(r"[$€£¥]?\s?\([$€£¥]?[\d,.]+%?\)\s?%?")
_YEAR = re.compile(r"(?<![\d.,])(1[0-9]\d\d|20\d\d)(?!\d|[,.]\d)")
_MONTH = rf"({SHORT_MONTH})[a-z]{{0,6}}\.?"
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?[-\s]\s*{_MONTH}\b", re.IGNORECASE
)
_MONTH_DAY = re.compile(
    rf"\b{_MONTH}\s*[-\s]?\s*(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])", re.IGNORECASE
)
_MONTH_ONLY = re.compile(rf"\b{_MONTH}(?![a-z])", re.IGNORECASE)
_NUMERIC_DATE = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DAY_OR_MONTH = re.compile(r"(?<![\d./-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d./-])", re.ASCII)
_JAPANESE_DATE = re.compile(
    rf"(?:(\d{{4}})(?=年)|({NAMES}"
    rf"|\b[{''.join(era.letter for era in ERAS)}](?=\d+[年.]))\s*(\d{{1,2}}|{FIRST}))"
    r"\s*(?:\(\d{4}\))?\s*[年.]?(?:\s*(\d{1,2})\s*[月.](?:\s*(\d{1,2})日?)?)?"
)
_JAPANESE_MONTH = re.compile(r"(?<!\d)(\d{1,2})月(?:\s*(\d{1,2})日)?")
_MONTHS = 12  # of a year
_FACTORS = {
    "千": 1e3, "万": 1e4, "百万": 1e6, "億": 1e8, "十億": 1e9, "兆": 1e12,
    "thousand": 1e3, "million": 1e6, "billion": 1e9,
}  # fmt: skip
_FACTOR = re.compile(rf"\s*({'|'.join(_FACTORS)})", re.IGNORECASE)
_EXPONENT = re.compile(r"e([+-]?)\d{1,2}(?![\w.])", re.IGNORECASE)
_LONGEST_MANTISSA = 30  # digits; with far more, the number could be infinite
_SEN = re.compile(r"(\d)円(\d\d)銭")
# Figures of several parts (1億2,000万, 3千5百万), each part a number with its powers of ten.
_SMALL = {"": 1, "十": 10, "百": 100, "千": 1000}
_LARGE = {"": 1, "万": 10**4, "億": 10**8, "兆": 10**12}
_PART = r"\d[\d,]{0,20}(?:\.\d{1,9})?[十百千]?[万億兆]?"
_COMPOUND = re.compile(
    rf"(?<![\d.,])(?:{_PART}(?<=[十百千万億兆])(?:\s(?={_PART}(?<=[十百千万億兆])))?)+{_PART}"
    rf"(?![\d.])",
    re.ASCII,
)
_PARTS = re.compile(r"([\d,]+(?:\.\d+)?)([十百千]?)([万億兆]?)", re.ASCII)
_MARK = r"(?:[※*]\s?(?:\(\d{1,2}\)|\d{0,2})|\(?注\s?\d{0,2}\)?\s?\d{0,2}|[①-⑳])"
_MARKS = re.compile(rf"^(?:{_MARK}\s?[,、.]?(?:\s?\d{{1,2}})?\s)+|(?:\s|(?=※|\(注)){_MARK}+$")
_MARKED = re.compile("[※注①-⑳]")


@lru_cache(maxsize=65536)
def parse_value(text: str) -> Value:
    """What a cell's text says: its kind with its number, moment, year and digits, as far as it has
    them. Kinds: blank, missing (-, …, x, F, n/a, #REF!, 不詳 …), text, number (also with a sign, %
    or a common Japanese unit such as 人), date (also with words around it), measure (a number with
    other words behind it). Words and a blank before a number are a text that has the number; 約300
    is a text without. Full-width characters count as their usual forms."""
    plain = (
        text.strip()
        if text.isascii()
        else without_marks(unicodedata.normalize("NFKC", text).strip())
    )
    if not plain:
        return Value("blank")
    if _SIMPLE.fullmatch(plain):
        return _number_value(float(digits := plain.replace(",", "")), plain, digits)
    if len(plain) <= _LONGEST_MISSING and _MISSING.fullmatch(plain):
        return Value("missing")
    if not _DIGIT.search(plain):
        date = find_date(plain) if _WORDED_DATE.search(plain) else None
        return _date_value(None, *date) if date else Value("text")
    plain = _SEN.sub(r"\1.\2円", _as_usual(plain) or plain)
    plain = _COMPOUND.sub(_written_out, plain)
    number, digits = parse_number(plain)
    if _BRACKETED_YEAR.fullmatch(plain):
        return Value("number", float(plain[1:5]), float(plain[1:5]), int(plain[1:5]), digits)
    if number is not None and _PURE.fullmatch(plain):
        return _number_value(number, plain, digits)
    if date := find_date(plain):
        return _date_value(number, *date)
    if number is None:
        return Value("text")
    year = int(match[1]) if (match := _YEAR.search(plain)) else None
    return Value(
        "measure" if plain[0].isdigit() or plain[0] in "+-−.$€£¥△▲" else "text",
        number,
        None,
        year,
        digits,
    )


def _as_usual(plain: str) -> str | None:
    """Rewrites a figure such as 1.234,5, 1 234,5, 1'234.50 or 18,8 in English notation: commas
    between thousands, a decimal point.

    None for other texts, and for 1.234 and 1,234, which may be either.
    """
    match = _ABROAD.fullmatch(plain)
    if match is None:
        return None
    whole, mark, decimals = match["whole"], match["mark"], match["decimals"]
    groups = _GROUPS.findall(whole)
    if len(set(groups)) > 1:
        return None
    if groups[:1] == ["."]:
        told = mark == "," or (mark is None and len(groups) > 1)
    else:
        told = bool(groups) or (mark == "," and len(decimals) != 3)
    if not told:
        return None
    fraction = f".{decimals}" if mark else ""
    return f"{match['before']}{_GROUPS.sub(',', whole)}{fraction}{match['after']}"


def without_marks(plain: str) -> str:
    """A text (NFKC) without Japanese marks of notes (※1, (注)2, ①) at its ends; unchanged if
    nothing else is left."""
    return (_MARKS.sub("", plain) if _MARKED.search(plain) else "") or plain


def _written_out(match: re.Match[str]) -> str:
    """A figure of several parts in digits (1億2,000万 → 120,000,000); unchanged where its parts do
    not fall in size, for then they are several figures."""
    total = group = Decimal(0)
    last_small, last_large = _SMALL["千"] * 10, _LARGE["兆"] * 10_000
    for digits, small, large in _PARTS.findall(match[0]):
        part = Decimal(digits.replace(",", "")) * _SMALL[small]
        if part >= last_small:
            return match[0]
        group, last_small = group + part, _SMALL[small]
        if large or last_small == 1:
            if group * _LARGE[large] >= last_large:
                return match[0]
            total, group = total + group * _LARGE[large], Decimal(0)
            last_small, last_large = _SMALL["千"] * 10, _LARGE[large]
    return f"{total + group:,f}"


def _number_value(number: float, plain: str, digits: str) -> Value:
    """The value of a figure; a whole number from 1000 to 2100 without a comma is a year as well."""
    if 1000 <= number <= 2100 and number == int(number) and "," not in plain:
        return Value("number", number, number, int(number), digits)
    return Value("number", number, digits=digits)


def _date_value(number: float | None, year: int | None, month: int, day: int) -> Value:
    """The value of a date, as `find_date` gives it, in a text with this first number; its moment is
    the year (0 if unknown) and the share of it before the day."""
    part = min(max(month - 1, 0) / 12 + min(day, 31) / 384, 0.999)
    return Value("date", number, (year or 0) + part, year)


def parse_number(plain: str) -> tuple[float | None, str]:
    """The first number of a text (NFKC), and its digits; (None, "") when it has none or one of over
    300 characters. A clock time gives its seconds and "".

    Accountants' parentheses and Japanese triangles are minus signs; 万, 億, 'million' and an
    exponent (1E+06, 1.0E6; not 1E6) multiply the number, not the digits, which have no minus sign
    for parentheses either.
    """
    clock = _CLOCK.search(plain)
    match = _NUMBER.search(plain)
    if clock and (match is None or clock.start() <= match.start()):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds), ""
    if match is None or match.end() - match.start() > 300:
        return None, ""
    digits = re.sub(r"[^\d.]", "", match[0])
    sign = "-" if match[0][0] in "-−△▲▴▵" else ""
    number = float(digits)
    exponent = _EXPONENT.match(plain, match.end())
    # without a sign, as Java writes it, only behind decimals: 1E5 may be a code
    if exponent and (exponent[1] or "." in digits) and len(digits) <= _LONGEST_MANTISSA:
        number = float(digits + exponent[0])
    factor = _FACTOR.match(plain, match.end())
    if factor:
        number *= _FACTORS[factor[1].lower()]
    return -number if sign or _ACCOUNTED.fullmatch(plain) else number, sign + digits


def find_date(plain: str) -> tuple[int | None, int, int] | None:
    """The (year, month, day) in a text (NFKC), None and 0 for what it does not say; None without a
    date, for a text of 60 characters or more with a month's name, and for a year alone with more
    than 8 characters around it."""
    if match := _JAPANESE_DATE.search(plain):
        in_year = int(match[1]) if match[1] else era_year(match[2], match[3])
        return in_year, int(match[4] or 0), int(match[5] or 0)
    if match := _NUMERIC_DATE.search(plain):
        return int(match[1]), int(match[2]), int(match[3])
    if match := _DAY_OR_MONTH.search(plain):
        first, second = int(match[1]), int(match[3])
        month, day = (first, second) if match[2] == "/" and first <= _MONTHS else (second, first)
        if 1 <= month <= _MONTHS:
            return int(match[4]), month, day
    year, month, day = _YEAR.search(plain), 0, 0
    if match := _DAY_MONTH.search(plain):
        month, day = SHORT_MONTHS.index(match[2][:3].lower()) + 1, int(match[1])
    elif match := _MONTH_DAY.search(plain):
        month, day = SHORT_MONTHS.index(match[1][:3].lower()) + 1, int(match[2])
    elif match := _JAPANESE_MONTH.search(plain):
        month, day = int(match[1]), int(match[2] or 0)
    elif (match := _MONTH_ONLY.search(plain)) and (year or len(plain) < 10):
        month = SHORT_MONTHS.index(match[1][:3].lower()) + 1
    if month and len(plain) < 60:
        return int(year[1]) if year else None, month, day
    return (int(year[1]), 0, 0) if year and len(plain) <= year.end() - year.start() + 8 else None


# Units of figures; a power of ten counts only before a unit, for a label may begin with 千 or 万.
# 〃 repeats a unit.
_POWERS = {
    "百万": 1_000_000,
    "千": 1_000,
    "億": 100_000_000,
    "百": 100,
    "十億": 1_000_000_000,
    "万": 10_000,
}
_COUNTED = "円|株|米?ドル|ユーロ|個|口|人|名|世帯|戸|倍|回|歳|才|年|ヶ月|月|件|社|銘柄|単元"
_UNIT = re.compile(rf"(十億|百万|億|千|百|万)?({_COUNTED})|(%|パーセント)|(〃|同上)")
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|単位[::]?([^()\s]*)")
_SAID = re.compile("^単位[::は、]*")
_YEARS = re.compile(rf"(?<![\d,])((?:19|20)\d\d)(?!\d|,\d)|({NAMES})\s*(\d+|{FIRST})\s*年")
_THIS = re.compile(r"当(?:連結|事業|期|年|会計|中間)|本年度")
_LAST = re.compile(r"前々?(?:連結|事業|期|年|会計|中間)")


class Unit(NamedTuple):
    """A unit of figures: the factor that makes them whole (百万円: 1,000,000; %: .01; 〃, as above:
    0), and its name without it (円)."""

    factor: Decimal
    name: str


def unit_at(text: str) -> Unit | None:
    """The unit at the beginning of a text (NFKC); None without one."""
    match = _UNIT.match(text)
    if not match:
        return None
    if match[3]:
        factor = Decimal("0.01")
    elif match[4]:
        factor = Decimal(0)
    else:
        factor = Decimal(_POWERS.get(match[1], 1))
    return Unit(factor, match[2] or match[0])


@lru_cache(maxsize=1 << 16)
def unit_of(heading: str) -> Unit | None:
    """The unit that a heading (NFKC) names, in brackets or as a whole; None without one.

    Of several units in the first brackets with any, the one with the largest factor counts, that of
    money: counts say so in their labels.
    """
    for match in _BRACKETED.finditer(heading):
        inside = _SAID.sub("", match[1] or match[2] or match[3] or "")
        units = [
            unit
            for part in re.split("[、,・/]", inside)
            if len(part) < 8 and (unit := unit_at(part))
        ]
        if units:
            return max(units, key=lambda unit: unit.factor)
    return unit_at(heading) if _UNIT.fullmatch(heading) else None


@lru_cache(maxsize=1 << 16)
def years_in(text: str) -> tuple[int, ...]:
    """The years from 1900 to 2099 in a text (NFKC), and those of Japanese eras before 年,
    converted, in its order."""
    return tuple(
        int(match[1]) if match[1] else era_year(match[2], match[3])
        for match in _YEARS.finditer(text)
    )


def years_back(text: str) -> int:
    """The years from a period to a report's last by the words of a heading (当期: 0; its
    beginning, 当期首, is the end of the one before: 1), plus 1; 0 where they do not say it, or name
    both this period and the last."""
    this, last = bool(_THIS.search(text)), bool(_LAST.search(text))
    # 期首: the beginning of a period is the end of the one before.
    return 0 if this == last else 1 + last + ("前々" in text) + ("首" in text)


def scope_of(text: str) -> str:
    """Whether a text says that figures are of a group (連結) or of its parent company alone (個別,
    also where it says both); "" without either."""
    if "個別" in text or "単体" in text or "非連結" in text or "提出会社" in text:
        return "個別"
    return "連結" if "連結" in text else ""
