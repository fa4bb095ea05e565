"""Workbooks read as a person sees them, from files that the tests write."""

from __future__ import annotations

import datetime as dt
import io

import pytest
import xlwt
from openpyxl import Workbook
from openpyxl.styles import Alignment

from indexer.sources.workbook import Span, UnreadableTableError, column_number, read_workbook
from indexer.sources.workbook_formats import serial_moment
from tests.indexer.sources.open_data import milk_workbook, saved


def test_formats_merged_ranges_and_hidden_parts() -> None:
    (grid,) = read_workbook(milk_workbook())
    assert grid.name == "table"
    assert grid.rows[6] == ["Whole milk", "1,200", "1,100", "25,000", "26,000"]
    assert [row[0] for row in grid.rows[5:]] == [
        "Fresh products", "Whole milk", "Skim milk", "Other products", "Cheese", "Source: the tests",
    ]  # fmt: skip
    assert Span(2, 0, 4, 0) in grid.merged
    assert Span(8, 0, 8, 4) in grid.merged  # one row up: the row above it is hidden


def test_a_hidden_column_hands_its_merged_text_on() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "both", None])
    sheet.append([1, 2, 3])
    sheet.merge_cells("B1:C1")
    sheet.column_dimensions["B"].hidden = True
    (grid,) = read_workbook(saved(book))
    assert grid.rows == [["A", "both"], ["1", "3"]]


def test_an_indent_becomes_blanks() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Total", 1])
    sheet.append(["Goat", 1])
    sheet["A2"].alignment = Alignment(indent=1)
    (grid,) = read_workbook(saved(book))
    assert [row[0] for row in grid.rows] == ["Total", "  Goat"]


@pytest.mark.parametrize("from_1904", [False, True])
def test_dates_in_both_date_systems(from_1904: bool) -> None:
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    book = Workbook()
    if from_1904:
        book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    assert sheet is not None
    sheet.append([dt.datetime(2020, 1, 5), dt.datetime(2020, 1, 5)])
    sheet["A1"].number_format = "yyyy/m/d"
    sheet["B1"].number_format = 'ggge"年"'
    (grid,) = read_workbook(saved(book))
    assert grid.rows == [["2020/1/5", "令和2年"]]


def old_workbook() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("表1")
    sheet.write_merge(0, 0, 0, 1, "人口")
    sheet.write(1, 0, "総数")
    sheet.write(1, 1, 127094.745, xlwt.easyxf(num_format_str="#,##0"))
    sheet.write(2, 0, "率")
    sheet.write(2, 1, 0.5166, xlwt.easyxf(num_format_str="0.0%"))
    sheet.write(3, 0, "日")
    sheet.write(3, 1, dt.date(2020, 1, 5), xlwt.easyxf(num_format_str="yyyy/mm/dd"))
    sheet.write(4, 0, "隠")
    sheet.row(4).hidden = True
    book.add_sheet("隠し").write(0, 0, "never")
    book.get_sheet(1).visibility = 1
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_old_workbooks_keep_their_formats() -> None:
    (grid,) = read_workbook(old_workbook())
    assert grid.rows == [["人口", ""], ["総数", "127,095"], ["率", "51.7%"], ["日", "2020/01/05"]]
    assert grid.merged == (Span(0, 0, 0, 1),)


def test_built_in_dates_follow_the_country() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append([dt.datetime(2020, 1, 5)])
    sheet["A1"].number_format = "mm-dd-yy"  # the built-in format 14
    data = saved(book)
    assert next(read_workbook(data, "en")).rows == [["1/5/2020"]]
    assert next(read_workbook(data, "ja")).rows == [["2020/1/5"]]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (milk_workbook()[:3000], "damaged workbook"),
        (old_workbook()[:1000], "damaged workbook"),
        (b"PK\x03\x04 and then nothing", "damaged workbook"),
    ],
)
def test_broken_workbooks_say_so(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTableError, match=reason):
        list(read_workbook(data))


def test_a_cell_reference_gives_its_column() -> None:
    assert [column_number(name) for name in ("A1", "Z9", "AA1", "12")] == [0, 25, 26, None]


def test_serial_numbers_around_the_day_that_never_was() -> None:
    assert serial_moment(59, False) == dt.datetime(1900, 2, 28)
    assert serial_moment(61, False) == dt.datetime(1900, 3, 1)
    assert serial_moment(0, True) == dt.datetime(1904, 1, 1)
    assert serial_moment(0.5, False) == dt.time(12)
