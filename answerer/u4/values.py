"""Values of cells as the gold standard writes them: in full, rates as fractions, dates by their numbers."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

from indexer.analysis.years import NAMES, era_year
from indexer.tables.reports import Report, ReportCell, ReportTable, kind_of, without_marks

_UNITS = {"百万": 1_000_000, "千": 1_000, "億": 100_000_000, "百": 100, "十億": 1_000_000_000, "万": 10_000}
# A power of ten counts only before a unit: a label may begin with 千 or 万. 〃 repeats the unit of a row above.
_UNIT = re.compile(
    r"(十億|百万|億|千|百|万)(?:円|株|米?ドル|ユーロ|個|口)|(%|パーセント)|(〃|同上)|(円|株|人|名|倍|個|回|歳|才|年|ヶ月|月|件|社|口|銘柄|単元)"
)
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|単位[::]?([^()\s]*)")
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Labels whose values the gold writes below 0, whether the table shows a sign or not.
_DEDUCTED = re.compile("(?:償却|減損損失)累計額")
_STATEMENTS = "0105"  # how the numbers of sections with financial statements begin in EDINET
_TELEPHONE = re.compile(r"0\d{1,4}[(-]\d")
_SAID = re.compile("^単位[::は、]*")
_SEN = re.compile(r"(\d+)円(\d\d)銭")
_DATE = re.compile(rf"(?:(\d{{4}})|({NAMES})(\d+|元))年?[/.-]?(\d+)[月/.-](\d+)")


def factor_in(text: str) -> Decimal | None:
    """The factor of the unit that a folded heading names, in brackets or as a whole; None without one, 0 for 〃.

    Of several units in one pair of brackets that of money is meant, for counts say so in their labels.
    """
    for match in _BRACKETED.finditer(text):
        inside = _SAID.sub("", match[1] or match[2] or match[3] or "")
        units = [unit for part in re.split("[、,・/]", inside) if len(part) < 8 and (unit := _UNIT.match(part))]
        if units:
            return max(map(_factor, units))
    return _factor(unit) if (unit := _UNIT.fullmatch(text)) else None


def _factor(unit: re.Match[str]) -> Decimal:
    if unit[1]:
        return Decimal(_UNITS[unit[1]])
    return Decimal("0.01") if unit[2] else Decimal(0) if unit[3] else Decimal(1)


def factor_of(table: ReportTable, cell: ReportCell, label: str, default: Decimal) -> Decimal:
    """The factor of a cell's number: by its own text, its headings, the label of the question, then the table's."""
    text = without_marks(cell.shown)
    if unit := _UNIT.match(re.sub(r"^[^\d]*[\d,.]+", "", text).strip("()")):
        return _factor(unit)
    for heading in reversed(cell.left):
        factor = factor_in(heading)
        if factor == 0:
            # 〃 is the nearest unit of a row above.
            others = (one for one in reversed(table.cells) if one.row < cell.row)
            named = (factor_in(text) for one in others for text in (one.text, *reversed(one.left)))
            factor = next(filter(None, named), None)
        if factor is not None:
            return factor
    # Amounts per share are in yen, also in a table in millions of it.
    if "1株当たり" in label and "." in text:
        return Decimal(1)
    for heading in reversed(cell.above):
        if (factor := factor_in(heading)) is not None:
            return factor or Decimal(1)
    short = (one.text for one in table.cells if len(one.text) < 40)
    for heading in (*short, *reversed(table.before)):
        if factor := factor_in(heading):
            return factor
    return default if table.section.startswith(_STATEMENTS) else Decimal(1)


def money_unit(report: Report) -> Decimal:
    """The factor in which most tables of a report count money."""
    named = Counter(
        factor
        for table in report.tables
        for text in (*(one.text for one in table.cells[:12]), *table.before)
        if "円" in text and (factor := factor_in(text)) and factor >= 1000
    )
    return named.most_common(1)[0][0] if named else Decimal(1)


def value_of(table: ReportTable, cell: ReportCell, label: str, default: Decimal) -> str:
    """The value of a cell for the label and headings of a question; money without a unit counts in the default one.

    A number becomes its decimal digits, a date YYYY-MM-DD, a dash "－"; any other text is given without white space.
    """
    text = _SEN.sub(r"\1.\2円", without_marks(cell.shown))
    if not text or kind_of(text.strip("()")) == "dash":
        return "－"
    if (date := _DATE.match(text)) and kind_of(text) == "date":
        year = int(date[1]) if date[1] else era_year(date[2], date[3])
        return f"{year:04}-{int(date[4]):02}-{int(date[5]):02}"
    digits = _DIGITS.search(text)
    if kind_of(text) != "number" or digits is None or _TELEPHONE.match(text):
        return cell.text
    number = Decimal(digits[0].replace(",", "")) * factor_of(table, cell, label, default)
    # In statements figures in brackets are negative, elsewhere they are parts of others
    bracketed = text.startswith("(") and text.endswith(")") and table.section.startswith(_STATEMENTS)
    negative = any(sign in text[: digits.start()] for sign in "△▲▴▵-−–‐") or bracketed
    return format(-number if negative or _DEDUCTED.search(label) else number, "f")
