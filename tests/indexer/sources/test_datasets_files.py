"""Files of every format that open data comes in, told by their content."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.datasets_files import decode_table, file_kind, read_grids
from indexer.sources.workbook import Grid, Span, UnreadableTableError
from tests.indexer.sources.open_data import milk_workbook, write_zip

HTML = (
    b"<html><table class=x><caption>Farms</caption><tr><th rowspan=2>Kind<th colspan=2>Year</tr><tr><th>2019<th>2020"
    b"<tr><td>Goat<sup style='display: none'>1</sup><td>5<td>6<br>7</tr></table></html>"
)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"a,b\n1,2", "text"),
        (b"\xff\xfea\x00,\x00b\x00", "text"),
        (milk_workbook(), "workbook"),
        (write_zip({"a": b"b"}), "zip"),
        (b"\n<!DOCTYPE html><body>", "html"),
        (b"<table><tr><td>x", "html"),
        (b"<?xml version='1.0'?><rows><row a='1'/></rows>", "xml"),
        (b'\xef\xbb\xbf{"a": 1}', "json"),
        (b"%PDF-1.4", "pdf"),
        (b"ab\x00\x01\x02", "binary"),
    ],
)
def test_kinds(data: bytes, kind: str) -> None:
    assert file_kind(data) == kind


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc-jp", "iso-2022-jp", "utf-16"])
def test_encodings_of_japanese_csv(encoding: str) -> None:
    (grid,) = read_grids('地域,人口\r\n札幌市,"1,973,395"\r\n函館市の町,5'.encode(encoding))
    assert grid.rows == [["地域", "人口"], ["札幌市", "1,973,395"], ["函館市の町", "5"]]


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_delimiters(delimiter: str) -> None:
    text = delimiter.join(["a", "b", "c"]) + "\n" + delimiter.join(["1", "2", "3"]) + "\n"
    assert next(read_grids(text.encode())).rows == [["a", "b", "c"], ["1", "2", "3"]]


def test_rows_of_a_csv_are_made_equally_long() -> None:
    assert next(read_grids(b'title\n"a\nb",2,3\n')).rows == [["title", "", ""], ["a\nb", "2", "3"]]


def test_html_tables_with_spans_and_a_caption() -> None:
    (grid,) = read_grids(HTML)
    assert grid.rows == [["Farms", "", ""], ["Kind", "Year", ""], ["", "2019", "2020"], ["Goat", "5", "6 7"]]
    assert grid.merged == (Span(1, 0, 2, 0), Span(1, 1, 1, 2))
    assert grid.head == 3


def test_html_called_a_workbook_is_read_as_what_it_is() -> None:
    (grid,) = read_grids(HTML)  # as a file farms.xls would come
    assert grid.rows[3][0] == "Goat"


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (
            b'[{"a": 1, "b": {"c": true}}, {"a": null, "d": [1, 2]}]',
            [["a", "b.c", "d"], ["1", "true", ""], ["", "", "1, 2"]],
        ),
        (b'{"meta": {"view": {"columns": [{"name": "x"}]}}, "data": [[5], [6]]}', [["x"], ["5"], ["6"]]),
        (b'{"features": [{"properties": {"name": "n"}}]}', [["name"], ["n"]]),
        (b'{"a": 1}\n{"a": 2}\n', [["a"], ["1"], ["2"]]),
    ],
)
def test_json(data: bytes, rows: list[list[str]]) -> None:
    assert next(read_grids(data)).rows == rows


def test_xml_records() -> None:
    data = b"<r><head>h</head><row id='1'><n>a</n></row><row id='2'><n>b</n><n>c</n></row></r>"
    assert next(read_grids(data)).rows == [["id", "n"], ["1", "a"], ["2", "b, c"]]


def test_tables_of_a_pdf() -> None:
    pytest.importorskip("pdfplumber")
    (grid,) = read_grids(pdf_table([["Kind", "Farms"], ["Goat", "46"]]))
    assert grid.rows == [["Kind", "Farms"], ["Goat", "46"]]


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
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >> stream\n" % len(stream) + stream + b"\nendstream",
    ]
    file = io.BytesIO(b"%PDF-1.4\n")
    file.seek(0, 2)
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(file.tell())
        file.write(b"%d 0 obj\n" % number + body + b"\nendobj\n")
    start = file.tell()
    file.write(b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    file.write(b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b"ab\x00\x01", "binary data"),
        (b"<html><p>no table", "without tables"),
        (b"{broken", "damaged JSON"),
        (b'{"a": "b"', "damaged JSON"),
        (b"<a><b></a>", "damaged XML"),
        (b"<a>text</a>", "without repeated records"),
        (b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a><b>&e;</b><b/></a>", "damaged XML"),
        (b"%PDF-1.4 and no more", "damaged pdf"),
    ],
)
def test_what_cannot_be_read_has_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTableError, match=reason):
        list(read_grids(data))


def test_an_unknown_encoding_has_a_reason() -> None:
    with pytest.raises(UnreadableTableError, match="no known encoding"):
        decode_table(b"\xff\xfe\x00\xd8\xff")


@given(st.binary(max_size=200))
def test_any_bytes_give_grids_or_a_reason(data: bytes) -> None:
    grids, reason = read_or_reason(data)
    assert grids or reason
    assert all(len({len(row) for row in grid.rows}) <= 1 for grid in grids)


def read_or_reason(data: bytes) -> tuple[list[Grid], str]:
    grids: list[Grid] = []
    try:
        grids += read_grids(data)
    except UnreadableTableError as error:
        return grids, str(error)
    return grids, ""
