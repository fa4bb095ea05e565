"""Encodings of data sets: of every file by itself, whatever its title; in doubt, by the others."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from indexer.formats.datasearch import DatasetMetadata
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.sources.datasets.build import file_owners, read_archive
from indexer.sources.datasets.schema import RowBlock
from tests.indexer.tables.open_data import member_name, write_tar

pytestmark = pytest.mark.process

JAPANESE_ROWS = [["図書館名", "所在地"], ["あおば図書館", "青葉市中央町"], ["さくら図書館", "東町"]]
SIMPLIFIED = [["图书馆", "地址"], ["青叶图书馆", "中央路一号"], ["东城图书馆", "东大街二号"]]
TRADITIONAL = [["圖書館", "地址"], ["臺北圖書館", "中央路一號"], ["高雄圖書館", "左營區大路二號"]]
ROWS = {
    "cp932": JAPANESE_ROWS,
    "euc-jp": JAPANESE_ROWS,
    "iso-2022-jp": JAPANESE_ROWS,
    "utf-16": JAPANESE_ROWS,
    "gb18030": SIMPLIFIED,
    "big5": TRADITIONAL,
}
TITLES = {"kanji": "公立図書館一覧", "kana": "まちの図書館", "English": "Public libraries"}


def file_text(rows: list[list[str]], ending: str) -> str:
    if ending == "csv":
        return "".join(",".join(row) + "\n" for row in rows)
    if ending == "html":
        cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
        return "<table>" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>"
    records = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    return json.dumps(records, ensure_ascii=False, indent=1)


def read(
    tmp_path: Path, files: dict[str, bytes], titles: dict[str, str]
) -> dict[str, tuple[list[list[str]], Language]]:
    """Rows and language of each file, each the only one of a dataset with its title."""
    members = {member_name(number, name): name for number, name in enumerate(files)}
    datasets = [
        DatasetMetadata(f"d{number}", titles[name], "", (member,))
        for number, (member, name) in enumerate(members.items())
    ]
    archive = write_tar(tmp_path / "data.tar", {key: files[members[key]] for key in members}, "w")
    result = {}
    for _, owner, item in read_archive(
        archive, "data", 1, file_owners(datasets), set(), IngestReport()
    ):
        if isinstance(item, RowBlock) and owner:
            heading = [" ".join(path) for path in item.table.columns]
            result[members[item.file]] = ([heading, *map(list, item.table.rows)], owner.language)
    return result


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_a_title_says_nothing_of_an_encoding(tmp_path: Path, title: str) -> None:
    files = {
        f"{encoding}.{ending}": file_text(rows, ending).encode(encoding)
        for (encoding, rows), ending in itertools.product(ROWS.items(), ("csv", "html", "json"))
    }
    tables = read(tmp_path, files, dict.fromkeys(files, title))
    expected = {name: ROWS[name.rpartition(".")[0]] for name in files}
    assert {name: rows for name, (rows, _) in tables.items()} == expected
    languages = {name: language for name, (_, language) in tables.items()}
    assert languages == {
        name: CHINESE if name.startswith(("gb", "big5")) else JAPANESE for name in files
    }


# The same bytes are words in both encodings, and these characters are no rarer in one of them.
DOUBTFUL = "国籍,人数\n韓国,10\n中国,20\n".encode("euc-jp")


@pytest.mark.parametrize(
    ("other", "rows"),
    [
        (file_text(JAPANESE_ROWS, "csv").encode("euc-jp"), "韓国"),
        (file_text(SIMPLIFIED, "csv").encode("gb18030"), "蹿柜"),
    ],
)
def test_in_doubt_a_file_is_read_as_the_others(
    tmp_path: Path, other: bytes, rows: str, caplog: pytest.LogCaptureFixture
) -> None:
    # The doubtful one comes first in the archive.
    files = {"a.csv": DOUBTFUL, "b.csv": other, "c.csv": other}
    tables = read(tmp_path, files, dict.fromkeys(files, "人口統計"))
    assert tables["a.csv"][0][1][0] == rows
    assert "several encodings fit 1 text;" in caplog.text
    assert "a.csv" in caplog.text


def test_in_doubt_a_title_with_kana_makes_a_file_japanese(tmp_path: Path) -> None:
    tables = read(tmp_path, {"a.csv": DOUBTFUL}, {"a.csv": "くにの人数"})
    assert tables["a.csv"][0][1] == ["韓国", "10"]
