"""The numbers and years of a Japanese text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from answerer.ntcir.claims.japanese.clauses import Word, text_of
from indexer.analysis.japanese import in_figures
from indexer.analysis.text import NUMERALS, normalise
from indexer.analysis.years import ERA_YEAR, FIRST, FIRST_YEARS, era_year

# with its unit; 14世 is of a name
NUMBER = re.compile(
    rf"(?P<before>紀元前|前|{'|'.join(FIRST_YEARS)}|[一-龥]{{2}}(?=\d{{1,2}}年(?![代間])))?"
    rf"(?P<digits>(?:\d[\d,.]*+[億万千]*+)++|{FIRST}(?=年))"
    r"(?P<unit>[かヶケカヵ箇]月|世紀|年[代間]?|[週時日]間|[ァ-ヺー]++|(?!世)[一-龥])"
)
_ERA_YEAR = re.compile(f"{ERA_YEAR}年")
_FIRST_OF_THREE_FIGURES = 100  # a year; what is less counts years
# not the single numeral of a name (一郎) or a word (一部)
_COUNTER = r"年|[かヶケカヵ箇]?月|日|人|歳|回|倍|割|円|文|次|世紀|[週時]間|キロ|メートル|トン"
_IN_WORDS = re.compile(
    rf"(?:\d|[{NUMERALS}](?=[{NUMERALS}万億兆]|{_COUNTER}))(?:[\d{NUMERALS}万億兆]|[.,](?=\d))*+"
)


class Number(NamedTuple):
    """A number of a text with its unit, as written, and what it is compared by: `kind` is its
    unit, "year" for 明治34年 and 1901年, "duration" for 八年, 8年間 and 8か月, and for the years of
    an older era, of another calendar, its name. Numbers with the same `key` are one."""

    key: str
    kind: str
    written: str


def with_figures(text: str) -> str:
    """A text, normalised, with its numbers in figures without commas: 5万2000, 52,000 and 五万二千
    are 52000; a single Chinese numeral remains, but before a common unit (八年)."""
    return _IN_WORDS.sub(lambda match: in_figures(match[0]), normalise(text))


def with_common_years(text: str) -> str:
    """A text as `with_figures` has it, with the years of the eras since 1868 in the common
    calendar, and without 西暦: 明治三十四年 is 1901年."""
    text = with_figures(text).replace("西暦", "")
    return _ERA_YEAR.sub(lambda match: f"{era_year(match[1], match[2])}年", text)


def lacks_kind(claim: str, sentence: str) -> bool:
    """True if a number of the claim is of a kind (`Number`) of which the sentence has none."""
    kinds = {number.kind for number in numbers_of(sentence)}
    return any(number.kind not in kinds for number in numbers_of(claim))


def numbers_of(text: str) -> list[Number]:
    """The numbers of a text that have a unit, in order."""
    numbers = []
    for match in NUMBER.finditer(with_figures(text)):
        key = kind = ""
        before, digits, unit = match["before"] or "", match["digits"], match["unit"]
        common = with_common_years(match[0])
        if unit == "年" and common[0].isdigit() and common != match[0]:
            key, kind = common, "year"
        elif before not in ("", "前", "紀元前"):
            key, kind = match[0], before
        elif unit.endswith("月") and len(unit) == 2:
            key, kind = f"{digits}か月", "duration"
        elif unit == "年間" or (unit == "年" and not before and _is_count(digits)):
            key, kind = f"{int(digits) * 12}か月" if digits.isdigit() else match[0], "duration"
        else:
            key, kind = match[0], "year" if unit == "年" else unit
        numbers.append(Number(key, kind, match[0]))
    return numbers


def _is_count(digits: str) -> bool:
    return digits.isdigit() and int(digits) < _FIRST_OF_THREE_FIGURES


def number_keys(words: Sequence[Word]) -> set[str]:
    return {number.key for number in numbers_of(text_of(words))}
