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
from indexer.tables.workbook import MergedSpan, UnreadableTableError, cell_position, read_workbook
from tests.indexer.tables.open_data import milk_workbook, saved, write_zip


def test_formats_merged_ranges_and_hidden_sheets() -> None:
    (grid,) = read_workbook(milk_workbook(), JAPANESE)
    assert grid.name == "table"
    assert grid.rows[6] == ["Whole milk", "1,200", "1,100", "25,000", "26,000"]
    assert grid.rows[9][0] == "Cheese"
    assert MergedSpan(2, 0, 4, 0) in grid.merged
    assert MergedSpan(8, 0, 8, 4) in grid.merged


def test_an_indent_becomes_blanks() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Total", 1])
    sheet.append(["Goat", 1])
    sheet["A2"].alignment = Alignment(indent=1)
    (grid,) = read_workbook(saved(book), JAPANESE)
    assert [row[0] for row in grid.rows] == ["Total", "  Goat"]


def test_dates_of_both_calendars() -> None:
    book = Workbook()
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
        (
            write_zip({"mimetype": b"application/vnd.oasis.opendocument.text"}),
            "a document that is not an xlsx or ods",
        ),
    ],
)
def test_broken_workbooks_say_so(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTableError, match=reason):
        list(read_workbook(data, JAPANESE))


def with_sheet(xml: bytes, after: bytes = b"") -> bytes:
    """A workbook whose one sheet holds this XML between the tags of its data, and more after
    them."""
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
        (b" " * 20_000_000, "a damaged sheet"),
        (
            b'<row r="1"><c r="A1"><v>1</v></c></row><row r="99999"><c '
            b'r="XFD99999"><v>1</v></c></row>',
            "more than",
        ),
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


def test_an_error_is_shown_by_its_name() -> None:
    rows = b'<row><c t="e"><v>#N/A</v></c><c><v>5</v></c><c t="e"><v>#DIV/0!</v></c></row>'
    (grid,) = read_workbook(with_sheet(rows), JAPANESE)
    assert grid.rows == [["#N/A", "5", "#DIV/0!"]]


def test_merged_ranges_stay_within_the_sheet_and_share_no_cell() -> None:
    rows = b'<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="B2"><v>3</v></c></row>'
    merged = b"".join(b'<mergeCell ref="%b"/>' % name for name in (b"A1:A9", b"B1:B2", b"A1:B2"))
    (grid,) = read_workbook(with_sheet(rows, b"<mergeCells>%b</mergeCells>" % merged), JAPANESE)
    assert grid.merged == (MergedSpan(0, 0, 1, 0), MergedSpan(0, 1, 1, 1))


def test_a_cell_reference_gives_its_place() -> None:
    assert [cell_position(name) for name in ("A1", "Z9", "AA10", "12")] == [
        (0, 0),
        (8, 25),
        (9, 26),
        (None, None),
    ]


def test_a_damaged_sheet_costs_itself_alone() -> None:
    book = Workbook()
    for title in ("first", "second", "third"):
        book.create_sheet(title).append([title, 1])
    book.remove(book.worksheets[0])
    old = zipfile.ZipFile(io.BytesIO(saved(book)))
    files = {name: old.read(name) for name in old.namelist()}
    files["xl/worksheets/sheet2.xml"] = files["xl/worksheets/sheet2.xml"].replace(b"</row>", b"")
    grids = read_workbook(write_zip(files), ENGLISH)
    assert [next(grids).name, next(grids).name] == ["first", "third"]
    with pytest.raises(UnreadableTableError, match="a damaged sheet: open and save"):
        next(grids)


def open_book(manifest: str = "", blanks: str = "", before: str = "") -> bytes:
    """An ods with one row, with `blanks` between its elements, below the rows `before`."""
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ODS_NAMES
    )
    cells = (
        '<table:table-cell office:value-type="string"><text:p>Mill</text:p></table:table-cell>'
        '<table:table-cell office:value-type="float" office:value="80" '
        'table:number-columns-repeated="2"/>'
    )
    sheet = f'<table:table table:name="S">{before}<table:table-row>{cells}</table:table-row></table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    content = f"<office:document-content{names}>{body}</office:document-content>"
    space = 'xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
    return write_zip(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f"<m:manifest {space}>{manifest}</m:manifest>".encode(),
            "content.xml": content.replace("><", f">{blanks}<").encode(),
        }
    )


@pytest.mark.parametrize("blanks", ["", "\n    "])
def test_an_ods_is_read(blanks: str) -> None:
    (grid,) = read_workbook(open_book(blanks=blanks), JAPANESE)
    assert grid.rows == [["Mill", "80", "80"]]


@pytest.mark.parametrize(
    "value",
    [
        'office:value-type="string" office:string-value=""',
        'office:value-type="float" office:value="0"',
    ],
)
def test_an_error_of_an_ods_is_shown_by_its_name(value: str) -> None:
    """LibreOffice stores no value for it, or zero."""
    empty = "<table:table-cell/>"
    error = f"<table:table-cell {value}><text:p>#DIV/0!</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="2">{empty}{error}</table:table-row>'
    (grid,) = read_workbook(open_book(before=row), JAPANESE)
    assert grid.rows == [["", "#DIV/0!", ""], ["", "#DIV/0!", ""], ["Mill", "80", "80"]]


def test_an_ods_under_a_password_says_so() -> None:
    data = open_book('<m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry>')
    old = zipfile.ZipFile(io.BytesIO(data))
    locked = {name: old.read(name) for name in old.namelist()} | {"content.xml": b"\x9c\x01"}
    with pytest.raises(UnreadableTableError, match="protected by a password"):
        list(read_workbook(write_zip(locked), JAPANESE))


ODS_NAMES = ("office", "table", "text")
