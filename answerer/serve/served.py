"""The indexes that a server answers from."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.task import Task
from indexer.address import Location, beside, index_name_of, is_index_name, locate
from indexer.engines.errors import TransientError
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError, one_line
from indexer.files.messages import warn

if TYPE_CHECKING:
    from indexer.engines.contract import Index

NO_BOOK = "Drop your textbook here first: there is no index to answer from yet"
HEALTH_SECONDS = 2.0  # whoever asks for the health waits a few seconds himself (Docker: 5 to 30)


class Served(NamedTuple):
    """An index: its address, which may contain a password, the name shown, its kind and its
    language ("" for none)."""

    address: str
    shown: str
    kind: str
    language: str


def find_indexes(addresses: Sequence[str | Location]) -> list[Served]:
    """Opens the index at each address (without addresses: every one that there is, those that
    cannot be opened left out with a warning), describes it and closes it; repeated addresses count
    once.

    Raises UserError if a named index cannot be opened.
    """
    served = []
    for location in dict.fromkeys(map(locate, addresses or every_address())):
        try:
            opened = open_index(location)
        except UserError as error:
            if addresses:
                raise
            warn(f"{location.shown} is not served: {one_line(error)}")
            continue
        with closing(opened) as index:
            language = index.metadata.language
            code = language.code if language else ""
            served.append(Served(location.address, index.address, index.metadata.kind, code))
    return served


class NotServed(UserError):  # noqa: N818 - what it says, not how it is raised
    """An index that was served and cannot be opened any more: removed, or of another version."""


def open_served(index: Served) -> Index:
    """Opens an index. Raises TransientError if its server is away, NotServed if it cannot be opened
    for another reason."""
    try:
        return open_index(locate(index.address))
    except TransientError:
        raise
    except UserError as error:
        raise NotServed(str(error)) from None


def fault_of(index: Served) -> UserError | None:
    """Why an index cannot be opened, None if it can. A TransientError is returned if its server is
    away, which has `HEALTH_SECONDS` (2) to answer."""
    location = locate(index.address)
    try:
        if location.folder is not None:
            open_index(location).close()
        else:
            from indexer.engines import elasticsearch

            elasticsearch.open_index(location, HEALTH_SECONDS).close()
    except UserError as error:
        return error
    return None


def short_names(indexes: Sequence[Served]) -> list[str]:
    """The indexes as a person calls them, in order: by the ends of their addresses, where these
    differ."""
    ends = [index.shown.rstrip("/").rpartition("/")[2] for index in indexes]
    return [
        end if ends.count(end) == 1 else index.shown
        for index, end in zip(indexes, ends, strict=True)
    ]


def require_kind(task: Task, indexes: Sequence[Served]) -> list[Served]:
    """The indexes that a task can ask, none for a task that asks no index. Raises UserError if it
    needs one and none of its kind is served."""
    if task.index == "textbook" and not indexes:
        raise UserError(NO_BOOK)
    askable = [index for index in indexes if index.kind == task.index]
    if task.index and not askable:
        raise UserError(f"{task.name} asks an index of the kind {task.index!r}, but none is served")
    return askable


def every_address() -> list[str]:
    """The addresses of all indexes in the usual place: names, or the paths of folders that no name
    leads to."""
    somewhere = locate("any")
    return [
        name if is_index_name(name) else beside(somewhere, name).shown
        for name in builder_for(somewhere).names(somewhere)
    ]


def new_book(folder: Path, file_name: str, indexes: Sequence[Served] = ()) -> Path:
    """Creates a new folder in `folder` for a textbook, named after its file (with -2, -3 … if an
    index that is served, or another book, has the name), and returns the path for its index inside,
    beside the file itself."""
    taken = {name for index in indexes for name in (index.address, index.shown)}
    name = index_name_of(file_name)
    for number in count(1):
        book = folder / (name if number == 1 else f"{name}-{number}")
        if book.name in taken:
            continue
        try:
            # mkdir fails if the folder is there: two uploads of one name at the same time cannot
            # get the same folder.
            book.mkdir(parents=True)
            return book / "index"
        except FileExistsError:
            continue
    raise AssertionError("unreachable")
