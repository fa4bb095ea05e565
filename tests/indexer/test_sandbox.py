"""Work in a process of its own: what it gives, what it fails for, and what its death costs."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from indexer.files.errors import UserError
from indexer.sandbox import Sandbox, WorkerDiedError

pytestmark = pytest.mark.process


def work(what: str, *given: int) -> Iterator[int]:
    """Count up, and then do what is asked."""
    yield from given
    if what == "refuse":
        raise UserError("no")
    if what == "fail":
        raise IndexError("list index\nout of range")
    if what == "die":
        os.kill(os.getpid(), signal.SIGABRT)
    if what == "grow":
        yield len(bytearray(2**30))
    if what == "stay":
        yield os.getpid()
        signal.pause()
    if what == "work":
        yield os.getpid()
    if what in ("loop", "work"):
        while True:
            pass
    if what == "who":
        yield os.getpid()


def test_one_process_does_one_piece_of_work_after_another() -> None:
    with Sandbox(work) as apart:
        assert list(apart("count", 1, 2)) == [1, 2]
        (first,), (second,) = apart("who"), apart("who")
    assert first == second != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (
            "fail",
            "^its reader failed: fetch the file again if it is damaged, else please report it$",
        ),
        ("die", r"its reader died \(SIGABRT\): it is damaged, or needs more than 64 MiB of memory"),
        ("grow", r"its reader needs more than 64 MiB of memory"),
        ("loop", r"its reader took more than 1 s"),
    ],
)
def test_what_ends_the_process_costs_one_piece_of_work(what: str, reason: str) -> None:
    with Sandbox(work, memory=64 * 2**20, seconds=1) as apart:
        got = []
        with pytest.raises(WorkerDiedError, match=reason):
            got.extend(apart(what, 1, 2))
        assert list(apart("count", 3)) == [3]


def test_what_a_user_can_mend_is_said_and_the_process_stays() -> None:
    with Sandbox(work) as apart:
        (before,) = apart("who")
        with pytest.raises(UserError, match="no"):
            list(apart("refuse"))
        assert list(apart("who")) == [before]


def test_work_that_is_not_wanted_to_its_end_does_not_mix_with_the_next() -> None:
    with Sandbox(work) as apart:
        assert next(apart("count", *range(100))) == 0
        assert list(apart("count", 7)) == [7]


def ended(process: int, within: float) -> bool:
    """Whether a process has ended, or does within so many seconds."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], within)[0])
    finally:
        os.close(descriptor)


def test_the_process_ends_with_the_one_that_it_works_for() -> None:
    program = "from indexer.sandbox import Sandbox; from tests.indexer.test_sandbox import work; import os; "
    program += "print(*Sandbox(work)('who'), flush=True); os._exit(0)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended(int(done.stdout), within=300)


@pytest.mark.parametrize("what", ["work", "stay"])
def test_the_process_ends_in_the_middle_of_its_work_when_the_other_is_killed(what: str) -> None:
    program = f"""
import sys
from indexer.sandbox import Sandbox
from tests.indexer.test_sandbox import work
answers = Sandbox(work)({what!r})
print(next(answers), flush=True)
sys.stdin.read()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], text=True, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout is not None
        reader = int(other.stdout.readline())
        assert not ended(reader, within=0)
        other.kill()
    assert ended(reader, within=300)


def test_a_process_that_cannot_start_is_no_fault_of_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "__module__", "absent")
    with (
        Sandbox(work) as apart,
        pytest.raises(ChildProcessError, match="a process for absent:work did not start"),
    ):
        list(apart("count", 1))
