"""Worker processes: results in the order of the input, memory bounded; builds that write from several processes."""

from __future__ import annotations

import gc
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

if TYPE_CHECKING:
    from concurrent.futures import Future


Item = TypeVar("Item")
Result = TypeVar("Result")
Worker = TypeVar("Worker")
BATCH = 200  # items that are worked on together
_AHEAD = 4  # batches under way for each process
_OBJECTS_BETWEEN_COLLECTIONS = 200_000


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """The items in lists of `size`, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


class Workers(Generic[Worker]):
    """Processes that each make an object, and keep it until they are closed.

    `makers` and whatever is called must be picklable. An error of a call is raised here; UserError where a process
    was killed.
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
        """`function` of an object and a batch of items, by whichever process is free, in the order of the items.

        Fewer than 4 batches for each process are held at once.
        """
        waiting: deque[Future[Result]] = deque()
        for batch in batches(items, size):
            # The process with the fewest calls under way.
            self._under_way = [[call for call in calls if not call.done()] for calls in self._under_way]
            waiting.append(
                self._submit(
                    min(range(len(self._pools)), key=lambda number: len(self._under_way[number])), function, batch
                )
            )
            if len(waiting) >= len(self._pools) * _AHEAD:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())

    def each(self, function: Callable[[Worker], Result]) -> list[Result]:
        """`function` of every process's object."""
        asked = [self._submit(number, function) for number in range(len(self._pools))]
        return [_result(future) for future in asked]

    def close(self) -> None:
        """End the processes, when each has done the call that it is at."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools:
            pool.shutdown()

    def _submit(self, number: int, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Submits a call to a process. Raises UserError if the process was killed."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            call = self._pools[number].submit(_call, function, *arguments)
        except BrokenProcessPool:
            raise _killed_error() from None
        self._under_way[number].append(call)
        return call


def _result(call: Future[Result]) -> Result:
    """Result of a call. Raises UserError if its process was killed."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        return call.result()
    except BrokenProcessPool:
        raise _killed_error() from None


def _killed_error() -> UserError:
    """The error for a killed process."""
    return UserError(
        "a process of the build was ended from outside, as when memory runs out: give the same command again, "
        "with fewer --jobs"
    )


def collect_garbage_rarely() -> None:
    """Documents make hundreds of thousands of objects and no cycles: looking for cycles took a fifth of a build."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pauses garbage collection inside the block: hits and candidates by the hundred thousand make no cycles, and
    looking for them took a third of a search and of a report."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


_made: list[Callable[[], Any]] = []


def _keep(make: Callable[[], object]) -> None:
    """Begin a process of `Workers`; the object is made by its first call, which can tell an error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the parent decides
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    collect_garbage_rarely()
    _made[:] = [cache(make)]


def _end_with_the_parent() -> None:
    """End this process when the one that it works for is killed: it would wait for the next batch for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _call(function: Callable[..., Result], *arguments: object) -> Result:
    """Calls a function with this process's object."""
    return function(_made[0](), *arguments)
