"""Packed streams, unpacked as they are read: one set of limits and one idea of damage for texts and archives."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, BinaryIO, NamedTuple, cast

MIB = 2**20
BUFFER = MIB
PACKED_BUFFER = MIB // 16  # by so much the position in a packed file moves, which progress shows


class Limits(NamedTuple):
    """What is read at most. `ratio` (bytes unpacked for each packed byte) counts from `ratio_from` bytes on.

    `line_size` is of a line, `whole_size` of a file that is read before it is taken apart, `question_size` of such a
    question file, `held` what a question file may take in memory, `run_held` what a TREC run may: one of MS MARCO has
    seven million lines.
    """

    line_size: int = 16 * MIB
    whole_size: int = 1024 * MIB
    question_size: int = 64 * MIB
    held: int = 800 * MIB
    run_held: int = 4096 * MIB
    member_size: int = 256 * MIB
    total_size: int = 2**42
    members: int = 20_000_000
    ratio: int = 1_000
    ratio_from: int = 4 * MIB


class LimitError(Exception):
    """What breaks a limit: nothing more of it is read."""


DAMAGE: tuple[type[Exception], ...] = (
    tarfile.TarError,
    zipfile.BadZipFile,
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
    """What a reader says of damage, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


class Counted(io.RawIOBase):
    """A file that tells how many bytes are read."""

    def __init__(self, file: IO[bytes], progress: Callable[[int], None] = lambda count: None) -> None:
        self._file = file
        self._progress = progress
        self.count = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        self._progress(len(data))
        return len(data)


def unpacked(file: Counted, limits: Limits) -> BinaryIO | None:
    """The bytes of a gz, bz2 or xz file, told by its first bytes; None for any other. Reading may end in LimitError."""
    buffered = io.BufferedReader(file, PACKED_BUFFER)
    start = buffered.peek(6)[:6]
    known = (reader for magic, reader in _READERS.items() if start.startswith(magic))
    reader = next(known, None)
    if reader is None:
        buffered.detach()  # or the file would be closed with it
        return None
    return io.BufferedReader(_Unpacked(reader(buffered), file, limits), BUFFER)


_READERS: dict[bytes, Callable[[BinaryIO], IO[bytes]]] = {
    b"BZh": bz2.BZ2File,
    b"\x1f\x8b": lambda file: cast(IO[bytes], gzip.GzipFile(fileobj=file)),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


class _Unpacked(io.RawIOBase):
    """An unpacked stream that ends in a LimitError where it gives far more than was packed: a bomb."""

    def __init__(self, stream: IO[bytes], packed: Counted, limits: Limits) -> None:
        self._stream = stream
        self._packed = packed
        self._limits = limits
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._count += len(data)
        ratio = self._limits.ratio
        if self._count > self._limits.ratio_from and self._count > ratio * max(1, self._packed.count):
            raise LimitError(f"packed more than {ratio:,} to 1: not read on")
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
