"""Fingerprints of files: by their bytes, each file once."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from indexer.files.hashes import fingerprints
from tests.refusals import raises_at


def test_name_size_and_hash(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    assert fingerprints([tmp_path / "a"]) == [
        {"file": "a", "bytes": 3, "sha256": sha256(b"one").hexdigest()}
    ]


def test_two_files_of_the_same_bytes_are_refused(tmp_path: Path) -> None:
    for name, data in (("a", b"one"), ("b", b"two"), ("c", b"one")):
        (tmp_path / name).write_bytes(data)
    with raises_at(tmp_path / "c"):
        fingerprints([tmp_path / name for name in "abc"])
