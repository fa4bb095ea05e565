"""Every command of the four programs, found from their registries, and running one inside the
test's process."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner, Result

import answerer.__main__
import evaluation.__main__
import indexer.__main__
import retriever.__main__
from indexer.cli.program import status_of
from indexer.files.errors import UserError

PROGRAMS: dict[str, click.Command] = {
    "indexer": indexer.__main__.main,
    "retriever": retriever.__main__.main,
    "answerer": answerer.__main__.main,
    "evaluation": evaluation.__main__.main,
}


ELSEWHERE = (
    # until Ctrl-C: tests/answerer/serve and its page's test run it in a process of its own
    "answerer-serve",
    "indexer-remove",  # takes away what it was run on: tests/indexer/cli/test_indexes.py
)
"""Commands whose examples are not run among all others."""


PACKAGES = {
    "indexer": "index",
    "retriever": "retrieve",
    "answerer": "answer",
    "evaluation": "evaluate",
}
"""What `classical-qa` calls the programs."""


class Program(NamedTuple):
    """A command and the words that call it: ("answerer", "train", "selqa")."""

    words: tuple[str, ...]
    command: click.Command

    def __str__(self) -> str:
        return "-".join(self.words)


def ids(value: object) -> str | None:
    """A test is called by its command and parameter."""
    if isinstance(value, Program):
        return str(value)
    return value.name if isinstance(value, click.Parameter) else None


def words_of(call: str) -> list[str]:
    """The words of a call of `classical-qa`, with the package in place of its name there:
    `["answerer", "selqa", …]` for `classical-qa answer selqa …`."""
    program, name, *words = shlex.split(call)
    assert program == "classical-qa", call
    packages = {short: package for package, short in PACKAGES.items()}
    return [packages[name], *words] if name in packages else ["answerer", name, *words]


class Ended(NamedTuple):
    """How a command ended: its exit status and what it printed."""

    status: int
    out: str
    err: str


def every_command() -> list[Program]:
    """All commands of all programs and their groups."""
    return [found for name, command in PROGRAMS.items() for found in _commands((name,), command)]


def _commands(words: tuple[str, ...], command: click.Command) -> Iterator[Program]:
    if not isinstance(command, click.Group):
        yield Program(words, command)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.resolve_command(context, [name])[1]
        assert found is not None
        yield from _commands((*words, name), found)


def run(*words: str) -> Ended:
    """Run `PROGRAM ARGUMENT...`, given as words or as one line of a shell, in this process, as
    `python -m` would; an exception that is a bug comes through."""
    program, *arguments = words if len(words) > 1 else shlex.split(*words)
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = status_of(PROGRAMS[program], f"python -m {program}", arguments)
        out.flush()
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return Ended(status, written.getvalue().decode(), err.getvalue())


def done(*words: object) -> Ended:
    """As `run`, of a command that ends well."""
    ended = run(*map(str, words))
    assert ended.status == 0, ended.err
    return ended


def invoked(command: click.Command, *arguments: object) -> Result:
    """What a command that ends well printed, called by words or by one line of a shell; what it
    raises comes through as it is."""
    words = list(map(str, arguments))
    words = words if len(words) > 1 else shlex.split("".join(words))
    result = CliRunner().invoke(command, words, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


def json_lines(of: str | Path) -> list[dict[str, Any]]:
    """The objects of a text or a file, one a line."""
    text = of.read_text("utf-8") if isinstance(of, Path) else of
    return list(map(json.loads, text.splitlines()))


def figures(*words: object) -> list[dict[str, Any]]:
    """The rows that `evaluation WORD...` prints; what it raises comes through as it is."""
    return json_lines(invoked(PROGRAMS["evaluation"], *words, "--format", "jsonl").stdout)


def refusal(command: click.Command, *arguments: object) -> str:
    """The line of the UserError that a command raises."""
    with pytest.raises(UserError) as refused:
        invoked(command, *arguments)
    return str(refused.value)


def refused(*words: str) -> str:
    """The one line with which a command refuses, made sure that it is one, readable, and of status
    2."""
    ended = run(*words)
    line = ended.err.removesuffix("\n").rpartition("\n")[2]
    assert ended.status == 2, f"status {ended.status}: {words}\n{ended.err}"
    assert line.startswith("error: "), ended.err
    assert ended.err.endswith("\n")
    assert line.isprintable(), ascii(line)
    assert len(line) <= 1010, line
    return line.removeprefix("error: ")
