"""The books of folders, indexed before the page is served."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from indexer.build import corpus_metadata
from indexer.engines.opening import builder_for
from indexer.files.errors import UserError, one_line
from indexer.files.messages import info, warn
from indexer.registry import ANALYSIS


def index_books(paths: Iterable[str | Path]) -> list[str]:
    """Indexes textbooks, each file under its own name, and returns the addresses of all of them.

    A path is a book, or a folder of books (one that does not exist has none). A book whose index is
    there already, of that file's content and by this version's analysis, is not indexed again. A
    book that cannot be indexed is left out with a warning. No index of other files is replaced: the
    book's own is then called `NAME-2`, `NAME-3` and so on.
    """
    from indexer import build_textbook

    addresses = []
    for book in _books(paths):
        name, standing = _index_of(book)
        if standing is not None and _is_of_now(standing, book):
            addresses.append(name)
            continue
        info(f"indexing {book} as {name}")
        try:
            build_textbook(book, name)
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


def _index_of(book: Path) -> tuple[str, dict[str, Any] | None]:
    """The name of a book's index, and the stored metadata of the index that it has there; None if
    the name is free."""
    name = index_name(book)
    for number in count(1):
        address = name if number == 1 else f"{name}-{number}"
        standing = builder_for(address).standing(address)
        if standing is None:
            return address, None
        paths = [os.path.abspath(path) for path, _ in standing.get("sources", ())]  # noqa: PTH100
        if standing.get("kind") == "textbook" and paths == [os.path.abspath(book)]:  # noqa: PTH100
            return address, standing
    raise AssertionError("unreachable")


def _is_of_now(standing: Mapping[str, Any], book: Path) -> bool:
    """True if an index was made of what a book's file holds now, by this version's analysis."""
    if standing.get("settings", {}).get("analysis") not in (None, ANALYSIS["textbook"]):
        return False
    return bool(standing.get("content") == corpus_metadata("textbook", (), None, [book]).content)
