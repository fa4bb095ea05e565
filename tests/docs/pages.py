"""Reads README.md and docs/, and runs the commands of a page in a folder with samples and
benchmarks in it.

A block marked `sh` is run. `sh data` needs the collections, `sh docker` a Docker daemon: these are
not run here, but their commands' options are checked against --help. A plain block right after one that is
run is what its last command prints; lines of … in it stand for any.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.places import ROOT
from tests.programs import Ended, every_command, words_of
from tests.programs import run as run_here

_FILES = [path for path in (ROOT / "docs").rglob("*.md") if "templates" not in path.parts]
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in _FILES)]
_BLOCK = re.compile(r"^```sh ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"[|<>;&$*]")
_SHOWN = re.compile(
    r"^```sh\n([^`]*?)^```\n\n(?:[^`\n]+\n\n)?```\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def commands(page: str, mark: str = "") -> Iterator[str]:
    """The commands of a page's blocks with a mark, continued lines joined, comments left out."""
    for block_mark, body in _BLOCK.findall(text_of(page)):
        if block_mark == mark:
            for line in body.replace("\\\n", " ").splitlines():
                if line.strip() and not line.lstrip().startswith("#"):
                    yield line.strip()


def outputs(page: str) -> dict[str, str]:
    """What a page shows as printed, by the command: the last of the block before it."""
    shown = {}
    for block, output in _SHOWN.findall(text_of(page)):
        shown[block.replace("\\\n", " ").strip().splitlines()[-1].strip()] = output
    return shown


def environment() -> dict[str, str]:
    """The tests' Python first on the path, and no user's cluster."""
    bin_folder = str(Path(sys.executable).parent)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("ELASTICSEARCH")
    }
    return {**kept, "PATH": f"{bin_folder}{os.pathsep}{kept['PATH']}"}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def ended(command: str, folder: Path) -> Ended:
    """How a command of a page ended; one of ours that needs no shell runs in this process."""
    if command.startswith("classical-qa ") and not _SHELL.search(command):
        with contextlib.chdir(folder):
            return run_here(*words_of(command))
    done = run(command, folder)
    return Ended(done.returncode, done.stdout, done.stderr)


def check_page(page: str, folder: Path) -> None:
    """Runs a page's commands in order; they print what the page shows, and all that they write is an
    index or stands in out/."""
    shutil.copytree(ROOT / "samples", folder / "samples")
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    shown = outputs(page)
    for command in commands(page):
        status, out, err = ended(command, folder)
        assert status == 0, f"{command}\n{err}"
        if command in shown:
            expected = re.escape(shown[command]).replace("…\\\n", "(?:.*\\n)*?")
            assert re.fullmatch(expected, out), f"{command}\n{out}"
    assert {path.name for path in folder.iterdir()} <= {"samples", "benchmarks", "indexes", "out"}


def unknown_words(command: str) -> list[str]:
    """The options of a command of ours that it does not have, or the program, where there is none
    of this name.

    Commands that are not ours (docker, export, awk) have none; options of a benchmark stand in its
    text.
    """
    words = shlex.split(command)
    if words[0] not in ("python", "classical-qa"):
        return []
    options = [
        option[0]
        for word in words
        if word != "-m" and (option := re.match(r"--?[a-z][a-z-]*", word))
    ]
    if words[1].startswith("benchmarks/"):
        text = (ROOT / words[1]).read_text("utf-8")
        return [option for option in options if f'"{option}"' not in text]
    called = tuple(words[2:] if words[0] == "python" else words_of(command))
    programs = [one for one in every_command() if called[: len(one.words)] == one.words]
    if called[:2] == ("answerer", "submit") and not programs:
        programs = [one for one in every_command() if one.words == ("answerer", "submit", "ntcir")]
    if not programs:
        return [command]
    known = {
        name
        for parameter in programs[0].command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    return [option for option in options if option not in known]
