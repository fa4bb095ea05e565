"""Packed files (gz, bz2, xz), unpacked within limits, and archives (tar, zip), read member by
member."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

from indexer.files.errors import UserError
from indexer.files.inputs import MIB, PACKED_BUFFER, MemoryFile
from indexer.files.signatures import SIGNED, refuse_no_archive


class Limits(NamedTuple):
    """Limits on what is unpacked: bytes of an archive's member (`member_size`) and of all of them
    (`total_size`). `ratio` is the most bytes for each compressed byte, checked from `ratio_from`
    bytes on."""

    member_size: int = 256 * MIB
    total_size: int = 2**42
    ratio: int = 1_000
    ratio_from: int = 4 * MIB


NESTED = Limits(total_size=1024 * MIB, ratio_from=MIB)
"""The limits of a zip that is itself a member."""


class OverLimitError(ValueError):
    """Raised for packed data that exceeds a limit; its text says which."""


DAMAGE: tuple[type[Exception], ...] = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,  # zipfile's answers to nonsense, and ours where a limit is exceeded
    RuntimeError,  # and to an encryption or packing that it does not know
)
"""What readers of packed data raise when it is damaged."""


_READERS: dict[bytes, Callable[[BinaryIO], IO[bytes]]] = {
    b"BZh": bz2.BZ2File,
    b"\x1f\x8b": lambda file: cast(IO[bytes], gzip.GzipFile(fileobj=file)),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


def unpack(file: io.BufferedReader, limits: Limits, path: str = "") -> Unpacked | None:
    """Decompressed stream of a gz, bz2 or xz file, recognised by its first bytes; None for any
    other file. Errors of reading are those of `Unpacked` with this `path`."""
    start = file.peek(6)
    readers = (reader for magic, reader in _READERS.items() if start.startswith(magic))
    return next(
        (Unpacked(reader(cast(BinaryIO, file)), file, limits, path) for reader in readers), None
    )


class Unpacked(io.RawIOBase):
    """A decompressed stream of `packed` (or that file itself) that raises ValueError when it yields
    far more bytes than were compressed (a bomb).

    With a `path`, errors of reading are UserErrors that name it.
    """

    def __init__(
        self, stream: IO[bytes], packed: io.BufferedReader, limits: Limits, path: str = ""
    ) -> None:
        self._stream = stream
        self._packed = packed
        self._limits = limits
        self._path = path
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Reads up to `len(buffer)` decompressed bytes into the buffer and returns their number."""
        try:
            data = self._stream.read(len(buffer))
            self._count += len(data)
            if self._count > max(
                self._limits.ratio_from, self._limits.ratio * max(1, self._packed.tell())
            ):
                raise OverLimitError(f"compressed more than {self._limits.ratio:,} to 1")
        except DAMAGE as error:
            if not self._path:
                raise
            raise UserError(
                f"{self._path}: cannot be unpacked ({_reason_of(error)}); fetch the file again"
            ) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Closes the stream and `packed`."""
        self._stream.close()
        self._packed.close()
        super().close()


class Member(NamedTuple):
    """A member of an archive: its name and bytes; if it cannot be read, None and the reason."""

    name: str
    data: bytes | None
    reason: str = ""


def members(
    source: str | Path | bytes,
    wanted: Callable[[str], bool] = lambda name: True,
    limits: Limits = Limits(),  # noqa: B008  (immutable)
    progress: Callable[[int], None] = lambda count: None,
) -> Iterator[Member]:
    """Yields the regular members of a tar (plain, gz, bz2, xz) or zip file, or of its bytes, whose
    names `wanted` accepts, in order, each read whole; no folders.

    Bytes of a tar's names that are not UTF-8 are written as `\\x8b`. Links and devices of a tar,
    members over their limit and damaged members of a zip come without data and with a reason. If
    the file is empty or no archive, or the archive a zip without members, damaged or in all over a
    limit, the last member has the archive's name ("" for bytes) and the reason. `progress` is
    called with the position in the file. Raises OSError if the file cannot be opened, UserError for
    a file that is plainly of another format, such as an image.
    """
    data = source.content if isinstance(source, MemoryFile) else source
    name = "" if isinstance(source, bytes) else Path(source).name
    count = 0
    with (
        io.BufferedReader(io.BytesIO(data))
        if isinstance(data, bytes)
        else open(data, "rb", PACKED_BUFFER) as file  # noqa: PTH123
    ):
        counted = cast(io.BufferedReader, file)
        if not isinstance(source, bytes):
            refuse_no_archive(source, counted.peek(SIGNED)[:SIGNED])
        if counted.peek(4).startswith(b"PK\x05\x06"):  # the end of a zip, and no member before it
            yield Member(name, None, "an empty archive")
            return
        reader = _zip_members if counted.peek(4).startswith(b"PK\x03\x04") else _tar_members
        try:
            # `count` is for the message of an error.
            members = reader(counted, limits, wanted, progress)
            for count, member in enumerate(members, 1):  # noqa: B007
                yield member
        except DAMAGE as error:
            yield Member(
                name, None, f"archive not read on after {count:,} members ({_reason_of(error)})"
            )


def _reason_of(error: Exception) -> str:
    """What is wrong with packed data in plain words, of an error in `DAMAGE`: over a limit, a
    password, an unknown packing, a wrong checksum, a missing end, the system's words, or damage."""
    message = str(error)
    if isinstance(error, OverLimitError):
        return message
    if isinstance(error, RuntimeError) and "password" in message:
        return "locked with a password"
    if isinstance(error, NotImplementedError | RuntimeError):
        return "packed in a way that is not known here"
    if "CRC" in message or "check" in message:
        return "its content does not fit its checksum"
    if isinstance(error, EOFError) or "end of" in message or "truncated" in message:
        return "its end is missing"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    kinds = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error)
    return "damaged" if isinstance(error, kinds) else "not packed as its beginning says"


class _TarInfo(tarfile.TarInfo):
    """A tar header that refuses huge name and attribute blocks, which tarfile would read into
    memory whole."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Raises OverLimitError for a header block above 1 MiB, before it is read."""
        if not self.isreg() and self.size > MIB:
            raise OverLimitError(f"a header of {self.size:,} bytes, more than {MIB:,}")
        return super()._proc_member(archive)  # type: ignore[misc, no-any-return]


def _tar_members(
    file: io.BufferedReader,
    limits: Limits,
    wanted: Callable[[str], bool],
    progress: Callable[[int], None],
) -> Iterator[Member]:
    """Yields the wanted members of a tar but for folders; links, devices and those over their limit
    without data, with a reason. Raises an error of `DAMAGE` if it is damaged or over
    `limits.total_size`."""
    with (
        io.BufferedReader(unpack(file, limits) or Unpacked(file, file, limits), MIB) as stream,
        # As a stream: to seek back in a packed archive would unpack it again from its beginning.
        tarfile.open(
            fileobj=stream,
            mode="r|",
            errorlevel=2,
            tarinfo=_TarInfo,
            encoding="utf-8",
            errors="backslashreplace",
        ) as archive,
    ):
        while info := archive.next():
            # Or every header ever read stays in memory.
            archive.members = []  # type: ignore[attr-defined]
            if archive.offset > limits.total_size:
                raise OverLimitError(f"more than {limits.total_size:,} bytes unpacked")
            if not info.isdir() and wanted(info.name):
                reason = "" if info.isreg() else "a link or device, not a file"
                if info.size > limits.member_size:
                    reason = f"{info.size:,} bytes, more than {limits.member_size:,}"
                reader = None if reason else archive.extractfile(info)
                yield Member(info.name, reader.read() if reader else None, reason)
            progress(file.tell())


def _zip_members(
    file: io.BufferedReader,
    limits: Limits,
    wanted: Callable[[str], bool],
    progress: Callable[[int], None],
) -> Iterator[Member]:
    """Yields the wanted members of a zip but for folders; damaged ones and those over their limit
    without data, with a reason. Raises an error of `DAMAGE` if its directory is damaged or the
    wanted members are together over `limits.total_size`."""
    with zipfile.ZipFile(file) as archive:
        total = 0
        for info in archive.infolist():
            if info.filename.endswith("/") or not wanted(info.filename):
                continue
            total += info.file_size
            if total > limits.total_size:
                raise OverLimitError(f"more than {limits.total_size:,} bytes unpacked")
            reason, data = "", None
            if info.file_size > limits.member_size:
                reason = f"{info.file_size:,} bytes, more than {limits.member_size:,}"
            elif info.file_size > max(limits.ratio_from, limits.ratio * info.compress_size):
                reason = f"compressed more than {limits.ratio:,} to 1"
            else:
                try:
                    with archive.open(info) as opened:
                        data = opened.read(
                            max(1, info.file_size)
                        )  # not more, whatever it unpacks to
                except DAMAGE as error:
                    reason = f"damaged ({_reason_of(error)})"
            yield Member(info.filename, data, reason)
            progress(info.header_offset + info.compress_size)
