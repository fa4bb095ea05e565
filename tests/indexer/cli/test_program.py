"""How a program ends: its status, one line for a user's error, and streams of every sort."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

PROGRAM = """
import os
import signal
import sys
import click
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.cli.program import run_program

@click.command()
@click.option("--what", type=click.Choice(["user", "long", "bug", "pipe", "memory", "disk", "wait"]))
@click.option("-o", "output")
@click.argument("text", default="")
def main(what, output, text):
    print("talk", file=sys.stderr)
    if what == "user":
        raise UserError("exam.xml:3: no choices;\\n add them")
    if what == "long":
        raise UserError("a" * 5000 + "\\x1b[2J" + "z" * 300)
    if what == "bug":
        raise RuntimeError("a bug")
    if what == "pipe":
        raise BrokenPipeError
    if what == "memory":
        raise MemoryError
    if what == "disk":
        open("/nowhere/at/all")
    if what == "wait":
        try:
            os.write(1, b"ready")
            signal.pause()
        except BaseException as stop:
            if text:
                stop.add_note(text)
            raise
    if output:
        write_text(output, text)
    click.echo(text)

run_program(main, "program")
"""
FULL = "cannot be written (No space left on device); free space, or choose another place"


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run the program; what it prints is captured unless told otherwise."""
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([sys.executable, "-c", PROGRAM, *arguments], check=False, **given)  # type: ignore[call-overload, no-any-return]


def told(done: subprocess.CompletedProcess[bytes]) -> str:
    """What a program says of its error after the talk before it."""
    return done.stderr.decode().removeprefix("talk\n")


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("user", "error: exam.xml:3: no choices; add them\n"),
        (
            "memory",
            "error: the memory does not suffice; give the program more, or less at a time\n",
        ),
        ("disk", "error: /nowhere/at/all: No such file or directory\n"),
    ],
)
def test_a_users_error_is_one_line_and_status_2(what: str, line: str) -> None:
    done = run("--what", what)
    assert (done.returncode, told(done)) == (2, line)


def test_a_line_is_cut_in_its_middle_and_holds_no_control_character() -> None:
    line = told(run("--what", "long"))
    assert len(line) <= 1010
    assert line.startswith("error: aaa")
    assert line.endswith("\\x1b[2J" + "z" * 300 + "\n")


@pytest.mark.parametrize("arguments", [("--what", "nothing"), ("--unknown",), ("one", "two")])
def test_a_wrong_option_is_one_line_and_status_2(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: ")
    assert done.stderr.count(b"\n") == 1


def test_a_bug_keeps_its_traceback_and_status_1() -> None:
    done = run("--what", "bug")
    assert done.returncode == 1
    assert b"RuntimeError: a bug" in done.stderr


def test_a_closed_pipe_is_no_error() -> None:
    done = run("--what", "pipe")
    assert (done.returncode, told(done)) == (0, "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run("x" * 100_000, stdout=writing)
    os.close(writing)
    assert (done.returncode, told(done)) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932", "utf-16"])
def test_the_output_is_utf_8_whatever_the_locale_says(encoding: str) -> None:
    done = run("史 é €", env={**os.environ, "PYTHONIOENCODING": f"{encoding}:strict"})
    assert done.stdout.decode("utf-8") == "史 é €\n"


def test_a_full_output_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("text", stdout=full)
    assert (done.returncode, told(done)) == (2, f"error: the standard output: {FULL}\n")


def test_a_full_place_is_one_line() -> None:
    done = run("text", "-o", "/dev/full")
    assert (done.returncode, told(done).count("\n")) == (2, 1)
    assert told(done).startswith("error: /dev/full: ")


def test_talk_that_nobody_hears_costs_no_output() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("text", stderr=full)
    assert (done.returncode, done.stdout) == (0, b"text\n")


def test_a_terminal_gets_no_control_characters_of_the_data() -> None:
    reading, terminal = pty.openpty()
    done = run("a\x1b[2Jb\tc\x9bd\re", stdout=terminal)
    os.close(terminal)
    shown = os.read(reading, 1000)
    os.close(reading)
    assert done.returncode == 0
    assert shown == b"a\\x1b[2Jb\tc\\x9bd\\x0de\r\n"


def test_a_file_gets_every_character_of_the_data() -> None:
    assert run("a\x1b[31mb\x9bc").stdout == "a\x1b[31mb\x9bc\n".encode()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(
    ("noted", "said"),
    [
        ("", "nothing is half written; the same command does its work from the beginning"),
        ("a half is done", "a half is done"),
    ],
)
def test_a_signal_is_one_line_of_what_stands_and_how_to_go_on(
    number: int, status: int, noted: str, said: str
) -> None:
    assert ended_by(number, "--what", "wait", noted) == (status, ["talk", f"stopped: {said}"])


def test_a_password_among_what_was_given_is_not_told() -> None:
    done = run("text", "http://me:se@cret@localhost:9200/book")
    line = (
        "error: Got unexpected extra argument (http://localhost:9200/book): put what has blanks in "
        "quotes (see `program --help`)\n"
    )
    assert (done.returncode, told(done)) == (2, line)


def ended_by(number: int, *words: str) -> tuple[int, list[str]]:
    """The status and the talk of a program that gets a signal once it is ready."""
    command = [sys.executable, "-c", PROGRAM, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(5) == b"ready"
        process.send_signal(number)
        _, err = process.communicate(timeout=300)  # on a machine at work
    return process.returncode, [line for line in err.decode().splitlines() if line]
