"""The example of every command runs on the samples; then again on a full disk, with odd texts.

A new command is covered by the example that its help ends with, unless it lasts until it is told to
end.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from answerer.__main__ import TRAIN_EPILOG
from indexer.cli.types import PlainText
from tests.places import ROOT, SAMPLES
from tests.programs import ELSEWHERE, Program, every_command, ids, run, words_of

sys.path.insert(0, str(ROOT / "benchmarks"))

import degraded_essays
import make_pseudo_exam

COMMANDS = [one for one in every_command() if str(one) not in ELSEWHERE]
TEXT_PARAMETERS = [
    (one, param)
    for one in COMMANDS
    for param in one.command.params
    if isinstance(param.type, PlainText)
]
TEXTS = ["../../up", "9" * 5000, "0/0,-1,x", "{} %s \\ ' \" <&>", "世界史"]


def example(one: Program) -> list[str]:
    """The words of a command's example, the program first."""
    found = re.search(r"Example: (.*)", f"{one.command.epilog}\n{one.command.help}")
    assert found, f"{one} has no example"
    return words_of(found[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder inside another in which every example was run, each as soon as what it needs was
    there."""
    place = tmp_path_factory.mktemp("around") / "inside"
    shutil.copytree(SAMPLES, place / "samples")
    before = Path.cwd()
    os.chdir(place)
    degraded_essays.main.main(["samples/essay-en.gold.xml", "worse"], standalone_mode=False)
    book = ["samples/textbook-en.jsonl", "--questions", "5", "-o", "exam/"]
    make_pseudo_exam.main.main(book, standalone_mode=False)
    waiting, said = list(COMMANDS), {}
    while waiting:
        said = {str(one): ended.err for one in waiting if (ended := run(*example(one))).status}
        done = [one for one in waiting if str(one) not in said]
        assert done, said
        waiting = [one for one in waiting if one not in done]
    yield place
    os.chdir(before)


@pytest.mark.process
def test_the_example_of_training_runs(folder: Path) -> None:
    ended = run(*words_of(TRAIN_EPILOG.removeprefix("Example: ")))
    assert ended.status == 0, ended.err


def state(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder but the indexes, with the bytes of its files."""
    return {
        str(path): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "indexes" not in path.parts
    }


def test_every_example_runs(folder: Path) -> None:
    assert not [one for one in COMMANDS if not example(one)]


@contextmanager
def full_disk() -> Iterator[None]:
    """Every byte written to a file is refused, as a full disk refuses it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def one_line(err: str) -> str:
    """What a command refuses with, made sure that it is one readable line."""
    line = err.removesuffix("\n").rpartition("\n")[2]
    assert line.startswith("error: "), err
    assert line.isprintable(), ascii(line)
    return line


@pytest.mark.parametrize("one", COMMANDS, ids=str)
def test_a_full_disk_is_one_line_and_leaves_nothing(folder: Path, one: Program) -> None:
    before, indexes = state(folder), sorted(Path("indexes").iterdir())
    with full_disk():
        ended = run(*example(one))
    if ended.status:
        line = one_line(ended.err)
        assert "cannot be written" in line or "exists" in line
    assert (state(folder), sorted(Path("indexes").iterdir())) == (before, indexes)


@pytest.mark.parametrize(("one", "param"), TEXT_PARAMETERS, ids=ids)
def test_an_odd_text_is_taken_or_refused_in_one_line(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    around = sorted(folder.parent.iterdir())
    for value in TEXTS:
        words = example(one)
        given = [f"{param.opts[0]}={value}"] if isinstance(param, click.Option) else []
        if not given:
            words = [value if word == words[len(one.words)] else word for word in words]
        ended = run(*words, *given)
        assert ended.status in (0, 2)
        assert not ended.status or one_line(ended.err)
    assert sorted(folder.parent.iterdir()) == around
