"""Dates in Japanese: what names a year and what only counts years."""

from __future__ import annotations

import pytest

from indexer.languages.japanese import JAPANESE

NAMES = JAPANESE.recogniser()


def spans(text: str) -> list[tuple[int, int]]:
    return [mention.span for mention in NAMES.mentions(text) if mention.span]


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("明治42年に暗殺された。", 1909),
        ("昭和20年8月15日", 1945),
        ("大正元年", 1912),
        ("永楽19年に遷都した。", 1421),
        ("BC221年に統一した。", -221),
        ("B.C.221年", -221),
        ("前221年", -221),
        ("西暦79年に噴火した。", 79),
        ("１７８９年", 1789),
        ("一九四五年", 1945),
        ("千八百六十七年", 1867),
        ("1945年以降も続いた。", 1945),
        ("1867年後半に終わった。", 1867),
    ],
)
def test_a_year(text: str, year: int) -> None:
    assert spans(text) == [(year, year)]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("十九世紀のフランス", (1801, 1900)),
        ("二〇世紀", (1901, 2000)),
        ("紀元前三世紀", (-300, -201)),
        ("19世紀半ば", (1801, 1900)),
        ("昭和30年代", (1955, 1964)),
    ],
)
def test_a_century_or_decade(text: str, span: tuple[int, int]) -> None:
    assert spans(text) == [span]


@pytest.mark.parametrize(
    "text",
    "3年に一度 2年過ごした。 5年ぶりに戻った。 1年の留年 10年後 数年 70年代 2000年前 1,500年 百年戦争 千年の都 "
    "三十年戦争 前九年の役 1世紀にわたり 半世紀 約300年 500年以上".split(),
)
def test_a_number_of_years_is_no_date(text: str) -> None:
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1914-18年", [(1914, 1914), (1918, 1918)]),
        ("1337-1453年", [(1337, 1337), (1453, 1453)]),
        ("1337〜1453年", [(1337, 1337), (1453, 1453)]),
        ("前264〜前146年", [(-264, -264), (-146, -146)]),
        ("前264〜146年", [(-264, -264), (-146, -146)]),
        ("前27〜後14年", [(-27, -27), (14, 14)]),
        ("1930〜40年代", [(1930, 1939), (1940, 1949)]),
        ("1830年代から40年代", [(1830, 1839), (1840, 1849)]),
        ("15-16世紀", [(1401, 1500), (1501, 1600)]),
        ("明治27-28年", [(1894, 1894), (1895, 1895)]),
        ("1914年から18年まで", [(1914, 1914), (1918, 1918)]),
        ("1945年から3年", [(1945, 1945)]),
    ],
)
def test_both_ends_of_a_range(text: str, ends: list[tuple[int, int]]) -> None:
    assert spans(text) == ends


@pytest.mark.parametrize(
    ("text", "surface", "year"),
    [
        ("1945年(昭和20年)に終わった。", "1945年(昭和20年)", 1945),
        ("昭和20年（1945年）に終わった。", "昭和20年（1945年）", 1945),
        ("慶応3年(1868年1月3日)の大号令。", "慶応3年(1868年", 1868),
    ],
)
def test_a_year_and_its_gloss_are_one_date(text: str, surface: str, year: int) -> None:
    found = [(mention.surface, mention.span) for mention in NAMES.mentions(text)]
    assert found[0] == (surface, (year, year))
    assert sum(1 for _, span in found if span) == 1


def test_an_endless_run_of_numerals_is_no_year_and_no_error() -> None:
    assert spans(f"第{'一' * 5000}次会議は{'一' * 5000}年に開かれた。") == []
