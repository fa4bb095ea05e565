"""Outputs that exist whole or not at all: written aside, renamed on success."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from indexer.files.errors import UserError


def is_special(target: Path) -> bool:
    """Whether the path names a device or a pipe, which a renamed file would replace."""
    return target.exists() and not target.is_file() and not target.is_dir()


@contextmanager
def atomic_text(path: str | Path | None) -> Iterator[TextIO]:
    """A UTF-8 text file (LF) that takes its name only when the block ends well; None or "-" is stdout.

    A device or a pipe (`/dev/null`) is written straight to. UserError where the folder cannot be written.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    target = Path(path)
    if is_special(target):
        with target.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    if target.is_dir():
        raise UserError(f"{target}: is a folder; name a file")
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = aside.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{target}: cannot be written ({error.strerror}); choose another -o") from error
    try:
        with file:
            yield file
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)


def write_text(path: str | Path | None, text: str) -> None:
    """Write a whole text at once, as `atomic_text` does."""
    with atomic_text(path) as file:
        file.write(text)


def write_bytes(path: str | Path | None, data: bytes) -> None:
    """Write whole bytes at once, for files that keep an encoding of their own; None or "-" is stdout."""
    if path is None or str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if is_special(target):
            target.write_bytes(data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(data)
        aside.replace(target)
    except OSError as error:
        raise UserError(f"{target}: cannot be written ({error.strerror}); choose another -o") from error
    finally:
        aside.unlink(missing_ok=True)
