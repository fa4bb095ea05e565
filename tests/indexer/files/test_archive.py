"""Archives read by member: every packing, limits, tricks and damage."""

from __future__ import annotations

import bz2
import io
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.files.archive import NESTED, Limits, Member, members
from tests.indexer.tables.open_data import write_tar, write_zip

FILES = {"a.csv": b"1", "folder/b.csv": b"2" * 1000}


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_of_any_packing(tmp_path: Path, mode: str) -> None:
    path = write_tar(tmp_path / "data", FILES, mode)
    assert list(members(path)) == [Member("a.csv", b"1"), Member("folder/b.csv", b"2" * 1000)]


def test_a_name_in_another_encoding_is_escaped_and_the_next_member_read(tmp_path: Path) -> None:
    path = tmp_path / "data.tar"
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT, encoding="cp932") as archive:
        for name in ("金.csv", "a.csv"):
            archive.addfile(tarfile.TarInfo(name))
    assert [member.name for member in members(path, str.encode)] == [r"\x8b\xe0.csv", "a.csv"]


def test_a_zip_file(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(write_zip(FILES))
    assert [member.name for member in members(path)] == list(FILES)


def test_only_wanted_members_are_read(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "data.tar", FILES, "w")
    assert [member.name for member in members(path, lambda name: "b" in name)] == ["folder/b.csv"]


def test_progress_counts_packed_bytes(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "data.tar.bz2", {"a": b"0" * 100_000})
    told: list[int] = []
    list(members(path, progress=told.append))
    assert sum(told) == Path(path).stat().st_size


def test_links_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.tar"
    with tarfile.open(path, "w") as archive:
        link = tarfile.TarInfo("link.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert list(members(path)) == [Member("link.csv", None, "a link or device, not a file")]


def test_a_member_over_the_limit_is_named_and_the_next_one_read(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "data.tar", {"big": b"0" * 2000, "small": b"1"}, "w")
    assert list(members(path, limits=Limits(member_size=1000))) == [
        Member("big", None, "2,000 bytes, more than 1,000"),
        Member("small", b"1"),
    ]


def test_a_bomb_is_not_read_on(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "data.tar.bz2", {"a": b"0" * 10_000_000, "b": b"1"})
    *_, last = members(path, limits=Limits(ratio=100, ratio_from=1_000_000))
    assert last == Member(
        "data.tar.bz2", None, "archive not read on after 0 members (compressed more than 100 to 1)"
    )


def test_a_header_that_is_a_bomb_is_not_read(tmp_path: Path) -> None:
    """A PAX header is read whole before its member is known: 3 GB of one stood in 2.4 KB."""
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 50_000_000
    path = tmp_path / "data.tar.bz2"
    path.write_bytes(bz2.compress(header.tobuf(tarfile.USTAR_FORMAT) + bytes(header.size)))
    reason = (
        "archive not read on after 0 members (a header of 50,000,000 bytes, more than 1,048,576)"
    )
    assert list(members(path)) == [Member("data.tar.bz2", None, reason)]


def test_a_cut_archive_keeps_what_stood_before(tmp_path: Path) -> None:
    path = Path(write_tar(tmp_path / "data.tar", {"a": b"1" * 600, "b": b"2" * 60_000}, "w"))
    path.write_bytes(path.read_bytes()[:3000])
    first, last = members(path)
    assert first == Member("a", b"1" * 600)
    assert last.data is None
    assert last.reason.startswith("archive not read on after 1 members")


def test_no_archive_at_all(tmp_path: Path) -> None:
    path = tmp_path / "data.tar.bz2"
    path.write_bytes(b"BZh9 but no more")
    (only,) = members(path)
    assert only.data is None
    assert " 0 " in only.reason


def test_a_zip_inside() -> None:
    found = [Member("a.csv", b"1"), Member("folder/b.csv", b"2" * 1000)]
    assert list(members(write_zip(FILES), limits=NESTED)) == found
    assert [member.reason[:19] for member in members(b"PK\x03\x04", limits=NESTED)] == [
        "archive not read on"
    ]


def test_a_zip_bomb_inside() -> None:
    data = write_zip({"bomb": b"0" * 3_000_000, "good": b"1"})
    assert list(members(data, limits=Limits(ratio=100, ratio_from=1000))) == [
        Member("bomb", None, "compressed more than 100 to 1"),
        Member("good", b"1"),
    ]


def test_an_encrypted_member_of_a_zip() -> None:
    data = bytearray(write_zip({"secret": b"0"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    (secret,) = members(bytes(data), limits=NESTED)
    assert secret.data is None
    assert "password" in secret.reason


def test_a_lying_size_is_found_out() -> None:
    data = bytearray(write_zip({"a": b"0" * 500}))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    (only,) = members(bytes(data), limits=NESTED)
    assert only.data is None or len(only.data) <= 10
    assert zipfile.is_zipfile(io.BytesIO(bytes(data)))


def test_a_lying_size_costs_no_memory() -> None:
    data = bytearray(write_zip({"a": b"0" * 50_000_000}))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    tracemalloc.start()
    (only,) = members(bytes(data), limits=NESTED)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (only.data, peak < 5_000_000) == (None, True)


@example(bytes(14), 124)  # a member without a name
@settings(max_examples=60)
@given(st.binary(max_size=300), st.integers(0, 600))
def test_any_damage_ends_in_reasons(noise: bytes, place: int) -> None:
    data = bytearray(write_zip(FILES))
    data[place : place + len(noise)] = noise
    for member in members(bytes(data), limits=NESTED):
        assert member.data is not None or member.reason
