"""A copy of the program to which a test adds files and lines, as a developer would, and runs it
from there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.places import ROOT

ROOMS = ("indexer", "retriever", "answerer", "evaluation")


class Program:
    """The four rooms in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for room in ROOMS:
            shutil.copytree(ROOT / room, folder / room)

    def add_file(self, path: str, text: str) -> None:
        """A new file; fails where there is one."""
        with (self.folder / path).open("x", encoding="utf-8") as file:
            file.write(text)

    def add_line(self, path: str, after: str, line: str) -> None:
        """A line behind the one that stands once in a file."""
        text = (self.folder / path).read_text("utf-8")
        assert text.count(f"{after}\n") == 1, f"{after!r} does not stand once in {path}"
        (self.folder / path).write_text(text.replace(f"{after}\n", f"{after}\n{line}\n"), "utf-8")

    def run(self, *words: object) -> str:
        """What `python -m WORDS...` prints on stdout, in the folder; fails unless it ends well."""
        done = subprocess.run(
            [sys.executable, "-m", *map(str, words)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
