"""Outputs that exist whole or not at all: written aside, renamed on success; what killed programs
leave is swept."""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from indexer.files.errors import UserError, cannot_write
from indexer.files.messages import counted, info
from indexer.files.paths import is_special, is_stdout, output_fault

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


PREFIX = "classical-qa-temporary-"
_RANDOM = (
    "[a-z0-9_]" * 8
)  # how tempfile ends the name: no folder that a person made is taken for one of ours
_REPORTED = 20  # files by name: a submission holds the program's hundreds of modules
_LONGEST_NAME = 60  # characters, of at most 4 bytes: a name may have 255 bytes
NEW = 60  # seconds in which a folder may not have been locked yet


@contextmanager
def atomic_text(path: str | Path) -> Iterator[TextIO]:
    """Context manager with a UTF-8 text file (LF) that appears under its name only when the block
    succeeds, which is reported to the user; "-" is stdout.

    Missing folders are made. A link is kept and its target written; a device or pipe (`/dev/null`)
    is written directly. An existing file keeps its permissions. Half of a surrogate pair is written
    as an escape. Raises UserError if the path cannot be written or the disk is full.
    """
    if is_stdout(path):
        yield sys.stdout
        return
    with (
        _taking_place(path) as raw,
        io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "backslashreplace", "\n") as file,
    ):
        yield file
    info(f"wrote {path}")


def write_text(path: str | Path, text: str) -> None:
    """Writes a whole text: the file appears when all is written, which is reported; "-" is stdout.
    Missing folders are made, links kept. Raises UserError if the path cannot be written."""
    write_all([(path, text)])


def as_bytes(content: str | bytes) -> bytes:
    """Content as a file's bytes: text in UTF-8, half of a surrogate pair as an escape; bytes
    unchanged."""
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content


def write_all(files: Iterable[tuple[str | Path, str | bytes]]) -> None:
    """Writes files that belong together, given as (path, text or bytes): all get their names when
    all are written, or none.

    The first 20 are reported to the user by name, of more the number. Missing folders are made,
    links kept. "-" is stdout, written in its turn and not taken back. Raises UserError if a path
    cannot be written.
    """
    written = []
    with ExitStack() as stack:
        for path, content in files:
            data = as_bytes(content)
            if is_stdout(path):
                sys.stdout.flush()
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
                continue
            with io.BufferedWriter(stack.enter_context(_taking_place(path))) as file:
                file.write(data)
            written.append(path)
    for path in written[:_REPORTED]:
        info(f"wrote {path}")
    if (more := len(written) - _REPORTED) > 0:
        info(f"wrote {counted(more, 'more files')} beside them")


@contextmanager
def _taking_place(path: str | Path) -> Iterator[io.FileIO]:
    """Context manager with a temporary file beside the target that replaces it when the block
    succeeds; a special file (device, pipe) is opened itself. Missing folders are made; after an
    error the file and these folders are removed. What killed programs left beside it is deleted.

    Raises UserError if the path cannot be written.
    """
    fault = output_fault(path)
    if fault:
        raise UserError(f"{path}: {fault}")
    target = Path(os.path.realpath(path))
    if is_special(target):
        with _name_output_in_errors(path):
            device = _Output(target, "w")
        device.path = path
        yield device
        return
    # In the same folder: a rename is atomic inside one file system only.
    beginning = _hidden_name(target.name)
    aside = target.with_name(f"{beginning}.{os.getpid()}.part")
    new_folders = [folder for folder in target.parents if not folder.exists()]
    try:
        with _name_output_in_errors(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            # Remove what killed programs left of the file beside it.
            # An output `a` does not sweep those of `a.xml`, which may be written beside it.
            for leftover in target.parent.glob(f"{escape(beginning)}.*.part"):
                process = leftover.name.removesuffix(".part").rpartition(".")[2]
                if leftover.name != f"{beginning}.{process}.part":
                    continue
                with suppress(OSError):
                    if is_abandoned(leftover):
                        leftover.unlink()
            file = _Output(aside, "w")
            file.path = path
            lock(file.fileno())
        yield file
        with _name_output_in_errors(path):
            if target.exists():
                shutil.copymode(target, aside)
            aside.replace(target)
    except BaseException:
        aside.unlink(missing_ok=True)
        for folder in new_folders:
            with suppress(OSError):  # another output is in it
                folder.rmdir()
        raise


def _hidden_name(name: str) -> str:
    """How the name of a temporary file beside an output begins: the output's behind a full stop; of
    a name over 60 characters a hash and its last 40, so that the file system takes it."""
    if len(name) <= _LONGEST_NAME:
        return f".{name}"
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
    return f".{digest}{name[-40:]}"


@contextmanager
def _name_output_in_errors(path: str | Path) -> Iterator[None]:
    """Context manager that turns an OSError into a UserError that names the output `path`."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


class _Output(io.FileIO):
    """A file opened for writing whose errors name the output, `path`."""

    path: str | Path = ""

    def write(self, data: ReadableBuffer) -> int:
        with _name_output_in_errors(self.path):
            return super().write(data)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Context manager with a folder in TMPDIR, deleted at the end of the block. Folders that this
    user's killed programs left more than a minute ago are deleted first."""
    for folder in Path(tempfile.gettempdir()).glob(PREFIX + _RANDOM):
        with suppress(OSError):
            status = folder.lstat()
            if (
                status.st_uid == os.getuid()
                and time.time() - status.st_mtime > NEW
                and is_abandoned(folder)
            ):
                shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        opened = os.open(name, os.O_RDONLY)
        try:
            lock(opened)
            yield Path(name)
        finally:
            os.close(opened)


def lock(opened: int) -> None:
    """Marks an open file or folder as used by this process, until it is closed or the process ends;
    does nothing where it cannot be locked."""
    with suppress(OSError):  # where the file system has no locks nothing is swept either
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_abandoned(path: Path) -> bool:
    """Returns whether no process holds a lock on a working file or folder; False on a file system
    without locks.

    Raises OSError if it does not exist or is a link.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(opened)
    return True
