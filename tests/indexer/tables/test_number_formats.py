"""Number formats against what a spreadsheet shows (ECMA-376 part 1, 18.8.31)."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.tables.number_formats import displayed_text, general, parse_format


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1776.0, "#,##0", "1,776"),
        (127094.745, "#,##0", "127,095"),
        (76.8, "0.00", "76.80"),
        (2.675, "0.00", "2.68"),
        (0.256, "0.0%", "25.6%"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (-5, "#,##0;[Red]-#,##0", "-5"),
        (0, '#,##0;-#,##0;"-"', "-"),
        (7, ";;;", ""),
        (1234567, "#,##0,", "1,235"),
        (5, '"約"0"人"', "約5人"),
        (5, "[$¥-411]#,##0", "¥5"),
        (1.5, "# ?/?", "1.5"),
        (12345, "0.00E+00", "12345"),
        (1234567890.4, "General", "1234567890"),
        (0.5, ".0", ".5"),
        (-0.5, "#,##0.0#", "-0.5"),
        (1234567.25, "#,##0.0#", "1,234,567.25"),
        (7, "000", "007"),
        (1234.5, '_ * #,##0_ ;_ * -#,##0_ ;_ * "-"_ ;_ @_ ', "1,235"),
        ("x", "#,##0", "x"),
        (True, "0", "TRUE"),
        (None, "0", ""),
    ],
)
def test_numbers_and_texts(value: object, code: str, text: str) -> None:
    assert displayed_text(value, code) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (dt.datetime(2020, 1, 5), "yyyy/mm/dd", "2020/01/05"),
        (dt.date(2020, 1, 5), "d-mmm-yy", "5-Jan-20"),
        (dt.datetime(2020, 1, 5), 'ggge"年"m"月"d"日"', "令和2年1月5日"),
        (dt.datetime(2019, 4, 30), "[$-411]ge.m.d", "H31.4.30"),
        (dt.datetime(2020, 1, 5, 13, 5), "h:mm AM/PM", "1:05 PM"),
        (dt.datetime(2020, 1, 5, 0, 5), "hh:mm AM/PM", "12:05 AM"),
        (dt.datetime(2020, 1, 5, 13, 5), '午前/午後h"時"', "午後1時"),
        (dt.datetime(2020, 1, 5), "dddd d mmmmm", "Sunday 5 J"),
        (dt.datetime(2020, 1, 5), "ddd (aaa) aaaa", "Sun (日) 日曜日"),
        (dt.datetime(2020, 1, 5, 13, 5, 9, 250_000), "mm:ss.00", "05:09.25"),
        (dt.datetime(2020, 1, 5, 13, 5, 9), "mm:ss", "05:09"),
        (dt.timedelta(hours=30, minutes=2), "[h]:mm", "30:02"),
        (dt.timedelta(hours=30, minutes=2, seconds=5), "General", "30:02:05"),
        (dt.timedelta(hours=-1, minutes=-30), "[h]:mm", "-1:30"),
        (dt.timedelta(minutes=90, seconds=7), "[mm]:ss", "90:07"),
        (dt.timedelta(seconds=90), "[s]", "90"),
        (1.25, "[h]:mm:ss", "30:00:00"),
        (0.5 + 59.999 / 86_400, "[h]:mm", "12:00"),
        (dt.datetime(2020, 1, 5), "General", "2020-01-05"),
    ],
)
def test_dates(value: dt.datetime, code: str, text: str) -> None:
    assert displayed_text(value, code) == text


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (20200101123.0, "yyyy-mm-dd", "20200101123"),
        (-5.0, "yyyy-mm-dd", "-5"),
        (2958465.0, "yyyy-mm-dd", "9999-12-31"),
        (2958466.0, "yyyy-mm-dd", "2958466"),
        (1e308, "0%", "1" + "0" * 310 + "%"),
        (1e30, "0.0", "1" + "0" * 30 + ".0"),
    ],
)
def test_absurd_values_are_shown_as_numbers(
    value: float | dt.timedelta, code: str, text: str
) -> None:
    assert displayed_text(value, code) == text


@given(
    st.floats(),
    st.sampled_from(["yyyy-mm-dd", "[h]:mm", "0%", "#,##0.00", "0.0E+0", "# ?/?", "General"]),
)
def test_any_number_is_shown(value: float, code: str) -> None:
    assert isinstance(displayed_text(value, code), str)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (41.3, "41.3"),
        (2004.0, "2004"),
        (-0.5, "-0.5"),
        (0.1 + 0.2, "0.3"),
        (1e15, "1E+15"),
        (1e-7, "1E-07"),
    ],
)
def test_general_shows_what_was_typed(value: float, text: str) -> None:
    assert general(value) == text


@given(st.integers(-(10**9), 10**9))
def test_grouping_agrees_with_python(number: int) -> None:
    assert displayed_text(float(number), "#,##0") == f"{number:,}"


@given(st.text(max_size=20))
def test_any_format_code_is_read(code: str) -> None:
    assert parse_format(code)
    assert isinstance(displayed_text(12.5, code), str)


PIECES = '" \\ _ * [ ] AM/PM General E+ yyyy mmm m d h s aaa ggg e 0 # ? . , % / @ ; - 9 < >= <> [<0] [=1.5] [h] [$-411]'
ODD_CODES = st.lists(st.sampled_from(PIECES.split()), max_size=300).map("".join)


@given(st.floats(allow_nan=False), ODD_CODES)
@example(2_958_465.5, "d")
@example(1.5, "%" * 200 + "0")
@example(1.5, "# ?/" + "9" * 250)
def test_any_number_is_shown_under_any_code(value: float, code: str) -> None:
    assert isinstance(displayed_text(value, code), str)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (7.25, "0" * 256, "7.25"),  # no format has more than 255 characters
        (7.25, "0" * 255, "0" * 254 + "7"),
        (0.0, "0" + "%" * 200, "0" + "%" * 200),
        (1.0, "0" + "," * 200, "0"),
    ],
)
def test_what_no_spreadsheet_writes_costs_no_workbook(value: float, code: str, text: str) -> None:
    assert displayed_text(value, code) == text


def test_days_of_the_1904_system() -> None:
    # 6 May 2012 is day 41035 from 1900, four years and a day less from 1904
    assert displayed_text(41035.0, "yyyy-mm-dd") == "2012-05-06"
    assert displayed_text(41035.0 - 1462, "yyyy-mm-dd", datemode=1) == "2012-05-06"
