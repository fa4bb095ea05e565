"""Types after the documented editable install: mypy in another folder sees those of every function
that the packages offer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.extended import ROOMS
from tests.places import ROOT

pytestmark = pytest.mark.process

PROGRAM = """
from answerer import answer, ask, train
from evaluation import compare, score
from indexer import build_textbook
from retriever import open_index

reveal_type(build_textbook("book.txt", "books/mine", language="en"))
reveal_type(open_index("books/mine").search("Who built the Taj Mahal?", k=3)[0].score)
reveal_type(answer("ntcir-mc", "exam.xml", index="books/mine", k=3))
reveal_type(ask("Who built the Taj Mahal?", "books/mine").answers[0].text)
reveal_type(train("selqa", "dev.json", output="model.json"))
reveal_type(score("ntcir-mc", "gold.xml", "run.xml"))
reveal_type(compare("ntcir-mc", "gold.xml", "run.xml", "other.xml"))
build_textbook("book.txt", unit="page")
open_index(3)
"""
TYPES = ["BuiltIndex", "float", "Run", "str", "Trained", "Figures", "Figures"]


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    apart = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        list(map(str, words)), check=False, capture_output=True, text=True, cwd=cwd, env=apart
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment in which a copy of the checkout is installed as README
    says. The packages of others come from this environment, so that no network is needed."""
    folder = tmp_path_factory.mktemp("installed")
    checkout = folder / "checkout"
    for room in ROOMS:
        shutil.copytree(ROOT / room, checkout / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, checkout)
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv/bin/python"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    others = folder / f"venv/lib/{version}/site-packages/others.pth"
    others.write_text(sysconfig.get_path("purelib") + "\n")
    offline = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    done = run(python, "-m", "pip", "install", *offline, "-e", ".", cwd=checkout)
    assert done.returncode == 0, done.stderr
    return python


def test_a_type_checker_sees_the_types_in_another_folder(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = run(installed, "-m", "mypy", "--strict", "program.py", cwd=tmp_path)
    lines = done.stdout.splitlines()
    revealed = [line.split('"')[1].rpartition(".")[2] for line in lines if "Revealed type" in line]
    assert revealed == TYPES, done.stdout + done.stderr
    errors = [line.partition(": error: ")[2] for line in lines if ": error: " in line]
    assert len(errors) == 2, done.stdout
    assert errors[0].startswith('Argument "unit" to "build_textbook" has incompatible type')
    assert errors[1].startswith('Argument 1 to "open_index" has incompatible type')
