"""Reading years as glossaries write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.years import read_years


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("476", 476, 476),
        ("-525", -525, -525),
        ("前525", -525, -525),
        ("紀元前６世紀", -600, -501),
        ("525 BC", -525, -525),
        ("525 BCE", -525, -525),
        ("AD 79", 79, 79),
        ("79 CE", 79, 79),
        ("c. 1200", 1200, 1200),
        ("400頃", 400, 400),
        ("1793/6/24", 1793, 1793),
        ("1919-06-28", 1919, 1919),
        ("1904年2月8日", 1904, 1904),
        ("17世紀", 1601, 1700),
        ("十七世紀", 1601, 1700),
        ("17世紀半ば", 1600 + 33 + 1, 1600 + 66),
        ("mid-17th century", 1600 + 33 + 1, 1600 + 66),
        ("19世紀末", 1900 - 25 + 1, 1900),
        ("前5世紀前半", -500, -451),
        ("1920年代", 1920, 1929),
        ("1200s", 1200, 1299),
        ("1920s", 1920, 1929),
        ("前2千年紀初頭", -2000, -2000 + 250 - 1),
        ("前2000年紀前半", -2000, -1501),
        ("12000年前", -12000, -12000),
        ("1337-1453", 1337, 1453),
        ("1904-05", 1904, 1905),
        ("前570-前560頃", -570, -560),
        ("前5-4世紀", -500, -301),
        ("前50-75", -50, 75),
        ("570-560 BC", -570, -560),
        ("27 BC-14 AD", -27, 14),
        ("27 BC – AD 14", -27, 14),
        ("27 BC-14", -27, -14),
        ("5th-4th century BC", -500, -301),
        ("16th–17th centuries", 1501, 1700),
        ("千七百八十九年", 1789, 1789),
        ("16世紀末-17世紀初頭", 1576, 1625),
        ("前256または前249", -256, -249),
        ("1848@1871@1830", 1830, 1871),
        ("戦国時代@前221", -221, -221),
    ],
)
def test_a_year_gives_its_first_and_last_year(text: str, first: int, last: int) -> None:
    assert _span(text) == (first, last)


@pytest.mark.parametrize(
    "text", ["", "  ", "唐代", "春秋時代末期", "旧石器時代", "？", "Bronze Age", "古代", "@"]
)
def test_a_period_without_years_is_none(text: str) -> None:
    assert read_years(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "12a4",
        "19o5",
        "0",
        "1800-1700",
        "前",
        "17世",
        "17世紀x",
        "1-2-3-4",
        "16th",
        "1-2nd",
        "16th-17",
    ],
)
def test_what_is_no_year_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_years(text)


@given(st.integers(-4000, -1), st.integers(1, 2100), st.integers(0, 500))
def test_a_range_spans_from_its_first_to_its_last_year(
    before: int, after: int, length: int
) -> None:
    assert _span(f"前{-before + length}-前{-before}") == (before - length, before)
    assert _span(f"前{-before}-{after} AD") == (before, after)
    assert _span(f"{after + 100}–{after + 100 + length}") == (after + 100, after + 100 + length)


def _span(text: str) -> tuple[int, int]:
    years = read_years(text)
    assert years is not None
    return years.first, years.last


_PIECES = st.sampled_from(
    "1 19 0 99999999999 ٣ ² ① １ 十 百 〇 前 - 世紀 年 代 年紀 千年紀 s 月 日 / ~ @ BC AD th mid- 末 頃 ? x".split()
)


@given(st.lists(_PIECES, max_size=8).map("".join) | st.text())
def test_any_text_is_a_span_none_or_refused(text: str) -> None:
    try:
        found = read_years(text)
    except ValueError as error:
        assert "\n" not in str(error)  # noqa: PT017 (what is refused is refused in a line)
    else:
        assert found is None or found.first <= found.last
