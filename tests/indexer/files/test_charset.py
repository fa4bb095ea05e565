"""The encoding of a text by its marks, its declaration and its bytes."""

from __future__ import annotations

import pytest

from indexer.files.charset import declared_encoding, likely_encodings

LIBRARIES = "図書館名,所在地\nあおば図書館,青葉市中央町\nさくら図書館,青葉市東町\n"
TOWNS = "城市,人口\n北京,2100\n上海,2400\n广州,1500\n"
STATIONS = "車站,地址\n臺北車站,中正區北平西路\n高雄車站,三民區建國二路\n"
CAFES = "Café,Straße\nMontréal,München\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (LIBRARIES, "cp932"),
        (LIBRARIES, "euc-jp"),
        (LIBRARIES, "iso-2022-jp"),
        (LIBRARIES, "utf-16"),
        (LIBRARIES, "utf-8-sig"),
        (LIBRARIES, "utf-8"),
        ("氏名,人数\nｱｵﾊﾞ ﾀﾛｳ,3\nﾜｶﾊﾞ ﾊﾅｺ,4\n", "cp932"),  # katakana of half width
        (TOWNS, "gb18030"),
        (STATIONS, "big5hkscs"),
        (CAFES, "cp1252"),
        ("a,b\n1,2\n", "utf-8"),
    ],
)
def test_bytes_tell_their_encoding(text: str, encoding: str) -> None:
    assert likely_encodings(text.encode(encoding)) == (encoding,)


@pytest.mark.parametrize("encoding", ["cp932", "euc-jp", "gb18030", "utf-8"])
def test_a_damaged_line_in_twenty_changes_no_encoding(encoding: str) -> None:
    text = TOWNS if encoding == "gb18030" else LIBRARIES
    lines = (text * 10).encode(encoding).split(b"\n")
    lines[5] += b"\xff\xff"
    assert likely_encodings(b"\n".join(lines)) == (encoding,)


def test_bytes_of_two_encodings_give_both() -> None:
    # the characters of these words have the same rows in JIS X 0208 and GB 2312
    possible = likely_encodings("国籍,人数\n韩国,10\n中国,20\n台湾,30\n".encode("gb18030"))
    assert possible[0] == "gb18030"
    assert set(likely_encodings("国籍,人数\n韓国,10\n中国,20\n".encode("euc-jp"))) == {
        "gb18030",
        "euc-jp",
    }


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b'<meta charset="shift_jis">', "cp932"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=x-sjis'>", "cp932"),
        (b"<meta charset=gb2312>", "gb18030"),
        (b"<meta charset=big5>", "big5hkscs"),
        (b'<?xml version="1.0" encoding="EUC-JP"?><a/>', "euc_jp"),
        (b"<meta charset=latin1>", "cp1252"),
        (b"<meta charset=rot13>", ""),
        (b"<meta charset=no-such>", ""),
        (b"<meta charset=utf-16>", ""),  # it was read byte by byte
        (b"<p>charset=big5</p>", ""),
    ],
)
def test_declarations_are_read_as_browsers_do(page: bytes, encoding: str) -> None:
    assert declared_encoding(page) == encoding


def test_what_is_declared_comes_before_what_bytes_look_like() -> None:
    page = b"<meta charset=euc-jp><td>" + "国籍 中国".encode("euc-jp")
    assert likely_encodings(page) == ("euc_jp",)


def test_a_declaration_that_does_not_fit_is_not_followed() -> None:
    page = b"<meta charset=euc-jp>\n" + LIBRARIES.encode("cp932")
    assert likely_encodings(page) == ("cp932",)
    assert likely_encodings(b"<meta charset=latin1>" + LIBRARIES.encode()) == ("utf-8",)


@pytest.mark.filterwarnings("error")
def test_bytes_that_no_likely_encoding_fits_well_are_told_of_by_no_warning() -> None:
    text = (
        b"question|A|B|ta?|Ulf|Ma~un|\x8felarun|Pelk|A\nWhat is the capitk|A\nWhat is the capitit"
    )
    assert likely_encodings(text) == ("cp932", "gb18030", "big5hkscs")
