"""What a program gives in the place of files, written to passing files as it comes: nothing of it is held."""

from __future__ import annotations

import hashlib
import io
import json
import math
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from indexer.files.atomic import as_bytes, temporary_folder
from indexer.files.errors import UserError
from indexer.formats.table_rows import CELL_MARK, ROW_MARK

Documents = Iterable[Mapping[str, Any]]
"""Texts as mappings: `text`, and where there are some `title` and `id` (or, as elsewhere, `doc_id` or `docno`)."""

Triples = Iterable[tuple[str, str, str]]
"""Facts: subject, predicate, object."""

Tables = Iterable[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
"""Tables: caption, names of the columns, rows of cells ."""

Datasets = Iterable[Mapping[str, Any]]
"""Data sets as mappings: `id`, `files` (a mapping of names to bytes or text), where there are some `title` and
`description`."""

_IDS = ("id", "doc_id", "docno")


class Passing(NamedTuple):
    """Passing files, and what tells their content from any other: what an index calls them."""

    paths: list[str]
    named: str


@contextmanager
def passing_lines(given: object, line: Callable[[Any, int], str], file_name: str) -> Iterator[Passing]:
    """Each of the given as a line of a passing file; `line` gets its number too, counted from 1.

    UserError for nothing at all; the kind of thing is what the file is called before its dot.
    """
    kind = file_name.partition(".")[0]
    digest, number = hashlib.sha256(), 0
    with temporary_folder() as folder:
        path = folder / file_name
        with path.open("wb") as file:
            for number, one in enumerate(_iterated(given, kind), 1):
                written = as_bytes(line(one, number) + "\n")
                digest.update(written)
                file.write(written)
        if not number:
            raise UserError(f"no {kind}: expected one or more")
        yield Passing([str(path)], f"{kind} {digest.hexdigest()[:12]}")


@contextmanager
def passing_datasets(given: object) -> Iterator[Passing]:
    """Data sets as a collection and an archive; files are called as in official ones, by the hash of their content."""
    with (
        temporary_folder() as folder,
        tarfile.open(f"{folder}/data.tar", "w", errors="backslashreplace") as archive,
    ):
        held: set[str] = set()

        def line(dataset: Any, number: int) -> str:
            files = _checked(dataset, number)
            names = [f"{hashlib.sha256(data).hexdigest()}-{name}" for name, data in files]
            for name, (_, data) in zip(names, files, strict=True):
                if name[:64] not in held:
                    held.add(name[:64])
                    member = tarfile.TarInfo(name)
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))
            texts = {
                key: "" if _lacks(dataset.get(key)) else str(dataset[key]) for key in ("id", "title", "description")
            }
            return json.dumps({**texts, "data": [{"data_filename": name} for name in names]}, ensure_ascii=False)

        with passing_lines(given, line, "datasets.jsonl") as collection:
            archive.close()
            yield Passing([*collection.paths, f"{folder}/data.tar"], collection.named)


def _checked(dataset: object, number: int) -> list[tuple[str, bytes]]:
    """The files of a data set. UserError for what is none."""
    if not isinstance(dataset, Mapping) or not dataset.get("id") or not isinstance(dataset.get("files"), Mapping):
        raise UserError(f"dataset {number}: expected a mapping with an id and files (names with their content)")
    files = []
    for name, content in dataset["files"].items():
        if not isinstance(content, str | bytes):
            raise UserError(f"dataset {number}: {name}: expected its content, bytes or text")
        files.append((str(name), as_bytes(content)))
    return files


def text_line(document: object, number: int) -> str:
    """A document as a line of JSON. UserError for one without a text."""
    if not isinstance(document, Mapping) or not isinstance(document.get("text"), str):
        raise UserError(f"document {number}: expected a mapping with a text (files are named in a list of their own)")
    own_id = next((document[name] for name in _IDS if not _lacks(document.get(name))), None)
    title = document.get("title")
    record = {"title": "" if _lacks(title) else str(title), "text": document["text"]}
    return json.dumps(record if own_id is None else {"id": str(own_id), **record}, ensure_ascii=False)


def triple_line(triple: object, number: int) -> str:
    """A fact as a line; line breaks inside become blanks. UserError for what is none, or holds the separator."""
    parts = tuple(triple) if isinstance(triple, Sequence) and not isinstance(triple, str) else ()
    if len(parts) != 3 or not all(isinstance(one, str) and one.strip() for one in parts):
        raise UserError(f"triple {number}: expected three texts, subject, predicate and object")
    if any("|||" in one for one in parts[:2]):
        raise UserError(f"triple {number}: `|||` in its subject or predicate, which is what separates them in files")
    return " ||| ".join(" ".join(one.split()) for one in parts)


def table_line(table: object, number: int) -> str:
    """A table as a line of TBQA. UserError for what is none, and for a cell that holds a mark of cells."""
    caption, header, rows = table if isinstance(table, Sequence) and len(table) == 3 else (None, None, None)
    lines: list[Any] = [header, *rows] if isinstance(rows, Iterable) else [None]
    if isinstance(table, str) or not all(isinstance(line, Iterable) and not isinstance(line, str) for line in lines):
        raise UserError(f"table {number}: expected a caption, names of columns, and rows of cells")
    cells = [[_cell(cell, number) for cell in line] for line in lines]
    joined = [CELL_MARK.join(row) for row in cells]
    return "\t".join(("a table", _cell(caption, number), joined[0], ROW_MARK.join(joined[1:])))


def _lacks(value: object) -> bool:
    """Whether a value is what stands for none: None, or the NaN that pandas has for it."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _cell(value: object, number: int) -> str:
    text = "" if _lacks(value) else " ".join(str(value).split())
    if CELL_MARK in text or ROW_MARK in text:
        raise UserError(f"table {number}: {CELL_MARK} or {ROW_MARK} in a cell, which is what separates cells in files")
    return text


def _iterated(given: object, kind: str) -> Iterable[object]:
    if not isinstance(given, Iterable):
        raise UserError(f"{given!r}: expected files, or {kind} one by one")
    return given
