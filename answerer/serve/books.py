"""The books of folders, indexed before the page is served."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from indexer.address import builder_for
from indexer.files.errors import UserError, one_line
from indexer.files.messages import info, warn
from indexer.registry import ANALYSIS


def index_books(paths: Iterable[str | Path]) -> list[str]:
    """Indexes textbooks, each file under its own name, and returns the addresses of all of them.

    A path is a book, or a folder of books (one that does not exist has none). A book whose index is
    there already, of a file of that path and size and by this version's analysis, is not indexed
    again. A book that cannot be indexed is left out with a warning.
    """
    from indexer import build_textbook

    addresses = []
    for book in _books(paths):
        name = index_name(book)
        if _is_indexed(name, book):
            addresses.append(name)
            continue
        info(f"indexing {book} as {name}")
        try:
            build_textbook(book, name, replace=True)
        except UserError as error:
            warn(f"{book} is left out: {one_line(error)}")
            continue
        addresses.append(name)
    return addresses


def index_name(book: Path) -> str:
    """The name of a book's index: its file's name in small letters and digits, a letter first."""
    name = re.sub(r"[^a-z0-9]+", "-", book.stem.lower()).strip("-")[:60]
    return name if name[:1].isalpha() else f"book-{name}".rstrip("-")


def _books(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The files among paths and in their folders, in the order of their names, hidden ones left
    out."""
    for path in map(Path, paths):
        if path.is_dir():
            files = (file for file in path.iterdir() if file.is_file())
            yield from sorted(file for file in files if not file.name.startswith("."))
        elif path.exists():
            yield path


def _is_indexed(name: str, book: Path) -> bool:
    """True if the index of a name was made of this file by this version's analysis."""
    standing = builder_for(name).standing(name)
    if standing is None or standing.get("kind") != "textbook":
        return False
    if standing.get("settings", {}).get("analysis") not in (None, ANALYSIS["textbook"]):
        return False
    sources = [(os.path.abspath(path), size) for path, size in standing.get("sources", ())]  # noqa: PTH100
    return sources == [(os.path.abspath(book), book.stat().st_size)]  # noqa: PTH100
