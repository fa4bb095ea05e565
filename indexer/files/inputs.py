"""What readers take in the place of a path: a file in memory, and a path whose reading is
watched."""

from __future__ import annotations

from collections.abc import Iterable
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


class MemoryFolder(str):
    """Several files that a program has in memory, under one name."""

    files: tuple[MemoryFile, ...]

    def __new__(cls, name: str, files: Iterable[MemoryFile]) -> MemoryFolder:
        folder = super().__new__(cls, name)
        folder.files = tuple(files)
        return folder


class WatchedFile(str):
    """The path of a file that is read, with the file on disk once it is opened."""

    file: IO[bytes] | None = None

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far; 0 before it is opened, and once it
        is closed."""
        return 0 if self.file is None or self.file.closed else self.file.tell()
