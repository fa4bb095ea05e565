"""Working files that no killed program leaves for good: each is locked while it is used, and the next run sweeps."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "classical-qa-"
NEW = 60  # seconds in which a folder may not have been locked yet


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder in TMPDIR for as long as the block lasts. Those of this user's killed programs are removed first."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            if found.st_uid == os.getuid() and time.time() - found.st_mtime > NEW and is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        opened = os.open(name, os.O_RDONLY)
        try:
            lock(opened)
            yield Path(name)
        finally:
            os.close(opened)


def lock(opened: int) -> None:
    """Marks an open file or folder as used by this process, until it is closed or the process ends."""
    with suppress(OSError):  # where the file system has no locks nothing is swept either
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_abandoned(path: Path) -> bool:
    """Whether no process has a working file or folder locked; links are not followed. OSError where it is gone."""
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(opened)
    return True
