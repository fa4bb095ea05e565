"""Small collections of open data, written by the tests themselves: workbooks, archives,
metadata."""

from __future__ import annotations

import bz2
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from openpyxl import Workbook

MILK = "aaaaaaaa-0000-4000-8000-000000000001"
CITIES = "aaaaaaaa-0000-4000-8000-000000000002"
CENSUS = "900000000009"

CITIES_CSV = (
    'City,Country,Population,Founded\r\nKyoto,Japan,"1,464,890",794\r\nOsaka,Japan,"2,753,862",645\r\n'
    'Lyon,France,"522,250",43\r\nNara,Japan,"354,630",710\r\n'
)
CENSUS_CSV = (
    "統計表 人口（単位：人）\r\n地域,総数,男,女\r\n"
    '札幌市,"1,973,395","918,682","1,054,713"\r\n函館市,"251,084","113,965","137,119"\r\n'
)
_MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def milk_workbook() -> bytes:
    """A statistics sheet: title, unit, two heading rows (merged), a section row, formats, a hidden
    sheet."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "table"
    rows: list[list[object]] = [
        ["Table 1: Milk deliveries, 2019 and 2020", None, None, None, None],
        [None, None, None, None, None],
        ["Product", "Farms", None, "Deliveries", None],
        [None, 2019, 2020, 2019, 2020],
        [None, "number", "number", "litres", "litres"],
        ["Fresh products", None, None, None, None],
        ["Whole milk", 1200, 1100, 25000.4, 26000],
        ["Skim milk", 800, 750, 9000, 9500],
        ["Other products", None, None, None, None],
        ["Cheese", 300, 310, 700, 720],
        ["Source: the tests", None, None, None, None],
    ]
    for row in rows:
        sheet.append(row)
    for merged in ("A1:E1", "A3:A5", "B3:C3", "D3:E3", "A6:E6", "A9:E9"):
        sheet.merge_cells(merged)
    for line in sheet["B7:E10"]:
        for cell in line:
            cell.number_format = "#,##0"
    hidden = book.create_sheet("hidden")
    hidden.append(["never", "seen"])
    hidden.sheet_state = "hidden"
    return saved(book)


def saved(book: Workbook) -> bytes:
    """The bytes of a workbook, the same whenever it is saved."""
    file = io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    return write_zip(
        {name: _MOMENT.sub(b"2020-01-05T12:00:00Z", data) for name, data in parts.items()}
    )


def member_name(number: int, name: str) -> str:
    """A member's name as the collections have it: 64 hex digits, a dash, the original name."""
    return f"{number:064x}-{name}"


def write_tar(path: Path, files: Mapping[str, bytes], mode: str = "w:bz2") -> str:
    """A tar of files in order; its path."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return str(path)


def write_zip(files: Mapping[str, bytes]) -> bytes:
    """The bytes of a zip of files, which does not say when it was made."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def write_collection(path: Path, datasets: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    """A collection file of (id, title, member names); its path."""
    lines = [
        {
            "id": name,
            "title": title,
            "description": "",
            "data": [{"data_filename": file} for file in files],
        }
        for name, title, files in datasets
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_bytes(bz2.compress(text.encode()))
    return str(path)


def sample_collection(folder: Path) -> list[str]:
    """A collection of three datasets in two archives: a workbook, a csv beside its html, a Japanese
    csv in cp932."""
    names = [
        member_name(1, "milk.xlsx"),
        member_name(2, "cities.csv"),
        member_name(3, "census/jp.csv"),
    ]
    collection = write_collection(
        folder / "collection.jsonl.bz2",
        [
            (MILK, "Milk deliveries", names[:1]),
            (CITIES, "Cities of the world", names[1:2]),
            (CENSUS, "国勢調査 市区町村の人口", names[2:]),
        ],
    )
    first = write_tar(
        folder / "one.tar.bz2", {names[0]: milk_workbook(), "unwanted.csv": b"a,b\n1,2\n"}
    )
    second = write_tar(
        folder / "two.tar",
        {names[1]: CITIES_CSV.encode(), names[2]: CENSUS_CSV.encode("cp932")},
        "w",
    )
    return [collection, first, second]
