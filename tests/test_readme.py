"""Every command of the README is run, in order, in a folder of its own with the samples beside it.

A block marked `sh` is run. `sh data` needs the data packs, `sh docker` a Docker daemon: these are not run here, but
their commands' options are checked against --help.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```sh ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(mark: str) -> Iterator[str]:
    """The commands of the README's blocks with a mark, continued lines joined, comments left out."""
    for found, body in BLOCK.findall(README):
        if found == mark:
            for line in body.replace("\\\n", " ").splitlines():
                if line.strip() and not line.lstrip().startswith("#"):
                    yield line.strip()


def environment() -> dict[str, str]:
    """The tests' Python first on the path, and no user's cluster."""
    bin_folder = str(Path(sys.executable).parent)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ELASTICSEARCH")}
    return {**kept, "PATH": f"{bin_folder}{os.pathsep}{kept['PATH']}", "PYTHONPATH": str(ROOT)}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )


def test_the_first_two_commands_are_the_whole_set_up() -> None:
    assert list(commands("make")) == ["make demo", "make test"]


def test_make_demo_ends_with_a_table_of_points(tmp_path: Path) -> None:
    """The demo's recipe in the installed environment: installing it again is the machine's business, not a test's."""
    done = run(f"make -C {ROOT} -s demo-only BIN={Path(sys.executable).parent} DEMO={tmp_path}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^all +\d+ +100 +\d+ +20 ", done.stdout, re.MULTILINE), done.stdout


def test_every_command_runs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    for command in commands(""):
        done = run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stderr}"


@pytest.mark.parametrize("command", [*commands("data"), *commands("docker")])
def test_commands_that_need_more_have_known_options(command: str, tmp_path: Path) -> None:
    words = shlex.split(command)
    if words[:2] != ["python", "-m"] or words[2] == "pip":
        pytest.skip("no command of ours")
    names = [word for word in words[3:5] if re.fullmatch(r"[a-z][a-z-]+", word)] if words[2] != "retriever" else []
    names = names[:1] if names and names[0] not in ("train", "submit") else names
    said = run(shlex.join([*words[:3], *names, "--help"]), tmp_path).stdout
    assert all(word.split("=")[0] in said for word in words if word.startswith("--")), said
