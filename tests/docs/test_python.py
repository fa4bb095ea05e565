"""Every Python block of docs/python.md and README.md runs, in order, says what it says it says, and
is typed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import environment, text_of
from tests.places import ROOT

pytestmark = pytest.mark.process

_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["docs/python.md", "README.md"]


def script(page: str) -> str:
    return "\n".join(_PYTHON.findall(text_of(page)))


def ran(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    shutil.copytree(ROOT / "samples", folder / "samples")
    (folder / "script.py").write_text(text, "utf-8")
    return subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_block_runs_and_nothing_is_said_beside_it(page: str, tmp_path: Path) -> None:
    done = ran(script(page), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} <= {"samples", "script.py", "out"}


def test_what_is_shown_is_what_is_printed(tmp_path: Path) -> None:
    text = script("docs/python.md")
    said = ran(text, tmp_path).stdout.splitlines()
    shown = [
        line.split("  # ")[1].strip() for line in text.splitlines() if re.search(r"  # [<\d]", line)
    ]
    assert shown
    assert [line for line in shown if line not in said] == []


def test_library_calls_print_nothing(tmp_path: Path) -> None:
    silent = "def silent(*shown: object) -> None: ...\n" + re.sub(
        r"\bprint\(", "silent(", script("docs/python.md")
    )
    done = ran(silent, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_blocks_pass_strict_types(tmp_path: Path) -> None:
    typed = script("docs/python.md").replace(
        "def documents():", "def documents() -> Iterator[dict[str, str]]:"
    )
    (tmp_path / "typed.py").write_text(f"from collections.abc import Iterator\n{typed}", "utf-8")
    words = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        str(ROOT / "pyproject.toml"),
    ]
    done = subprocess.run(
        [*words, str(tmp_path / "typed.py")],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("Success"), done.stdout
