"""The worker processes of a server: limits, queue, and the end of work that takes too long or that
nobody waits for."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, nullcontext
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from answerer.serve.requests import IndexQuestion, Work
from answerer.serve.worker import LAST, Message, work_until_the_end
from indexer.files.atomic import temporary_folder

KIB = 1024  # bytes
MIB = 1024 * KIB
BUSY = "too much is under way here: ask again later"
_SLOW = "this takes longer than the server allows: the work was ended"
_DIED = (
    "the process that answered ended by itself (out of memory?): ask again, or give less at a time"
)


class ServerLimits(NamedTuple):
    """`jobs` processes answer; of these one is kept for questions, so that files do not hold them
    up.

    `waiting` requests may wait for a process, and `large` bodies over `small_body` bytes be read,
    before more are sent away. Bodies are at most `body` bytes and come within `body_seconds` and
    the time that `body_rate` bytes a second give. A question may take `question_seconds` of work, a
    file `file_seconds`; waiting does not count. Uploaded textbooks become indexes until there are
    `indexes` of them.
    """

    jobs: int = 2
    waiting: int = 64
    large: int = 4
    small_body: int = 64 * KIB
    body: int = 32 * MIB
    body_seconds: float = 5.0
    body_rate: int = 256 * KIB
    question_seconds: float = 60.0
    file_seconds: float = 900.0
    connections: int = 256
    indexes: int = 50


class _Worker:
    """A worker process with a folder for the files of its requests, started when there is work and
    it does not run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: BaseProcess | None = None
        self.connection: Connection

    def start(self) -> None:
        """Starts the process unless it runs. Raises OSError if the system cannot."""
        if self.process is None or not self.process.is_alive():
            # A process forked from the tests or from a server with threads could wait for a lock
            # for ever.
            context = multiprocessing.get_context("forkserver")
            self.connection, theirs = context.Pipe()
            process = context.Process(target=work_until_the_end, args=(theirs, self.folder))
            process.start()
            self.process = process
            theirs.close()

    def kill(self) -> None:
        """Ends the process at once, if there is one, and waits until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.join()


class ServerPool:
    """A queue in front of `limits.jobs` worker processes (at least 2), whose folders are in
    `folder`; work that is too slow, or whose generator is closed, loses its process, which is
    replaced."""

    def __init__(self, limits: ServerLimits, folder: Path) -> None:
        self.under_way = 0  # requests that are being answered or wait for a process
        self._limits = limits
        self.workers = [_Worker(folder / str(number)) for number in range(max(limits.jobs, 2))]
        # Last in, first out: the worker that answered last has its taggers and word lists in
        # memory.
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for worker in self.workers:
            self._free.put_nowait(worker)
        # A question never waits for files alone.
        self._for_files = asyncio.Semaphore(len(self.workers) - 1)
        # A thread waits for each worker's messages.
        self._threads = ThreadPoolExecutor(len(self.workers))

    async def run(self, work: Work) -> AsyncGenerator[Message]:
        """Yields the messages of a worker as they come. The last has a kind of `LAST`: of the
        worker's, "failed" if its process dies, "busy" if `limits.waiting` requests wait already, or
        "slow" after `limits.question_seconds` (of a file or textbook: `limits.file_seconds`) of
        work."""
        if self.under_way >= len(self.workers) + self._limits.waiting:
            yield Message("busy", json.dumps(BUSY).encode())
            return
        is_file = not isinstance(work, IndexQuestion)
        self.under_way += 1
        try:
            async with self._for_files if is_file else nullcontext():
                worker = await self._free.get()
                try:
                    seconds = (
                        self._limits.file_seconds if is_file else self._limits.question_seconds
                    )
                    async with aclosing(self._messages(worker, work, seconds)) as messages:
                        async for message in messages:
                            yield message
                finally:
                    self._free.put_nowait(worker)
        finally:
            self.under_way -= 1

    async def _messages(
        self, worker: _Worker, work: Work, seconds: float
    ) -> AsyncGenerator[Message]:
        """Yields a worker's messages for work of at most some seconds, the last of them "slow" if
        the time is over and "failed" if its process dies; kills it unless it came to an end."""
        loop = asyncio.get_running_loop()
        last: Message | None = None
        try:
            worker.start()
            end = loop.time() + seconds
            # In threads: a stopped process would hold up the whole server.
            await asyncio.wait_for(
                loop.run_in_executor(self._threads, worker.connection.send, work), seconds
            )
            while last is None:
                receiving = loop.run_in_executor(self._threads, worker.connection.recv)
                message = await asyncio.wait_for(receiving, end - loop.time())
                if message.kind in LAST:
                    last = message
                else:
                    yield message
        except TimeoutError:
            ended = Message("slow", json.dumps(_SLOW).encode())
        except (EOFError, OSError):
            ended = Message("failed", json.dumps(_DIED).encode())
        finally:
            if last is None:
                worker.kill()
        yield last or ended


@asynccontextmanager
async def server_pool(limits: ServerLimits, modules: Sequence[str]) -> AsyncGenerator[ServerPool]:
    """Context manager with running worker processes, killed at the end, even at work. The `modules`
    are loaded before; a first question would wait for them. Raises OSError if the system cannot
    start a process."""
    multiprocessing.set_forkserver_preload(["__main__", "answerer.serve.worker", *modules])
    with temporary_folder() as folder:
        pool = ServerPool(limits, folder)
        try:
            for worker in pool.workers:
                worker.start()
            yield pool
        finally:
            for worker in pool.workers:
                worker.kill()
