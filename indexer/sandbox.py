"""Work in a sandboxed subprocess, with limits on memory and time: whatever kills that process costs
one piece of work.

Readers of foreign formats are written in C, C++ and Rust: a damaged file may end the process that
reads it, or let it ask for all the memory there is. `Sandbox` does such work elsewhere, in one
process that stays for the next.
"""

from __future__ import annotations

import importlib
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any, Generic, TypeVar

from indexer.files.errors import UserError
from indexer.files.inputs import MIB

Result = TypeVar("Result")

MEMORY = 900 * MIB
"""Bytes that the process may take for its work, beside what it has once it is started."""

SECONDS = 120  # of the processor that one piece of work may take

_SILENCE = (
    5 * SECONDS
)  # seconds by the clock without output: a reader that waits for ever uses no processor
_START = "from indexer.sandbox import serve; serve()"
_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}  # each thread of these takes memory at once


class WorkerDiedError(Exception):
    """Raised when a sandboxed call did not finish; its message completes a sentence about the input
    ("its reader died")."""


class Sandbox(Generic[Result]):
    """A generator function (`module:function`), run in a sandboxed process that starts at the first
    call.

    Arguments and results are pickled. `memory` is its limit in bytes, `seconds` its processor time
    for each call. Use it in a `with`, or close it; a call whose results are not all read ends the
    process.
    """

    def __init__(
        self, work: Callable[..., Iterator[Result]], memory: int = MEMORY, seconds: int = SECONDS
    ) -> None:
        self._work = f"{work.__module__}:{work.__qualname__}"
        self._memory = memory
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection[Any, Any] | None = None

    def __enter__(self) -> Sandbox[Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, *arguments: object) -> Iterator[Result]:
        """Yields the function's results for these arguments.

        Raises WorkerDiedError if the process dies, exceeds a limit or is silent for `_SILENCE`
        (600) seconds, or if the function raises another error; OSError if it cannot be started; and
        UserErrors of the function.
        """
        connection = self._connection or self._start()
        at_rest = False
        try:
            connection.send(arguments)
            while True:
                if not connection.poll(_SILENCE):
                    raise WorkerDiedError(f"its reader did not respond for {_SILENCE} s")
                done, value = connection.recv()
                if done:
                    at_rest = not isinstance(value, WorkerDiedError)
                    if value is not None:
                        raise value
                    return
                yield value
        except (EOFError, OSError):
            assert self._process is not None  # noqa: S101
            status = self._process.wait()
            if status == -signal.SIGXCPU:
                raise WorkerDiedError(f"its reader took more than {self._seconds} s") from None
            cause = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            raise WorkerDiedError(
                f"its reader died ({cause}): it is damaged, or needs more than "
                f"{self._memory // MIB:,} MiB of memory"
            ) from None
        finally:
            if not at_rest:
                self.close()

    def close(self) -> None:
        """Kills the process, whatever it is doing; the next call starts another."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._connection = self._process = None

    def _start(self) -> Connection[Any, Any]:
        """Starts the subprocess and returns the connection to it. Raises ChildProcessError if it
        ends instead."""
        connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    _START,
                    str(theirs.fileno()),
                    self._work,
                    str(self._memory),
                    str(self._seconds),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # where a reader written in Rust prints the whole stack of its panic
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(sys.path)},
                pass_fds=[theirs.fileno()],
            )
        self._connection = connection
        try:
            connection.recv()
        except EOFError:
            self.close()
            raise ChildProcessError(f"a process for {self._work} did not start") from None
        return connection


def serve() -> None:
    """Main loop of the subprocess: runs the function named in `sys.argv` for each tuple of
    arguments received and sends back its results, then its UserError or None, within the limits on
    memory and processor time. Ends with its parent, or after another error, which it sends as
    WorkerDiedError."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that it works for
    name, (descriptor, memory, seconds) = sys.argv[2], (int(sys.argv[index]) for index in (1, 3, 4))

    def end_with_the_other() -> None:
        """Ends this process when the parent has closed the connection; code that holds Python's
        lock ends by its time limit."""
        hanging_up = select.poll()
        hanging_up.register(descriptor, 0)  # which is reported without being requested
        hanging_up.poll()
        os._exit(1)

    threading.Thread(target=end_with_the_other, daemon=True).start()
    module, _, function = name.partition(":")
    work = getattr(importlib.import_module(module), function)
    # From now on this process gets this number of bytes more, where the system supports limits.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with (
        suppress(OSError, ValueError),
        open("/proc/self/statm", encoding="ascii") as file,  # noqa: PTH123
    ):
        now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, now + memory))
    with Connection(descriptor) as connection, suppress(EOFError, ConnectionError):
        connection.send("ready")
        fault: Exception | None = None
        while not isinstance(fault, WorkerDiedError):
            arguments = connection.recv()
            # Some seconds of the processor from now, or the user's own limit.
            usage = resource.getrusage(resource.RUSAGE_SELF)
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            end = int(usage.ru_utime + usage.ru_stime) + seconds + 1
            resource.setrlimit(
                resource.RLIMIT_CPU,
                (end if hard == resource.RLIM_INFINITY else min(end, hard), hard),
            )
            fault = None
            try:
                for value in work(*arguments):
                    connection.send((False, value))
            except ConnectionError:
                raise
            except UserError as error:
                fault = error
            except MemoryError:
                fault = WorkerDiedError(
                    f"its reader needs more than {memory // MIB:,} MiB of memory"
                )
            except BaseException:  # a panic of a reader written in Rust is not an Exception
                fault = WorkerDiedError(
                    "its reader failed: fetch the file again if it is damaged, else please "
                    "report it"
                )
            connection.send((True, fault))
