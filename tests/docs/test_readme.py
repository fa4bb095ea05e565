"""README.md is short, its demo says what it does, and its commands run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.answerer.serve.server import started
from tests.docs.pages import check_page, commands, run, text_of
from tests.places import ROOT

pytestmark = pytest.mark.process


def test_it_is_at_most_six_thousand_bytes() -> None:
    assert len(text_of("README.md").encode()) <= 6000


def test_the_first_command_is_the_whole_set_up() -> None:
    assert list(commands("README.md", "make")) == ["make demo"]


def test_every_command_runs(tmp_path: Path) -> None:
    check_page("README.md", tmp_path)


def test_the_question_shown_is_answered_as_shown(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    asked = [line for line in commands("README.md") if " ask " in line]
    build = next(line for line in commands("README.md") if "--index sample-en" in line)
    run(build, tmp_path)
    shown = text_of("README.md").split(f"{asked[0]}\n```\n\n```\n")[1].split("```")[0]
    assert run(asked[0], tmp_path).stdout == shown


def test_the_wrong_key_shown_is_found_as_shown(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    build, check = (line for line in commands("README.md") if "--index my-book" in line)
    run(build, tmp_path)
    shown = text_of("README.md").split(f"{check}\n```\n\n```\n…\n")[1].split("```")[0]
    assert run(check, tmp_path).stdout.endswith(f"\n{shown}")


def test_the_live_page_starts_on_the_index_built_before(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    run(next(line for line in commands("README.md") if "--index sample-en" in line), tmp_path)
    (serve,) = commands("README.md", "serve")
    server = started(*serve.removeprefix("classical-qa serve").split(), folder=tmp_path)
    assert server.end()[0] == 143


def test_make_demo_says_what_it_does_as_shown_and_ends_with_a_next_step(tmp_path: Path) -> None:
    """The demo's recipe in the installed environment: installing it again is the machine's
    business, not a test's."""
    for name in ("Makefile", "samples"):
        (tmp_path / name).symlink_to(ROOT / name)
    done = run(f"make demo-only BIN={Path(sys.executable).parent}", tmp_path)
    assert done.returncode == 0, done.stderr
    shown = text_of("README.md").split("```\n1. ")[1].split("…\n")[0]
    said = [line for line in done.stdout.splitlines() if line]
    assert said[: len(shown.splitlines())] == f"1. {shown}".splitlines()
    assert "Open out/demo/check.html and out/demo/report.html in a browser." in done.stdout
    assert "<!doctype html>" in (tmp_path / "out/demo/report.html").read_text("utf-8")
    first = (tmp_path / "out/demo/check.html").read_text("utf-8").split("<article")[1]
    assert 'data-status="key doubtful"' in first
    assert {path.name for path in tmp_path.iterdir()} == {"Makefile", "samples", "out"}
