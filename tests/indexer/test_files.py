"""Outputs whole or not at all, errors in one line, batches in order, tallies that add up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.atomic import atomic_text, write_bytes, write_text
from indexer.files.errors import UserError
from indexer.parallel import batches, ordered_map
from indexer.tally import Tally

REFUSING = """
import click
from indexer.files.errors import UserError, run_program

@click.command()
@click.option("--what", type=click.Choice(["user", "bug", "pipe"]), required=True)
def main(what):
    if what == "user":
        raise UserError("exam.xml:3: no choices;\\n add them")
    if what == "pipe":
        raise BrokenPipeError
    raise RuntimeError("a bug")

run_program(main, "program")
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", REFUSING, *arguments], capture_output=True, text=True, check=False)


def test_a_users_error_is_one_line_and_status_2() -> None:
    done = run("--what", "user")
    assert (done.returncode, done.stderr) == (2, "error: exam.xml:3: no choices; add them\n")


@pytest.mark.parametrize("arguments", [(), ("--what", "nothing"), ("--unknown",)])
def test_a_wrong_option_is_one_line_and_status_2(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_a_bug_keeps_its_traceback_and_status_1() -> None:
    done = run("--what", "bug")
    assert done.returncode == 1
    assert "RuntimeError: a bug" in done.stderr


def test_a_closed_pipe_is_no_error() -> None:
    done = run("--what", "pipe")
    assert (done.returncode, done.stderr) == (0, "")


def write_half(target: Path) -> None:
    """Begin an output and fail in the middle."""
    with pytest.raises(RuntimeError), atomic_text(target) as file:  # noqa: PT012
        file.write("half")
        raise RuntimeError


def test_an_output_appears_only_when_its_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "run.xml"
    write_half(target)
    assert list(target.parent.iterdir()) == []
    with atomic_text(target) as file:
        file.write("whole\n")
    assert target.read_bytes() == b"whole\n"


def test_an_old_output_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "run.xml"
    target.write_text("old")
    write_half(target)
    assert target.read_text() == "old"


def test_an_output_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"), atomic_text(tmp_path / "file" / "run.xml"):
        pass


def test_a_pipe_is_written_straight_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "text\n")
    write_bytes(pipe, b"bytes\n")
    assert os.read(reader, 100) == b"text\nbytes\n"
    os.close(reader)
    assert pipe.is_fifo()


@given(st.lists(st.integers()), st.integers(1, 5))
def test_batches_keep_every_item_in_order(items: list[int], size: int) -> None:
    made = list(batches(items, size))
    assert [item for batch in made for item in batch] == items
    assert all(len(batch) == size for batch in made[:-1])


def double(batch: list[int]) -> list[int]:
    return [2 * item for item in batch]


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_keep_the_order(jobs: int) -> None:
    made = ordered_map(double, range(50), jobs, size=3)
    assert [item for batch in made for item in batch] == [2 * item for item in range(50)]


def test_the_first_rejects_are_named_and_the_rest_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with Tally() as tally:
        tally.count(8)
        for line in range(1, 8):
            tally.reject("book.txt", line, "binary noise")
        tally.report("textbook-en", indexed=0)
    said = capsys.readouterr().err
    assert "rejected book.txt:5: binary noise\nrejected 2 more" in said
    assert "records: 8 read = 1 used + 7 rejected" in said
