"""Files that are held in memory: readers find them by their paths, as if they were on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

_held: ContextVar[Mapping[Path, bytes]] = ContextVar("held", default=MappingProxyType({}))


@contextmanager
def held_files(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Context manager that makes `files` (path → content) readable under their paths, before files on disk."""
    before = _held.set({**_held.get(), **files})
    try:
        yield
    finally:
        _held.reset(before)


def held_content(path: str | Path) -> bytes | None:
    """The content of a file that is held in memory; None for any other path."""
    held = _held.get()
    return held.get(Path(path)) if held else None  # a Path is made only where something is held


def is_held_folder(path: Path) -> bool:
    """Whether files below this path are held in memory."""
    return any(path in file.parents for file in _held.get())


def files_below(folder: Path, pattern: str) -> list[Path]:
    """The files below a folder, on disk or in memory, whose names match a pattern (`*.xml`), sorted."""
    held = [file for file in _held.get() if folder in file.parents and file.match(pattern)]
    return sorted([*held, *folder.rglob(pattern)])
