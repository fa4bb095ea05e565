"""Displayed text of a cell: a value under a number format of a spreadsheet (ECMA-376 part 1, 18.8.30 and 18.8.31).

Fractions are shown as decimal numbers, and conditions in brackets are ignored: a section is chosen by the sign alone.
"""

from __future__ import annotations

import datetime
import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from indexer.analysis.years import ERAS, MONTHS
from indexer.languages.language import Language

Moment = datetime.datetime | datetime.date | datetime.time | datetime.timedelta
Scalar = str | float | bool | Moment | None

_BUILT_IN: dict[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    14: "yyyy/m/d", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy/m/d h:mm",
    27: "[$-411]ge.m.d", 28: '[$-411]ggge"年"m"月"d"日"', 29: '[$-411]ggge"年"m"月"d"日"', 30: "m/d/yy",
    31: 'yyyy"年"m"月"d"日"', 32: 'h"時"mm"分"', 33: 'h"時"mm"分"ss"秒"', 34: 'yyyy"年"m"月"', 35: 'm"月"d"日"',
    36: "[$-411]ge.m.d", 37: "#,##0 ;(#,##0)", 38: "#,##0 ;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0;-#,##0;-", 42: "$#,##0;-$#,##0;-", 43: "#,##0.00;-#,##0.00;-",
    44: "$#,##0.00;-$#,##0.00;-", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    50: "[$-411]ge.m.d", 51: '[$-411]ggge"年"m"月"d"日"', 55: 'yyyy"年"m"月"', 56: 'm"月"d"日"',
    57: "[$-411]ge.m.d", 58: '[$-411]ggge"年"m"月"d"日"',
}  # fmt: skip

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_LAST_DAY = 2_958_466  # the day after 9999-12-31: a spreadsheet has no dates from there on
_FROM_1904 = 1462  # days from the beginning of the 1900 system to that of the 1904 system
_NEVER = 60  # the day that is the 29 February 1900
_DAY = 86_400  # seconds
_LONGEST = 255  # characters of a format, as Excel has it
_WIDE = Context(prec=2000)  # digits of any float with the places and the percent signs of any format
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<pad>.)|\*(?P<fill>.)'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<ignored>[^\]]*)\]"
    r"|(?P<clock>AM/PM|A/P|午前/午後)|(?P<general>General|G/標準)|(?P<exponent>E[+-])"
    r"|(?P<date>yyyy|yyy|yy|y|mmmmm|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|aaaa|aaa|ggg|gg|g|ee|e)"
    r"|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_WRITTEN = ("literal", "percent", "point")  # tokens that a number shows as they are
_SHOWN = (*_WRITTEN, "digit")


def built_in(language: Language) -> dict[int, str]:
    """The built-in number formats of a workbook in a language, number → format code; a new dictionary at each call."""
    return _BUILT_IN | dict(language.date_formats)


class FormatToken(NamedTuple):
    """A piece of a format: its kind (a group of the grammar) and its text."""

    kind: str
    text: str


FormatSection = tuple[FormatToken, ...]
"""One of the up to four sections of a format: of numbers above zero, below, of zero, and of texts."""


def displayed_text(value: Scalar, code: str = "General", from_1904: bool = False) -> str:
    """The text that a spreadsheet displays for a value under the format code `code`; "" for an empty cell and for a
    value that the code hides (";;;").

    A number under a format of dates is a serial day number, in the system of 1904 or 1900 (see `serial_moment`). Halves
    are rounded away from zero, as spreadsheets do. Padding and fill characters of a format are left out, so that the
    text has no blanks at its ends that nobody sees.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    sections = parse_format(code)
    if isinstance(value, str):
        last = sections[-1]
        if len(sections) < 4 and not any(token.kind == "text" for token in last):
            return value
        return "".join(value if token.kind == "text" else token.text for token in last)
    if isinstance(value, Moment):
        dated = next((section for section in sections if _is_date(section)), None)
        return _moment(value, dated) if dated else plain_moment(value)
    if not math.isfinite(value):
        return str(value)
    numeric = [section for section in sections if not any(token.kind == "text" for token in section)] or sections
    section = numeric[0]
    if value < 0 and len(numeric) > 1:
        section, value = numeric[1], -value
    elif value == 0 and len(numeric) > 2:
        section = numeric[2]
    if _is_date(section):
        moment = serial_moment(value, from_1904, any(token.kind == "elapsed" for token in section))
        return general(value) if isinstance(moment, float) else _moment(moment, section)
    return _number(value, section).strip()


@lru_cache(maxsize=4096)
def parse_format(code: str) -> tuple[FormatSection, ...]:
    """The sections of a format code, at least one; an empty code or one of more than 255 characters is read as
    General."""
    sections: list[FormatSection] = []
    tokens: list[FormatToken] = []
    for match in _TOKEN.finditer(code if 0 < len(code) <= _LONGEST else "General"):
        kind = str(match.lastgroup)
        if kind == "other" and match[0] == ";":
            sections.append(tuple(tokens))
            tokens = []
        elif kind not in ("pad", "fill", "ignored"):
            named = "literal" if kind in ("quoted", "escaped", "currency", "other") else kind
            tokens.append(FormatToken(named, match[kind]))
    return (*sections, tuple(tokens))


def _is_date(section: FormatSection) -> bool:
    return any(token.kind in ("date", "elapsed", "clock") for token in section)


def general(value: float) -> str:
    """Text of a number under the format General: at most 11 characters besides a minus sign and the third digit of an
    exponent; scientific from 1e11 on and below 1e-4."""
    if value == int(value) and abs(value) < 1e11:
        return str(int(value))
    if not 1e-4 <= abs(value) < 1e11:
        digits, exponent = f"{value:.5E}".split("E")
        return f"{digits.rstrip('0').rstrip('.')}E{exponent}"
    places = min(9, max(0, 10 - len(str(int(abs(value))))))
    return f"{_round_half_up(Decimal(repr(value)), places):f}".rstrip("0").rstrip(".")


def _round_half_up(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)


def plain_moment(value: Moment) -> str:
    """Text of a date or time whose format is not known: ISO 8601, a datetime at midnight as its date."""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat(" ") if isinstance(value, datetime.datetime) else str(value)


def _number(value: float, section: FormatSection) -> str:
    """Text of a number under a section of a format: General, scientific or decimal, with the section's literals."""
    kinds = [token.kind for token in section]
    if "slash" in kinds:
        return general(value)
    if "general" in kinds or "digit" not in kinds:
        return "".join(general(value) if kind in ("general", "text") else text for kind, text in section)
    amount, exponent = Decimal(repr(abs(value))), ""
    if "exponent" in kinds:
        at = kinds.index("exponent")
        places = kinds[kinds.index("point") : at].count("digit") if "point" in kinds[:at] else 0
        mantissa, power = f"{abs(value):.{places}E}".split("E")
        sign = power[0] if power[0] == "-" or section[at].text.endswith("+") else ""
        exponent = f"E{sign}{power[1:].zfill(kinds[at:].count('digit'))}"
        amount, section, kinds = Decimal(mantissa), section[:at], kinds[:at]
    last = max((place for place, kind in enumerate(kinds) if kind == "digit"), default=0)
    # A comma after the last digit divides by a thousand; one between digits groups them.
    amount = amount.scaleb(2 * kinds.count("percent") - 3 * kinds[last:].count("comma"), _WIDE)
    point = kinds.index("point") if "point" in kinds else len(kinds)
    optional = [token.text for token in section[point:] if token.kind == "digit"]
    whole, _, decimals = f"{_round_half_up(amount, len(optional)):f}".partition(".")
    while optional and optional.pop() != "0" and decimals.endswith("0"):
        decimals = decimals[:-1]
    whole = whole.lstrip("0").zfill(sum(token.text == "0" for token in section[:point]))
    # From the point to the left, for the first placeholder takes all digits that are left.
    pieces: list[str] = []
    written, places = 0, kinds[:point].count("digit")
    for kind, text in reversed(section[:point]):
        if kind in _WRITTEN:
            pieces.append(text)
        elif kind == "digit":
            places -= 1
            for digit in reversed(whole[-1:] if places else whole):
                grouped = "comma" in kinds[:last] and written and written % 3 == 0
                pieces.append(f"{digit}," if grouped else digit)
                whole, written = whole[:-1], written + 1
    pieces.reverse()
    digits = iter(decimals)
    pieces += [next(digits, "") if kind == "digit" else text for kind, text in section[point:] if kind in _SHOWN]
    return ("-" if value < 0 else "") + "".join(pieces) + exponent


def _moment(value: Moment, section: FormatSection) -> str:
    """Text of a date, time or duration under a section of a format."""
    if isinstance(value, datetime.time):
        value = datetime.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
    length = value if isinstance(value, datetime.timedelta) else datetime.timedelta()
    if isinstance(value, datetime.timedelta):
        # The calendar does not reach as far as a duration may.
        value = datetime.datetime(1899, 12, 31) + value % datetime.timedelta(_LAST_DAY - 2)
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    twelve = any(token.kind == "clock" for token in section)
    units = [token.text.lower()[0] for token in section if token.kind in ("date", "elapsed")]
    pieces: list[str] = []
    at = -1
    for kind, text in section:
        at += kind in ("date", "elapsed")
        if kind == "date":
            code = text.lower()
            # m is the minutes right after the hours, and right before the seconds.
            timed = "h" in units[max(0, at - 1) : at] or "s" in units[at + 1 : at + 2]
            minutes = code in ("m", "mm") and timed
            pieces.append(f"{value.minute:0{len(code)}d}" if minutes else _date_piece(value, code, twelve))
        elif kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[text[0].lower()]
            pieces.append(f"{int(length.total_seconds() // unit):0{len(text)}d}")
        elif kind == "clock":
            pieces.append(text.split("/")[value.hour >= 12])
        elif kind in ("literal", "slash", "point", "comma"):
            pieces.append(text)
    return "".join(pieces).strip()


def _date_piece(value: datetime.datetime, code: str, twelve: bool) -> str:
    """Text of one date code (yy, mmm, dd, ge …) for a datetime; `twelve` selects the 12-hour clock. Before the first
    era, `g` codes give "" and `e` codes the year."""
    if code[0] in "ge":
        era = next((era for era in reversed(ERAS) if value.date() >= era.first), None)
        if era is None:
            return "" if code[0] == "g" else str(value.year)
        year = value.year - era.first.year + 1
        return {"g": era.letter, "gg": era.name[0], "ggg": era.name, "e": str(year), "ee": f"{year:02d}"}[code]
    hour = (value.hour % 12 or 12) if twelve else value.hour
    month, day, weekday = MONTHS[value.month - 1], _DAYS[value.weekday()], "月火水木金土日"[value.weekday()]
    return {
        "y": f"{value.year % 100:02d}", "yy": f"{value.year % 100:02d}",
        "yyy": f"{value.year:04d}", "yyyy": f"{value.year:04d}",
        "m": str(value.month), "mm": f"{value.month:02d}", "mmm": month[:3], "mmmm": month, "mmmmm": month[:1],
        "d": str(value.day), "dd": f"{value.day:02d}", "ddd": day[:3], "dddd": day,
        "aaa": weekday, "aaaa": f"{weekday}曜日",
        "h": str(hour), "hh": f"{hour:02d}", "s": str(value.second), "ss": f"{value.second:02d}",
    }[code]  # fmt: skip


def serial_moment(serial: float, from_1904: bool, elapsed: bool = False) -> Moment | float:
    """Converts a spreadsheet's serial day number to a datetime, to the second; below 1 in the 1900 system to a time.

    Day 1 is 1900-01-01 and day 60 the 29 February 1900 that never was; with `from_1904` day 0 is 1904-01-01. `elapsed`
    gives a timedelta of that many days instead. Out of range (negative, unless elapsed, or beyond 9999) the number is
    returned.
    """
    if not (-_LAST_DAY if elapsed else 0) <= serial < _LAST_DAY:
        return float(serial)
    days, seconds = divmod(round(serial * _DAY), _DAY)
    length = datetime.timedelta(days, seconds)
    if elapsed:
        return length
    if from_1904:
        length += datetime.timedelta(_FROM_1904)
    if length.days >= _LAST_DAY:
        return float(serial)
    if length.days < 1:
        return (datetime.datetime.min + length).time()
    return datetime.datetime(1899, 12, 31 if length.days < _NEVER else 30) + length
