"""Securities reports into an index, and read back from it as they were."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from indexer.build import BuildOptions
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.sources.reports.build import build
from indexer.sources.reports.schema import REPORTS, stored_reports
from indexer.tables.reports import read_reports
from tests.places import SAMPLES

ARCHIVE = SAMPLES / "u4-reports.tar.xz"


def test_reports_come_back_as_they_were(tmp_path: Path) -> None:
    built = build([str(ARCHIVE)], f"{tmp_path}/ix/", BuildOptions())
    reports = list(read_reports(ARCHIVE))
    assert built.documents == {
        "tables": sum(len(one.tables) for one in reports),
        "reports": len(reports),
    }
    assert (
        list(stored_reports(open_index(built.address), [one.doc_id for one in reports])) == reports
    )


def test_a_report_that_is_not_there_has_no_tables(tmp_path: Path) -> None:
    built = build([str(ARCHIVE)], f"{tmp_path}/ix/", BuildOptions())
    assert next(stored_reports(open_index(built.address), ["S000"])) == ("S000", (), "", "")


def test_a_folder_gives_the_documents_of_its_archive(tmp_path: Path) -> None:
    shutil.unpack_archive(ARCHIVE, tmp_path / "reports")
    build([str(ARCHIVE)], f"{tmp_path}/1/", BuildOptions())
    build([str(tmp_path / "reports")], f"{tmp_path}/2/", BuildOptions())
    ours, theirs = (list(open_index(f"{tmp_path}/{one}/").part().scan()) for one in (1, 2))
    assert ours == theirs


def test_the_company_is_that_of_the_cover(tmp_path: Path) -> None:
    built = build([str(ARCHIVE)], f"{tmp_path}/ix/", BuildOptions())
    assert (
        next(iter(open_index(built.address).part(REPORTS.name).scan())).text == "青空製作所株式会社"
    )


def test_an_archive_without_reports_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(SAMPLES / "u4-tr.gold.json", "gold.json")
    with pytest.raises(UserError):
        build([str(tmp_path / "a.tar")], f"{tmp_path}/ix/", BuildOptions())
