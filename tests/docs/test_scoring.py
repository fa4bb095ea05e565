"""Every command of docs/scoring.md runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import check_page, environment, text_of
from tests.places import SAMPLES

pytestmark = pytest.mark.process


def test_every_command_runs(tmp_path: Path) -> None:
    check_page("docs/scoring.md", tmp_path)


def test_every_python_block_runs(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES, tmp_path / "samples")
    blocks = re.findall(r"^```python\n(.*?)^```$", text_of("docs/scoring.md"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "TitledDoc" in done.stdout
