"""Compressed files: gz, bz2 and xz, unpacked within limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zlib
from collections.abc import Callable
from typing import IO, BinaryIO, NamedTuple, cast

from indexer.files.encoding import MIB
from indexer.files.errors import UserError


class Limits(NamedTuple):
    """Limits on what is unpacked: bytes of an archive's member (`member_size`), of all of them (`total_size`), and
    their number (`members`). `ratio` is the most bytes for each compressed byte, checked from `ratio_from` bytes on."""

    member_size: int = 256 * MIB
    total_size: int = 2**42
    members: int = 20_000_000
    ratio: int = 1_000
    ratio_from: int = 4 * MIB


class LimitError(Exception):
    """Raised when a file exceeds a limit; nothing more of it is read."""


DAMAGED_STREAM: tuple[type[Exception], ...] = (
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,  # zipfile's answers to nonsense
    RuntimeError,  # and to an unknown encryption or packing
)
"""What readers of packed data raise when it is damaged."""


def reason_of(error: Exception) -> str:
    """Message of an error about damage, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


_READERS: dict[bytes, Callable[[BinaryIO], IO[bytes]]] = {
    b"BZh": bz2.BZ2File,
    b"\x1f\x8b": lambda file: cast(IO[bytes], gzip.GzipFile(fileobj=file)),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


def unpack(file: io.BufferedReader, limits: Limits, path: str = "") -> Unpacked | None:
    """Decompressed stream of a gz, bz2 or xz file, recognised by its first bytes; None for any other file. Errors of
    reading are those of `Unpacked` with this `path`."""
    start = file.peek(6)
    readers = (reader for magic, reader in _READERS.items() if start.startswith(magic))
    return next((Unpacked(reader(cast(BinaryIO, file)), file, limits, path) for reader in readers), None)


class Unpacked(io.RawIOBase):
    """A decompressed stream of `packed` (or that file itself) that raises LimitError when it yields far more bytes than
    were compressed (a bomb).

    With a `path`, errors of reading are UserErrors that name it.
    """

    def __init__(self, stream: IO[bytes], packed: io.BufferedReader, limits: Limits, path: str = "") -> None:
        self._stream, self._packed, self._limits, self._path = stream, packed, limits, path
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Reads up to `len(buffer)` decompressed bytes into the buffer and returns their number."""
        try:
            data = self._stream.read(len(buffer))
        except DAMAGED_STREAM as error:
            if not self._path:
                raise
            raise UserError(f"{self._path}: damaged ({reason_of(error)}); fetch the file again") from error
        buffer[: len(data)] = data
        self._count += len(data)
        read = self._packed.tell()
        if self._count > max(self._limits.ratio_from, self._limits.ratio * max(1, read)):
            reason = f"compressed more than {self._limits.ratio:,} to 1"
            if not self._path:
                raise LimitError(reason)
            raise UserError(f"{self._path}: {reason}; decompress it yourself if you trust it")
        return len(data)

    def close(self) -> None:
        self._stream.close()
        self._packed.close()
        super().close()
