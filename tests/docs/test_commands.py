"""Every registered command and every one of its options stands on some page of README.md and
docs/."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from answerer.registry import tasks
from tests.docs.pages import PAGES, text_of
from tests.programs import PACKAGES, every_command

COMMANDS = {" ".join(one.words): one.command for one in every_command()}


_PAGES_OF_OTHERS = [Path(task.docs).read_text("utf-8") for task in tasks().values() if task.docs]


def pages_of(path: str) -> str:
    """The text of the pages that name a command with its program, or in code without it."""
    package, _, name = path.partition(" ")
    named = re.compile(
        rf"(?:{PACKAGES[package]} |classical-qa |`){re.escape(name)}(?![\w-])"
        if name
        else rf"{PACKAGES[package]} "
    )
    pages = [*map(text_of, PAGES), *_PAGES_OF_OTHERS]
    return "\n".join(text for text in pages if named.search(text))


SHARED = text_of("docs/command-line.md")
"""What every command has: `--help`, `--quiet`, `--version`."""


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_and_its_options_stand_on_a_page(path: str) -> None:
    pages = pages_of(path)
    assert pages, f"no page names `{path}`"
    options = [
        parameter for parameter in COMMANDS[path].params if isinstance(parameter, click.Option)
    ]
    names = [name for option in options for name in (*option.opts, *option.secondary_opts)]
    told = f"{pages}\n{SHARED}"
    assert [
        name for name in names if not re.search(rf"`[^`\n]*(?<![\w-]){name}(?![\w-])", told)
    ] == []


def test_every_kind_of_command_was_looked_at() -> None:
    """The walk goes through the groups: a group that lists nothing would leave the test above
    empty."""
    assert {
        "retriever",
        "indexer textbook",
        "answerer train selqa",
        "answerer submit ntcir",
    } <= COMMANDS.keys()
