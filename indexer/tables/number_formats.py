"""Displayed text of a cell: a value under a number format of a spreadsheet (ECMA-376 part 1, 18.8.30 and 18.8.31)."""

from __future__ import annotations

import datetime
import math
import operator
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from indexer.analysis.years import ERAS, MONTHS
from indexer.languages.language import Language

Scalar = str | float | bool | datetime.datetime | datetime.date | datetime.time | datetime.timedelta | None

Moment = datetime.datetime | datetime.date | datetime.time | datetime.timedelta

_BUILT_IN: dict[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 14: "yyyy/m/d", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
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
_LONGEST = 255  # characters of a format, as Excel has it
_MOST_SIGNS = 100  # of % and of , that count: beyond, a number is out of all bounds
_WIDE = Context(prec=700)  # digits of any float with the places of any format
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<pad>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<clock>AM/PM|A/P|午前/午後)|(?P<general>General|G/標準)|(?P<exponent>E[+-])"
    r"|(?P<date>yyyy|yyy|yy|y|mmmmm|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|aaaa|aaa|ggg|gg|g|ee|e)"
    r"|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))$")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
_CURRENCY = re.compile(r"\$([^-]*)(-.*)?$")


def built_in(language: Language) -> dict[int, str]:
    """The built-in number formats of a workbook in a language, number → format code; a new dictionary at each call."""
    return _BUILT_IN | dict(language.date_formats)


class FormatToken(NamedTuple):
    """A piece of a format: its kind (a group of the grammar) and its text."""

    kind: str
    text: str


class FormatSection(NamedTuple):
    """One of the up to four sections of a format; `condition` is a comparison (`>=`) and its number, None if not
    given."""

    tokens: tuple[FormatToken, ...]
    condition: tuple[str, float] | None

    @property
    def is_date(self) -> bool:
        return any(token.kind in ("date", "elapsed", "clock") for token in self.tokens)


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
        if len(sections) < 4 and not any(token.kind == "text" for token in last.tokens):
            return value
        return "".join(value if token.kind == "text" else token.text for token in last.tokens)
    if isinstance(value, Moment):
        section = next((section for section in sections if section.is_date), None)
        return _moment(value, section.tokens) if section else plain_moment(value)
    if not math.isfinite(value):
        return str(value)
    section, value = _choose(value, sections)
    if section.is_date:
        elapsed = any(token.kind == "elapsed" for token in section.tokens)
        moment = serial_moment(value, from_1904, elapsed)
        return general(value) if isinstance(moment, float) else _moment(moment, section.tokens)
    return _number(value, section.tokens).strip()


@lru_cache(maxsize=4096)
def parse_format(code: str) -> tuple[FormatSection, ...]:
    """The sections of a format code, at least one; an empty code or one of more than 255 characters is read as
    General."""
    sections: list[FormatSection] = []
    tokens: list[FormatToken] = []
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(code if 0 < len(code) <= _LONGEST else "General"):
        kind = str(match.lastgroup)
        text = str(match.group(kind))
        if kind == "other" and text == ";":
            sections.append(FormatSection(tuple(tokens), condition))
            tokens, condition = [], None
        elif kind == "bracket":
            found = _CONDITION.match(text)
            condition = (found[1], float(found[2])) if found else condition
            if re.fullmatch(r"h+|m+|s+", text, re.IGNORECASE):
                bracket = [FormatToken("elapsed", text.lower())]
            else:
                currency = _CURRENCY.match(text)
                bracket = [FormatToken("literal", currency[1])] if currency and currency[1] else []
            tokens += bracket
        elif kind not in ("pad", "fill"):
            tokens.append(FormatToken("literal" if kind in ("quoted", "escaped", "other") else kind, text))
    return (*sections, FormatSection(tuple(tokens), condition))


def _choose(value: float, sections: tuple[FormatSection, ...]) -> tuple[FormatSection, float]:
    """The section that formats a number, by its condition or the number's sign, and the number to format: its absolute
    value if the section itself shows the sign."""
    numeric = [section for section in sections if not any(token.kind == "text" for token in section.tokens)]
    numeric = numeric[:3] or list(sections[:1])
    if any(section.condition for section in numeric):
        for section in numeric:
            if section.condition is None or _COMPARE[section.condition[0]](value, section.condition[1]):
                signed = section.tokens[:1] == (FormatToken("literal", "-"),)
                return section, abs(value) if signed else value
        return numeric[-1], value
    if value < 0 and len(numeric) > 1:
        return numeric[1], -value
    if value == 0 and len(numeric) > 2:
        return numeric[2], value
    return numeric[0], value


def general(value: float) -> str:
    """Text of a number under the format General: at most 11 characters besides a minus sign and the third digit of an
    exponent; scientific from 1e11 on and below 1e-4."""
    if value == int(value) and abs(value) < 1e11:
        return str(int(value))
    if value and not 1e-4 <= abs(value) < 1e11:
        digits, exponent = f"{value:.5E}".split("E")
        digits = digits.rstrip("0").rstrip(".")
        return f"{digits}E{exponent[0]}{int(exponent[1:]):02d}"
    places = max(0, 10 - len(str(int(abs(value)))))
    return (
        f"{_round_half_up(abs(value), min(places, 9)):f}".rstrip("0").rstrip(".").join(("-" if value < 0 else "", ""))
    )


def _round_half_up(value: float, places: int) -> Decimal:
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)


def _number(value: float, tokens: tuple[FormatToken, ...]) -> str:
    """Text of a number under a format's tokens: General, a fraction, percent, scientific or decimal, with its
    literals."""
    kinds = [token.kind for token in tokens]
    if "general" in kinds:
        return "".join(general(value) if token.kind == "general" else token.text for token in tokens)
    if "digit" not in kinds:
        return "".join(general(value) if token.kind == "text" else token.text for token in tokens)
    if "slash" in kinds:
        from fractions import Fraction

        slash = next(place for place, token in enumerate(tokens) if token.kind == "slash")
        fixed = "".join(token.text for token in tokens[slash + 1 :] if token.text.isdecimal())
        width = sum(token.kind == "digit" for token in tokens[slash + 1 :])
        whole_part = math.floor(abs(value))
        rest = abs(value) - whole_part
        if fixed and fixed != "0":
            top, bottom = int(_round_half_up(rest * int(fixed), 0)), int(fixed)
        else:
            near = Fraction(rest).limit_denominator(10 ** max(1, width) - 1)
            top, bottom = near.numerator, near.denominator
        if top == bottom:
            whole_part, top = whole_part + 1, 0
        sign = "-" if value < 0 else ""
        if not top:
            return f"{sign}{whole_part}"
        return f"{sign}{whole_part} {top}/{bottom}" if whole_part else f"{sign}{top}/{bottom}"
    hundreds = 100.0 ** min(kinds.count("percent"), _MOST_SIGNS)
    if not math.isfinite(value * hundreds):
        return general(value)
    sign = "-" if value < 0 else ""
    value = abs(value) * hundreds
    last_digit = max(place for place, kind in enumerate(kinds) if kind == "digit")
    value /= 1000.0 ** min(kinds[last_digit + 1 :].count("comma"), _MOST_SIGNS)
    exponent = ""
    if "exponent" in kinds:
        value, exponent = _scientific(value, tokens)
        tokens = tokens[: kinds.index("exponent")]
        kinds = kinds[: len(tokens)]
    places = kinds[kinds.index("point") :].count("digit") if "point" in kinds else 0
    whole, _, decimals = f"{_round_half_up(value, places):f}".partition(".")
    text = _laid_out(whole, decimals, tokens, "comma" in kinds[: last_digit + 1])
    return sign + text + exponent


def _scientific(value: float, tokens: tuple[FormatToken, ...]) -> tuple[float, str]:
    """Mantissa of a non-negative number in scientific notation, and the text of its exponent (`E+05`).

    `tokens` are those of the whole format; the power of ten is a multiple of the number of digits before the point.
    """
    at = next(place for place, token in enumerate(tokens) if token.kind == "exponent")
    width = sum(token.kind == "digit" for token in tokens[at:])
    kinds = [token.kind for token in tokens[:at]]
    point = kinds.index("point") if "point" in kinds else at
    step = max(1, kinds[:point].count("digit"))  # the powers are multiples of the digits before the point
    power = math.floor(math.log10(value)) if value else 0
    power -= power % step
    if _round_half_up(float(Decimal(repr(value)).scaleb(-power)), kinds[point:].count("digit")) >= 10**step:
        power += step
    sign = "-" if power < 0 else "+" if tokens[at].text.endswith("+") else ""
    return float(Decimal(repr(value)).scaleb(-power)), f"E{sign}{abs(power):0{width}d}"


def _laid_out(whole: str, decimals: str, tokens: tuple[FormatToken, ...], grouped: bool) -> str:
    """Text of a number's digits, `whole` before and `decimals` after the point, in the placeholders of a format, with
    its literals in place; `grouped` inserts commas before thousands."""
    point = next((place for place, token in enumerate(tokens) if token.kind == "point"), len(tokens))
    places = [place for place in range(point) if tokens[place].kind == "digit"]
    least = sum(tokens[place].text == "0" for place in places)
    whole = whole.lstrip("0").rjust(least, "0")
    pieces: list[str] = []
    used = 0
    for place, token in enumerate(tokens[:point]):
        if token.kind == "digit":
            remaining = len([other for other in places if other > place])
            take = whole[used : max(used, len(whole) - remaining)]
            for digit in take:
                used += 1
                left = len(whole) - used
                pieces.append(digit + "," if grouped and left and left % 3 == 0 else digit)
        elif token.kind in ("literal", "percent"):
            pieces.append("%" if token.kind == "percent" else token.text)
    fraction: list[str] = []
    rest = list(decimals)
    optional = [token.text for token in tokens[point:] if token.kind == "digit"]
    while rest and rest[-1] == "0" and optional and optional[-1] != "0":
        rest.pop()
        optional.pop()
    for token in tokens[point:]:
        if token.kind == "digit" and rest:
            fraction.append(rest.pop(0))
        elif token.kind == "point":
            fraction.append(".")
        elif token.kind in ("literal", "percent"):
            fraction.append("%" if token.kind == "percent" else token.text)
    return "".join(pieces + fraction)


def plain_moment(value: Moment) -> str:
    """Text of a date or time whose format is not known: ISO 8601, a datetime at midnight as its date."""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat(" ") if isinstance(value, datetime.datetime) else str(value)


def _moment(value: Moment, tokens: tuple[FormatToken, ...]) -> str:
    """Text of a date, time or duration under a format's tokens."""
    length = value if isinstance(value, datetime.timedelta) else datetime.timedelta()
    if isinstance(value, datetime.timedelta):
        value = datetime.datetime(1899, 12, 31)  # if the calendar does not reach so far, only the time of day counts
        try:
            value += length
        except OverflowError:
            value += length % datetime.timedelta(days=1)
    elif isinstance(value, datetime.time):
        length = datetime.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
        value = datetime.datetime.combine(datetime.date(1899, 12, 31), value)
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    twelve = any(token.kind == "clock" for token in tokens)
    pieces: list[str] = []
    for place, token in enumerate(tokens):
        if token.kind == "date":
            code = token.text.lower()
            minutes = code in ("m", "mm") and _is_minute(tokens, place)
            pieces.append(f"{value.minute:0{len(code)}d}" if minutes else _date_piece(value, code, twelve))
        elif token.kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[token.text[0]]
            pieces.append(f"{int(length.total_seconds() // unit):0{len(token.text)}d}")
        elif token.kind == "clock":
            pieces.append(token.text.split("/")[value.hour >= 12])
        elif token.kind in ("literal", "slash", "point", "comma"):
            pieces.append(token.text)
    return "".join(pieces).strip()


def _is_minute(tokens: tuple[FormatToken, ...], place: int) -> bool:
    """Returns whether the token `m` or `mm` at index `place` means minutes: right after hours or right before
    seconds."""
    timed = [at for at, token in enumerate(tokens) if token.kind in ("date", "elapsed")]
    here = timed.index(place)
    before = tokens[timed[here - 1]].text.lower() if here else ""
    after = tokens[timed[here + 1]].text.lower() if here + 1 < len(timed) else ""
    return before.startswith("h") or after.startswith("s")


def _date_piece(value: datetime.datetime, code: str, twelve: bool) -> str:
    """Text of one date code (yy, mmm, dd, ge …) for a datetime; `twelve` selects the 12-hour clock. Before the first
    era, `g` codes give "" and `e` codes the year."""
    if code[0] in "ge":
        day = value.date()
        for first, name, letter in reversed(ERAS):
            if day >= first:
                year = day.year - first.year + 1
                names = {"g": letter, "gg": name[0], "ggg": name, "e": str(year), "ee": f"{year:02d}"}
                return names[code]
        return "" if code[0] == "g" else str(day.year)
    hour = (value.hour % 12 or 12) if twelve else value.hour
    return {
        "y": f"{value.year % 100:02d}", "yy": f"{value.year % 100:02d}",
        "yyy": f"{value.year:04d}", "yyyy": f"{value.year:04d}",
        "m": str(value.month), "mm": f"{value.month:02d}", "mmm": MONTHS[value.month - 1][:3],
        "mmmm": MONTHS[value.month - 1], "mmmmm": MONTHS[value.month - 1][:1],
        "d": str(value.day), "dd": f"{value.day:02d}",
        "ddd": _DAYS[value.weekday()][:3], "dddd": _DAYS[value.weekday()],
        "aaa": "月火水木金土日"[value.weekday()], "aaaa": "月火水木金土日"[value.weekday()] + "曜日",
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
    length = datetime.timedelta(days=serial) + datetime.timedelta(milliseconds=500)
    length -= datetime.timedelta(microseconds=length.microseconds)
    if elapsed:
        return length
    if from_1904:
        start = datetime.datetime(1904, 1, 1)
    elif serial < 1:
        return (datetime.datetime(1900, 1, 1) + length).time()
    else:
        start = datetime.datetime(1899, 12, 31) if serial < 60 else datetime.datetime(1899, 12, 30)
    try:
        return start + length
    except OverflowError:  # rounded into the year 10000, or in the system of 1904
        return float(serial)
