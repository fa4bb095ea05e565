"""Analysis on several processes: order, and what becomes of the processes when the program is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial

import pytest

from indexer.files.errors import UserError
from indexer.workers import Workers
from tests.places import ROOT

_KILLED = """
import os
from itertools import repeat
from indexer.workers import Workers

if __name__ == "__main__":
    for lengths in Workers([list, list]).map(list.__add__, repeat(0), size=1):
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


class Adder:
    """Adds to what it was made with, and remembers how often."""

    def __init__(self, more: int) -> None:
        self._more = more
        self.calls = 0

    def add(self, numbers: list[int]) -> tuple[int, int]:
        self.calls += 1
        return sum(numbers) + self._more, self._more

    def told(self) -> tuple[int, int]:
        return self._more, self.calls

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def fail(self) -> None:
        raise UserError("no room")


def _no_adder() -> Adder:
    raise UserError("no place")


def test_workers_keep_an_object_each_and_answer_in_order() -> None:
    workers = Workers([partial(Adder, 0), partial(Adder, 100)])
    found = list(workers.map(Adder.add, range(40), size=2))
    assert [total - more for total, more in found] == [4 * n + 1 for n in range(20)]  # 2n + (2n + 1)
    assert sum(calls for _, calls in workers.each(Adder.told)) == 20
    assert [more for more, _ in workers.each(Adder.told)] == [0, 100]
    workers.close()


def test_an_error_of_a_worker_is_raised_here() -> None:
    workers = Workers([partial(Adder, 0), _no_adder])
    with pytest.raises(UserError, match="no place"):
        workers.each(Adder.told)
    workers.close()
    workers = Workers([partial(Adder, 0)])
    with pytest.raises(UserError, match="no room"):
        workers.each(Adder.fail)
    workers.close()


def test_a_worker_that_is_killed_is_one_line_now_and_later() -> None:
    workers = Workers([partial(Adder, 0)])
    for method in (Adder.die, Adder.told):
        with pytest.raises(UserError, match=r"was killed.*fewer --jobs"):
            workers.each(method)
    workers.close()
