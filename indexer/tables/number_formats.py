"""Displayed text of a cell: a value under a number format of a spreadsheet (ECMA-376 part 1,
18.8.30 and 18.8.31).

Fractions and powers of ten are shown as by the format General; conditions in brackets are ignored:
a section is chosen by the sign alone.
"""

from __future__ import annotations

import datetime
import math
import re
from contextlib import suppress
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from indexer.analysis.years import ERAS, MONTHS

Moment = datetime.datetime | datetime.date | datetime.time | datetime.timedelta
Scalar = str | float | bool | Moment | None

BUILT_IN: dict[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%",
    14: "yyyy/m/d", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy/m/d h:mm",
    27: "[$-411]ge.m.d", 28: '[$-411]ggge"年"m"月"d"日"', 29: '[$-411]ggge"年"m"月"d"日"',
    30: "m/d/yy", 31: 'yyyy"年"m"月"d"日"', 32: 'h"時"mm"分"', 33: 'h"時"mm"分"ss"秒"',
    34: 'yyyy"年"m"月"', 35: 'm"月"d"日"', 36: "[$-411]ge.m.d", 37: "#,##0 ;(#,##0)",
    38: "#,##0 ;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    41: "#,##0;-#,##0;-", 42: "$#,##0;-$#,##0;-", 43: "#,##0.00;-#,##0.00;-",
    44: "$#,##0.00;-$#,##0.00;-", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 50: "[$-411]ge.m.d",
    51: '[$-411]ggge"年"m"月"d"日"', 55: 'yyyy"年"m"月"', 56: 'm"月"d"日"', 57: "[$-411]ge.m.d",
    58: '[$-411]ggge"年"m"月"d"日"',
}  # fmt: skip
"""The format codes of the built-in number formats, but for those that depend on the language."""

_LONGEST = 255  # characters of a format, as Excel has it
_WIDE = Context(
    prec=2000
)  # digits of any float with the places and the percent signs of any format
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<pad>.)|\*(?P<fill>.)'
    r"|\[(?P<elapsed>h+|m+|s+)\]|(?P<half>AM/PM|A/P|午前/午後)|(?P<weekday>a{3,4}|d{3,4})"
    r"|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<ignored>[^\]]*)\]|(?P<general>General|G/標準)"
    r"|(?P<exponent>E[+-])"
    r"|(?P<date>yyyy|yy|mmmmm|mmmm|mmm|mm|m|dd|d|hh|h|ss|s|ggg|gg|g|ee|e)"
    r"|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)"
    r"|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)


FormatSection = tuple[tuple[str, str], ...]
"""One of the up to four sections of a format: of numbers above zero, below, of zero, and of texts.
Each of its pieces is a kind (a group of the grammar) and a text."""


def displayed_text(value: Scalar, code: str = "General", datemode: int = 0) -> str:
    """The text that a spreadsheet displays for a value under the format code `code`; "" for an
    empty cell and for a number that the code hides (";;;"). A text is unchanged; a boolean is
    TRUE or FALSE.

    A section is chosen by the number's sign, never by a condition (`[>100]`). A number under a
    format of dates is a serial day number, of the system that begins in 1900, or in 1904 with
    `datemode` 1; a negative one is as General. Halves are rounded away from zero, as spreadsheets
    do. Padding and fill characters are left out, so that the text has no blanks at its ends that
    nobody sees.
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    sections = parse_format(code)
    if isinstance(value, Moment):
        section = next(filter(_is_date, sections), ())
        if isinstance(value, datetime.timedelta) or _is_elapsed(section):
            return _duration(_days(value, datemode), section)
        return _moment(value, section)
    if not math.isfinite(value):
        return str(value)
    numeric = [
        section for section in sections if all(kind != "text" for kind, _ in section)
    ] or sections
    section = numeric[0]
    if value < 0 and len(numeric) > 1:
        section, value = numeric[1], -value
    elif value == 0 and len(numeric) > 2:
        section = numeric[2]
    if _is_elapsed(section):
        return _duration(value, section)
    if _is_date(section) and value >= 0:
        from xlrd.xldate import xldate_as_datetime

        with suppress(ValueError, OverflowError):  # beyond the year 9999
            return _moment(xldate_as_datetime(value, datemode), section)
    return general(value) if _is_date(section) else _number(value, section).strip()


@lru_cache(maxsize=4096)
def parse_format(code: str) -> tuple[FormatSection, ...]:
    """The sections of a format code, at least one, without padding, fill, colours and conditions
    (`[>100]`); what is no part of the grammar is literal. An empty code or one of more than 255
    characters is read as General."""
    sections: list[FormatSection] = []
    pieces: list[tuple[str, str]] = []
    for match in _TOKEN.finditer(code if 0 < len(code) <= _LONGEST else "General"):
        kind = str(match.lastgroup)
        if kind == "other" and match[0] == ";":
            sections.append(tuple(pieces))
            pieces = []
        elif kind not in ("pad", "fill", "ignored"):
            label = "literal" if kind in ("quoted", "escaped", "currency", "other") else kind
            pieces.append((label, match[kind]))
    return (*sections, tuple(pieces))


_DATE_KINDS = ("date", "elapsed", "half", "weekday")
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_JAPANESE_WEEKDAYS = "月火水木金土日"
_BEGINNINGS = {0: datetime.datetime(1899, 12, 30), 1: datetime.datetime(1904, 1, 1)}
"""Day 0 of the date systems; of the first system from 1 March 1900 on, for Excel has a 29 February
1900."""


def _is_elapsed(section: FormatSection) -> bool:
    """Whether a section shows elapsed hours, minutes or seconds, as `[h]` does."""
    return any(kind == "elapsed" for kind, _ in section)


def _days(value: Moment, datemode: int) -> float:
    """A moment as the days since the beginning of its date system, a duration or a time in days."""
    if isinstance(value, datetime.timedelta):
        return value / datetime.timedelta(days=1)
    if isinstance(value, datetime.time):
        value = datetime.datetime.combine(_BEGINNINGS[datemode], value)
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    return (value - _BEGINNINGS[datemode]) / datetime.timedelta(days=1)


def _duration(days: float, section: FormatSection) -> str:
    """Text of a duration under a section of a format with elapsed hours, minutes or seconds
    (`[h]:mm`), else as hours, minutes and seconds. Finer parts than the format has are cut off, as
    spreadsheets do, after rounding to a thousandth of a second."""
    if not _is_elapsed(section):
        section = (
            ("elapsed", "h"),
            ("literal", ":"),
            ("date", "mm"),
            ("literal", ":"),
            ("date", "ss"),
        )
    seconds, thousandths = divmod(round(abs(days) * 86_400_000), 1000)
    pieces: list[str] = []
    in_fraction = False
    for kind, text in section:
        unit = text.lower()[:1]
        if kind == "elapsed" or (kind == "date" and unit in _SECONDS):
            count, seconds = divmod(seconds, _SECONDS[unit])
            pieces.append(str(count).zfill(len(text)))
        elif kind == "digit" and in_fraction:
            digit, thousandths = divmod(thousandths * 10, 1000)
            pieces.append(str(digit))
        elif kind in ("literal", "slash", "point", "comma"):
            pieces.append(text)
        in_fraction = kind == "point" or (in_fraction and kind == "digit")
    return ("-" if days < 0 else "") + "".join(pieces).strip()


def _is_date(section: FormatSection) -> bool:
    """Whether a section has a part of a date or a time."""
    return any(kind in _DATE_KINDS for kind, _ in section)


def general(value: float) -> str:
    """Text of a number under the format General: at most 11 characters besides a minus sign and the
    third digit of an exponent; scientific from 1e11 on and below 1e-4."""
    if value == int(value) and abs(value) < 1e11:
        return str(int(value))
    if not 1e-4 <= abs(value) < 1e11:
        digits, exponent = f"{value:.5E}".split("E")
        return f"{digits.rstrip('0').rstrip('.')}E{exponent}"
    places = min(9, max(0, 10 - len(str(int(abs(value))))))
    text = f"{_round_half_up(Decimal(repr(value)), places):f}"
    return text.rstrip("0").rstrip(".") if places else text


def _round_half_up(value: Decimal, places: int) -> Decimal:
    """The value rounded to decimal places, halves away from zero."""
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)


def _number(value: float, section: FormatSection) -> str:
    """Text of a number under a section of a format, with the section's literals, which % and commas
    behind the digits scale; a negative one has "-" first; as General, where the section has no
    digits, or anything but a comma and a point between them."""
    kinds = [kind for kind, _ in section]
    if "digit" not in kinds:
        return "".join(
            general(value) if kind in ("general", "text") else text for kind, text in section
        )
    first, end = kinds.index("digit"), len(kinds) - kinds[::-1].index("digit")
    first -= kinds[first - 1 : first] == ["point"]
    if not {"digit", "comma", "point"}.issuperset(kinds[first:end]):
        return general(value)
    point = kinds.index("point") if "point" in kinds[first:end] else end
    decimals = [text for kind, text in section[point:end] if kind == "digit"]
    # A comma after the last digit divides by a thousand; one between digits groups them.
    amount = Decimal(repr(abs(value))).scaleb(
        2 * kinds.count("percent") - 3 * kinds[end:].count("comma"), _WIDE
    )
    whole, _, parts = f"{_round_half_up(amount, len(decimals)):f}".partition(".")
    while len(parts) > decimals.count("0") and parts.endswith("0"):
        parts = parts[:-1]
    whole = whole.lstrip("0").zfill(sum(text == "0" for _, text in section[first:point]))
    if "comma" in kinds[first:point]:
        start = len(whole) % 3 or 3
        whole = ",".join(
            [whole[:start], *(whole[at : at + 3] for at in range(start, len(whole), 3))]
        )
    before, behind = (
        "".join(text for kind, text in side if kind in ("literal", "percent"))
        for side in (section[:first], section[end:])
    )
    return f"{'-' if value < 0 else ''}{before}{whole}{'.' if point < end else ''}{parts}{behind}"


def _moment(
    value: datetime.datetime | datetime.date | datetime.time, section: FormatSection
) -> str:
    """Text of a date or time under a section of a format, months in English, eras in Japanese or
    by letter; () gives ISO 8601 with a blank for its T, a datetime at midnight as its date."""
    moment = value
    if isinstance(moment, datetime.time):
        moment = datetime.datetime.combine(datetime.date.min, moment)
    elif not isinstance(moment, datetime.datetime):
        moment = datetime.datetime.combine(moment, datetime.time())
    if not section:
        is_day = isinstance(value, datetime.datetime) and value.time() == datetime.time()
        return str(moment.date() if is_day else value)
    units = [text.lower()[0] for kind, text in section if kind == "date"]
    halves = any(kind == "half" for kind, _ in section)
    pieces: list[str] = []
    at = -1
    in_fraction = False
    thousandths = moment.microsecond // 1000
    for kind, text in section:
        if kind == "date":
            at += 1
            code = text.lower()
            # m is the minutes right after the hours, and right before the seconds.
            timed = "h" in units[max(0, at - 1) : at] or "s" in units[at + 1 : at + 2]
            if code[0] in "ge":  # eras; before the first, the year
                era = next((era for era in reversed(ERAS) if moment.date() >= era.first), None)
                year = moment.year - era.first.year + 1 if era else moment.year
                names = {"g": era.letter, "gg": era.name[0], "ggg": era.name} if era else {}
                pieces.append(names.get(code, "") if code[0] == "g" else str(year).zfill(len(code)))
            elif code in ("mmm", "mmmm", "mmmmm"):
                letters = {"mmm": 3, "mmmm": None, "mmmmm": 1}[code]
                pieces.append(MONTHS[moment.month - 1][:letters])
            else:
                month = moment.minute if code in ("m", "mm") and timed else moment.month
                parts = {
                    "y": moment.year,
                    "m": month,
                    "d": moment.day,
                    "h": (moment.hour + 11) % 12 + 1 if halves else moment.hour,
                    "s": moment.second,
                }
                number = parts[code[0]]
                pieces.append(str(number % 100 if code == "yy" else number).zfill(len(code)))
        elif kind == "half":
            pieces.append(text.split("/")[moment.hour >= 12])
        elif kind == "weekday":
            pieces.append(_weekday(moment, text.lower()))
        elif kind == "digit" and in_fraction:
            digit, thousandths = divmod(thousandths * 10, 1000)
            pieces.append(str(digit))
        elif kind in ("literal", "slash", "point", "comma"):
            pieces.append(text)
        in_fraction = kind == "point" or (in_fraction and kind == "digit")
    return "".join(pieces).strip()


def _weekday(moment: datetime.datetime, code: str) -> str:
    """The day of the week as ddd (Mon), dddd (Monday), aaa (月) or aaaa (月曜日)."""
    if code[0] == "a":
        letter = _JAPANESE_WEEKDAYS[moment.weekday()]
        return letter if code == "aaa" else f"{letter}曜日"
    return _WEEKDAYS[moment.weekday()][: 3 if code == "ddd" else None]
