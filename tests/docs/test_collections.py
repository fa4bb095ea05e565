"""Every command of docs/collections.md runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import check_page

pytestmark = pytest.mark.process


def test_every_command_runs(tmp_path: Path) -> None:
    check_page("docs/collections.md", tmp_path)
