"""Collections of open data into an index of tables: `python -m indexer datasets COLLECTION ARCHIVE...` (seed 001)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from indexer.analysis import Analyser, Language, analyser
from indexer.analysis.language import detect_language
from indexer.build import DERIVED, Batch, Made, SourceFile, build_index, source_sizes
from indexer.document import Document, Part, Record
from indexer.engines.contract import Metadata, Writer
from indexer.files.archive import Member, members, zip_members
from indexer.files.errors import UserError
from indexer.files.progress import Progress
from indexer.options import build_options
from indexer.parallel import batches
from indexer.sources.datasets_collection import Dataset, file_key, read_collection, wanted_datasets
from indexer.sources.datasets_files import file_kind, read_grids
from indexer.sources.datasets_resume import FileRead, FilesRead
from indexer.sources.datasets_values import parse_value
from indexer.sources.headers import Table, read_tables
from indexer.sources.workbook import UnreadableTableError
from indexer.tally import Tally

TABLES = Part("tables", ("text",), ("dataset",))
DATASETS = Part("datasets", ("text",), ())
FILES = Part("files", (), ("dataset",))
BLOCK_CELLS = 4_000
"""Cells of a document at most: a longer table is cut into several, each with the headings."""

COSTLY_BYTES = 65_536
"""Size from which on an archive's end is a checkpoint at once."""

FORMAT_VERSION = 2  # rises when the same files give other tables: an index of another version is built anew


class Owner(NamedTuple):
    """A dataset that a file belongs to: its id, the file's place in it, and the dataset's language."""

    dataset_id: str
    place: int
    language: Language


Owners = Mapping[bytes, Sequence[Owner]]


def table_payload(table: Table, file: str, start: int) -> str:
    """A table, or a block of its rows from `start` on, as an index stores it."""
    return json.dumps({"file": file, "start": start, **table._asdict()}, ensure_ascii=False, separators=(",", ":"))


def table_of(payload: str) -> Table:
    """The table, or block of one, that a document's payload holds."""
    value = json.loads(payload)
    return Table(
        value["title"],
        tuple(value["notes"]),
        tuple(tuple(path) for path in value["columns"]),
        value["labels"],
        value["sections"],
        tuple(tuple(row) for row in value["rows"]),
        value["matrix"],
    )


def dataset_term(dataset_id: str) -> str:
    """The term that every document of a dataset holds, by which they are counted."""
    return f"dataset:{dataset_id}"


def read_archive(path: str, owners: Owners, files: FilesRead, tally: Tally) -> Iterator[Record]:
    """The tables of an archive's members that belong to a dataset, block by block, and a record for each file.

    A member that cannot be read, or only in part, is rejected with its reason; what was read of it stays.
    A second copy of a file is rejected.
    """
    size = Path(path).stat().st_size
    with Progress(Path(path).name, size, "bytes") as progress:
        for number, member in enumerate(members(path, lambda name: file_key(name) in owners, progress=progress.add), 1):
            tally.count()
            found = owners.get(file_key(member.name), ()) if files.first(member.name) else ()
            reasons: list[str] = []
            tables = 0
            if found:
                for table in _member_tables(member, found[0].language, reasons):
                    tables += 1
                    yield from _blocks(path, number, member.name, found, table, tables)
            else:
                reasons.append(member.reason or "a file that came before")
            reason = "; ".join(dict.fromkeys(filter(None, reasons)))
            one = FileRead(member.name, tables, reason, path, number)
            one.tell(tally)
            yield from _file_records(one, found)


def _file_records(one: FileRead, owners: Sequence[Owner]) -> Iterator[Record]:
    """A record of the file for each dataset that has it, or for none."""
    places = [(owner.dataset_id, f"{owner.dataset_id}-{owner.place:05d}") for owner in owners]
    for place, (dataset, doc_id) in enumerate(places or [("", f"{one.archive}:{one.number}")]):
        payload = json.dumps((one if place == 0 else one._replace(archive=""))._asdict(), ensure_ascii=False)
        fields = {"kind": "file", "dataset": dataset, "doc_id": doc_id, "name": one.name, "payload": payload}
        yield Record(one.archive, one.number, fields)


def _member_tables(member: Member, language: Language, reasons: list[str]) -> Iterator[Table]:
    """The tables of a member, of a zip's members in turn; reasons are added for what cannot be read."""
    if member.data is None:
        reasons.append(member.reason)
    elif file_kind(member.data) == "zip":
        for inner in zip_members(member.data):
            if inner.data is None or file_kind(inner.data) == "zip":
                reasons.append(f"{inner.name}: {inner.reason or 'a zip inside a zip'}".removeprefix(": "))
            else:
                prefix = f"{inner.name}: "
                yield from _file_tables(inner.data, language, reasons, prefix)
    else:
        yield from _file_tables(member.data, language, reasons, "")


def _file_tables(data: bytes, language: Language, reasons: list[str], prefix: str) -> Iterator[Table]:
    try:
        for grid in read_grids(data, language):
            name = grid.name if grid.name and not grid.name.lower().startswith("sheet") else ""
            for table in read_tables(grid):
                yield table._replace(notes=(*table.notes, name)) if name else table
    except UnreadableTableError as error:
        reasons.append(f"{prefix}{error}")
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a reader that breaks (a panic of calamine's is no Exception) must not end a build
        reasons.append(f"{prefix}its reader failed ({type(error).__name__}: {' '.join(str(error).split())[:200]})")


def _blocks(path: str, number: int, name: str, owners: Sequence[Owner], table: Table, count: int) -> Iterator[Record]:
    """The records of one table: a document for every `BLOCK_CELLS` cells and dataset that has the file."""
    height = max(1, BLOCK_CELLS // max(1, len(table.columns)))
    for block, start in enumerate(range(0, max(1, len(table.rows)), height)):
        part = table._replace(rows=table.rows[start : start + height])
        for owner in owners:
            doc_id = f"{owner.dataset_id}-{owner.place:05d}-{count:05d}-{block:06d}"
            fields = {"kind": "table", "dataset": owner.dataset_id, "doc_id": doc_id, "language": owner.language}
            yield Record(path, number, {**fields, "payload": table_payload(part, name, start)})


class TableMaker:
    """Turns tables into documents; picklable, for it works in several processes."""

    @cached_property
    def _analysers(self) -> dict[Language, Analyser]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def terms(self, text: str, language: Language) -> list[str]:
        if language not in self._analysers:
            self._analysers[language] = analyser(language)
        return self._analysers[language].terms(text)

    def __call__(self, records: list[Record]) -> Batch:
        tables = [self._table(record.fields) for record in records if record.fields["kind"] == "table"]
        files = [_file(record.fields) for record in records if record.fields["kind"] == "file"]
        return Batch({TABLES.name: tables, FILES.name: files})

    def _table(self, fields: Mapping[str, str]) -> Document:
        table = table_of(fields["payload"])
        headings = [" ".join(path) for path in table.columns if path]
        cells = dict.fromkeys(cell for row in table.rows for cell in row if cell and not _is_figure(cell))
        language = cast(Language, fields["language"])
        lines = (table.title, *table.notes, *headings, *cells)
        # Japanese is analysed cell by cell (a long text costs more), other languages in one go
        texts = lines if language == "ja" else ("\n".join(lines),)
        terms = [term for text in texts for term in self.terms(text, language)]
        text = "\n".join(filter(None, (table.title, " | ".join(headings))))
        dataset = fields["dataset"]
        return Document(
            fields["doc_id"],
            text,
            {"text": [*terms, dataset_term(dataset)]},
            {"dataset": (dataset,)},
            fields["payload"],
        )


def _is_figure(cell: str) -> bool:
    """A number that nobody searches for: any but a year."""
    if len(cell) != 4 and cell.isdigit():
        return True
    value = parse_value(cell)
    return value.kind in ("number", "missing") and value.year is None


def _file(fields: Mapping[str, str]) -> Document:
    keys = {"dataset": (fields["dataset"],)} if fields["dataset"] else {}
    return Document(fields["doc_id"], fields["name"], {}, keys, fields["payload"])


def dataset_documents(
    read: Callable[[], Iterator[Dataset]], tally: Tally, maker: TableMaker, writer: Writer
) -> Iterator[Made]:
    """A document for each dataset, with its metadata and files; files that no archive held are rejected.

    The collection is `read` once more: nothing of it but the files' owners is held while archives are read.
    """
    files = writer.written(FILES.name)
    for batch in batches(read(), 1000):
        found = files.lookup("dataset", [dataset.dataset_id for dataset in batch])
        made = [_dataset_document(one, known, tally, maker) for one, known in zip(batch, found, strict=True)]
        yield {DATASETS.name: made}


def _dataset_document(dataset: Dataset, known: Sequence[Document], tally: Tally, maker: TableMaker) -> Document:
    facts = {document.doc_id: FileRead(**json.loads(document.payload)) for document in known}
    listed = []
    for place, name in enumerate(dataset.files):
        fact = facts.get(f"{dataset.dataset_id}-{place:05d}")
        if fact is None:
            tally.count()
            tally.reject(name, 0, "in none of the archives", dataset.dataset_id)
            fact = FileRead(name, 0, "in none of the archives", "", 0)
        listed.append({"name": fact.name, "tables": fact.tables, "reason": fact.reason})
    payload = {"title": dataset.title, "description": dataset.description, "files": listed}
    text = f"{dataset.title}\n{dataset.description}".strip()
    terms = [*maker.terms(text, detect_language(text)), dataset_term(dataset.dataset_id)]
    return Document(dataset.dataset_id, text, {"text": terms}, {}, json.dumps(payload, ensure_ascii=False))


def file_owners(datasets: Iterable[Dataset]) -> dict[bytes, list[Owner]]:
    """The datasets that each file belongs to, by its key."""
    owners: dict[bytes, list[Owner]] = {}
    for dataset in datasets:
        language = detect_language(f"{dataset.title}\n{dataset.description}")
        for place, name in enumerate(dataset.files):
            owners.setdefault(file_key(name), []).append(Owner(dataset.dataset_id, place, language))
    return owners


def read_datasets(paths: Sequence[str], only: frozenset[str] | None, tally: Tally) -> Iterator[Dataset]:
    """The datasets of all collections, an id that came before rejected."""
    seen: set[str] = set()
    for path in paths:
        yield from read_collection(path, tally, only, seen)


def _collections(files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Collections and archives by their names; UserError where one of the two is missing or a file is not there."""
    for file in files:
        if not Path(file).is_file():
            raise UserError(f"{file}: no such file; expected COLLECTION.jsonl[.bz2] and archives (tar, tar.bz2, zip)")
    collections = [file for file in files if ".json" in Path(file).name.lower()]
    archives = [file for file in files if file not in collections]
    if not collections or not archives:
        missing = "a collection (.jsonl, .jsonl.bz2)" if not collections else "an archive (.tar, .tar.bz2, .zip)"
        raise UserError(f"{missing} is missing among the files: {' '.join(files)}")
    return collections, archives


@click.command(
    epilog="Example: python -m indexer datasets collection.jsonl.bz2 data.tar.bz2 --only questions.tsv --index datasets"
)
@click.argument("files", nargs=-1, required=True, metavar="COLLECTION ARCHIVE...")
@click.option("--index", "address", default="datasets", metavar="ADDRESS", help="Where the index goes [datasets].")
@click.option("--only", metavar="QUESTIONS", help="Only the datasets that these questions (or ids) name.")
@build_options
def command(
    files: tuple[str, ...], address: str, only: str | None, rejects: str | None, jobs: int, shards: int, replicas: int
) -> None:
    """Index the tables of open data: metadata (JSON lines) and archives (tar, plain or packed, or zip) of data files.

    Archives are read once, member by member. csv, tsv, xls, xlsx, ods, html, json, xml, pdf (with the extra
    `pdf`) and zip of these give tables; what cannot be read is listed with its reason.
    """
    collections, archives = _collections(files)
    ids = wanted_datasets(only) if only else None
    with Tally(rejects) as tally:
        owners = file_owners(_noting_unknown(read_datasets(collections, ids, tally), ids))
        settings = {"format": FORMAT_VERSION, "only": sorted(ids) if ids is not None else None}
        metadata = Metadata("datasets", (TABLES, DATASETS, FILES), None, settings, source_sizes(files))
        maker, read = TableMaker(), FilesRead()
        sources = [
            SourceFile(path, partial(read_archive, path, owners, read), Path(path).stat().st_size >= COSTLY_BYTES)
            for path in archives
        ]
        derive = partial(dataset_documents, partial(read_datasets, collections, ids, Tally()), tally, maker)
        build_index(
            address,
            metadata,
            sources,
            maker,
            tally,
            jobs=jobs,
            derive=derive,
            recall=partial(_recall, archives, read, derive, tally),
            shards=shards,
            replicas=replicas,
        )


def _noting_unknown(datasets: Iterator[Dataset], ids: frozenset[str] | None) -> Iterator[Dataset]:
    """The datasets as they come; at the end, what was asked for and is in no collection is said."""
    known: set[str] = set()
    for dataset in datasets:
        known |= {dataset.dataset_id} & (ids or frozenset())
        yield dataset
    unknown = sorted((ids or frozenset()) - known)
    if unknown:
        click.echo(f"{len(unknown)} datasets asked for are in no collection (the first is {unknown[0]})", err=True)


def _recall(
    archives: Sequence[str], read: FilesRead, derive: Callable[[Writer], Iterator[Made]], tally: Tally, writer: Writer
) -> None:
    """Count what an interrupted build has finished, of the archives and of the datasets."""
    finished = [path for path in archives if path in writer.finished]
    read.recall(writer.written(FILES.name).scan(), finished, tally)
    if DERIVED in writer.finished:
        for _ in derive(writer):
            pass
