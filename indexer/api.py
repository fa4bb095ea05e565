"""Indexes built from Python: of files as the commands take them, or of documents that a program has."""

from __future__ import annotations

import gc
import hashlib
import io
import json
import math
import os
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack

from indexer.engines.contract import Metadata
from indexer.engines.metadata import describe
from indexer.files.atomic import as_bytes, temporary_folder
from indexer.files.errors import DISK_FULL, WORKING_FILE, UserError, cannot_write
from indexer.files.validation import validate_path
from indexer.location import without_passwords
from indexer.paths import require_input

if TYPE_CHECKING:
    import click

    from indexer.ingest_report import IngestReport

# Result of a build in Python: the index that is now at an address, and what became of the records.


@dataclass(frozen=True, repr=False)
class Index:
    """An index that was built: a record to pass on, not an open index (`retriever.open_index` opens it).

    `read` records were read, `rejected` of them are not used; the first few of these are in `examples`.
    """

    address: str
    metadata: Metadata
    read: int
    rejected: int
    examples: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`textbook`, `triples`, `tables`, `datasets` or `reports`."""
        return self.metadata.kind

    @property
    def language(self) -> str | None:
        """The code of its language; None where its documents have each their own."""
        return self.metadata.language.code if self.metadata.language else None

    @property
    def documents(self) -> Mapping[str, int]:
        """Number of documents each of its parts holds."""
        return self.metadata.documents

    @property
    def used(self) -> int:
        """Number of the records read that are used."""
        return self.read - self.rejected

    def __repr__(self) -> str:
        return describe(without_passwords(self.address), self.metadata)


def built(address: str, metadata: Metadata, tally: IngestReport) -> Index:
    """The record of a build that has ended well."""
    return Index(address, metadata, tally.read, tally.rejected, tuple(tally.examples))


# In-memory sources in the place of files, written to passing files one by one: they are never held.

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
    """Files through which in-memory records pass to a build, and a hash of their content, by which the index names its
    source."""

    paths: list[str]
    named: str


@contextmanager
def passing_lines(given: object, line: Callable[[Any, int], str], file_name: str) -> Iterator[Passing]:
    """Yields each item as a line of a passing file; `line` gets its number too, counted from 1.

    UserError for nothing at all; the kind of thing is what the file is called before its dot.
    """
    kind = file_name.partition(".")[0]
    digest, number = hashlib.sha256(), 0
    with temporary_folder() as folder:
        path = folder / file_name
        with path.open("wb") as file:
            if not isinstance(given, Iterable):
                raise UserError(f"{given!r}: expected files, or {kind} one by one")
            for number, one in enumerate(given, 1):
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
            files = _check_dataset(dataset, number)
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


def _check_dataset(dataset: object, number: int) -> list[tuple[str, bytes]]:
    """The files of a data set as (name, content). Raises UserError if it is not a data set."""
    if not isinstance(dataset, Mapping) or not dataset.get("id") or not isinstance(dataset.get("files"), Mapping):
        raise UserError(f"dataset {number}: expected a mapping with an id and files (names with their content)")
    files = []
    for name, content in dataset["files"].items():
        if not isinstance(content, str | bytes):
            raise UserError(f"dataset {number}: {name}: expected its content, bytes or text")
        files.append((str(name), as_bytes(content)))
    return files


def text_line(document: object, number: int) -> str:
    """A document as a line of JSON. Raises UserError for one without a text."""
    if not isinstance(document, Mapping) or not isinstance(document.get("text"), str):
        raise UserError(f"document {number}: expected a mapping with a text (files are named in a list of their own)")
    own_id = next((document[name] for name in _IDS if not _lacks(document.get(name))), None)
    title = document.get("title")
    record = {"title": "" if _lacks(title) else str(title), "text": document["text"]}
    return json.dumps(record if own_id is None else {"id": str(own_id), **record}, ensure_ascii=False)


def triple_line(triple: object, number: int) -> str:
    """A fact as a line of a knowledge base; line breaks inside become blanks. Raises UserError if it is not a triple of
    texts, or if a text holds the separator."""
    parts = tuple(triple) if isinstance(triple, Sequence) and not isinstance(triple, str) else ()
    if len(parts) != 3 or not all(isinstance(one, str) and one.strip() for one in parts):
        raise UserError(f"triple {number}: expected three texts, subject, predicate and object")
    if any("|||" in one for one in parts[:2]):
        raise UserError(f"triple {number}: `|||` in its subject or predicate, which is what separates them in files")
    return " ||| ".join(" ".join(one.split()) for one in parts)


def table_line(table: object, number: int) -> str:
    """A table as a line of TBQA. Raises UserError if it is not a table, or if a cell holds a mark that separates
    cells."""
    caption, header, rows = table if isinstance(table, Sequence) and len(table) == 3 else (None, None, None)
    lines: list[Any] = [header, *rows] if isinstance(rows, Iterable) else [None]
    if isinstance(table, str) or not all(isinstance(line, Iterable) and not isinstance(line, str) for line in lines):
        raise UserError(f"table {number}: expected a caption, names of columns, and rows of cells")
    from indexer.formats.table_rows import CELL_MARK, ROW_MARK

    cells = [[_cell(cell, number) for cell in line] for line in lines]
    joined = [CELL_MARK.join(row) for row in cells]
    return "\t".join(("a table", _cell(caption, number), joined[0], ROW_MARK.join(joined[1:])))


def _lacks(value: object) -> bool:
    """Returns whether a value means a missing one: None, or pandas's NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _cell(value: object, number: int) -> str:
    """A cell's text, blanks folded, "" for a missing value. Raises UserError for one with a mark that separates
    cells."""
    from indexer.formats.table_rows import CELL_MARK, ROW_MARK

    text = "" if _lacks(value) else " ".join(str(value).split())
    if CELL_MARK in text or ROW_MARK in text:
        raise UserError(f"table {number}: {CELL_MARK} or {ROW_MARK} in a cell, which is what separates cells in files")
    return text


# Indexes built from Python: of files as the commands take them, or of documents that a program has.

FileName = str | os.PathLike[str]
Files = FileName | Sequence[FileName]


class BuildSettings(TypedDict, total=False):
    """The options of every build, as the commands have them by their long names."""

    rejects: FileName
    allow_rejects: bool
    replace: bool
    jobs: int
    shards: int
    replicas: int


class TextbookOptions(BuildSettings, total=False):
    """The options of `build_textbook`."""

    language: str
    unit: Literal["sentence", "paragraph"]
    terms: FileName
    without: FileName
    names: bool
    source_type: str
    scheduler: str


class TriplesOptions(BuildSettings, total=False):
    """The options of `build_triples`."""

    mentions: FileName
    scheduler: str


class TablesOptions(BuildSettings, total=False):
    """The options of `build_tables`."""

    language: str


class DatasetsOptions(BuildSettings, total=False):
    """The options of `build_datasets`."""

    only: FileName
    scheduler: str


def build_textbook(
    texts: Files | Documents, index: FileName | None = None, **options: Unpack[TextbookOptions]
) -> Index:
    """Build an index of running text at an address, by default `textbook-LANGUAGE`.

    `texts` are files (patterns such as `books/*.txt` too), or documents `{"id": …, "title": …, "text": …}` one by one;
    these are read once and never held. `options` are the command's, by their long names: `language="en"`,
    `terms="glossary.csv"`, `unit="paragraph"`, `names=False`, `jobs=2`, `replace=True`. Raises UserError for what the
    command would refuse; nothing is then left behind.
    """
    from indexer.sources.textbook.command import build, command
    from indexer.sources.textbook.forms import textbook_files

    given, files = _settings("textbook", command, options), _files(texts)
    passing = passing_lines(texts, text_line, "documents.jsonl")
    return _built(build, files and textbook_files(files), passing, None if index is None else _address(index), given)


def build_triples(kb: FileName | Triples, index: FileName = "triples", **options: Unpack[TriplesOptions]) -> Index:
    """Build an index of a knowledge base: a file of lines `subject ||| predicate ||| object`, or triples of texts one
    by one. Options and errors as the command's (`mentions="mentions.txt"`)."""
    from indexer.sources.triples.command import build, command

    given, passing = _settings("triples", command, options), passing_lines(kb, triple_line, "triples.kb")
    files = _readable([kb]) if isinstance(kb, str | os.PathLike) else None
    return _built(lambda paths, **more: build(paths[0], **more), files, passing, _address(index), given)


def build_tables(tables: Files | Tables, index: FileName = "tables", **options: Unpack[TablesOptions]) -> Index:
    """Build an index of tables: NLPCC TBQA files, or tables one by one (caption, names of columns, rows of cells).
    Options and errors as the command's (`language="zh"`)."""
    from indexer.sources.tables.command import build, command

    given, files = _settings("tables", command, options), _files(tables)
    return _built(
        build, files and _readable(files), passing_lines(tables, table_line, "tables.txt"), _address(index), given
    )


def build_datasets(
    datasets: Files | Datasets, index: FileName = "datasets", **options: Unpack[DatasetsOptions]
) -> Index:
    """Build an index of open data: collections (JSON lines) and archives, or data sets one by one, as mappings:
    `{"id": …, "title": …, "description": …, "files": {"prices.csv": bytes or text}}`. Options and errors as the
    command's (`only="questions.tsv"`)."""
    from indexer.sources.datasets.command import build, command

    given, files = _settings("datasets", command, options), _files(datasets)
    return _built(build, files and _readable(files), passing_datasets(datasets), _address(index), given)


def build_reports(reports: Files, index: FileName = "reports", **options: Unpack[BuildSettings]) -> Index:
    """Build an index of Japanese securities reports: folders or archives of EDINET's HTML, a document a table. Options
    and errors as the command's."""
    from indexer.sources.reports.command import build, command

    given = _settings("reports", command, options)
    files = [os.fspath(path) for path in ([reports] if isinstance(reports, str | os.PathLike) else reports)]
    for path in files:
        require_input(path, "reports", ("**/*.html", "**/*.htm"))
    return _built(build, files, nullcontext(Passing([], "")), _address(index), given)


def _built(
    build: Callable[..., Index],
    files: list[str] | None,
    passing: AbstractContextManager[Passing],
    address: str | None,
    given: Mapping[str, object],
) -> Index:
    """Runs a build on files, or on in-memory records passed through files, and returns its index. The thresholds of
    Python's garbage collection are restored."""
    before = gc.get_threshold()
    try:
        if files is not None:
            return build(files, address=address, **given)
        with passing as passed:
            return build(passed.paths, address=address, named=passed.named, **given)
    except OSError as error:
        if error.errno in DISK_FULL:
            raise cannot_write(error.filename or WORKING_FILE, error) from error
        raise
    finally:
        gc.set_threshold(*before)


def _address(index: FileName) -> str:
    """An index's address: a path object without a / is a folder, not a name."""
    path = validate_path(index, "index")
    return path if isinstance(index, str) or "/" in path else f"./{path}"


def _settings(kind: str, command: click.Command, options: Mapping[str, object]) -> dict[str, object]:
    """The options of a command, those of any build in one; --index, --add, --quiet and --version are not among them."""
    from indexer.cli.options import BuildOptions, settings

    params = [param for param in command.params if param.expose_value and param.name not in ("address", "add")]
    given = settings(kind, params, options, also=["index"])
    return {
        **{name: value for name, value in given.items() if name not in BuildOptions._fields},
        "options": BuildOptions(**{name: given[name] for name in BuildOptions._fields if name in given}),  # type: ignore[arg-type]  # as click's types say
    }


def _files(texts: object) -> list[str] | None:
    """The names of files, where they are files and no documents."""
    if isinstance(texts, str | os.PathLike):
        return [os.fspath(texts)]
    if isinstance(texts, Sequence) and texts and all(isinstance(one, str | os.PathLike) for one in texts):
        return [os.fspath(one) for one in texts]
    return None


def _readable(paths: Sequence[FileName]) -> list[str]:
    """The paths as texts. Raises UserError for a file that cannot be read."""
    for path in paths:
        require_input(os.fspath(path), "a file")
    return [os.fspath(path) for path in paths]
