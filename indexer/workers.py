"""Worker processes: results in the order of the input, memory bounded."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Generic, TypeVar

from indexer.engines.contract import OBJECTS_BETWEEN_COLLECTIONS
from indexer.files.errors import UserError

Item = TypeVar("Item")
Result = TypeVar("Result")
_AHEAD = 4  # items under way for each process


class Workers(Generic[Item, Result]):
    """Processes that call one function, which must be picklable, as must its items and results."""

    def __init__(self, function: Callable[[Item], Result], processes: int) -> None:
        context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
        self._pool = ProcessPoolExecutor(
            processes, context, initializer=_keep, initargs=(function,)
        )
        self._most = _AHEAD * processes

    def map(self, items: Iterable[Item]) -> Iterator[Result]:
        """Yields the function's result for each item, in order; at most 4 items for each process
        are taken ahead of the results.

        An error of a call is raised here; UserError if a process was killed.
        """
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(self._pool.submit(_call, item))
                if len(waiting) >= self._most:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise UserError(
                "a process of the build was killed, perhaps out of memory: give the same command "
                "again, with fewer "
                "--jobs"
            ) from None

    def close(self) -> None:
        """Ends the processes after their current calls; waiting calls are cancelled."""
        self._pool.shutdown(cancel_futures=True)


_function: list[Callable[[Any], Any]] = []  # of this process


def _keep(function: Callable[[Any], Any]) -> None:
    """Initialises a worker process: keeps the function that it is to call, ignores Ctrl-C, ends
    with its parent, and collects garbage rarely."""

    def end_with_the_parent() -> (
        None
    ):  # killed, it would leave this process waiting for the next item for ever
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches all processes of a terminal: the parent decides
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    _function[:] = [function]


def _call(item: Any) -> Any:
    """Calls this process's function."""
    return _function[0](item)
