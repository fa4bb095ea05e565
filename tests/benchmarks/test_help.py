"""Every benchmark says what it is for, and without the collections says so in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.process

PROGRAMS = [
    path
    for path in sorted((ROOT / "benchmarks").glob("*.py"))
    if '__name__ == "__main__"' in path.read_text("utf-8")
]
NEED_DATA = [path for path in PROGRAMS if "from packs import" in path.read_text("utf-8")]
ARGUMENTS = {
    "ask_questions.py": ["work"],
    "growth.py": ["work"],
    "review_questions.py": ["work"],
    "yes_no_questions.py": ["work"],
    "pseudo_exams.py": ["learn", "out"],
    "wrong_keys.py": ["work"],
}


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "QA_DATA"} | {
        "PYTHONPATH": str(ROOT)
    }
    command = [sys.executable, str(program), *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_help_and_a_first_line_that_says_what_it_is_for(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "--help")
    assert done.returncode == 0, done.stderr
    assert "Usage:" in done.stdout
    assert program.read_text("utf-8").startswith('"""')


@pytest.mark.parametrize("program", NEED_DATA, ids=lambda path: path.name)
def test_without_the_collections_one_line_says_so(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, *ARGUMENTS.get(program.name, []))
    assert (done.returncode, done.stderr) == (
        2,
        "error: QA_DATA is not set: it names the folder of the collections, see "
        "docs/figures/README.md\n",
    )
    assert list(tmp_path.iterdir()) == []
