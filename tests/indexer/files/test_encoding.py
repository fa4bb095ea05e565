"""Reading text of unknown encoding, packed or not, line by line."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.encoding import detect_encoding, open_lines, read_text
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from tests.refusals import raises_at

JAPANESE_TEXT = "ローマ帝国は、紀元前27年に始まる。\n皇帝はアウグストゥス。"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-2022-jp", "euc-jp", "cp932"]
)
def test_japanese_encodings_are_told_apart(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(JAPANESE_TEXT.encode(encoding))
    assert read_text(file) == JAPANESE_TEXT
    assert [line.text for line in open_lines(file)] == JAPANESE_TEXT.split("\n")


def test_chinese_falls_back_to_gb18030() -> None:
    assert detect_encoding("罗马帝国的皇帝是谁".encode("gb18030"), CHINESE.encodings) == "gb18030"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("Napoléon went to Séville.".encode("cp1252"), "cp1252"),  # as cp932: Napol駮n, S騅ille
        ("État and façade: “Who?”".encode("cp1252"), "cp1252"),  # as cp932: ﾉtat, fa軋de
        ("The bushi (武士) and the daimyo (大名).".encode("cp932"), "cp932"),
        (
            "the king’s 10 ㎞".encode("cp932"),
            "cp932",
        ),  # signs alone in words are none of cp1252's letters
    ],
)
def test_english_is_western_where_ideographs_would_stand_in_its_words(
    data: bytes, encoding: str
) -> None:
    assert detect_encoding(data, ENGLISH.encodings) == encoding


def test_a_page_of_one_line_with_a_bad_byte_is_utf_8() -> None:
    page = (
        "<p>Gärten für Zürich, über Bäche, Höhen, Flüsse, Wälder, Brücken, Dörfer</p>".encode()
        + "é".encode("latin-1")
    )
    assert detect_encoding(page * 3, ENGLISH.encodings) == "utf-8"


PACKINGS = [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]


@pytest.mark.parametrize(("ending", "pack"), PACKINGS)
def test_packed_files_are_read_as_they_are_called(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / f"text.txt{ending}"
    file.write_bytes(pack(b"one\r\ntwo"))
    assert [line.text for line in open_lines(file)] == ["one", "two"]


def changed(data: bytes) -> bytes:
    return data[:-30] + bytes(255 - byte for byte in data[-30:])


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-20], changed, lambda data: data[:12] + b"\xff" * 50]
)
@pytest.mark.parametrize(("ending", "pack"), PACKINGS)
@pytest.mark.parametrize("read", [read_text, lambda path: list(open_lines(path))])
def test_a_damaged_archive_is_one_line(
    tmp_path: Path,
    ending: str,
    pack: Callable[[bytes], bytes],
    read: Callable[[Path], object],
    damage: Callable[[bytes], bytes],
) -> None:
    file = tmp_path / f"text{ending}"
    file.write_bytes(damage(pack(bytes(range(256)) * 1000)))
    with raises_at(file):
        read(file)


@pytest.mark.parametrize(("ending", "pack"), PACKINGS)
@pytest.mark.parametrize("read", [read_text, lambda path: list(open_lines(path))])
def test_a_bomb_is_not_read_on(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes], read: Callable[[Path], object]
) -> None:
    file = tmp_path / f"text{ending}"
    file.write_bytes(pack(b"a" * 30_000_000))
    with raises_at(file):
        read(file)


@pytest.mark.filterwarnings(
    "error"
)  # a stream that was half made would be told of when it goes, from Python 3.13 on
def test_a_file_that_is_not_packed_as_it_is_called(tmp_path: Path) -> None:
    file = tmp_path / "text.gz"
    file.write_bytes(b"one\ntwo")
    with raises_at(file):
        read_text(file)


def test_a_bad_line_spoils_no_other(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    good = "皇帝\n".encode() * 20
    file.write_bytes(good + b"\xff\xfe\xfa\n" + b"noise\0\n" + "皇帝\n".encode())
    lines = list(open_lines(file))
    assert [line.reason for line in lines[20:]] == ["not utf-8 text", "binary noise", ""]
    assert lines[22].text == "皇帝"


def test_a_line_over_the_limit_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(b"a" * 300 + b"\nnext\n")
    first, second = open_lines(file, limit=100)
    assert (first.text, second.number, second.text) == (None, 2, "next")


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0"), max_size=30), max_size=8
    )
)
def test_utf8_lines_come_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    file = tmp_path_factory.mktemp("lines") / "text.txt"
    file.write_bytes("".join(line + "\n" for line in lines).encode())
    if lines and lines[0].startswith("\ufeff"):
        lines[0] = lines[0][1:]
    assert [line.text for line in open_lines(file)] == lines


def test_a_line_ends_at_its_line_feed(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(b"one\rstill one\r\ntwo\n")
    assert [(line.number, line.text) for line in open_lines(file)] == [
        (1, "one\rstill one"),
        (2, "two"),
    ]
