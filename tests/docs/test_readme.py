"""README.md is short, its demo says what it does, and its commands run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.answerer.serve.server import started
from tests.docs.pages import check_page, commands, outputs, run, text_of
from tests.places import ROOT

pytestmark = pytest.mark.process


def test_it_is_at_most_six_thousand_bytes() -> None:
    assert len(text_of("README.md").encode()) <= 6000


def test_the_first_command_is_the_whole_set_up() -> None:
    assert list(commands("README.md", "make")) == ["make demo"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the page's commands were run."""
    folder = tmp_path_factory.mktemp("readme")
    check_page("README.md", folder)
    return folder


def test_every_command_runs(folder: Path) -> None:
    assert (folder / "indexes" / "sample-en").is_dir()


def test_the_answers_to_questions_and_the_wrong_key_are_shown() -> None:
    shown = outputs("README.md")
    assert any(" ask " in command for command in shown)
    assert any("--index sample-book" in command for command in shown)


def test_the_live_page_starts_on_the_index_built_before(folder: Path) -> None:
    (serve,) = commands("README.md", "serve")
    server = started(*serve.removeprefix("classical-qa serve").split(), folder=folder)
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
