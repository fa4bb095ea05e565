"""The installed command `classical-qa`: the same programs, and what a shell completes."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from answerer.registry import tasks
from indexer.cli.console import PROGRAMS
from tests.places import ROOT, SAMPLES
from tests.test_start_up import HEAVY

pytestmark = pytest.mark.process

SCRIPT = "import sys\nfrom indexer.cli.console import run\ntry:\n    run()\nfinally:\n    {last}\n"
REPORT = "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"


def run(*words: str, last: str = "pass", **variables: str) -> subprocess.CompletedProcess[str]:
    script = SCRIPT.format(last=last)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = [sys.executable, "-c", script, *words]
    return subprocess.run(done, capture_output=True, text=True, check=False, env=environment)


def completed(*words: str, last: str = "pass") -> tuple[list[str], str]:
    """What bash is offered for the last of some words, and what was said on stderr."""
    asked = {"COMP_WORDS": " ".join(("classical-qa", *words)), "COMP_CWORD": str(len(words))}
    done = run(last=last, _CLASSICAL_QA_COMPLETE="bash_complete", **asked)
    return [line.partition(",")[2] for line in done.stdout.splitlines()], done.stderr


def test_the_command_is_installed_under_its_name() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert scripts == {"classical-qa": "indexer.cli.console:run"}


def test_it_does_what_the_four_programs_do(tmp_path: Path) -> None:
    index = str(tmp_path / "index")
    assert run("index", "textbook", str(SAMPLES / "textbook-en.jsonl"), "--index", index).returncode == 0
    ours = run("retrieve", index, "Who built the Taj Mahal?", "-k", "1")
    words = [sys.executable, "-m", "retriever", index, "Who built the Taj Mahal?", "-k", "1"]
    theirs = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    assert (ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr)


def test_an_error_is_one_line_that_names_the_command() -> None:
    done = run("answer", "ntcir-mcc")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: No such command 'ntcir-mcc'.")
    assert done.stderr.endswith(" (see `classical-qa answer --help`)\n")


def test_help_loads_no_heavy_module() -> None:
    done = run("--help", last=REPORT)
    assert all(name in done.stdout for name in PROGRAMS)
    assert not set(done.stderr.split()) & HEAVY


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ([""], list(PROGRAMS)),
        (["ev"], ["evaluate"]),
        (["answer", "ntcir-"], [name for name in tasks() if name.startswith("ntcir-")]),
        (["answer", "train", "nlpcc-k"], ["nlpcc-kbqa"]),
        (["index", "textbook", "--unit", ""], ["sentence", "paragraph"]),
        (["index", "textbook", "--lang"], ["--language"]),
        (["index", "textbook", "--language", "j"], ["ja"]),
        (["answer", "nlpcc-dbqa", "--method", "b"], ["bm25"]),
        (["retrieve", "--form"], ["--format"]),
        (["evaluate", "comp"], ["compare"]),
    ],
)
def test_a_shell_completes_commands_options_and_values(words: list[str], offered: list[str]) -> None:
    assert completed(*words)[0] == offered


def test_completing_a_tasks_name_loads_no_heavy_module() -> None:
    offered, loaded = completed("answer", "ntcir-", last=REPORT)
    assert "ntcir-mc" in offered
    assert not set(loaded.split()) & HEAVY


def test_an_address_is_completed_by_the_indexes_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("textbook-en", "textbook-ja", "triples"):
        (tmp_path / "indexes" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert completed("answer", "ntcir-mc", "--index", "text")[0] == ["textbook-en", "textbook-ja"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str) -> None:
    done = run(_CLASSICAL_QA_COMPLETE=f"{shell}_source")
    assert f"_CLASSICAL_QA_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_page_says_how_each_shell_is_told(shell: str) -> None:
    assert f"_CLASSICAL_QA_COMPLETE={shell}_source classical-qa" in (ROOT / "docs/command-line.md").read_text("utf-8")
