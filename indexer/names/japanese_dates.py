"""Dates in Japanese: years, decades and centuries in figures or numerals, years of an era, both ends of a range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from indexer.analysis.eras import FIRST, FIRST_YEARS
from indexer.analysis.numerals import NUMERALS, PLACES, numeral_value
from indexer.names import Mention, date_mention

_NOW = 2100  # greater numbers count years, they name none
_SMALL = 100  # a lesser number is a year only where something says so: 3年 is mostly a time of three years
_BEFORE = frozenset({"前", "紀元前", "西暦前", "BC", "B.C."})
_AFTER = frozenset({"後", "紀元後", "紀元", "西暦", "AD", "A.D."})
_SHORT_MARKS = frozenset({"前", "後"})  # with numerals they are words of other names: 前九年, 後三年
_WIDTHS = {"世紀": 100, "年代": 10, "年": 1}
_COUNTED = "間|余|にわた|以上|以内|以下|未満|ぶり|ごと|毎|あまり|近く|ほど|程|越し|も"
_REACH = 24  # characters before the last digit of a number at which its date may begin
_GLOSS = re.compile(r"\s?[(（]\s?翌?")
_UNIT = rf"世紀(?!{_COUNTED}|半(?!ば))|年代|年(?!{_COUNTED}|目|を経|前(?![半後期])|後(?![半期])|半(?!ば|期))"


class _Point(NamedTuple):
    """One end of a date as it is written: its mark (前, 西暦, 明治 …), its number, its unit."""

    start: int
    end: int
    mark: str
    number: str
    unit: str


@cache
def _pattern() -> re.Pattern[str]:
    """A date, before it perhaps the other end of its range: 1914-18年, 前264〜前146年, 1830年代から40年代."""
    alone = r"(?<![以午直戦生事年目])前|(?<![^〜～ー－−–—\-ら、・(（「])後"
    eras = "|".join(sorted(FIRST_YEARS, key=lambda era: (-len(era), era)))
    marks = rf"紀元前|紀元後|西暦前|西暦|紀元|{alone}|B\.?C\.?|A\.?D\.?|{eras}"
    begins = "".join(sorted({era[0] for era in FIRST_YEARS} | set("紀西前後BA")))
    mark = rf"(?=[{begins}])(?:{marks})"  # one look, where each of some hundred eras would be tried
    number = (
        rf"(?<![0-9０-９万億数第約何幾{NUMERALS}])(?<![0-9０-９][,.，．])(?:[0-9０-９]{{1,4}}|元|[{NUMERALS}]{{1,9}})"
    )
    between = r"\s?(?:[-‐–—−〜～~－ー]|から)\s?"
    first = rf"(?P<mark1>{mark})?\s?(?P<number1>{number})(?P<unit1>世紀|年代|年)?(?P<between>{between})"
    return re.compile(rf"(?:{first})?(?P<mark>{mark})?\s?(?P<number>{number})\s?(?P<unit>{_UNIT})")


def _matches(sentence: str) -> Iterator[re.Match[str]]:
    """The dates' matches, looked for around numbers with a unit only: most of a text has none."""
    if "年" not in sentence and "世紀" not in sentence:
        return
    end = 0
    for number in _numbers().finditer(sentence):
        if number.end() > end:
            match = _pattern().search(sentence, max(end, number.start() - _REACH))
            if match is None:
                return
            end = match.end()
            yield match


@cache
def _numbers() -> re.Pattern[str]:
    return re.compile(rf"[0-9０-９元{NUMERALS}]\s?(?:年|世紀)")


def dates(sentence: str) -> Iterator[Mention]:
    """The dates of a sentence in order; 1945年(昭和20年) is one date, as both name one year."""
    found: list[tuple[Mention, bool]] = []
    for match in _matches(sentence):
        for mention, of_era in _ends(match):
            if found and of_era != found[-1][1] and _GLOSS.fullmatch(sentence, found[-1][0].end, mention.start):
                plain = found[-1][0] if of_era else mention
                found[-1] = (_both(sentence, found[-1][0], mention, plain), False)
            else:
                found.append((mention, of_era))
    for mention, _ in found:
        yield mention


def _both(sentence: str, left: Mention, right: Mention, plain: Mention) -> Mention:
    """A year with its gloss and the bracket's end; a lunar calendar's year differs, so the plain year says when."""
    end = right.end + (sentence[right.end : right.end + 1] in (")", "）"))
    return plain._replace(start=left.start, end=end, surface=sentence[left.start : end])


def _ends(match: re.Match[str]) -> Iterator[tuple[Mention, bool]]:
    """The one or two dates that a match holds, and whether each counts from an era's beginning."""
    last = _point(match, "", match["unit"])
    if match["between"]:
        first = _point(match, "1", match["unit1"] or match["unit"])
        one = _span(first)
        if one:
            yield date_mention(match.string, first.start, first.end, one), first.mark in FIRST_YEARS
            last = _continued(first, last, match)
    other = _span(last)
    if other:
        yield date_mention(match.string, last.start, last.end, other), last.mark in FIRST_YEARS


def _point(match: re.Match[str], which: str, unit: str) -> _Point:
    begins = f"mark{which}" if match[f"mark{which}"] else f"number{which}"
    ends = f"unit{which}" if match[f"unit{which}"] else f"number{which}"
    mark = (match[f"mark{which}"] or "").strip()
    return _Point(match.start(begins), match.end(ends), mark, match[f"number{which}"], unit)


def _continued(first: _Point, last: _Point, match: re.Match[str]) -> _Point:
    """The end of a range, with the mark or the leading figures that it leaves out."""
    one, two = _value(first.number), _value(last.number)
    if last.mark:
        return last
    after = match.string[match.end() :]
    if "から" in match["between"] and last.unit == "年" and two < _SMALL and not after.startswith(("まで", "にかけ")):
        return last  # from 1945 on for three years
    if (first.mark in FIRST_YEARS and two < _SMALL) or (first.mark in _BEFORE and two < one):
        return last._replace(mark=first.mark)
    shortened = 10 ** len(str(two))
    whole = one // shortened * shortened + two
    if last.unit != "世紀" and one >= _SMALL > two and whole > one:
        return last._replace(number=str(whole))
    return last


def _value(number: str) -> int:
    """The number that figures or numerals stand for; 元 is 1."""
    return 1 if number == FIRST else numeral_value(number)


def _span(point: _Point) -> tuple[int, int] | None:
    """The first and last year of a date, None for what counts years instead of naming one."""
    number, width = _value(point.number), _WIDTHS[point.unit]
    if not number or not _is_named(point, number):
        return None
    if point.mark in FIRST_YEARS:
        start = FIRST_YEARS[point.mark] + number - 1
        return (start, start + width - 1) if width < 100 else None
    first = (number - 1) * 100 + 1 if width == 100 else number
    last = first + width - 1
    return (-last, -first) if point.mark in _BEFORE else (first, last)


def _is_named(point: _Point, number: int) -> bool:
    """Whether the number names a year, decade or century."""
    if point.unit == "世紀":
        return number <= (99 if point.mark in _BEFORE else 21)
    if point.mark in FIRST_YEARS:
        return number < _SMALL
    if point.number == "元":
        return False
    in_figures = point.number[0] not in NUMERALS
    if point.mark in _BEFORE or point.mark in _AFTER:
        return in_figures or number >= _SMALL or point.mark not in _SHORT_MARKS
    if in_figures:
        return _SMALL <= number <= _NOW
    in_places = bool(set(point.number) & set(PLACES))
    return 1000 <= number <= _NOW and not (in_places and number % 100 == 0)
