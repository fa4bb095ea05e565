"""Python's garbage collection, put off where many objects are made and none of them in cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS_BETWEEN_COLLECTIONS = 200_000  # hundreds of times Python's own number: a build makes that many in seconds


def collect_garbage_rarely() -> None:
    """Documents make hundreds of thousands of objects and no cycles: looking for cycles took a fifth of a build."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Context manager (and decorator) that pauses garbage collection: hits and candidates by the hundred thousand make
    no cycles, and looking for them took a third of a search and of a report."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
