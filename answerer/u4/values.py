"""Values of cells as the gold standard writes them: in full, rates as fractions, dates by their numbers."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

from indexer.analysis.years import NAMES, era_year
from indexer.tables.reports import Report, ReportCell, ReportTable, kind_of, without_marks

_UNITS = {"百万": 1_000_000, "千": 1_000, "億": 100_000_000, "百": 100, "十億": 1_000_000_000, "万": 10_000}
_UNIT = re.compile(
    r"(十億|百万|億|千|百|万)(?:円|株|米?ドル|ユーロ|個|口)|(%|パーセント)|(〃|同上)|(円|株|人|名|倍|個|回|歳|才|年|ヶ月|月|件|社|口|銘柄|単元)"
)
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|単位[::]?([^()\s]*)")
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_COUNTED = re.compile(r"1株当たり|(?:人|員)数|株主数|倍率|平均年齢|勤続|株式数|銘柄数|個")
_DEDUCTED = re.compile("(?:償却|減損損失)累計額")
"""Labels whose values the gold writes below 0, whether the table shows a sign or not."""

_TRADED = re.compile(r"単元の?株式の?数?([\d,]+)株")
_TELEPHONE = re.compile(r"0\d{1,4}[(-]\d")
_SQUARE = str.maketrans("[]〔〕", "()()")
_SAID = re.compile("^単位[::は、]*")
_SEN = re.compile(r"(\d+)円(\d\d)銭")
_DATE = re.compile(rf"(?:(\d{{4}})|({NAMES})(\d+|元))年?[/.-]?(\d+)[月/.-](\d+)")


def factor_in(text: str) -> Decimal | None:
    """The factor of the unit that a folded heading names, in brackets or as a whole; None without one, 0 for 〃.

    Of several units in one pair of brackets that of money is meant, for counts say so in their labels.
    """
    for found in _BRACKETED.finditer(text):
        inside = _SAID.sub("", found[1] or found[2] or found[3] or "")
        units = [unit for part in re.split("[、,・/]", inside) if len(part) < 8 and (unit := _UNIT.match(part))]
        if units:
            return max(map(_factor, units))
    unit = _UNIT.fullmatch(text)
    return _factor(unit) if unit else None


def _factor(unit: re.Match[str]) -> Decimal:
    if unit[1]:
        return Decimal(_UNITS[unit[1]])
    return Decimal("0.01") if unit[2] else Decimal(0) if unit[3] else Decimal(1)


def factor_of(table: ReportTable, place: int, label: str, default: Decimal) -> Decimal:
    cell, head = table.cells[place], table.headed[place]
    text = without_marks(cell.shown)
    tail = re.sub(r"^[^\d]*[\d,.]+", "", text)
    if unit := _UNIT.match(tail.strip("()")):
        return _factor(unit)
    for heading in reversed([one for one in head.left if len(one) < 80]):
        found = factor_in(heading)
        if found == 0:
            found = _ditto(table, cell)
        if found is not None:
            return found
    if "1株当たり" in label and "." in text:
        return Decimal(1)
    for heading in reversed(head.above):
        if (found := factor_in(heading)) is not None:
            return found or Decimal(1)
    if _COUNTED.search(label):
        return Decimal(1)
    for heading in (
        *reversed(head.under),
        *(one.text for one in table.cells if len(one.text) < 40),
        *reversed(table.before),
    ):
        if found := factor_in(heading):
            return found
    return default if table.section.startswith("0105") else Decimal(1)


def money_unit(report: Report) -> Decimal:
    """The factor in which most tables of a report count money."""
    named = Counter(
        factor
        for table in report.tables
        for text in (*(one.text for one in table.cells[:12]), *table.before)
        if "円" in text and (factor := factor_in(text)) and factor >= 1000
    )
    return named.most_common(1)[0][0] if named else Decimal(1)


def _ditto(table: ReportTable, cell: ReportCell) -> Decimal | None:
    for other, head in reversed(list(zip(table.cells, table.headed, strict=True))):
        if other.row < cell.row:
            for heading in (other.text, *reversed(head.left)):
                if found := factor_in(heading):
                    return found
    return None


def value_of(table: ReportTable, place: int, label: str, default: Decimal) -> str:
    """The value of a cell for the label and headings of a question; money without a unit counts in the default one.

    A number becomes its decimal digits, a date YYYY-MM-DD, a dash "－"; any other text is given without white space.
    """
    cell = table.cells[place]
    text = _SEN.sub(r"\1.\2円", without_marks(cell.shown)).translate(_SQUARE)
    if not text or kind_of(text.strip("()")) == "dash":
        return "－"
    if (date := _DATE.match(text)) and kind_of(text) == "date":
        year = int(date[1]) if date[1] else era_year(date[2], date[3])
        return f"{year:04}-{int(date[4]):02}-{int(date[5]):02}"
    if "単元の株式" in label and (unit := _TRADED.search(text)):
        return unit[1].replace(",", "")
    found = _DIGITS.search(text)
    if kind_of(text) != "number" or found is None or _TELEPHONE.match(text):
        return cell.text
    number = Decimal(found[0].replace(",", "")) * factor_of(table, place, label, default)
    negative = any(sign in text[: found.start()] for sign in "△▲▴▵-−–‐") or (
        # in statements figures in brackets are negative, elsewhere they are parts of others
        text.startswith("(") and text.endswith(")") and table.section.startswith("0105") and "報酬" not in label
    )
    return format(-number if negative or _DEDUCTED.search(label) else number, "f")
