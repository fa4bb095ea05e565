"""Manners that every command has: -h, --version, --quiet, a guess at what was meant, defaults in
one style."""

from __future__ import annotations

import re

import click
import pytest

from tests.programs import PROGRAMS, Program, every_command, run

COMMANDS = every_command()


@pytest.mark.parametrize("program", list(PROGRAMS))
def test_the_version_is_one_line(program: str) -> None:
    ended = run(program, "--version")
    assert re.fullmatch(
        r"classical-qa \S+ \((commit [0-9a-f]{12}, )?Python 3\.\d+\.\d+\)\n", ended.out
    )
    assert (ended.status, ended.err) == (0, "")


@pytest.mark.parametrize("program", COMMANDS, ids=str)
def test_h_is_help(program: Program) -> None:
    assert run(*program.words, "-h") == run(*program.words, "--help")


@pytest.mark.parametrize("program", COMMANDS, ids=str)
def test_every_command_can_be_quiet(program: Program) -> None:
    assert "--quiet" in run(*program.words, "--help").out


def test_what_is_like_no_command_gets_no_guess() -> None:
    assert "Did you mean" not in run("indexer", "xyzzy").err


@pytest.mark.parametrize("program", COMMANDS, ids=str)
def test_defaults_stand_in_brackets_at_the_end_of_the_help(program: Program) -> None:
    unlike = [
        param.opts[0]
        for param in program.command.params
        if isinstance(param, click.Option)
        and not param.is_flag
        and isinstance(param.default, int | float | str)
        and not re.search(r"\[[^\[\]]+\]\.?$", param.help or "")
    ]
    assert unlike == []
