"""The installed command `classical-qa`: the same programs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from indexer.cli.groups import programs
from tests.places import ROOT, SAMPLES
from tests.test_loaded_modules import HEAVY

pytestmark = pytest.mark.process

SCRIPT = "import sys\nbefore = set(sys.modules)\nfrom indexer.cli.console import run\ntry:\n    run()\nfinally:\n    {last}\n"
REPORT = (
    "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}), file=sys.stderr)"
)


def run(*words: str, last: str = "pass", **variables: str) -> subprocess.CompletedProcess[str]:
    script = SCRIPT.format(last=last)
    environment = {**os.environ, **variables}
    done = [sys.executable, "-c", script, *words]
    return subprocess.run(done, capture_output=True, text=True, check=False, env=environment)


def test_the_command_is_installed_under_its_name() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert scripts == {"classical-qa": "indexer.cli.console:run"}


def test_it_does_what_the_four_programs_do(tmp_path: Path) -> None:
    index = str(tmp_path / "index")
    assert (
        run("index", "textbook", str(SAMPLES / "textbook-en.jsonl"), "--index", index).returncode
        == 0
    )
    ours = run("retrieve", index, "Who built the Taj Mahal?", "-k", "1")
    words = [sys.executable, "-m", "retriever", index, "Who built the Taj Mahal?", "-k", "1"]
    theirs = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    assert (ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr)


def test_an_error_is_one_line_that_names_the_command() -> None:
    done = run("answer", "ntcir-mcc")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: No such command 'ntcir-mcc'.")
    assert done.stderr.endswith(" (see `classical-qa answer --help`)\n")


@pytest.mark.parametrize(
    "start",
    [
        "from indexer.cli.console import run; run()",
        *(
            f"import runpy; runpy.run_module('{package}', run_name='__main__')"
            for package in ("indexer", "retriever", "answerer", "evaluation")
        ),
    ],
)
def test_an_interrupt_while_it_loads_leaves_no_traceback(start: str) -> None:
    script = (
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        f"sys.meta_path.insert(0, Interrupt())\n{start}"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_help_loads_no_heavy_module() -> None:
    done = run("--help", last=REPORT)
    assert all(name in done.stdout for name in programs())
    assert not set(done.stderr.split()) & HEAVY


BOOK = "for a book: `classical-qa index textbook {0} --index NAME`"
QUIZ = (
    "for a quiz: `classical-qa answer ntcir-mc {0} --index NAME`; "
    "for its keys: `classical-qa check-quiz {0} --index NAME`"
)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("index",), BOOK),
        (("answer",), QUIZ),
        ((), f"{BOOK}; {QUIZ}"),
    ],
)
def test_a_file_in_the_place_of_a_command_names_the_calls_that_take_it(
    tmp_path: Path, words: tuple[str, ...], hint: str
) -> None:
    file = tmp_path / "chapter.pdf"
    file.touch()
    done = run(*words, str(file))
    assert done.returncode == 2
    assert f"It is a file: {hint.format(file)}" in done.stderr


def test_a_part_of_a_command_names_it() -> None:
    assert "Did you mean 'check-quiz'?" in run("answer", "quiz").stderr
