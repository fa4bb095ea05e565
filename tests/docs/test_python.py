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


PRINTED = """
def printed(*values: object) -> None:
    with open("printed.txt", "a", encoding="utf-8") as file:
        print(*values, file=file)

"""
"""Keeps what the page's own lines print apart from what calls of the library would print."""


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def done(
    page: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The blocks of a page run once: the folder and what was said."""
    folder = tmp_path_factory.mktemp("page")
    return folder, ran(PRINTED + re.sub(r"\bprint\(", "printed(", script(page)), folder)


def test_every_block_runs_and_library_calls_print_nothing(
    done: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, ended = done
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    files = {path.name for path in folder.iterdir()}
    assert files <= {"samples", "script.py", "out", "printed.txt"}


def test_what_is_shown_is_what_is_printed(
    page: str, done: tuple[Path, subprocess.CompletedProcess[str]]
) -> None:
    said = (done[0] / "printed.txt").read_text("utf-8").splitlines()
    shown = [
        line.split("  # ")[1].strip()
        for line in script(page).splitlines()
        if re.search(r"  # [<\d]", line)
    ]
    assert [line for line in shown if line not in said] == []
    assert shown or page != "docs/python.md"


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
