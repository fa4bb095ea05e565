"""Workbooks read as a person sees them, from files that the tests write."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import pytest
import xlwt
from openpyxl import Workbook
from openpyxl.styles import Alignment

from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.tables.number_formats import serial_moment
from indexer.tables.workbook import MergedSpan, UnreadableTableError, cell_place, read_workbook
from tests.indexer.tables.open_data import milk_workbook, saved, write_zip


def test_formats_merged_ranges_and_hidden_parts() -> None:
    (grid,) = read_workbook(milk_workbook(), JAPANESE)
    assert grid.name == "table"
    assert grid.rows[6] == ["Whole milk", "1,200", "1,100", "25,000", "26,000"]
    assert [row[0] for row in grid.rows[5:]] == [
        "Fresh products", "Whole milk", "Skim milk", "Other products", "Cheese", "Source: the tests",
    ]  # fmt: skip
    assert MergedSpan(2, 0, 4, 0) in grid.merged
    assert MergedSpan(8, 0, 8, 4) in grid.merged  # one row up: the row above it is hidden


def test_a_hidden_column_hands_its_merged_text_on() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "both", None])
    sheet.append([1, 2, 3])
    sheet.merge_cells("B1:C1")
    sheet.column_dimensions["B"].hidden = True
    (grid,) = read_workbook(saved(book), JAPANESE)
    assert grid.rows == [["A", "both"], ["1", "3"]]


def test_an_indent_becomes_blanks() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Total", 1])
    sheet.append(["Goat", 1])
    sheet["A2"].alignment = Alignment(indent=1)
    (grid,) = read_workbook(saved(book), JAPANESE)
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
    (grid,) = read_workbook(saved(book), JAPANESE)
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
    (grid,) = read_workbook(old_workbook(), JAPANESE)
    assert grid.rows == [["人口", ""], ["総数", "127,095"], ["率", "51.7%"], ["日", "2020/01/05"]]
    assert grid.merged == (MergedSpan(0, 0, 0, 1),)


def test_built_in_dates_follow_the_country() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append([dt.datetime(2020, 1, 5)])
    sheet["A1"].number_format = "mm-dd-yy"  # the built-in format 14
    data = saved(book)
    assert next(read_workbook(data, ENGLISH)).rows == [["1/5/2020"]]
    assert next(read_workbook(data, JAPANESE)).rows == [["2020/1/5"]]


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
        list(read_workbook(data, JAPANESE))


def with_sheet(xml: bytes, after: bytes = b"") -> bytes:
    """A workbook whose one sheet holds this XML between the tags of its data, and more after them."""
    old = zipfile.ZipFile(io.BytesIO(milk_workbook()))
    files = {name: old.read(name) for name in old.namelist()}
    namespace = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    files["xl/worksheets/sheet1.xml"] = b"<worksheet %b><sheetData>%b</sheetData>%b</worksheet>" % (
        namespace,
        xml,
        after,
    )
    return write_zip(files)


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (b" " * 20_000_000, "damaged workbook"),
        (b'<row r="1"><c r="A1"><v>1</v></c></row><row r="99999"><c r="XFD99999"><v>1</v></c></row>', "more than"),
    ],
)
def test_a_bomb_is_not_filled(xml: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTableError, match=reason):
        list(read_workbook(with_sheet(xml), JAPANESE))


def test_rows_without_numbers_and_empty_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = b"<row/>" * 5 + b'<row><c t="str"><v>a</v></c><c><v>5</v></c></row>'
    (grid,) = read_workbook(with_sheet(rows), JAPANESE)
    assert grid.rows[-1] == ["a", "5"]
    monkeypatch.setattr("indexer.tables.workbook._PIECE_LIMIT", 4)
    with pytest.raises(UnreadableTableError, match="more than 4 rows and cells"):
        list(read_workbook(with_sheet(rows), JAPANESE))


def ods(rows: str, styles: str = "") -> bytes:
    """An ods of one sheet with these rows."""
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ODS_NAMESPACES)
    sheet = f'<office:spreadsheet><table:table table:name="S">{rows}</table:table></office:spreadsheet>'
    body = f"{styles}<office:body>{sheet}</office:body>"
    content = f"<office:document-content {spaces}>{body}</office:document-content>"
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    files = {"content.xml": content, "META-INF/manifest.xml": manifest}
    kind = {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}
    return write_zip({**kind, **{name: text.encode() for name, text in files.items()}})


ODS_NAMESPACES = ("office", "table", "text", "style")
ODS_CELL = (
    '<table:table-cell office:value-type="string" table:number-columns-repeated="{}">'
    "<text:p>x</text:p></table:table-cell>"
)


def test_an_ods_shows_what_a_person_sees() -> None:
    rows = """<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>
    <table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Pond</text:p></table:table-cell>
    <table:covered-table-cell/><table:table-cell><text:p>secret</text:p></table:table-cell></table:table-row>
    <table:table-row><table:table-cell office:value="0.125"><office:annotation><text:p>?</text:p></office:annotation>
    <text:p>12.5<text:span>%</text:span></text:p></table:table-cell>
    <table:table-cell office:value="80"/></table:table-row>
    <table:table-row table:visibility="filter"><table:table-cell office:value="5"/></table:table-row>
    <table:table-row><table:table-cell><text:p><text:s text:c="2"/>Mill</text:p><text:p>Pond</text:p></table:table-cell>
    </table:table-row>"""
    (grid,) = read_workbook(ods(rows), JAPANESE)
    assert grid.rows == [["Pond", ""], ["12.5%", "80"], ["  Mill\nPond", ""]]
    assert grid.merged == (MergedSpan(0, 0, 0, 1),)


def test_hidden_sheets_of_an_ods_are_left_out() -> None:
    style = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    row = "<table:table-row><table:table-cell><text:p>seen</text:p></table:table-cell></table:table-row>"
    hidden = '</table:table><table:table table:name="T" table:style-name="ta2">'
    (grid,) = read_workbook(ods(row + hidden + row, style), JAPANESE)
    assert (grid.name, grid.rows) == ("S", [["seen"]])


def test_values_without_a_text_count_for_the_size_of_an_ods() -> None:
    row = '<table:table-row table:number-rows-repeated="1000000">{}</table:table-row>'
    cell = '<table:table-cell office:value="1" table:number-columns-repeated="9"/>'
    with pytest.raises(UnreadableTableError, match="a sheet of more than 5,000,000 cells"):
        list(read_workbook(ods(row.format(cell)), JAPANESE))


def test_repeated_cells_of_an_ods() -> None:
    row = '<table:table-row table:number-rows-repeated="{}">{}</table:table-row>'
    empty = row.format(1_048_570, '<table:table-cell table:number-columns-repeated="16384"/>')
    (grid,) = read_workbook(ods(row.format(2, ODS_CELL.format(3)) + empty), JAPANESE)
    assert grid.rows == [["x"] * 3] * 2
    with pytest.raises(UnreadableTableError):
        list(read_workbook(ods(row.format(1_000_000, ODS_CELL.format(16384))), JAPANESE))


def test_merged_ranges_stay_within_the_sheet_and_share_no_cell() -> None:
    rows = b'<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="B2"><v>3</v></c></row>'
    merged = b"".join(b'<mergeCell ref="%b"/>' % name for name in (b"A1:A9", b"B1:B2", b"A1:B2"))
    (grid,) = read_workbook(with_sheet(rows, b"<mergeCells>%b</mergeCells>" % merged), JAPANESE)
    assert grid.merged == (MergedSpan(0, 0, 1, 0), MergedSpan(0, 1, 1, 1))


def test_a_cell_reference_gives_its_place() -> None:
    assert [cell_place(name) for name in ("A1", "Z9", "AA10", "12")] == [(0, 0), (8, 25), (9, 26), (None, None)]


def test_serial_numbers_around_the_day_that_never_was() -> None:
    assert serial_moment(59, False) == dt.datetime(1900, 2, 28)
    assert serial_moment(61, False) == dt.datetime(1900, 3, 1)
    assert serial_moment(0, True) == dt.datetime(1904, 1, 1)
    assert serial_moment(0.5, False) == dt.time(12)
