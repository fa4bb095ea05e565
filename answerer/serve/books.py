"""The books of folders, indexed before the page is served."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from answerer.formats.question_file.read import is_quiz
from answerer.serve.served import Served
from indexer.address import index_name_of
from indexer.build import corpus_metadata
from indexer.engines.opening import builder_for
from indexer.files.encoding import QUESTION_LIMIT, read_whole
from indexer.files.errors import UserError, one_line
from indexer.files.messages import info, warn
from indexer.files.paths import what_stands_beside
from indexer.registry import ANALYSIS


def index_books(paths: Iterable[str | Path]) -> list[str]:
    """Indexes textbooks, each file under its own name, and returns the addresses of all of them.

    A path is a book, or a folder of books (one that does not exist has none), whose quizzes,
    READMEs and licences are left out with a note. A book whose index is there already, of that
    file's content and by this version's analysis, is not indexed again. A book that cannot be
    indexed is left out with a warning. No index of other files is replaced: the book's own is then
    called `NAME-2`, `NAME-3` and so on.
    """
    from indexer import build_textbook

    addresses = []
    for book, is_named in _books(paths):
        name, standing = _index_of(book)
        if standing is not None and _is_of_now(standing, book):
            addresses.append(name)
            continue
        if not is_named:
            what = what_stands_beside(book.name) and "it is a README or licence"
            what = what or ("it looks like a quiz" if _is_quiz(book) else "")
            if what:
                info(f"{book} is left out: {what} (name it with --books to index it)")
                continue
        info(f"indexing {book} as {name}")
        try:
            build_textbook(book, name)
        except UserError as error:
            warn(f"{book} is left out: {one_line(error).removeprefix(f'{book}: ')}")
            continue
        addresses.append(name)
    return addresses


def _is_quiz(file: Path) -> bool:
    """True for a file of questions; False for one that cannot be read, which is reported later."""
    try:
        return is_quiz(read_whole(file, QUESTION_LIMIT), file)
    except UserError:
        return False


def _books(paths: Iterable[str | Path]) -> Iterator[tuple[Path, bool]]:
    """Yields the paths in order: a file with True; of a folder the files right in it, by name and
    without hidden ones, with False; nothing of a path that does not exist."""
    for path in map(Path, paths):
        if path.is_dir():
            files = (file for file in path.iterdir() if file.is_file())
            for file in sorted(file for file in files if not file.name.startswith(".")):
                yield file, False
        elif path.exists():
            yield path, True


def _index_of(book: Path) -> tuple[str, dict[str, Any] | None]:
    """The name of a book's index (of its file name, with -2, -3 … where an index of other files
    has it), and the metadata of the index of the book's path there; None if the name is free."""
    name = index_name_of(book.name)
    for number in count(1):
        address = name if number == 1 else f"{name}-{number}"
        standing = builder_for(address).standing(address)
        if standing is None:
            return address, None
        paths = [os.path.abspath(path) for path, _ in standing.get("sources", ())]  # noqa: PTH100
        if standing.get("kind") == "textbook" and paths == [os.path.abspath(book)]:  # noqa: PTH100
            return address, standing
    raise AssertionError("unreachable")


def same_book(file: Path, language: str | None, served: Iterable[Served]) -> Served | None:
    """The textbook that is served already and has just the content of a file; None without one, and
    where its language is another than the one that is asked for."""
    content = corpus_metadata("textbook", (), None, [file]).content
    for index in served:
        if index.kind != "textbook" or language not in (None, index.language):
            continue
        with suppress(UserError):
            standing = builder_for(index.address).standing(index.address)
            if standing is not None and standing.get("content") == content:
                return index
    return None


def _is_of_now(standing: Mapping[str, Any], book: Path) -> bool:
    """True if an index was made of what a book's file holds now, by this version's analysis or one
    that it does not tell."""
    if standing.get("settings", {}).get("analysis") not in (None, ANALYSIS["textbook"]):
        return False
    return bool(standing.get("content") == corpus_metadata("textbook", (), None, [book]).content)
