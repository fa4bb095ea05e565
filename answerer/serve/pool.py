"""The worker processes of a server: who waits, who works, and how work ends that takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager

from answerer.serve.limits import Limits
from answerer.serve.messages import LAST, Message, read
from indexer.files.atomic import temporary_folder

Tell = Callable[[Message], None]


class BusyError(Exception):
    """More is under way than the server takes."""


class TooSlowError(Exception):
    """A piece of work took longer than it may, and was ended."""


class Pool:
    """`limits.jobs` processes. Work waits its turn; what is cancelled or too slow loses its process, which is replaced.

    Used inside one event loop: `start` first, `close` last.
    """

    def __init__(self, limits: Limits, kinds: Sequence[str]) -> None:
        self._limits = limits
        self._workers = [_Worker(kinds) for _ in range(max(limits.jobs, 2))]
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._for_files = asyncio.Semaphore(len(self._workers) - 1)
        self._under_way = 0

    async def start(self) -> None:
        """Start all processes, ready to work. OSError where the system starts none."""
        await asyncio.gather(*(worker.start() for worker in self._workers))
        for worker in self._workers:
            self._free.put_nowait(worker)

    async def close(self) -> None:
        """End all processes, whatever they are at."""
        await asyncio.gather(*(worker.end() for worker in self._workers))

    @property
    def under_way(self) -> int:
        """How many requests are answered or wait for a process."""
        return self._under_way

    async def run(self, work: bytes, tell: Tell, is_file: bool = False) -> Message:
        """The last message of a piece of work; those before it are handed to `tell`.

        BusyError where too many wait, TooSlowError where its time is over. A process that ends by itself gives a
        message that says so.
        """
        if self._under_way >= len(self._workers) + self._limits.waiting:
            raise BusyError
        self._under_way += 1
        try:
            async with self._taken(is_file) as worker:
                await worker.ready()
                async with asyncio.timeout(self._limits.file_seconds if is_file else self._limits.question_seconds):
                    return await worker.work(work, tell)
        except TimeoutError:
            raise TooSlowError from None
        finally:
            self._under_way -= 1

    @asynccontextmanager
    async def _taken(self, is_file: bool) -> AsyncIterator[_Worker]:
        async with self._for_files if is_file else contextlib.nullcontext():
            worker = await self._free.get()
            try:
                yield worker
            finally:
                self._free.put_nowait(worker)


class _Worker:
    """One process, started when it is needed and started again after it has ended."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds
        self._process: asyncio.subprocess.Process | None = None
        self._folder = ExitStack()

    async def ready(self) -> None:
        """Start the process where it has ended."""
        if self._process is None or self._process.returncode is not None:
            await self.start()

    async def start(self) -> None:
        self._kill()  # of one that ended by itself its folder is left
        folder = self._folder.enter_context(temporary_folder())
        try:
            # A session of its own: Ctrl-C in a terminal is for the server, which ends its workers by closing their
            # input.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "answerer.serve.worker", str(folder), *self._kinds),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            await read(_pipe(self._process.stdout))
        except EOFError:  # told when it is given work
            pass
        except BaseException:
            self._kill()
            raise

    async def work(self, work: bytes, tell: Tell) -> Message:
        """Whatever is raised here, cancelling too, has ended the process."""
        try:
            process = self._process
            assert process is not None  # noqa: S101
            assert process.stdin is not None  # noqa: S101
            process.stdin.write(work)
            await process.stdin.drain()
            while (message := await read(_pipe(process.stdout))).kind not in LAST:
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
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        self._process = None
        self._folder.close()

    async def end(self) -> None:
        process = self._process
        self._kill()
        if process is not None:
            await process.wait()


def _pipe(stream: asyncio.StreamReader | None) -> asyncio.StreamReader:
    assert stream is not None  # noqa: S101
    return stream
