"""Worker processes: results in the order of the input, memory bounded; builds that write from several processes."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from indexer.files.errors import UserError
from indexer.garbage import collect_garbage_rarely

if TYPE_CHECKING:
    from concurrent.futures import Future


Item = TypeVar("Item")
Result = TypeVar("Result")
Worker = TypeVar("Worker")
BATCH = 200  # items that are worked on together
_AHEAD = 4  # batches under way for each process


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """The items in lists of `size`, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


class Workers(Generic[Worker]):
    """Processes that each make an object at their first call and keep it until they are closed.

    `makers` (one for each process) and the functions called must be picklable. An error of a call is raised here;
    UserError if a process was killed.
    """

    def __init__(self, makers: Sequence[Callable[[], Worker]]) -> None:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
        self._pools = [ProcessPoolExecutor(1, context, initializer=_keep, initargs=(make,)) for make in makers]
        self._under_way: list[list[Future[Any]]] = [[] for _ in makers]

    def map(
        self, function: Callable[[Worker, list[Item]], Result], items: Iterable[Item], size: int = BATCH
    ) -> Iterator[Result]:
        """Yields `function(object, batch)` for each batch of at most `size` items, run by the least busy process, in
        the order of the items. Fewer than 4 batches for each process are in memory at once."""
        waiting: deque[Future[Result]] = deque()
        with _deaths_reported():
            for batch in batches(items, size):
                # The process with the fewest calls under way.
                self._under_way = [[call for call in calls if not call.done()] for calls in self._under_way]
                number = min(range(len(self._pools)), key=lambda number: len(self._under_way[number]))
                waiting.append(self._submit(number, function, batch))
                if len(waiting) >= len(self._pools) * _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def each(self, function: Callable[[Worker], Result]) -> list[Result]:
        """`function` of every process's object."""
        with _deaths_reported():
            calls = [self._submit(number, function) for number in range(len(self._pools))]
            return [call.result() for call in calls]

    def close(self) -> None:
        """Ends the processes after their current calls; waiting calls are cancelled."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools:
            pool.shutdown()

    def _submit(self, number: int, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Has a process call a function with its object."""
        call: Future[Result] = self._pools[number].submit(_call, function, *arguments)
        self._under_way[number].append(call)
        return call


@contextmanager
def _deaths_reported() -> Iterator[None]:
    """Context manager that raises UserError if a worker process was killed."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield
    except BrokenProcessPool:
        raise UserError(
            "a process of the build was killed, perhaps out of memory: give the same command again, with fewer --jobs"
        ) from None


_made: list[Callable[[], Any]] = []  # what makes the object of this process


def _keep(make: Callable[[], object]) -> None:
    """Initialises a process of `Workers`; its object is made at the first call, so that an error can be raised by
    that."""
    from multiprocessing import parent_process

    def end_with_the_parent() -> None:  # killed, it would leave this process waiting for the next batch for ever
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the parent decides
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    collect_garbage_rarely()
    _made[:] = [cache(make)]


def _call(function: Callable[..., Result], *arguments: object) -> Result:
    """Calls a function with this process's object."""
    return function(_made[0](), *arguments)
