"""Analysis on several processes: order, and what becomes of the processes when the program is
killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from indexer.files.errors import UserError
from indexer.workers import Workers
from tests.places import ROOT

_KILLED = """
import os
from itertools import repeat
from indexer.workers import Workers

if __name__ == "__main__":
    for lengths in Workers(abs, 2).map(repeat(0)):
        print("working", flush=True)
"""


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_the_processes_of_a_killed_program_end() -> None:
    """They hold the program's stderr open, which ends only when the last of them does."""
    program = subprocess.Popen(
        [sys.executable, "-c", _KILLED],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert program.stdout is not None
    try:
        program.stdout.readline()
        program.kill()
        program.communicate(timeout=300)  # on a machine at work
    finally:
        with suppress(ProcessLookupError):  # all have ended, as they should
            os.killpg(program.pid, signal.SIGKILL)
    assert program.returncode == -signal.SIGKILL


def total(numbers: list[int]) -> int:
    if sum(numbers) > 1000:
        raise UserError("no room")
    if not numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return sum(numbers)


def test_workers_answer_in_order() -> None:
    workers = Workers(total, 2)
    assert list(workers.map([n, n + 1] for n in range(40))) == [2 * n + 1 for n in range(40)]
    workers.close()


def test_an_error_of_a_worker_is_raised_here() -> None:
    workers = Workers(total, 1)
    with pytest.raises(UserError, match="no room"):
        list(workers.map([[2000]]))
    workers.close()


def test_a_worker_that_is_killed_is_one_line_now_and_later() -> None:
    workers = Workers(total, 1)
    for numbers in ([], [1]):
        with pytest.raises(UserError, match=r"was killed.*fewer --jobs"):
            list(workers.map([numbers]))
    workers.close()
