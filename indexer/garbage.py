"""Python's garbage collection, put off where many objects are made and none of them in cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Documents make no cycles: looking for them took a fifth of a build. A build makes this number of
# objects in seconds.
OBJECTS_BETWEEN_COLLECTIONS = 200_000


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Context manager (and decorator) that pauses garbage collection: hits and candidates by the
    hundred thousand make no cycles, and looking for them took a third of a search and of a
    report."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
