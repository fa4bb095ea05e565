"""Tables as a person sees them: hidden rows and columns left out and counted, tables inside tables,
parts of a table in the order that is shown."""

from __future__ import annotations

import io
import zipfile

import pytest
import xlwt
from openpyxl import Workbook

from indexer.languages.english import ENGLISH
from indexer.tables.files import read_html
from indexer.tables.workbook import (
    HIDDEN_CELLS,
    HIDDEN_COLUMNS,
    HIDDEN_ROWS,
    HIDDEN_SHEETS,
    Grid,
    MergedSpan,
    UnreadableTableError,
    read_workbook,
)
from tests.indexer.tables.open_data import saved

ROWS = [
    ["Town", "Code", "Visitors"],
    ["Agra", "x1", "560"],
    ["Draft", "x2", "0"],
    ["Rome", "x3", "9"],
]
SEEN = [["Town", "Visitors"], ["Agra", "560"], ["Rome", "9"]]


def new_book() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in ROWS:
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    return saved(book)


def old_book() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for number, row in enumerate(ROWS):
        for column, text in enumerate(row):
            sheet.write(number, column, text)
    sheet.row(2).hidden = True
    sheet.col(1).hidden = True
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def open_book() -> bytes:
    """An ods, of two sheets with other hidden parts (OpenDocument 1.3, part 3, 9.1)."""

    def row(texts: list[str], more: str = "") -> str:
        cells = "".join(
            f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
            for text in texts
        )
        return f"<table:table-row{more}>{cells}</table:table-row>"

    hidden = ' table:visibility="collapse"'
    rows = row(ROWS[0]) + row(ROWS[1]) + row(ROWS[2], hidden) + row(ROWS[3])
    columns = f"<table:table-column/><table:table-column{hidden}/><table:table-column/>"
    first = f'<table:table table:name="first">{row(["Seen"])}</table:table>'
    second = f'<table:table table:name="second">{columns}{rows}</table:table>'
    space = "urn:oasis:names:tc:opendocument:xmlns"
    names = "".join(f' xmlns:{one}="{space}:{one}:1.0"' for one in ("office", "table", "text"))
    content = (
        f"<office:document-content{names}><office:body><office:spreadsheet>{first}{second}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        "</manifest:manifest>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
    return file.getvalue()


@pytest.mark.parametrize("make", [new_book, old_book, open_book])
def test_hidden_rows_and_columns_are_left_out_and_counted(make: object) -> None:
    assert callable(make)
    *_, grid = read_workbook(make(), ENGLISH)
    assert grid.rows == SEEN
    assert grid.left_out == {HIDDEN_ROWS: ["Draft x2 0"], HIDDEN_COLUMNS: ["Code x1 x2 x3"]}


def test_hidden_sheets_are_counted_by_their_names() -> None:
    book = Workbook()
    book.worksheets[0].append(["Town", "Visitors"])
    for title, state in (("codes", "hidden"), ("drafts", "veryHidden")):
        sheet = book.create_sheet(title, 0)
        sheet.append(["never", "seen"])
        sheet.sheet_state = state
    (grid,) = read_workbook(saved(book), ENGLISH)
    assert grid.rows == [["Town", "Visitors"]]
    assert grid.left_out == {HIDDEN_SHEETS: ["drafts", "codes"]}


def test_a_workbook_with_text_in_hidden_sheets_alone_says_so() -> None:
    book = Workbook()
    sheet = book.create_sheet("codes")
    sheet.append(["never", "seen"])
    sheet.sheet_state = "hidden"
    with pytest.raises(UnreadableTableError, match="no text but in hidden sheets: codes"):
        list(read_workbook(saved(book), ENGLISH))


def test_a_merged_cell_keeps_its_text_where_its_first_row_is_hidden() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Asia", "Agra"], ["", "Delhi"], ["", "Pune"]):
        sheet.append(row)
    sheet.merge_cells("A1:A3")
    sheet.row_dimensions[1].hidden = True
    (grid,) = read_workbook(saved(book), ENGLISH)
    assert grid.rows == [["Asia", "Delhi"], ["", "Pune"]]
    assert grid.merged == (MergedSpan(0, 0, 1, 0),)


def grids(html: str) -> list[Grid]:
    return list(read_html(html.encode()))


def test_a_table_of_data_with_a_table_inside_gives_both() -> None:
    inner = "<table><tr><td>June</td><td>3</td></tr></table>"
    rows = f"<tr><th>Town</th><th>Opened</th></tr><tr><td>Agra</td><td>1653 {inner}</td></tr>"
    assert [grid.rows for grid in grids(f"<table>{rows}</table>")] == [
        [["Town", "Opened"], ["Agra", "1653"]],
        [["June", "3"]],
    ]


def test_a_table_that_lays_out_a_page_is_no_table() -> None:
    inner = "<table><tr><td>June</td><td>3</td></tr></table>"
    page = f"<table><tr><td>Menu</td><td>News {inner}</td></tr></table>"
    assert [grid.rows for grid in grids(page)] == [[["June", "3"]]]


def test_rows_of_head_and_foot_are_first_and_last_and_several_rows_are_head() -> None:
    (grid,) = grids(
        "<table><tfoot><tr><td>Sum</td><td>7</td></tr></tfoot>"
        "<tbody><tr><td>Agra</td><td>7</td></tr></tbody>"
        "<thead><tr><td>Town</td><td>Visitors</td></tr><tr><td></td><td>2021</td></tr></thead></table>"
    )
    assert [row[0] for row in grid.rows] == ["Town", "", "Agra", "Sum"]
    assert grid.head == 2


def test_hidden_rows_and_cells_of_html_are_counted() -> None:
    (grid,) = grids(
        "<table><tr><td>Agra</td><td hidden>x1</td></tr><tr hidden><td>Draft</td></tr>"
        '<tbody style="display:none"><tr><td>Old</td></tr></tbody></table>'
    )
    assert grid.rows == [["Agra"]]
    assert grid.left_out == {HIDDEN_ROWS: ["Draft", "Old"], HIDDEN_CELLS: ["x1"]}


def test_a_sheet_whose_rows_are_all_hidden_leaves_the_others_readable() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Draft"])
    sheet.row_dimensions[1].hidden = True
    book.create_sheet("seen").append(["Town"])
    hidden, seen = read_workbook(saved(book), ENGLISH)
    assert (hidden.rows, hidden.left_out) == ([], {HIDDEN_ROWS: ["Draft"]})
    assert seen.rows == [["Town"]]
