"""`indexer datasets`: from archives to an index, with whatever can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from indexer.__main__ import main
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.formats.datasearch import DatasetMetadata, read_collection
from indexer.ingest_report import IngestReport
from indexer.sources.datasets.build import file_owners
from indexer.sources.datasets.schema import dataset_term, decode_block
from tests.indexer.tables.open_data import (
    CENSUS,
    CITIES,
    CITIES_CSV,
    MILK,
    member_name,
    milk_workbook,
    sample_collection,
    write_collection,
    write_tar,
    write_zip,
)
from tests.indexer.tables.test_workbook import with_sheet
from tests.programs import json_lines
from tests.refusals import names, raises_at

pytestmark = pytest.mark.process


def build(tmp_path: Path, files: list[str], *options: str) -> tuple[Index, list[dict[str, Any]]]:
    """The index of files, and the rejects."""
    address, rejects = str(tmp_path / "index"), tmp_path / "rejects.jsonl"
    main.main(
        ["datasets", *files, "--index", address, "--rejects", str(rejects), *options],
        standalone_mode=False,
    )
    return open_index(address, "datasets"), json_lines(rejects)


def titles(index: Index, dataset_id: str) -> list[str]:
    return [
        decode_block(document.payload).table.title
        for document in index.part("tables").lookup("dataset", [dataset_id])[0]
    ]


def test_a_collection_in_two_archives(tmp_path: Path) -> None:
    index, rejects = build(tmp_path, sample_collection(tmp_path))
    assert rejects == []
    assert [len(index.part(name)) for name in ("tables", "datasets", "files")] == [3, 3, 3]
    assert titles(index, MILK) == ["Table 1: Milk deliveries, 2019 and 2020"]
    (census,) = index.part("tables").lookup("dataset", [CENSUS])[0]
    assert census.doc_id == f"{CENSUS}-00000-00001-000000"
    assert decode_block(census.payload).table.rows[1] == ("函館市", "251,084", "113,965", "137,119")
    (dataset,) = index.part("datasets").lookup("doc_id", [CITIES])[0]
    assert json.loads(dataset.payload) == {"title": "Cities of the world", "description": ""}


def test_tables_are_found_by_their_words(tmp_path: Path) -> None:
    index, _ = build(tmp_path, sample_collection(tmp_path))
    (hits,) = index.part("tables").search([Query((QueryTerm("text", "kyoto"),))], 5)
    assert [hit.doc_id for hit in hits] == [f"{CITIES}-00000-00001-000000"]
    assert index.part("tables").count([Query((QueryTerm("text", dataset_term(CITIES)),))]) == [1]


def test_only_the_datasets_asked_for(tmp_path: Path) -> None:
    questions = tmp_path / "questions.tsv"
    questions.write_text(f"Q1\twhat?\t{CITIES}\n", "utf-8")
    index, _ = build(tmp_path, sample_collection(tmp_path), "--only", str(questions))
    assert [document.doc_id for document in index.part("datasets").scan()] == [CITIES]


def test_a_long_table_is_cut_into_blocks_with_headings(tmp_path: Path) -> None:
    rows = "".join(f"town {number},{number}\n" for number in range(5000))
    name = member_name(1, "towns.csv")
    collection = write_collection(tmp_path / "c.jsonl.bz2", [(CITIES, "Towns", [name])])
    index, _ = build(
        tmp_path,
        [collection, write_tar(tmp_path / "a.tar", {name: f"Town,N\n{rows}".encode()}, "w")],
    )
    tables = [
        decode_block(document.payload).table
        for document in index.part("tables").lookup("dataset", [CITIES])[0]
    ]
    assert [len(table.rows) for table in tables] == [2000, 2000, 1000]
    assert {table.columns for table in tables} == {(("Town",), ("N",))}


BAD = [
    (milk_workbook()[:4000], "archive not read on", 0),
    (b"<html><table><tr><td>a<td>b<tr><td>c<td>5</table>", None, 1),
    (b"\x00\x01\x02", "", 0),
    (b"a,b\n\xff\xfe\x81\x00", "", 0),
    (b"a,b\n\x81\x20\xff", "", 0),
    (write_zip({"in.csv": b"a,b\nc,5\n", "x.xlsx": milk_workbook()}), None, 2),
    (write_zip({"bomb.csv": b"0" * 50_000_000, "in.csv": b"a,b\nc,5\n"}), "bomb.csv: ", 1),
    (write_zip({"in.zip": write_zip({"a.csv": b"b"})}), "in.zip: ", 0),
    (b"PK\x03\x04 broken", "archive not read on", 0),
    (bytes.fromhex("d0cf11e0a1b11ae1") + b"\x00" * 600, "damaged workbook", 0),
]
"""Bytes of a file, how the reason begins for which it is rejected (None: it is not), its tables."""


def bad_dataset(number: int) -> str:
    return f"{CITIES[: -len(str(number))]}{number}"


@pytest.fixture(scope="module")
def beside_bad(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, list[dict[str, Any]]]:
    """A data set for each bad file, with a good one in it."""
    folder, files, described = tmp_path_factory.mktemp("bad"), dict[str, bytes](), []
    for number, (data, _, _) in enumerate(BAD):
        bad, good = member_name(2 * number + 1, "bad.xls"), member_name(2 * number + 2, "good.csv")
        files |= {bad: data, good: CITIES_CSV.encode()}
        described.append((bad_dataset(number), "Cities", [bad, good]))
    collection = write_collection(folder / "c.jsonl.bz2", described)
    return build(folder, [collection, write_tar(folder / "a.tar.bz2", files)])


@pytest.mark.parametrize("number", range(len(BAD)))
def test_a_bad_file_is_rejected_and_the_dataset_kept(
    beside_bad: tuple[Index, list[dict[str, Any]]], number: int
) -> None:
    (index, rejects), (_, reason, tables) = beside_bad, BAD[number]
    (kept,) = index.part("tables").lookup("dataset", [bad_dataset(number)])
    assert len(kept) == tables + 1
    name = member_name(2 * number + 1, "bad.xls")
    reasons = [one["reason"] for one in rejects if Path(one["file"]).name == name]
    assert [one.startswith(reason or "") for one in reasons] == [True] * (reason is not None)


def test_a_workbook_with_a_password(tmp_path: Path) -> None:
    name, other = member_name(1, "secret.xlsx"), member_name(2, "open.csv")
    collection = write_collection(tmp_path / "c.jsonl.bz2", [(CITIES, "Cities", [name, other])])
    files = {name: encrypted_package(), other: b"city,population\nOsaka,2691000\n"}
    index, rejects = build(tmp_path, [collection, write_tar(tmp_path / "a.tar", files, "w")])
    assert [reject["reason"] for reject in rejects] == ["protected by a password"]
    assert len(index.part("datasets")) == 1


def encrypted_package() -> bytes:
    """An OLE file with the streams of an encrypted xlsx, as Office writes them (MS-OFFCRYPTO
    2.1)."""
    sector = 512
    fat = b"\xfd\xff\xff\xff" + b"\xfe\xff\xff\xff" * 2 + b"\xff\xff\xff\xff" * 125
    header = (
        bytes.fromhex("d0cf11e0a1b11ae1")
        + b"\x00" * 16
        + bytes.fromhex("3e000300feff09000600")
        + b"\x00" * 6
    )
    header += (
        (0).to_bytes(4, "little")
        + (1).to_bytes(4, "little")
        + (1).to_bytes(4, "little")
        + b"\x00" * 4
    )
    header += (
        (0).to_bytes(4, "little")
        + b"\xfe\xff\xff\xff"
        + (0).to_bytes(4, "little")
        + b"\xfe\xff\xff\xff"
    )
    header += (0).to_bytes(4, "little") + (0).to_bytes(4, "little") + b"\xff\xff\xff\xff" * 108
    entries = (
        entry("Root Entry", 5, 1)
        + entry("EncryptionInfo", 2)
        + entry("EncryptedPackage", 2, right=1)
        + b"\x00" * 128
    )
    return header[:sector] + fat + entries + b"\x00" * sector


def entry(name: str, kind: int, child: int = -1, right: int = -1) -> bytes:
    """A directory entry of an OLE file, its stream empty."""
    written = name.encode("utf-16-le") + b"\x00\x00"
    links = [
        (-1).to_bytes(4, "little", signed=True),
        *(n.to_bytes(4, "little", signed=True) for n in (right, child)),
    ]
    head = (
        written.ljust(64, b"\x00")
        + len(written).to_bytes(2, "little")
        + bytes([kind, 1])
        + b"".join(links)
    )
    return head + b"\x00" * 36 + b"\xfe\xff\xff\xff" + b"\x00" * 8


def test_a_file_that_no_archive_holds(tmp_path: Path) -> None:
    names = [member_name(1, "here.csv"), member_name(2, "lost.csv")]
    collection = write_collection(tmp_path / "c.jsonl.bz2", [(CITIES, "Cities", names)])
    _, rejects = build(
        tmp_path, [collection, write_tar(tmp_path / "a.tar", {names[0]: CITIES_CSV.encode()}, "w")]
    )
    assert [(reject["file"], reject["reason"]) for reject in rejects] == [
        (names[1], "in none of the archives")
    ]


def test_a_damaged_archive_keeps_what_could_be_read(tmp_path: Path) -> None:
    names = [member_name(1, "a.csv"), member_name(2, "b.csv")]
    collection = write_collection(
        tmp_path / "c.jsonl.bz2", [(CITIES, "Cities", names[:1]), (MILK, "Milk", names[1:])]
    )
    archive = Path(
        write_tar(
            tmp_path / "a.tar", {names[0]: CITIES_CSV.encode(), names[1]: b"x,y\n" * 9000}, "w"
        )
    )
    archive.write_bytes(archive.read_bytes()[:4000])
    index, rejects = build(tmp_path, [collection, str(archive)])
    assert len(index.part("tables").lookup("dataset", [CITIES])[0]) == 1
    assert (" 1 " in rejects[0]["reason"], rejects[1]["file"]) == (
        True,
        names[1],
    )  # one member was read


def test_the_summary_counts_files_used_in_part_and_rejected(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two datasets share a file; a file is read in part, one empty, one came before, one is
    missing."""
    names = [member_name(number, f"{number}.csv") for number in range(5)]
    collection = write_collection(
        tmp_path / "c.jsonl.bz2",
        [(CITIES, "Cities", names[:4]), (MILK, "Milk", [names[0], names[4]])],
    )
    part = write_zip({"in.csv": b"a,b\nc,5\n", "bomb.csv": b"0" * 50_000_000})
    good = CITIES_CSV.encode()
    first = write_tar(tmp_path / "a.tar", {names[0]: good, names[1]: part, names[2]: b""}, "w")
    second = write_tar(tmp_path / "b.tar", {names[0]: good, names[3]: good}, "w")
    build(tmp_path, [collection, first, second])
    counts = [line for line in capfd.readouterr().err.splitlines() if line.startswith("read:")]
    assert counts == ["read: 8 records: 5 used (1 of them in part), 3 rejected"]


def test_the_same_files_give_the_same_index_on_several_processes(tmp_path: Path) -> None:
    files = sample_collection(tmp_path)
    one, _ = build(tmp_path / "1", files)
    two, _ = build(tmp_path / "2", files, "--jobs", "2")
    for part in ("tables", "datasets", "files"):
        assert list(one.part(part).scan()) == list(two.part(part).scan())


def test_a_file_of_two_datasets_belongs_to_both() -> None:
    datasets = [
        DatasetMetadata("1", "a", "", ("x.csv",)),
        DatasetMetadata("2", "b", "", ("y.csv", "x.csv")),
    ]
    assert [(owner.dataset_id, owner.position) for owner in file_owners(datasets)[b"x.csv"]] == [
        ("1", 0),
        ("2", 1),
    ]


def test_bad_lines_of_a_collection_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id": "1", "title": ["a", "b"], "data": [{"data_filename": "x"}]}\nnonsense\n{"title": '
        '"t"}\n{"id": "1"}\n'
        '{"id": "1 2"}\n',
        "utf-8",
    )
    tally = IngestReport()
    assert list(read_collection(path, tally)) == [DatasetMetadata("1", "a b", "", ("x",))]
    assert (tally.read, tally.rejected) == (5, 4)
    assert [names(example, path, line) for line, example in enumerate(tally.examples, 2)] == [
        True
    ] * 4
    path.write_text("nonsense\n", "utf-8")
    with raises_at(path, 1):
        list(read_collection(path, tally))


@pytest.mark.parametrize(
    ("files", "message"),
    [(["gone.tar"], "gone.tar"), (["c.jsonl"], "an archive"), (["a.tar"], "a collection")],
)
def test_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.jsonl").write_text("{}", "utf-8")
    Path("a.tar").write_bytes(b"")
    with pytest.raises(UserError, match=message):
        main.main(["datasets", *files], standalone_mode=False)


def killing_workbook() -> bytes:
    """An xlsx of 1,048,576 × 16,384 cells, whose small letters our reader takes for no place:
    calamine aborts."""
    cells = b'<row r="1"><c r="a1"><v>1</v></c></row><row r="1048576"><c r="xfd1048576"><v>1</v></c></row>'
    return with_sheet(cells)


def test_a_workbook_that_kills_its_reader_costs_one_file(tmp_path: Path) -> None:
    names = [
        member_name(1, "killer.xlsx"),
        member_name(2, "more.zip"),
        member_name(3, "cities.csv"),
    ]
    zipped = write_zip({"killer.xlsx": killing_workbook(), "cities.csv": CITIES_CSV.encode()})
    files = dict(zip(names, (killing_workbook(), zipped, CITIES_CSV.encode()), strict=True))
    collection = write_collection(tmp_path / "c.jsonl.bz2", [(CITIES, "Cities", names)])
    index, rejects = build(tmp_path, [collection, write_tar(tmp_path / "a.tar", files, "w")])
    first, second = (entry["reason"] for entry in rejects)
    assert "(SIGABRT)" in first
    assert second == f"killer.xlsx: {first}"
    assert len(index.part("tables")) == 2


def test_hidden_rows_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "<tr{}><td>{}</td><td>5</td></tr>"
    page = f"<table>{row.format('', 'Agra')}{row.format(' hidden', 'Draft')}</table>"
    name = member_name(1, "a.html")
    collection = write_collection(tmp_path / "c.jsonl.bz2", [("0" * 12, "towns", [name])])
    archive = write_tar(tmp_path / "a.tar.bz2", {name: page.encode()})
    index, _ = build(tmp_path, [collection, archive])
    block = decode_block(next(iter(index.part("tables").scan())).payload)
    assert "Agra" in str(block.table)
    assert "Draft" not in str(block.table)
    assert "left out of the text: hidden rows of tables 1" in capsys.readouterr().err
