"""What readers take in the place of a path: a file in memory, and a path whose reading is
watched."""

from __future__ import annotations

from typing import IO

MIB = 2**20
PACKED_BUFFER = MIB // 16
"""Bytes by which the position in a packed file moves, which progress shows."""


class MemoryFile(str):
    """A file that a program has in memory: the name that messages call it, which readers take in
    the place of a path, with its content."""

    content: bytes

    def __new__(cls, name: str, content: bytes) -> MemoryFile:
        file = super().__new__(cls, name)
        file.content = content
        return file


class WatchedFile(str):
    """The path of a file that is read, with the file on disk once it is opened."""

    file: IO[bytes] | None = None
