"""Compact sets of names that were seen before."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from hashlib import blake2b

# Names in the Python set before they are merged into the sorted array: the set takes some 50 MB
# then.
RECENT = 1 << 19


class SeenNames:
    """A set of names in 8 bytes a name: their 64-bit BLAKE2 hashes, in a sorted array and, the
    latest, in a Python set. A name that shares the hash of an earlier one counts as seen: of ten
    million names two do in three of a million cases."""

    def __init__(self) -> None:
        self._recent: set[int] = set()
        self._sorted = array("Q")

    def add(self, name: str) -> bool:
        """Adds a name; returns True if it is new, False if it was added before."""
        encoded = name.encode("utf-8", "surrogatepass")
        key = int.from_bytes(blake2b(encoded, digest_size=8).digest(), "little")
        if key in self._recent:
            return False
        position = bisect_left(self._sorted, key)
        if position < len(self._sorted) and self._sorted[position] == key:
            return False
        self._recent.add(key)
        if len(self._recent) >= RECENT:
            import numpy as np

            # One sort for all: inserted one by one, each hash would move half of the array.
            latest = np.fromiter(self._recent, np.uint64, len(self._recent))
            merged = np.sort(np.concatenate((np.array(self._sorted, np.uint64), latest)))
            self._sorted = array("Q", merged.tobytes())
            self._recent.clear()
        return True
