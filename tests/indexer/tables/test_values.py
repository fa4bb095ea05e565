"""What cells mean: numbers, dates, years, eras."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.tables.values import parse_value, scope_of, unit_of, years_back, years_in


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("1,776", "number", 1776.0),
        ("$11,045", "number", 11045.0),
        ("8.50¢", "number", 8.5),
        ("(31.6)%", "number", -31.6),
        ("$(5)", "number", -5.0),
        ("△1,234", "number", -1234.0),
        ("１，２３４", "number", 1234.0),
        ("18,8", "number", 18.8),
        ("1.023,5", "number", 1023.5),
        ("1 234,5", "number", 1234.5),
        ("6\u202f701\u202f122", "number", 6_701_122.0),
        ("127'642", "number", 127_642.0),
        ("1.250.000", "number", 1_250_000.0),
        ("+6,4 %", "number", 6.4),
        ("1.234", "number", 1.234),
        ("1.5E+11", "number", 1.5e11),
        ("-2e-05", "number", -0.00002),
        ("1.5E11", "number", 1.5e11),
        ("10 20", "measure", 10.0),
        ("60%", "number", 60.0),
        ("2017 (a)", "number", 2017.0),
        ("1st", "number", 1.0),
        ("12万", "measure", 120_000.0),
        ("90 metres (295 ft)", "measure", 90.0),
        ("2:10:46", "measure", 2 * 3600 + 10 * 60 + 46),
        ("—", "missing", None),
        ("x", "missing", None),
        ("－", "missing", None),
        ("…", "missing", None),
        ("n/a", "missing", None),
        ("#N/A", "missing", None),
        ("#DIV/0!", "missing", None),
        ("#REF!", "missing", None),
        ("#NAME?", "missing", None),
        ("Err:502", "missing", None),
        ("", "blank", None),
        ("Goat", "text", None),
        ("※1 7,884", "number", 7884.0),
        ("※1,3 229", "number", 229.0),
        ("1,234 ※2", "number", 1234.0),
        ("100.0 (100.0)", "number", 100.0),
        ("△5百万円", "number", -5e6),
        ("12円50銭", "number", 12.5),
        ("1億2,000万円", "number", 120_000_000.0),
        ("△1億2,000万円", "number", -120_000_000.0),
        ("1兆2億30万4人", "number", 1_000_200_300_004.0),
        ("3千5百万円", "number", 35_000_000.0),
        ("3億 4千万円", "number", 340_000_000.0),
        ("2万5,000世帯", "number", 25_000.0),
        ("10万 20万", "measure", 100_000.0),
        ("3ヶ月", "number", 3.0),
    ],
)
def test_numbers(text: str, kind: str, number: float | None) -> None:
    value = parse_value(text)
    assert (value.kind, value.number) == (kind, number)


@pytest.mark.parametrize(
    ("text", "year", "moment"),
    [
        ("01/15/2021 12:00:00 AM", 2021, 2021 + 15 / 384),
        ("15/06/2019", 2019, 2019 + 5 / 12 + 15 / 384),
        ("04.03.2021", 2021, 2021 + 2 / 12 + 4 / 384),
        ("September 11, 1960", 1960, 1960 + 8 / 12 + 11 / 384),
        ("26 June 1918, 2035 hrs", 1918, 1918 + 5 / 12 + 26 / 384),
        ("2020-01-05", 2020, 2020 + 5 / 384),
        ("平成27年", 2015, 2015.0),
        ("令和元年5月", 2019, 2019 + 4 / 12),
        ("平成27(2015)年", 2015, 2015.0),
        ("April 4", None, 3 / 12 + 4 / 384),
        ("1995–96", 1995, 1995.0),
    ],
)
def test_dates(text: str, year: int | None, moment: float) -> None:
    value = parse_value(text)
    assert value.kind == "date"
    assert value.year == year
    assert value.moment == pytest.approx(moment)


@given(st.integers(-(10**7), 10**7))
def test_numbers_written_with_commas_come_back(number: int) -> None:
    assert parse_value(f"{number:,}").number == number


@given(st.text(max_size=30))
def test_any_text_has_a_meaning(text: str) -> None:
    assert parse_value(text).kind in ("blank", "missing", "number", "date", "measure", "text")


@pytest.mark.parametrize("text", ["({}~5", "[ ({}5~", "({}-{}5{}%{}~"])
def test_blanks_in_a_cell_are_not_shared_out_in_all_ways(text: str) -> None:
    assert (
        parse_value(text.replace("{}", " " * 300)).kind == "text"
    )  # 300 to the power of seven ways


def test_units_of_headings() -> None:
    assert unit_of("(単位:人、百万円)") == (1_000_000, "円")
    assert [unit_of(one) for one in ("配当性向(%)", "〃")] == [(Decimal("0.01"), "%"), (0, "〃")]
    assert [unit_of(one) for one in ("当期(2020年3月31日)", "(注)1", "千葉")] == [None, None, None]


def test_years_periods_and_scope_of_headings() -> None:
    assert years_in("平成27年3月期から2019年3月期、2,019件") == (2015, 2019)
    assert [years_back(one) for one in ("当期末", "前連結会計年度", "前々期", "当期首", "前期比", "当期と前期")] == [
        1, 2, 3, 2, 2, 0,
    ]  # fmt: skip
    assert [scope_of(one) for one in ("連結損益計算書", "提出会社の状況", "個別", "従業員")] == [
        "連結",
        "個別",
        "個別",
        "",
    ]
