"""Working files and folders of killed programs are removed by the next run; those in use are
not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from indexer.files.atomic import atomic_text, temporary_folder, write_text

KILLED = """
import os, signal, sys
from indexer.files.atomic import atomic_text
from indexer.files.atomic import temporary_folder
with temporary_folder(), atomic_text(sys.argv[1]) as file:
    file.write("half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a program was killed while it wrote `out.txt`; its temporary folder is
    there too."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "out.txt")], check=False)
    (folder,) = tmp_path.glob("classical-qa-temporary-*")
    os.utime(folder, (0, 0))
    return tmp_path


def test_the_next_run_removes_what_a_killed_program_left(killed: Path) -> None:
    assert len(list(killed.iterdir())) == 2
    with temporary_folder():
        write_text(killed / "out.txt", "whole")
    assert [path.name for path in killed.iterdir()] == ["out.txt"]


def test_what_is_in_use_or_new_stays(killed: Path) -> None:
    (killed / "classical-qa-temporary-new_0001").mkdir()
    with temporary_folder() as used, atomic_text(killed / "out.txt") as first:
        os.utime(used, (0, 0))
        (killed / ".out.txt.1.part").symlink_to(killed)
        first.write("first")
        with temporary_folder():
            assert used.exists()
    assert (killed / "out.txt").read_text() == "first"
    assert (killed / "classical-qa-temporary-new_0001").exists()


def test_folders_that_others_made_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old and unlocked, but not named as ours: a person's own folder, a server's data."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    others = {
        tmp_path / name
        for name in (
            "classical-qa-results",
            "classical-qa-temporary-of-mine",
            "classical-qa-node-abcdefgh",
        )
    }
    for folder in others:
        folder.mkdir()
        os.utime(folder, (0, 0))
    with temporary_folder():
        pass
    assert set(tmp_path.iterdir()) == others
