"""README's commands, pasted in their order into a fresh clone, on each Python that is here: minutes
a version, with pip, so only with CLASSICAL_QA_LONG_TESTS=1."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not os.environ.get("CLASSICAL_QA_LONG_TESTS"),
        reason="installs the project anew: CLASSICAL_QA_LONG_TESTS=1 runs it",
    ),
]
_BLOCK = re.compile(r"^```(sh|python|sh make|sh serve)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def python_of(version: str) -> str | None:
    """A Python of that version on the path, or of pyenv; None without one."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}"), *versions.glob(f"{version}.*/bin/python3")]
    for path in filter(None, found):
        if subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            return str(path)
    return None


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_command_of_the_readme_works_as_pasted(version: str, tmp_path: Path) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    paths = f"{clone / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    names = {"PYTHONPATH", "ELASTICSEARCH_URL", "CLASSICAL_QA_INDEXES"}
    environment = {name: text for name, text in os.environ.items() if name not in names}
    for mark, body in _BLOCK.findall((clone / "README.md").read_text("utf-8")):
        words = ["bash", "-ec", body]
        if mark == "sh make":
            words = [*body.split(), f"PYTHON={python}"]
        elif mark == "sh serve":  # the page answers until it is stopped
            words = ["timeout", "--preserve-status", "20", *body.split(), "--port", "0"]
        elif mark == "python":
            words = ["python", "-c", body]
        done = subprocess.run(
            words,
            cwd=clone,
            env=environment | {"PATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == (143 if mark == "sh serve" else 0), f"{body}\n{done.stderr}"
        assert mark != "sh serve" or "answering at http" in done.stderr
