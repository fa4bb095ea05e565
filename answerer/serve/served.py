"""The indexes that a server answers from, and which of them fits a question that names none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from indexer.address import engine_for, open_index
from indexer.files.errors import UserError
from indexer.languages.chinese import CHINESE
from indexer.languages.registry import LANGUAGES, detect_language

ASKED = ("textbook", "triples", "datasets")
"""The kinds of index that answer questions in plain words."""


class Served(NamedTuple):
    """An index by its address, which may hold a password, and as it is shown; its kind and language ("" of none)."""

    address: str
    shown: str
    kind: str
    language: str


def served(addresses: Sequence[str]) -> list[Served]:
    """The indexes at the addresses, each once; without any those of the usual names that are there.

    UserError where one cannot be opened, or where none is there.
    """
    found = [_served(address) for address in dict.fromkeys(addresses or _usual())]
    if not found:
        raise UserError(
            "there is no index to answer from: build one with `python -m indexer textbook FILE...`, "
            "or name one with --index"
        )
    return found


_BOOK = "index"  # the folder of a sent textbook's index, beside the file itself


def books_in(folder: Path) -> list[Served]:
    """The indexes of the textbooks that were sent to a server with this folder, by the names of their own folders."""
    found = sorted(one.parent for one in folder.glob(f"*/{_BOOK}"))
    return [_served(str(one / _BOOK))._replace(shown=one.name) for one in found]


def new_book(folder: Path, file_name: str) -> Path:
    """Makes a folder for a textbook, called after its file, and returns where its index goes."""
    name = re.sub(r"[\W_]+", "-", Path(file_name).stem.lower()).strip("-")[:60] or "book"
    number = 1
    while True:
        try:
            made = folder / (name if number == 1 else f"{name}-{number}")
            made.mkdir(parents=True)
            return made / _BOOK
        except FileExistsError:
            number += 1


def _usual() -> list[str]:
    names = [*(f"textbook-{code}" for code in LANGUAGES), "triples", "datasets"]
    return [name for name in names if engine_for(name).standing(name) is not None]


def _served(address: str) -> Served:
    index = open_index(address)
    try:
        language = index.metadata.language
        return Served(address, index.address, index.metadata.kind, language.code if language else "")
    finally:
        index.close()


def named(name: str, indexes: Sequence[Served]) -> Served:
    """The index that a request names. UserError, with the names there are, for another."""
    for one in indexes:
        if name in (one.shown, one.address):
            return one
    shown = ", ".join(one.shown for one in indexes)
    raise UserError(f"index {name!r} is not served here: choose one of {shown}")


def fitting(question: str, choices: Sequence[str], indexes: Sequence[Served]) -> Served:
    """The index of the question's language: a textbook, for Chinese without choices rather triples; else datasets.

    A server with one index answers from that one. UserError where none fits.
    """
    if len(indexes) == 1:
        return indexes[0]
    language = detect_language(question)
    wanted = [("textbook", language.code)]
    if not choices:
        wanted = [*([("triples", "zh")] if language == CHINESE else []), *wanted, ("datasets", "")]
    for kind, code in wanted:
        for one in indexes:
            if (one.kind, one.language if kind == "textbook" else code) == (kind, code):
                return one
    raise UserError(f"no index served here is a textbook in {language.name}: name an index")
