"""Every command of docs/blind.md runs."""

from __future__ import annotations

from pathlib import Path

from tests.docs.pages import check_page


def test_every_command_runs(tmp_path: Path) -> None:
    check_page("docs/blind.md", tmp_path)
