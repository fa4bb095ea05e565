"""A program that runs by itself: the files of this system beside it, and the packages that it loads."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import packages_distributions, version
from pathlib import Path

_SHIPPED = (".py", ".txt", ".tsv", ".csv")
_IMPORTED = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)

# Runs a program as `python PROGRAM ARGUMENT...` does, then lists the top-level modules that it loaded.
_LISTING = """
import runpy, sys
program, *sys.argv[1:] = sys.argv[1:]
sys.argv[0] = program
runpy.run_path(program, run_name="__main__")
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def sources(packages: Iterable[str]) -> dict[str, Path]:
    """The modules and word lists of packages: path in the tree → file. Models and pages stay behind."""
    roots = [Path(str(import_module(package).__file__)).parent for package in packages]
    return {
        file.relative_to(root.parent).as_posix(): file
        for root in roots
        for file in sorted(root.rglob("*"))
        if file.suffix in _SHIPPED
    }


def run_alone(program: Path, *arguments: str | Path) -> set[str]:
    """Run a program in a Python of its own; the top-level names of the modules that it loaded.

    RuntimeError with its last words where it fails.
    """
    command = [sys.executable, "-I", "-c", _LISTING, str(program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{program} does not run by itself: {done.stderr.strip()[-500:]}")
    return set(done.stdout.split("\n")[-2].split())


def requirements(files: Iterable[Path], loaded: set[str]) -> list[str]:
    """What pip must install for a program: `NAME==VERSION` of what its own files import and it loaded."""
    imported = {name for file in files if file.suffix == ".py" for name in _IMPORTED.findall(file.read_text("utf-8"))}
    installed = packages_distributions()
    names = {installed[name][0] for name in imported & loaded & installed.keys() - sys.stdlib_module_names}
    return [f"{name}=={version(name)}" for name in sorted(names - {"classical-qa"}, key=str.lower)]
