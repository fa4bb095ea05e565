"""Every block of docs/pyterrier.md runs: the commands, then its Python in one program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import check_page, environment, text_of

pytestmark = pytest.mark.process


def test_every_block_runs(tmp_path: Path) -> None:
    check_page("docs/pyterrier.md", tmp_path)
    program = "\n".join(
        re.findall(
            r"^```python\n(.*?)^```$", text_of("docs/pyterrier.md"), re.MULTILINE | re.DOTALL
        )
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "selqa-0000001-002" in done.stdout
    assert re.search(r"bm25 +\d\.\d+ +\d\.\d+\n1 +reranked", done.stdout)
