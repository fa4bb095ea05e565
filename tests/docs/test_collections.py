"""Every block of docs/collections.md runs: the commands, then its Python."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import check_page, environment, text_of

pytestmark = pytest.mark.process


def test_every_block_runs(tmp_path: Path) -> None:
    check_page("docs/collections.md", tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", text_of("docs/collections.md"), re.M | re.S)
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "q1 Q0 d1 1" in done.stdout
