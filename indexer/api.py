"""Indexes built from Python: of files as the commands take them, or of documents that a program
has."""

from __future__ import annotations

import gc
import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Literal, TypedDict, Unpack, cast

from indexer.address import locate
from indexer.build import BuildOptions, BuiltIndex
from indexer.files.atomic import as_bytes
from indexer.files.errors import DISK_FULL, WORKING_FILE, UserError, cannot_write
from indexer.files.inputs import MemoryFile
from indexer.files.paths import output_fault, require_input
from indexer.files.validation import (
    FileName,
    validate_choice,
    validate_count,
    validate_path,
    validate_plain_text,
)
from indexer.languages.registry import language_named
from indexer.registry import SOURCES

# Records that a program has, in the place of files, become files in memory: a build reads its
# sources three times, for the language, for the hash of their content, and to index them.

Documents = Iterable[Mapping[str, Any]]
"""Texts as mappings: `text`, and where there are some `title` and `id` (or, as elsewhere, `doc_id`
or `docno`)."""

Triples = Iterable[tuple[str, str, str]]
"""Facts: subject, predicate, object."""

Tables = Iterable[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
"""Tables: caption, names of the columns, rows of cells ."""

Datasets = Iterable[Mapping[str, Any]]
"""Data sets as mappings: `id`, `files` (a mapping of names to bytes or text), where there are some
`title` and `description`."""


def records_file(
    records: object, make_line: Callable[[Any, int], str], file_name: str
) -> list[MemoryFile]:
    """Records as a file in memory, one line each; `make_line(record, number)` makes a record's
    line, number from 1. Raises UserError if `records` is not iterable or is empty."""
    kind = file_name.partition(".")[0]
    if not isinstance(records, Iterable):
        raise UserError(f"{records!r}: expected files, or {kind} one by one")
    content = b"".join(
        as_bytes(f"{make_line(record, number)}\n") for number, record in enumerate(records, 1)
    )
    if not content:
        raise UserError(f"no {kind}: expected one or more")
    return [MemoryFile(file_name, content)]


def datasets_files(records: object) -> list[MemoryFile]:
    """Data sets as a collection (JSON lines) and a tar archive in memory.

    Member files are named SHA256-NAME, as in the official archives; of files with the same content
    only the first is stored. Raises UserError for no data sets, and for one without an id, or
    without files given as a mapping (it may be empty) from name to bytes or text.
    """
    data, digests = io.BytesIO(), set[str]()

    def line(dataset: Any, number: int) -> str:
        """JSON line of a data set with the names of its files, which are added to the archive;
        `number` (from 1) is for errors."""
        fits = (
            isinstance(dataset, Mapping)
            and dataset.get("id")
            and isinstance(dataset.get("files"), Mapping)
        )
        if not fits:
            raise UserError(
                f"dataset {number}: expected a mapping with an id and files (names with their "
                f"content)"
            )
        names = []
        for name, content in dataset["files"].items():
            if not isinstance(content, str | bytes):
                raise UserError(f"dataset {number}: {name}: expected its content, bytes or text")
            file = as_bytes(content)
            digest = hashlib.sha256(file).hexdigest()
            names.append(f"{digest}-{name}")
            if digest not in digests:
                digests.add(digest)
                member = tarfile.TarInfo(names[-1])
                member.size = len(file)
                archive.addfile(member, io.BytesIO(file))
        texts = {key: _text(dataset.get(key)) for key in ("id", "title", "description")}
        return json.dumps(
            {**texts, "data": [{"data_filename": name} for name in names]}, ensure_ascii=False
        )

    with tarfile.open(fileobj=data, mode="w", errors="backslashreplace") as archive:
        collection = records_file(records, line, "datasets.jsonl")
    return [*collection, MemoryFile("data.tar", data.getvalue())]


def text_line(document: object, number: int) -> str:
    """JSON line `{"id": …, "title": …, "text": …}` of a document; its id is the first of `id`,
    `doc_id`, `docno` that is not empty, left out without one, its title may be "". `number` (from
    1) is for errors. Raises UserError for a document whose `text` is not a string."""
    if not isinstance(document, Mapping) or not isinstance(document.get("text"), str):
        raise UserError(
            f"document {number}: expected a mapping with a text (files need a separate list)"
        )
    ids = [text for name in ("id", "doc_id", "docno") if (text := _text(document.get(name)))]
    record = {"title": _text(document.get("title")), "text": document["text"]}
    return json.dumps({"id": ids[0], **record} if ids else record, ensure_ascii=False)


def triple_line(triple: object, number: int) -> str:
    """Line `subject ||| predicate ||| object` of a triple, runs of white space as one blank;
    `number` (from 1) is for errors.

    Raises UserError if it is not a sequence of three strings that are not blank, or if its subject
    or predicate contains `|||`.
    """
    parts = tuple(triple) if isinstance(triple, Sequence) and not isinstance(triple, str) else ()
    if len(parts) != 3 or not all(isinstance(part, str) and part.strip() for part in parts):
        raise UserError(f"triple {number}: expected three texts, subject, predicate and object")
    if any("|||" in part for part in parts[:2]):
        raise UserError(
            f"triple {number}: `|||` in its subject or predicate, the separator in files"
        )
    return " ||| ".join(" ".join(part.split()) for part in parts)


def table_line(table: object, number: int) -> str:
    """TBQA line of a table `(caption, column names, rows of cells)`: `a table` and these three
    fields, tab-separated, white space folded, cells that are None or NaN empty; rows may differ in
    length. `number` (from 1) is for errors.

    Raises UserError if it is not such a triple, or if a text contains a cell or row separator.
    """
    from indexer.formats.table_rows import CELL_MARK, ROW_MARK

    caption, header, rows = (
        table if isinstance(table, Sequence) and len(table) == 3 else (None, None, None)
    )
    lines: list[Any] = [header, *rows] if isinstance(rows, Iterable) else [None]
    if isinstance(table, str) or not all(
        isinstance(line, Iterable) and not isinstance(line, str) for line in lines
    ):
        raise UserError(f"table {number}: expected a caption, names of columns, and rows of cells")
    cells = [[" ".join(_text(cell).split()) for cell in line] for line in ([caption], *lines)]
    if any(mark in cell for row in cells for cell in row for mark in (CELL_MARK, ROW_MARK)):
        what = f"{CELL_MARK} or {ROW_MARK} in a cell, the separator in files"
        raise UserError(f"table {number}: {what}")
    title, names, *body = map(CELL_MARK.join, cells)
    return "\t".join(("a table", title, names, ROW_MARK.join(body)))


def _text(value: object) -> str:
    """A value as text, "" for a missing one: None, or pandas's NaN."""
    return "" if value is None or value != value else str(value)


Files = FileName | Sequence[FileName]


class BuildSettings(TypedDict, total=False):
    """The options of every build, as the commands have them."""

    rejects: FileName | None
    allow_rejects: bool
    replace: bool
    jobs: int
    shards: int | None
    replicas: int | None


def _options(
    rejects: FileName | None = None,
    allow_rejects: bool = False,
    replace: bool = False,
    jobs: int = 1,
    shards: int | None = None,
    replicas: int | None = None,
) -> BuildOptions:
    """The options of a build: file for rejected records, whether any number of them is accepted,
    whether another index is replaced, number of processes, shards and replicas (Elasticsearch).
    Raises UserError for a number out of range, and for a file that cannot be written."""
    if rejects is not None:
        rejects = validate_path(rejects, "rejects")
        if fault := output_fault(rejects):
            raise UserError(f"rejects {rejects}: {fault}")
    return BuildOptions(
        rejects=rejects,
        allow_rejects=allow_rejects,
        replace=replace,
        jobs=validate_count(jobs, "jobs"),
        shards=None if shards is None else validate_count(shards, "shards"),
        replicas=None if replicas is None else validate_count(replicas, "replicas", 0),
    )


def build_textbook(
    texts: Files | Documents,
    index: FileName | None = None,
    *,
    language: str | None = None,
    unit: Literal["sentence", "paragraph"] | None = None,
    terms: Files | None = None,
    without: FileName | None = None,
    names: bool | None = None,
    whole_text: bool = False,
    source_type: str | None = None,
    **options: Unpack[BuildSettings],
) -> BuiltIndex:
    """Builds an index of running text at an address, by default `textbook-LANGUAGE`, and returns
    its address, metadata and record counts.

    `texts` are files (patterns such as `books/*.txt` too), or an iterable of documents `{"id": …,
    "title": …, "text": …}`, which is read once and held in memory. Without `language` that of the
    texts is detected, a `unit` is a sentence. Options are the command's, by their long names:
    `language="en"`, `terms="glossary.csv"`, `unit="paragraph"`, `names=False`, `jobs=2`,
    `replace=True`. Raises UserError for what the command would refuse; nothing is then left behind.
    """
    from indexer.sources.textbook.passages import textbook_files

    values = {
        "language": language_named(language),
        "unit": None if unit is None else validate_choice(unit, ("sentence", "paragraph"), "unit"),
        "terms": _inputs(terms, "terms", ("*.csv",)),
        "without": _input(without, "without"),
        "with_names": names,
        "whole_text": whole_text,
        "source_type": None
        if source_type is None
        else validate_plain_text(source_type, "source_type"),
        "options": _options(**options),
    }
    files, in_memory = (
        _files(texts),
        partial(records_file, make_line=text_line, file_name="documents.jsonl"),
    )
    return _build("textbook", index, values, textbook_files(files) if files else texts, in_memory)


def build_collection(
    records: Files | Documents,
    index: FileName = "collection",
    *,
    language: str | None = None,
    **options: Unpack[BuildSettings],
) -> BuiltIndex:
    """Builds an index of a test collection, whose documents keep their ids: files and folders as
    the command takes them, or an iterable of mappings with `id` (`_id`, `docid`, `docno`,
    `doc_id`), `text` (`contents`, `body`) and where there is one `title`, read once and not held in
    memory. Options and errors are the command's (`language="en"`)."""
    from indexer.sources.collection.build import build_records

    checked = _options(**options)
    if (files := _files(records)) is not None:
        values = {"ir_dataset": None, "language": language_named(language), "options": checked}
        return _build("collection", index, values, files, None, inside=("**",))
    if not isinstance(records, Iterable):
        raise UserError(f"{records!r}: expected files, or documents one by one")
    return build_records(
        cast("Documents", records), _address(index), language_named(language), checked
    )


def build_triples(
    kb: FileName | Triples,
    index: FileName = "triples",
    *,
    mentions: FileName | None = None,
    **options: Unpack[BuildSettings],
) -> BuiltIndex:
    """Builds an index of a knowledge base: a file of lines `subject ||| predicate ||| object`, or
    an iterable of triples of strings. Options and errors are the command's
    (`mentions="mentions.txt"`); returns address, metadata and record counts."""
    in_memory = partial(records_file, make_line=triple_line, file_name="triples.kb")
    values = {"mentions": _input(mentions, "mentions")}
    return _build(
        "triples",
        index,
        {**values, "options": _options(**options)},
        kb,
        in_memory,
    )


def build_tables(
    tables: Files | Tables,
    index: FileName = "tables",
    *,
    language: str | None = None,
    **options: Unpack[BuildSettings],
) -> BuiltIndex:
    """Builds an index of tables: NLPCC TBQA files, or an iterable of tables (caption, column names,
    rows of cells). Options and errors are the command's; `language` is by default English ("en").
    Returns address, metadata and record counts."""
    in_memory = partial(records_file, make_line=table_line, file_name="tables.txt")
    values = {
        "language": language_named(language or "en"),
        "options": _options(**options),
    }
    return _build("tables", index, values, tables, in_memory)


def build_datasets(
    datasets: Files | Datasets,
    index: FileName = "datasets",
    *,
    only: FileName | None = None,
    **options: Unpack[BuildSettings],
) -> BuiltIndex:
    """Builds an index of open data: collections (JSON lines) and archives, or an iterable of data
    sets as mappings `{"id": …, "title": …, "description": …, "files": {"prices.csv": bytes or
    text}}`. Options and errors are the command's (`only="questions.tsv"`); returns address,
    metadata and record counts."""
    values = {
        "only": _input(only, "only"),
        "options": _options(**options),
    }
    return _build("datasets", index, values, datasets, datasets_files)


def build_reports(
    reports: Files,
    index: FileName = "reports",
    **options: Unpack[BuildSettings],
) -> BuiltIndex:
    """Builds an index of Japanese securities reports, one document for each table: folders or
    archives of EDINET's HTML. Options and errors are the command's; returns address, metadata and
    record counts."""
    values = {"options": _options(**options)}
    return _build("reports", index, values, reports, None, inside=("**/*.html", "**/*.htm"))


def _build(
    kind: str,
    index: FileName | None,
    values: Mapping[str, object],
    source: object,
    in_memory: Callable[[object], list[MemoryFile]] | None,
    inside: tuple[str, ...] = (),
) -> BuiltIndex:
    """Builds an index of a kind at the address `index` (None: by default) from files, or from a
    program's records, which `in_memory` makes files (None: only files are taken).

    `values` are the further arguments of the kind's `build`. A folder counts as an input file if it
    holds one that matches a pattern of `inside`. The thresholds of Python's garbage collection are
    restored. Raises UserError for what is neither files nor records, a file that cannot be read,
    what is not an index address, a full disk, and what the kind's `build` refuses.
    """
    module = import_module(SOURCES[kind][0])
    address = None if index is None else _address(index)
    files: Sequence[str] | None = _files(source)
    if files is None and in_memory is None:
        raise UserError(f"{source!r}: expected files")
    before = gc.get_threshold()
    try:
        for path in files or ():
            require_input(path, "a file", inside)
        if in_memory is not None and files is None:
            files = in_memory(source)
        return cast(BuiltIndex, module.build(files, address=address, **values))
    except OSError as error:
        if error.errno in DISK_FULL:
            raise cannot_write(error.filename or WORKING_FILE, error) from error
        raise
    finally:
        gc.set_threshold(*before)


def _files(texts: object) -> list[str] | None:
    """Paths as strings if `texts` is a path or a non-empty sequence of paths only; None otherwise:
    for records, an iterator, an empty sequence."""
    if isinstance(texts, str | os.PathLike):
        return [os.fspath(texts)]
    if (
        isinstance(texts, Sequence)
        and texts
        and all(isinstance(path, str | os.PathLike) for path in texts)
    ):
        return [os.fspath(path) for path in texts]
    return None


def _address(index: FileName) -> str:
    """The address of the index to build, as text; a path object without a slash is the folder
    `./NAME`. Raises UserError for what is not an address."""
    path = validate_path(index, "index")
    address = path if isinstance(index, str) or "/" in path else f"./{path}"
    locate(address)  # raises UserError for what is not an address
    return address


def _inputs(paths: Files | None, label: str, inside: tuple[str, ...] = ()) -> list[str]:
    """The paths of the option `label` as text, none for None or an empty sequence. Raises UserError
    for what is not a path, and for one that cannot be read; a folder may be given if it holds a
    file of one of the patterns `inside`."""
    if paths is None:
        return []
    files = _files(paths)
    if files is None and paths != () and paths != []:
        raise UserError(f"{label}: {paths!r} is not a valid path")
    for path in files or ():
        require_input(path, label, inside)
    return files or []


def _input(path: FileName | None, label: str) -> str | None:
    """The path of the option `label` as text; None for None. Raises UserError for what is not one
    path, and for a file that cannot be read."""
    if path is None:
        return None
    require_input(file := validate_path(path, label), label)
    return file
