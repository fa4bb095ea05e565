"""Files of every format that open data comes in, told by their content."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.tables import files
from indexer.tables.files import file_kind, read_grids
from indexer.tables.records import decode_table
from indexer.tables.workbook import Grid, MergedSpan, UnreadableTableError
from tests.indexer.tables.open_data import milk_workbook, write_zip

HTML = (
    b"<html><table class=x><caption>Farms</caption><tr><th rowspan=2>Kind<th "
    b"colspan=2>Year</tr><tr><th>2019<th>2020"
    b"<tr><td>Goat<sup style='display: none'>1</sup><td>5<td>6<br>7</tr></table></html>"
)


def stored(files: dict[str, bytes]) -> bytes:
    """A zip whose files are not packed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"a,b\n1,2", "text"),
        (milk_workbook(), "workbook"),
        (write_zip({"a": b"b"}), "zip"),
        (b"\n<!DOCTYPE html><body>", "html"),
        (b"<table><tr><td>x", "html"),
        (b"<?xml version='1.0'?><rows><row a='1'/></rows>", "xml"),
        (b"<?xml version='1.0'?><trips><trip><tract>1</tract></trip></trips>", "xml"),
        (b"<response><transaction/><tables/></response>", "xml"),
        (b"<?xml version='1.0'?><kml><d>&lt;table><![CDATA[<table><tr><td>]]></d></kml>", "xml"),
        (b"<?xml version='1.0'?><table><track/></table>", "xml"),
        (b"<?xml version='1.0'?><!-- x --><html><body/></html>", "html"),
        (b"<div><TABLE border=1><TR>", "html"),
        (b'\xef\xbb\xbf{"a": 1}', "json"),
        (b"[\n null, 1]", "json"),
        (b"[Town],[Visitors]\nAgra,560\n", "text"),
        (b"%PDF-1.4", "pdf"),
        (b"ab\x00\x01\x02", "binary"),
        (b"City,Pop\nAl\x00ton,1\n", "text"),
    ],
)
def test_kinds(data: bytes, kind: str) -> None:
    assert file_kind(data) == kind


ODS_TYPE = b"application/vnd.oasis.opendocument.spreadsheet"


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"a.csv": b"b", "milk.xlsx": milk_workbook()}, "zip"),
        ({"mimetype": ODS_TYPE, "content.xml": b"<x/>"}, "workbook"),
    ],
    ids=["an xlsx in it", "an ods"],
)
def test_a_zip_that_holds_a_workbook_unpacked_is_no_workbook(
    files: dict[str, bytes], kind: str
) -> None:
    assert file_kind(stored(files)) == kind


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp932", "euc-jp", "iso-2022-jp", "utf-16"]
)
def test_encodings_of_japanese_csv(encoding: str) -> None:
    (grid,) = read_grids(
        '地域,人口\r\n札幌市,"1,973,395"\r\n函館市の町,5'.encode(encoding), JAPANESE
    )
    assert grid.rows == [["地域", "人口"], ["札幌市", "1,973,395"], ["函館市の町", "5"]]


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_delimiters(delimiter: str) -> None:
    text = delimiter.join(["a", "b", "c"]) + "\n" + delimiter.join(["1", "2", "3"]) + "\n"
    assert next(read_grids(text.encode(), JAPANESE)).rows == [["a", "b", "c"], ["1", "2", "3"]]


def test_a_first_line_names_the_delimiter_and_is_no_row() -> None:
    (grid,) = read_grids(b"sep=;\r\nTown;Depth, m\r\nIsel;12\r\n", ENGLISH)
    assert grid.rows == [["Town", "Depth, m"], ["Isel", "12"]]


def test_a_long_cell_is_read_and_the_limit_of_other_readers_stays() -> None:
    usual = csv.field_size_limit()
    (grid,) = read_grids(b"name,text\na," + b"x" * 200_000 + b"\n", ENGLISH)
    assert len(grid.rows[1][1]) == 200_000
    assert csv.field_size_limit() == usual


def test_rows_of_a_csv_are_made_equally_long() -> None:
    assert next(read_grids(b'title\n"a\nb",2,3\n', JAPANESE)).rows == [
        ["title", "", ""],
        ["a\nb", "2", "3"],
    ]


def test_html_tables_with_spans_and_a_caption() -> None:
    (grid,) = read_grids(HTML, JAPANESE)
    assert grid.rows == [
        ["Farms", "", ""],
        ["Kind", "Year", ""],
        ["", "2019", "2020"],
        ["Goat", "5", "6 7"],
    ]
    assert grid.merged == (MergedSpan(1, 0, 2, 0), MergedSpan(1, 1, 1, 2))
    assert grid.head == 3


def test_a_span_of_zero_reaches_down_to_the_end_and_not_to_the_right() -> None:
    page = b"<table><tr><td rowspan=0>a<td colspan=0>b<td>c<tr><td>d<td>e<tr><td>f<td>g</table>"
    (grid,) = read_grids(page, ENGLISH)
    assert grid.rows == [["a", "b", "c"], ["", "d", "e"], ["", "f", "g"]]


def test_hidden_rows_and_cells_of_html_are_left_out() -> None:
    page = (
        b"<table><tr><th>City<th>Pop"
        b"<tr><td>A<td>1<td style='display:none'>9<tr style='Display: "
        b"none'><td>H<td>9<tr><td>B<td>2</table>"
    )
    assert next(read_grids(page, JAPANESE)).rows == [["City", "Pop"], ["A", "1"], ["B", "2"]]


@pytest.mark.parametrize(
    ("data", "language", "rows", "reason"),
    [
        (b"City,Pop\nAl\x00ton,1\n", ENGLISH, [["City", "Pop"], ["Alton", "1"]], ""),
        (
            "市,人\n京都,1\n".encode() * 9 + b"x\xff,2\n",
            JAPANESE,
            [["市", "人"], ["京都", "1"]],
            "1 lines are not utf-8 text",
        ),
        (
            "市,、\n京都,ー\n".encode("cp932") * 9 + b"x\x81 ,2\n",
            JAPANESE,
            [["市", "、"], ["京都", "ー"]],
            "not cp932 text",
        ),
        (
            "Ville,N\nMontréal,1\n".encode("cp1252"),
            ENGLISH,
            [["Ville", "N"], ["Montréal", "1"]],
            "",
        ),
    ],
)
def test_a_line_that_cannot_be_read_spoils_no_other(
    data: bytes, language: Language, rows: list[list[str]], reason: str
) -> None:
    grids, found = read_or_reason(data, language)
    assert grids[0].rows[:2] == rows
    assert reason in found if reason else not found


def test_html_called_a_workbook_is_read_as_what_it_is() -> None:
    (grid,) = read_grids(HTML, JAPANESE)  # as a file farms.xls would come
    assert grid.rows[3][0] == "Goat"


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (
            b'[{"a": 1, "b": {"c": true}}, {"a": null, "d": [1, 2]}]',
            [["a", "b.c", "d"], ["1", "true", ""], ["", "", "1, 2"]],
        ),
        (
            b'{"meta": {"view": {"columns": [{"name": "x"}]}}, "data": [[5], [6]]}',
            [["x"], ["5"], ["6"]],
        ),
        (b'{"features": [{"properties": {"name": "n"}}]}', [["properties.name"], ["n"]]),
        (b'{"a": 1}\n{"a": 2}\n', [["a"], ["1"], ["2"]]),
        ('{"a": "x\u2028y"}\r\n{"a": 2}'.encode(), [["a"], ["x\u2028y"], ["2"]]),
        (
            b'[{"a": 1.10, "b": 1e400, "c": [{"d": 2.0}]}, {}]',
            [["a", "b", "c"], ["1.10", "1e400", "d: 2.0"], [""] * 3],
        ),
    ],
)
def test_json(data: bytes, rows: list[list[str]]) -> None:
    assert next(read_grids(data, JAPANESE)).rows == rows


def test_xml_records() -> None:
    data = b"<r><head>h</head><row id='1'><n>a</n></row><row id='2'><n>b</n><n>c</n></row></r>"
    assert next(read_grids(data, JAPANESE)).rows == [["id", "n"], ["1", "a"], ["2", "b, c"]]


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        pytest.param(
            "<d><s area='FR'><o t='2019' v='8'/><o t='2020' v='7'/></s><s area='DE'><o t='2020' "
            "v='3'/></s></d>",
            [["s.area", "t", "v"], ["FR", "2019", "8"], ["FR", "2020", "7"], ["DE", "2020", "3"]],
            id="records in groups, with what is said of the group",
        ),
        pytest.param(
            "<d><city code='1'>Paris</city><city code='2'>Rome</city></d>",
            [["code", "value"], ["1", "Paris"], ["2", "Rome"]],
            id="texts with attributes",
        ),
        pytest.param(
            "<d><p><price unit='EUR'>5</price></p><p><price unit='USD'>6</price></p></d>",
            [["unit", "price"], ["EUR", "5"], ["USD", "6"]],
            id="the attributes of what stands in a record",
        ),
        pytest.param(
            "<d xmlns:x='u'><s x:area='FR'><x:o x:v='8'/><x:o x:v='7'/></s></d>",
            [["s.area", "v"], ["FR", "8"], ["FR", "7"]],
            id="names without their name spaces",
        ),
    ],
)
def test_nothing_of_xml_records_is_lost(data: str, rows: list[list[str]]) -> None:
    assert next(read_grids(data.encode(), JAPANESE)).rows == rows


def test_a_single_xml_record() -> None:
    grid = next(read_grids(b"<r><item><city>Alton</city><pop>5</pop></item></r>", JAPANESE))
    assert grid.rows == [["city", "pop"], ["Alton", "5"]]


def test_tables_of_a_pdf() -> None:
    pytest.importorskip("pdfplumber")
    (grid,) = read_grids(pdf_table([["Kind", "Farms"], ["Goat", "46"]]), JAPANESE)
    assert grid.rows == [["Kind", "Farms"], ["Goat", "46"]]


def test_pages_of_a_pdf_that_are_left_out_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pdfplumber")
    monkeypatch.setattr(files, "_PDF_PAGES", 0)
    with pytest.raises(UnreadableTableError, match="a pdf of 1 pages: only the first 0 are read"):
        list(read_grids(pdf_table([["Kind", "Farms"], ["Goat", "46"]]), JAPANESE))


def pdf_table(rows: list[list[str]]) -> bytes:
    """A one-page pdf with ruled cells."""
    lines = ["0.5 w", "BT /F1 10 Tf ET"]
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            x, y = 50 + 100 * column, 700 - 20 * number
            lines += [f"{x} {y} 100 20 re S", f"BT /F1 10 Tf {x + 5} {y + 5} Td ({cell}) Tj ET"]
    stream = "\n".join(lines).encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> "
        b">> >>",
        b"<< /Length %d >> stream\n" % len(stream) + stream + b"\nendstream",
    ]
    file = io.BytesIO(b"%PDF-1.4\n")
    file.seek(0, 2)
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(file.tell())
        file.write(b"%d 0 obj\n" % number + body + b"\nendobj\n")
    start = file.tell()
    file.write(
        b"xref\n0 5\n0000000000 65535 f \n"
        + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    )
    file.write(b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b"ab\x00\x01", "binary data"),
        (b"<html><p>no table", "without tables"),
        (b'[{"a": 1},\n{broken', "^damaged JSON, line 2$"),
        (b"<table><tr><td" + b"".join(b" a%d=1" % n for n in range(300_000)), "10,000 attributes"),
        (b'{"a": "b"', "damaged JSON"),
        (b"<a><b></a>", "^damaged XML, or XML with entities of its own$"),
        (b"<a>text</a>", "XML without records"),
        (
            b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a><b>&e;</b><b/></a>",
            "damaged XML",
        ),
        (b"%PDF-1.4 and no more", "damaged or protected pdf"),
        (b"a,b\n" + b"1," * 10_000_000, "line 2 is over 16 MiB"),
    ],
)
def test_what_cannot_be_read_has_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTableError, match=reason):
        list(read_grids(data, JAPANESE))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            b"<table><tr>" + b"<td rowspan=1000 colspan=1000>x</td>" * 9 + b"<tr><td>y" * 999,
            "more than 5,000,000 cells",
        ),
        (
            b"[" + b",".join(b'{"k%d":1}' % number for number in range(3000)) + b"]",
            "3,000 names of fields",
        ),
        (
            b"<r>" + b"".join(b'<i k%d="1"/>' % number for number in range(3000)) + b"</r>",
            "3,000 names of fields",
        ),
        (b"a\n" * 20_000 + b"," * 20_000, "a row of 20,001 cells among 20,001 rows: cut to 499"),
        (b"[" * 11_000_000, "more than 10,000,000 values"),
        (b"<a>" * 4_100_000, "more than 4,000,000 tags"),
    ],
)
def test_a_bomb_is_not_filled(data: bytes, reason: str) -> None:
    assert reason in read_or_reason(data)[1]


def test_an_unknown_encoding_has_a_reason() -> None:
    with pytest.raises(UnreadableTableError, match="in an unknown encoding"):
        decode_table(b"\x81\xff")


@given(st.binary(max_size=200))
def test_any_bytes_give_grids_or_a_reason(data: bytes) -> None:
    grids, reason = read_or_reason(data)
    assert grids or reason
    assert all(len({len(row) for row in grid.rows}) <= 1 for grid in grids)


def read_or_reason(data: bytes, language: Language = JAPANESE) -> tuple[list[Grid], str]:
    grids: list[Grid] = []
    try:
        for grid in read_grids(data, language):
            grids.append(grid)  # noqa: PERF402  (what came before an error counts)
    except UnreadableTableError as error:
        return grids, str(error)
    return grids, ""


@pytest.mark.parametrize(
    ("text", "rows", "reason"),
    [
        # a backslash before quotes, as MySQL and Spark write them
        (
            'town,motto\nOslo,"They \\"came\\", and went"\nBern,"a \\"b\\" c"\n',
            ['They "came", and went', 'a "b" c'],
            "",
        ),
        (
            'town,pipe\nOslo,"3 inch\nBern,4 inch\nRome,5 inch\n',
            ['"3 inch', "4 inch", "5 inch"],
            "",
        ),
        ('town,text\nOslo,"one\ntwo"\nBern,"three"\n', ["one\ntwo", "three"], ""),
        ("town;size\nOslo;1,5\nBern;2,5\n", ["1,5", "2,5"], ""),
    ],
)
def test_quotes_and_delimiters_as_other_programs_write_them(
    text: str, rows: list[str], reason: str
) -> None:
    grids, said = read_or_reason(text.encode())
    assert [row[1] for row in grids[0].rows[1:]] == rows
    assert said == reason


def test_a_quote_that_does_not_close_far_behind_costs_no_rows() -> None:
    lines = [f'"town {number}",{number}' for number in range(5000)]
    lines[3000] = '"town 3000,3000'
    grids, reason = read_or_reason("\n".join(["town,people", *lines]).encode())
    assert [row[0] for row in grids[0].rows[2999:3004]] == [
        "town 2998",
        "town 2999",
        '"town 3000',
        "town 3001",
        "town 3002",
    ]
    assert len(grids[0].rows) == 5001
    assert reason == "line 3,002: a quote that does not close, read as it stands"


@pytest.mark.parametrize(
    "data",
    [
        "Town,Pop\u00adulation\nAl\u200bder,1,\n",
        "<table><tr><th>Town<th>Pop&shy;ulation<tr><td>Al&#8203;der<td>1</table>",
        '[{"Town": "Al\\u200bder", "Pop\\u00adulation": 1}]',
    ],
)
def test_cells_are_without_signs_that_nobody_sees(data: str) -> None:
    (grid,) = read_grids(data.encode(), JAPANESE)
    assert [row[:2] for row in grid.rows] == [["Town", "Population"], ["Alder", "1"]]


def test_a_long_tag_of_few_attributes_is_read() -> None:
    page = f"<table><tr><td title='{'a b=c ' * 20_000}'>1</table>"
    assert [grid.rows for grid in read_grids(page.encode(), JAPANESE)] == [[["1"]]]
