"""Outputs that exist whole or not at all: written aside, renamed on success."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from indexer.files.errors import UserError


@contextmanager
def atomic_text(path: str | Path | None) -> Iterator[TextIO]:
    """A UTF-8 text file (LF) that takes its name only when the block ends well; None or "-" is stdout.

    UserError where the folder cannot be written.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    target = Path(path)
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = aside.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{target}: cannot be written ({error.strerror}); choose another -o") from error
    try:
        with file:
            yield file
        if target.is_dir():
            raise UserError(f"{target}: is a folder; name a file")
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
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(data)
        aside.replace(target)
    except OSError as error:
        raise UserError(f"{target}: cannot be written ({error.strerror}); choose another -o") from error
    finally:
        aside.unlink(missing_ok=True)
