"""The files of a folder that others made: what is read of it, and what is left out and said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluation import overview
from evaluation.overview import tree_of
from tests.refusals import raises_at

REASON = "a link, or not a file of at most 67,108,864 bytes that can be read"


def test_regular_files_at_any_depth_in_order(tmp_path: Path) -> None:
    for name in ("b/run1/x.xml", "a/x.xml", "c.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    files, left_out = tree_of(tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in files] == [
        "a/x.xml",
        "b/run1/x.xml",
        "c.xml",
    ]
    assert left_out == []


def test_links_out_of_the_tree_and_round_it_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("x")
    team = tmp_path / "team"
    team.mkdir()
    (team / "stolen.xml").symlink_to(tmp_path / "secret.xml")
    (team / "round").symlink_to(team)
    (team / "up").symlink_to(tmp_path)
    files, left_out = tree_of(team)
    assert files == []
    assert left_out == [f"{team / name}: {REASON}" for name in ("round", "stolen.xml", "up")]


def test_links_to_files_count_where_they_are_the_user_s_own(tmp_path: Path) -> None:
    (tmp_path / "gold.xml").write_text("x")
    golds = tmp_path / "golds"
    golds.mkdir()
    (golds / "linked.xml").symlink_to(tmp_path / "gold.xml")
    (golds / "folder").symlink_to(tmp_path)
    files, left_out = tree_of(golds, links=True)
    assert files == [golds / "linked.xml"]
    assert left_out == [f"{golds / 'folder'}: {REASON}"]


def test_pipes_are_not_waited_for_and_huge_files_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xml")
    with (tmp_path / "huge.xml").open("wb") as file:
        file.truncate(2**26 + 1)
    assert tree_of(tmp_path)[1] == [
        f"{tmp_path / 'huge.xml'}: {REASON}",
        f"{tmp_path / 'pipe.xml'}: {REASON}",
    ]


def test_a_tree_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "ENTRIES", 3)
    for number in range(3):
        (tmp_path / f"{number}").write_text("x")
    assert len(tree_of(tmp_path)[0]) == 3
    (tmp_path / "fourth").write_text("x")
    with raises_at(tmp_path):
        tree_of(tmp_path)
