"""Lines for a person: styles of ours on a terminal that wants them, never those of the data, plain
text elsewhere."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

PROGRAM = """
import click
from indexer.cli.program import run_program
from indexer.cli.screen import Text, print_lines

@click.command()
def main():
    print_lines([[Text("wrong ", "wrong"), Text("\\x1b[2Jcleared\\u202e", ""), Text("  ")]])

run_program(main, "program")
"""
CLEARED = "\\x1b[2Jcleared\\u202e"


def shown(**settings: str) -> str:
    """What a terminal gets."""
    terminal, child = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], stdout=child, env={**kept, **settings}, check=False
    )
    os.close(child)
    found = os.read(terminal, 10_000)
    os.close(terminal)
    assert done.returncode == 0
    return found.decode().replace("\r\n", "\n")


def test_a_terminal_gets_our_styles_and_none_of_the_data() -> None:
    assert shown(TERM="xterm") == f"\x1b[31mwrong \x1b[0m{CLEARED}  \n".replace("  \n", "\n")


@pytest.mark.parametrize("settings", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}])
def test_who_wants_no_styles_gets_none(settings: dict[str, str]) -> None:
    assert shown(**settings) == f"wrong {CLEARED}\n"


def test_without_a_terminal_all_is_plain() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"wrong {CLEARED}\n"
