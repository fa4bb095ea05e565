"""The worker processes of a server: limits, queue, start and restart, and the end of work that takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from typing import NamedTuple, cast

from answerer.serve.requests import LAST, Kind, Message
from indexer.files.atomic import temporary_folder

KIB = 1024  # bytes
MIB = 1024 * KIB
Tell = Callable[[Message], None]


class ServerLimits(NamedTuple):
    """`jobs` processes answer; of these one is kept for questions, so that files do not hold them up.

    `waiting` requests may wait for a process, and `large` bodies over `small_body` bytes be in memory, before more are
    sent away. Bodies are at most `body` bytes and come within `body_seconds` and the time that `body_rate` bytes a
    second give; requests come within `idle_seconds` of a connection or of the answer before. A question may take
    `question_seconds` of work, a file `file_seconds`; waiting does not count. Uploaded textbooks become indexes until
    there are `indexes` of them.
    """

    jobs: int = 2
    waiting: int = 64
    large: int = 4
    small_body: int = 64 * KIB
    body: int = 32 * MIB
    body_seconds: float = 5.0
    body_rate: int = 256 * KIB
    idle_seconds: float = 10.0
    question_seconds: float = 60.0
    file_seconds: float = 900.0
    connections: int = 256
    indexes: int = 50


class BusyError(Exception):
    """More is under way than the server takes."""


class TooSlowError(Exception):
    """A piece of work took longer than it may, and was ended."""


class ServerPool:
    """A queue in front of `limits.jobs` worker processes (at least 2); work that is cancelled or too slow loses its
    process, which is replaced.

    Used inside one event loop: `start` first, `close` last.
    """

    def __init__(self, limits: ServerLimits, kinds: Sequence[str]) -> None:
        self._limits = limits
        self._workers = [_Worker(kinds) for _ in range(max(limits.jobs, 2))]
        # Last in, first out: the worker that answered last has its taggers and word lists in memory.
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        # A question never waits for files alone.
        self._for_files = asyncio.Semaphore(len(self._workers) - 1)
        self._under_way = 0

    async def start(self) -> None:
        """Starts all processes and waits until they are ready. Raises OSError if the system cannot start one."""
        await asyncio.gather(*(worker.start() for worker in self._workers))
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def close(self) -> None:
        """Ends all processes, with work under way too."""
        await asyncio.gather(*(worker.end() for worker in self._workers))

    @property
    def under_way(self) -> int:
        """The number of requests that are being answered or wait for a process."""
        return self._under_way

    async def run(self, work: bytes, tell: Tell, is_file: bool = False) -> Message:
        """Runs a piece of work (a request line) in a worker and returns its last message; earlier messages are passed
        to `tell`.

        Raises BusyError if `limits.waiting` requests wait already, TooSlowError after `limits.question_seconds`, or
        `limits.file_seconds` if `is_file`. If the process dies, the message has the kind "failed".
        """
        if self._under_way >= len(self._workers) + self._limits.waiting:
            raise BusyError
        self._under_way += 1
        try:
            async with self._free_worker(is_file) as worker:
                await worker.ready()
                # The time begins with the work: waiting for a free worker, and its start, do not count.
                async with asyncio.timeout(self._limits.file_seconds if is_file else self._limits.question_seconds):
                    return await worker.work(work, tell)
        except TimeoutError:
            raise TooSlowError from None
        finally:
            self._under_way -= 1

    @asynccontextmanager
    async def _free_worker(self, is_file: bool) -> AsyncIterator[_Worker]:
        """Waits for a free worker, yields it and frees it afterwards; work with files never takes the last worker,
        which is kept for questions."""
        async with self._for_files if is_file else contextlib.nullcontext():
            worker = await self._free.get()
            try:
                yield worker
            finally:
                self._free.put_nowait(worker)


class _Worker:
    """A worker process, started when it is needed and started again after it has ended."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds
        self._process: asyncio.subprocess.Process | None = None
        self._folder = ExitStack()

    async def ready(self) -> None:
        """Starts the process if it has ended."""
        if self._process is None or self._process.returncode is not None:
            await self.start()

    async def start(self) -> None:
        """Starts the process, killing an earlier one, in an empty temporary folder, and waits for its "ready" message;
        returns, too, if the process dies at once. Raises OSError if the system cannot start it."""
        self._kill()  # removes the folder of a process that ended by itself
        folder = self._folder.enter_context(temporary_folder())
        try:
            # A separate session: Ctrl-C in a terminal is for the server, which ends its workers by closing their input.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "answerer.serve.worker", str(folder), *self._kinds),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            await read_message(self._process.stdout)
        except EOFError:  # `work` reports it
            pass
        except BaseException:
            self._kill()
            raise

    async def work(self, work: bytes, tell: Tell) -> Message:
        """Sends a request line to the process and returns its last message; earlier messages are passed to `tell`. If
        the process dies, the message has the kind "failed".

        Any exception raised here, cancellation included, has killed the process.
        """
        try:
            process = self._process
            assert process is not None  # noqa: S101
            assert process.stdin is not None  # noqa: S101
            process.stdin.write(work)
            await process.stdin.drain()
            while (message := await read_message(process.stdout)).kind not in LAST:
                tell(message)
            return message
        except (EOFError, ConnectionError):
            self._kill()
            line = "the process that answered ended by itself (out of memory?): ask again, or give less at a time"
            return Message("failed", json.dumps(line).encode())
        except BaseException:
            self._kill()
            raise

    def _kill(self) -> None:
        """Kills the process, if one runs, and removes its folder."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        self._process = None
        self._folder.close()

    async def end(self) -> None:
        """Kills the process and waits until it has ended."""
        process = self._process
        self._kill()
        if process is not None:
            await process.wait()


async def read_message(stream: asyncio.StreamReader | None) -> Message:
    """Reads the next message from a worker's output. Raises EOFError if the worker process has ended."""
    assert stream is not None  # noqa: S101
    try:
        kind, length = (await stream.readuntil(b"\n")).split()
        return Message(cast(Kind, kind.decode()), await stream.readexactly(int(length)))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise EOFError from None
