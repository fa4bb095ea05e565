"""Analysis on several processes, results in the order of the input, memory bounded."""

from __future__ import annotations

import gc
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_AHEAD = 4  # batches under way for each process
_OBJECTS_BETWEEN_COLLECTIONS = 200_000


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of `size`, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def ordered_map(
    function: Callable[[list[Item]], Result], items: Iterable[Item], jobs: int = 1, size: int = 200
) -> Iterator[Result]:
    """`function` of each batch of items, in order; on `jobs` processes where that is more than one.

    The function must be picklable (a module's function or an instance of a module's class). Fewer than
    4 batches for each process are held at once. An error in the function is raised here.
    """
    if jobs <= 1:
        yield from map(function, batches(items, size))
        return
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor

    waiting: deque[Future[Result]] = deque()
    context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_keep, initargs=(function,)) as pool:
        try:
            for batch in batches(items, size):
                waiting.append(pool.submit(_call, batch))
                if len(waiting) >= jobs * _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)  # who stops is not kept waiting for batches that nobody wants any more


def collect_garbage_rarely() -> None:
    """Documents make hundreds of thousands of objects and no cycles: looking for cycles took a fifth of a build."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])


@contextmanager
def garbage_left() -> Iterator[None]:
    """Nobody looks for cycles inside: hits by the hundred thousand make none, and looking took a third of a search."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


_kept: list[Callable[[list[Any]], object]] = []


def _keep(function: Callable[[list[Any]], object]) -> None:
    """Hold the function in a process once, so that it is not sent again with every batch."""
    serve_the_parent()
    _kept[:] = [function]


def serve_the_parent() -> None:
    """Begin a process that works for another: it ends with it, and seldom looks for garbage."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    collect_garbage_rarely()


def _end_with_the_parent() -> None:
    """End this process when the one that it works for is killed: it would wait for the next batch for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _call(batch: list[Any]) -> Any:
    return _kept[0](batch)
