"""The indexes that a server answers from, and the choice among them for a question that names
none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import NamedTuple

from answerer.task import Task
from indexer.address import INDEX_NAME, Location, beside, locate
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError, one_line
from indexer.files.messages import warn
from indexer.languages.chinese import CHINESE
from indexer.languages.registry import detect_language

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


def fault_of(index: Served) -> str:
    """Why an index cannot be opened, "" if it can; a server has `HEALTH_SECONDS` to answer."""
    location = locate(index.address)
    try:
        if location.folder is not None:
            open_index(location).close()
        else:
            from indexer.engines import elasticsearch

            elasticsearch.open_index(location, HEALTH_SECONDS).close()
    except UserError as error:
        return one_line(error)
    return ""


def short_names(indexes: Sequence[Served]) -> list[str]:
    """The indexes as a person calls them, in order: by the ends of their addresses, where these
    differ."""
    ends = [index.shown.rstrip("/").rpartition("/")[2] for index in indexes]
    return [
        end if ends.count(end) == 1 else index.shown
        for index, end in zip(indexes, ends, strict=True)
    ]


def require_kind(task: Task, indexes: Sequence[Served]) -> list[Served]:
    """The indexes that a task can ask. Raises UserError if it needs one and none is served."""
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
        name if INDEX_NAME.fullmatch(name) else beside(somewhere, name).shown
        for name in builder_for(somewhere).names(somewhere)
    ]


def new_book(folder: Path, file_name: str, indexes: Sequence[Served] = ()) -> Path:
    """Creates a new folder in `folder` for a textbook, named after its file (with -2, -3 … if an
    index that is served, or another book, has the name), and returns the path for its index inside,
    beside the file itself."""
    taken = {name for index in indexes for name in (index.address, index.shown)}
    name = re.sub(r"[\W_]+", "-", Path(file_name).stem.lower()).strip("-")[:60] or "book"
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


def fitting(question: str, choices: Sequence[str], indexes: Sequence[Served]) -> Served:
    """The index to ask if a question names none: the only one served, else a textbook in the
    question's language, else datasets. For a Chinese question without choices a knowledge base
    (triples) comes first; with choices only a textbook fits. Raises UserError if none fits."""
    if not indexes:
        raise UserError(NO_BOOK)
    if len(indexes) == 1:
        return indexes[0]
    language = detect_language(question)
    kinds = ["textbook"]
    if not choices:
        kinds.append("datasets")
        if language == CHINESE:  # as NLPCC's knowledge base is
            kinds.insert(0, "triples")
    for kind in kinds:
        for index in indexes:
            if index.kind == kind and (kind != "textbook" or index.language == language.code):
                return index
    raise UserError(f"no index served here is a textbook in {language.name}: name an index")
