"""Whether any two documents of a build share a doc_id, found in 8 bytes a document."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

_BYTES = 8


class DocIdHashes:
    """The 64-bit BLAKE2 hashes of doc_ids; a dictionary of the doc_ids themselves would take 100 bytes each."""

    def __init__(self, doc_ids: Iterable[str] = ()) -> None:
        self._hashes = bytearray()
        for doc_id in doc_ids:
            self.add(doc_id)

    def add(self, doc_id: str) -> None:
        self._hashes += blake2b(doc_id.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()

    def __len__(self) -> int:
        return len(self._hashes) // _BYTES

    def take(self, others: DocIdHashes) -> None:
        """Add those of other doc_ids, as another process found them."""
        self._hashes += others._hashes

    def repeat(self) -> bool:
        """Whether two of the doc_ids are the same, or (three times in a million builds of ten million) seem so."""
        import numpy as np

        hashes = np.frombuffer(self._hashes, np.uint64)
        hashes.sort()
        return bool((hashes[1:] == hashes[:-1]).any())
