"""The commit of a checkout, read without Git."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.files.versions import commit

FIRST, SECOND = "a" * 40, "b" * 40


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, ""),
        ({"HEAD": f"{FIRST}\n"}, FIRST),
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{FIRST}\n"}, FIRST),
        (
            {
                "HEAD": "ref: refs/heads/main\n",
                "packed-refs": f"# sorted\n{SECOND} refs/heads/mainly\n{FIRST} refs/heads/main\n",
            },
            FIRST,
        ),
        ({"HEAD": "ref: refs/heads/new\n"}, ""),
    ],
)
def test_the_commit_of_a_checkout(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    for name, text in files.items():
        write(tmp_path / ".git" / name, text)
    assert commit(tmp_path) == expected


def test_the_commit_of_a_further_work_tree(tmp_path: Path) -> None:
    git = tmp_path / "main" / ".git"
    write(git / "refs/heads/side", f"{SECOND}\n")
    write(git / "worktrees/side/HEAD", "ref: refs/heads/side\n")
    write(git / "worktrees/side/commondir", "../..\n")
    write(tmp_path / "side" / ".git", "gitdir: ../main/.git/worktrees/side\n")
    assert commit(tmp_path / "side") == SECOND
