"""Archives (tar, zip), read member by member, within limits."""

from __future__ import annotations

import copy
import io
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, cast

from indexer.files.encoding import MIB, PACKED_BUFFER, held_content
from indexer.files.packed import DAMAGED_STREAM, LimitError, Limits, Unpacked, reason_of, unpack

DAMAGE: tuple[type[Exception], ...] = (tarfile.TarError, zipfile.BadZipFile, *DAMAGED_STREAM)
"""What readers of archives raise when these are damaged."""

_MOST_PACKED = 1032  # bytes that a byte of deflate unpacks to at most
_MOST_OF_A_HEADER = MIB
# Their content is a name or attributes, which tarfile reads whole, whatever size the header claims.
_LONG_HEADERS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)

NESTED = Limits(member_size=256 * MIB, total_size=1024 * MIB, members=10_000, ratio=1_000, ratio_from=MIB)
"""The limits of a zip that is itself a member."""


class Member(NamedTuple):
    """A member of an archive: its name and bytes; if it cannot be read, None and the reason."""

    name: str
    data: bytes | None
    reason: str = ""


def tricky_path(name: str) -> str:
    """Reason to refuse a member's name, "" for a safe one: absolute, leading outside the archive, or with control
    characters."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or (len(name) > 1 and name[1] == ":"):
        return "an absolute path"
    if ".." in path.parts:
        return "a path that leads outside of the archive"
    if any(ord(character) < 32 for character in name):
        return "a name with control characters"
    return ""


def members(
    path: str | Path,
    wanted: Callable[[str], bool] = lambda name: True,
    limits: Limits = Limits(),  # noqa: B008  (immutable)
    progress: Callable[[int], None] = lambda count: None,
) -> Iterator[Member]:
    """Yields the regular members of a tar (plain, gz, bz2, xz) or zip file whose names `wanted` accepts, in order, each
    read whole.

    Wanted links, devices and unsafe names come without data and with a reason. If the archive is damaged or exceeds a
    limit, the last member has the archive's name and the reason. `progress` is called with the position in the
    file. Raises OSError if the file cannot be opened.
    """
    path = Path(path)
    held = held_content(path)
    with path.open("rb", PACKED_BUFFER) if held is None else io.BufferedReader(io.BytesIO(held)) as file:
        counted, count = cast(io.BufferedReader, file), 0
        reader = _zip_members if counted.peek(4).startswith(b"PK\x03\x04") else _tar_members
        try:
            for member in reader(counted, limits, wanted, progress):
                yield member
                count += 1
        except LimitError as error:
            yield Member(path.name, None, str(error))
        except DAMAGE as error:
            yield Member(path.name, None, f"damaged archive after {count:,} members were read ({reason_of(error)})")


class _TarInfo(tarfile.TarInfo):
    """A tar header that refuses huge name and attribute blocks, which tarfile would read into memory whole."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _LONG_HEADERS and self.size > _MOST_OF_A_HEADER:
            raise LimitError(f"a header of {self.size:,} bytes, more than {_MOST_OF_A_HEADER:,}")
        return super()._proc_member(archive)  # type: ignore[misc, no-any-return]


def _tar_members(
    file: io.BufferedReader, limits: Limits, wanted: Callable[[str], bool], progress: Callable[[int], None]
) -> Iterator[Member]:
    """Yields the wanted members of a tar, each read whole. Raises LimitError for an archive over the limits."""
    with (
        io.BufferedReader(unpack(file, limits) or Unpacked(file, file, limits), MIB) as stream,
        # As a stream: to seek back in a packed archive would unpack it again from its beginning.
        tarfile.open(fileobj=stream, mode="r|", errorlevel=2, tarinfo=_TarInfo) as archive,
    ):
        count = 0
        while info := archive.next():
            count += 1
            archive.members = []  # type: ignore[attr-defined]  # or every header ever read stays in memory
            if count > limits.members:
                raise LimitError(f"more than {limits.members:,} members")
            if archive.offset > limits.total_size:
                raise LimitError(f"more than {limits.total_size:,} bytes unpacked")
            if not info.isdir() and wanted(info.name):
                reason = tricky_path(info.name)
                if not reason and not info.isreg():
                    reason = "a link or device, not a file"
                if not reason and info.size > limits.member_size:
                    reason = f"{info.size:,} bytes, more than {limits.member_size:,}"
                held = None if reason else archive.extractfile(info)
                yield Member(info.name, None if reason else held.read() if held else b"", reason)
            progress(file.tell())


def zip_members(data: bytes, limits: Limits = NESTED) -> Iterator[Member]:
    """Yields the regular members of a zip held in memory; those that cannot be read come with the reason.

    A damaged zip, or one over a limit, ends with a member named "" with the reason.
    """
    try:
        yield from _zip_members(io.BytesIO(data), limits)
    except LimitError as error:
        yield Member("", None, str(error))
    except DAMAGE as error:
        yield Member("", None, f"damaged zip ({reason_of(error)})")


def zip_fault(data: bytes, limits: Limits = NESTED) -> str:
    """Reason why another program must not unpack a zip held in memory, "" for a safe one.

    Declared sizes are not trusted: members that may be large are unpacked and counted.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if len(infos) > limits.members:
                return f"more than {limits.members:,} members"
            faults = (_member_fault(info, limits) or _lie(archive, info) for info in infos)
            fault = next((f"{info.filename}: {fault}" for info, fault in zip(infos, faults, strict=True) if fault), "")
            much = sum(info.file_size for info in infos) > limits.total_size
            return fault or (f"more than {limits.total_size:,} bytes unpacked" if much else "")
    except DAMAGE as error:
        return f"damaged zip ({reason_of(error)})"


def _lie(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str:
    """Reason why a member's declared size is wrong; "" if it is right, or the member is too small to unpack to much."""
    if info.compress_size <= MIB // _MOST_PACKED or info.flag_bits & 1:
        return ""
    unlimited = copy.copy(info)
    unlimited.file_size = sys.maxsize  # reading would end at the size that the zip names
    count = 0
    with archive.open(unlimited) as file:
        while block := file.read(MIB):
            count += len(block)
            if count > info.file_size:
                return "larger than the zip says"
    return ""


def _zip_members(
    file: IO[bytes],
    limits: Limits,
    wanted: Callable[[str], bool] = lambda name: True,
    progress: Callable[[int], None] = lambda count: None,
) -> Iterator[Member]:
    """Yields the wanted members of a zip, each read whole. Raises LimitError for an archive over the limits."""
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if len(infos) > limits.members:
            raise LimitError(f"more than {limits.members:,} members")
        total = 0
        for info in infos:
            if info.filename.endswith("/") or not wanted(info.filename):
                continue
            total += info.file_size
            if total > limits.total_size:
                raise LimitError(f"more than {limits.total_size:,} bytes unpacked")
            reason, data = tricky_path(info.filename), None
            if not reason and info.flag_bits & 1:
                reason = "protected by a password"
            reason = reason or _member_fault(info, limits)
            # Unix's file type is in the upper half of the attributes; 012 is a symbolic link.
            if not reason and (info.external_attr >> 16) & 0o170000 == 0o120000:
                reason = "a link, not a file"
            if not reason:
                try:
                    with archive.open(info) as opened:
                        data = opened.read(max(1, info.file_size))  # not more, whatever it unpacks to
                except DAMAGE as error:
                    reason = f"damaged ({reason_of(error)})"
            yield Member(info.filename, data, reason)
            progress(info.header_offset + info.compress_size)


def _member_fault(info: zipfile.ZipInfo, limits: Limits) -> str:
    """Reason why the size or compression ratio declared for a member exceeds a limit, "" if none does."""
    if info.file_size > limits.member_size:
        return f"{info.file_size:,} bytes, more than {limits.member_size:,}"
    if info.file_size > max(limits.ratio_from, limits.ratio * info.compress_size):
        return f"compressed more than {limits.ratio:,} to 1"
    return ""
