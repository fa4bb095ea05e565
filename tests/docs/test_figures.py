"""Figures are data: each is listed once, shown as listed, made by commands that exist, and measured
again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import unknown_words
from tests.places import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

from figures import FIGURES, pages, read_runs

RUNS = read_runs()
SHOWN = [
    *(FIGURES.parent / "templates").rglob("*.md"),
    ROOT / "README.md",
    *(ROOT / "docs" / "tasks").glob("*.md"),
]

# A row of a table with its error, a number in a sentence, a figure that has moved and one that has
# gone.
LIST = """
[[run]]
name = "made-up"
task = "sample"
data = "none"
commands = [
  "printf 'method  MRR  standard error\\\\nours  0.8312  0.01\\\\n'",
  "printf 'method\\tMRR\\tstandard error\\\\n%s/theirs.xml\\t0.5000\\t0.02\\\\n' $OUT; echo share 0.412 >&2",
]
columns = { error = "standard error" }
measured = "abc, 2026-01-01"
figures = [
  { at = "made-up.ours", find = "ours | MRR", value = 0.831, error = 0.020 },
  { at = "made-up.theirs", find = "theirs.xml | MRR", value = 0.510, error = 0.020 },
  { at = "made-up.share", find = "/share ([0-9.]+)/", value = 0.40 },
]

[[run]]
name = "after-it"
task = "other"
data = "a file that nobody has"
needs = ["nobody/has-this"]
commands = ["false"]
measured = "abc, 2026-01-01"
"""


def rerun(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`benchmarks/figures.py` over the list above, in a folder of its own."""
    path = folder / "figures.toml"
    if not path.exists():
        path.write_text(LIST, "utf-8")
    command = [
        sys.executable,
        str(ROOT / "benchmarks" / "figures.py"),
        "--file",
        str(path),
        "--out",
        str(folder / "o"),
    ]
    environment = {**os.environ, "QA_DATA": str(folder)}
    return subprocess.run(
        [*command, *options], env=environment, capture_output=True, text=True, check=False
    )


def test_the_pages_show_what_the_list_says() -> None:
    stale = [
        str(path.relative_to(ROOT)) for path, text in pages(RUNS) if path.read_text("utf-8") != text
    ]
    assert stale == [], "run: python benchmarks/figures.py --write"


def test_every_figure_of_the_list_is_shown_somewhere() -> None:
    text = "\n".join(path.read_text("utf-8") for path in SHOWN)
    shown = set(re.findall(r'[{"+]([a-z0-9-]+\.[a-z0-9.-]+)', text))
    assert [figure.name for run in RUNS for figure in run.figures if figure.name not in shown] == []


def test_runs_build_upon_runs_of_the_list_and_figures_with_commands_can_be_found() -> None:
    names = {run.name for run in RUNS}
    assert {name for run in RUNS for name in run.after} <= names
    assert [
        figure.name
        for run in RUNS
        for figure in run.figures
        if bool(run.commands) != bool(figure.find)
    ] == []
    assert [run.name for run in RUNS if not run.commands and not run.note] == []


@pytest.mark.parametrize("run", [run for run in RUNS if run.commands], ids=lambda run: run.name)
def test_the_commands_of_a_run_exist(run) -> None:
    assert [word for command in run.commands for word in unknown_words(command)] == []


def test_what_holds_within_its_error_and_what_does_not(tmp_path: Path) -> None:
    done = rerun(tmp_path)
    assert [line.split("\t") for line in done.stdout.splitlines()] == [
        ["made-up.ours", ".831", "0.8312", "holds"],
        ["made-up.theirs", ".510", "0.5000", "holds within its error"],
        ["made-up.share", ".40", "0.412", "NO LONGER HOLDS"],
    ]
    assert "after-it: left out, its data are not in $QA_DATA: nobody/has-this" in done.stderr
    assert done.returncode == 1


def test_accepting_writes_what_was_measured_to_the_digits_shown(tmp_path: Path) -> None:
    assert rerun(tmp_path, "--accept", "--only", "sample").returncode == 1
    text = (tmp_path / "figures.toml").read_text("utf-8")
    assert 'find = "ours | MRR", value = 0.831, error = 0.010 }' in text
    assert 'find = "theirs.xml | MRR", value = 0.500, error = 0.020 }' in text
    assert 'find = "/share ([0-9.]+)/", value = 0.41 }' in text
    assert text.count("abc, 2026-01-01") == 1
    assert rerun(tmp_path, "--only", "made-up").returncode == 0


def test_an_unknown_task_is_one_line(tmp_path: Path) -> None:
    done = rerun(tmp_path, "--only", "smple")
    assert (done.returncode, done.stderr) == (2, "error: smple: no such task or run; see --list\n")
