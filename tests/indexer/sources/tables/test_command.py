"""Candidate tables into an index: each different table once; bad lines named; the rows of a table
read right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.__main__ import main
from indexer.build import BuildOptions
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.formats.table_rows import TableRow, read_table_rows
from indexer.languages.english import ENGLISH
from indexer.sources.tables.build import build
from tests.ingest_counts import records
from tests.places import SAMPLES
from tests.refusals import names


def test_rows_are_split_before_cells(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("1\tq ?\tCap\tA _|_ B\tx_|__||_ y _|_z_||__|__|_w\n")
    row = next(read_table_rows(tmp_path / "t"))
    assert (row.label, row.question, row.caption, row.header()) == ("1", "q ?", "Cap", ["A", "B"])
    assert list(row.rows()) == [["x", ""], ["y", "z"], ["", "", "w"]]


def test_four_columns_have_no_label(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("q\t\ta\tb\r\n")
    assert next(read_table_rows(tmp_path / "t"))[1:] == (None, "q", "", "a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty file"),
        ("a\tb\n", ":1: 2 columns; expected [label TAB] question"),
        ("q\tc\ta\tb\n1\tq\tc\ta\tb\n", ":2: 5 columns; expected 4 as in line 1"),
        ("1\t \tc\ta\tb\n", ":1: an empty question"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(UserError) as caught:
        list(read_table_rows(tmp_path / "t"))
    assert said in str(caught.value)


def test_every_different_table_is_indexed_once(tmp_path: Path) -> None:
    file = SAMPLES / "tbqa.dev.txt"
    result = CliRunner().invoke(main, ["tables", str(file), "--index", f"{tmp_path}/ix/"])
    assert (result.exception, records(result.stderr)) == (None, (24, 24, 0))
    documents = list(open_index(f"{tmp_path}/ix/", "tables").part().scan())
    tables = dict.fromkeys(
        "\t".join(line.split("\t")[2:]) for line in file.read_text("utf-8").splitlines()
    )
    assert sorted(document.payload for document in documents) == sorted(tables)
    assert documents[0].doc_id == "tbqa-0000001"


def test_an_interrupted_build_goes_on_with_what_it_has_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [str(tmp_path / name) for name in ("one.txt", "two.txt")]
    Path(files[0]).write_text("q\tCap\tA\tx\n")
    Path(files[1]).write_text("r\tCap\tA\tx\nr\tOther\tA\tx\n")

    def stopped(path: str) -> Iterator[TableRow]:
        if path == files[1]:
            raise KeyboardInterrupt
        return read_table_rows(path)

    monkeypatch.setattr("indexer.sources.tables.build.read_table_rows", stopped)
    with pytest.raises(KeyboardInterrupt):
        build(files, f"{tmp_path}/ix/", ENGLISH, BuildOptions())
    monkeypatch.undo()
    build(files, f"{tmp_path}/ix/", ENGLISH, BuildOptions())
    documents = open_index(f"{tmp_path}/ix/", "tables").part().scan()
    assert [document.doc_id for document in documents] == ["one-0000001", "two-0000002"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["tables", f"{tmp_path}/none", "--index", f"{tmp_path}/ix/"])
    assert names(str(result.exception), f"{tmp_path}/none")
