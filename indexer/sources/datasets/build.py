"""Collections of open data into an index of tables: `python -m indexer datasets COLLECTION
ARCHIVE...` [DataSearch2]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from indexer.address import Location
from indexer.build import (
    Batch,
    BuildOptions,
    BuiltIndex,
    Corpus,
    Made,
    SourceFile,
    batches,
    build_index,
    corpus_metadata,
)
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Document
from indexer.engines.writing import Writer
from indexer.files.archive import NESTED, Member, members
from indexer.files.errors import UserError
from indexer.files.inputs import MemoryFile
from indexer.files.messages import counted, warn
from indexer.files.progress import progress
from indexer.formats.datasearch import DatasetMetadata, file_key, read_collection, read_questions
from indexer.ingest_report import IngestReport, ingest_report, leave_out
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language
from indexer.sandbox import Sandbox, WorkerDiedError
from indexer.sources.datasets import schema
from indexer.sources.datasets.encodings import TextEncodings, title_language
from indexer.tables.files import PACKAGES, is_zip, read_grids
from indexer.tables.table import Table, read_table
from indexer.tables.values import parse_value
from indexer.tables.workbook import UnreadableTableError


def is_unsearched(cell: str) -> bool:
    """Returns whether nobody would search for a cell: a number that is not a year, or a mark of a
    missing one ("-", "N/A"; not "")."""
    value = parse_value(cell)
    return value.kind in ("number", "missing") and value.year is None


# Cells of a document at most, a choice: a longer table is cut into several, each with the
# headings.
BLOCK_CELLS = 4_000


class HiddenText(NamedTuple):
    """Texts of a table that nobody sees, and why."""

    reason: str
    texts: Sequence[str]


ReadPart = tuple[int, Table] | HiddenText | str
"""A block of a table with the number of its first row, what is hidden in a table, or why the rest
of a file gave none."""


def table_blocks(data: bytes, language: Language, encoding: str = "") -> Iterator[ReadPart]:
    """Yields what is hidden in each table of a file, then its blocks of at most 4,000 cells (at
    least a row), as the number of the first row (from 0) and the table of its rows; at the end, if
    the file or the rest of it cannot be read, the reason. A table without rows is one block. A
    sheet's name, unless it begins with `sheet`, is the title of a table without one, else a note.
    `encoding`, where it is not "", is that of a text."""
    try:
        for grid in read_grids(data, language, encoding):
            yield from map(HiddenText._make, grid.left_out.items())
            name = grid.name if grid.name and not grid.name.lower().startswith("sheet") else ""
            table = read_table(grid)
            # The sheet's name is the title of a table that has none, else its last note.
            if name:
                table = table._replace(
                    **{"notes": (*table.notes, name)} if table.title else {"title": name}
                )
            # A table without rows still gives a block, for its headings.
            height = max(1, BLOCK_CELLS // max(1, len(table.columns)))
            for start in range(0, max(1, len(table.rows)), height):
                yield start, table._replace(rows=table.rows[start : start + height])
    except UnreadableTableError as error:
        # What was read before the damage stays: the reason comes after it.
        yield str(error)


# Rises when the same files give other tables: an index of another version is rebuilt.
FORMAT_VERSION = 14


class Owner(NamedTuple):
    """A dataset that a file belongs to: its id, the file's position in it (from 0), and the
    dataset's language."""

    dataset_id: str
    position: int
    language: Language


OwnedItem = tuple[str, Owner | None, schema.RowBlock | schema.FileRead]
"""A doc_id, the dataset that has the file (None if no dataset has it), and a block of a table or
the file's result."""


def read_archive(
    path: str,
    archive: str,
    size: int,
    owners: Mapping[bytes, Sequence[Owner]],
    keys_read: set[bytes],
    tally: IngestReport,
) -> Iterator[OwnedItem]:
    """Yields the tables of an archive's members that belong to a dataset, block by block, and what
    became of each file; members whose key is not in `owners` are skipped.

    The index knows the archive, of `size` bytes, as `archive`. A member that cannot be read, or
    only in part, is rejected with its reason; what was read of it stays. A second copy of a file,
    whose key is in `keys_read` already, is rejected: archives of a collection repeat files. The
    keys of the files are added to `keys_read`. Texts whose bytes fit several encodings are read
    last, as the others of the archive were, with a warning.
    """
    encodings = TextEncodings()
    doubtful: list[tuple[int, Member, Sequence[Owner]]] = []
    with progress(Path(path).name, size, "bytes") as reach, Sandbox(table_blocks) as reader:
        for number, member in enumerate(
            members(path, lambda name: file_key(name) in owners, progress=reach), 1
        ):
            tally.read += 1
            key = file_key(member.name)
            member_owners = () if key in keys_read else owners.get(key, ())
            keys_read.add(key)
            if not member_owners:  # a second copy belongs to no dataset
                reason = member.reason or "a file that came before"
                file = schema.FileRead(member.name, 0, reason, archive, number)
                _reject_file(file, tally)
                yield f"{archive}:{number}", None, file
            elif encodings.postpones(member.data, member_owners[0].language):
                doubtful.append((number, member, member_owners))
            else:
                yield from _read_member(
                    member, number, archive, member_owners, encodings, reader, tally
                )
        for number, member, member_owners in doubtful:
            yield from _read_member(
                member, number, archive, member_owners, encodings, reader, tally
            )
    encodings.warn_of_doubts()


def _read_member(
    member: Member,
    number: int,
    archive: str,
    owners: Sequence[Owner],
    encodings: TextEncodings,
    reader: Sandbox[ReadPart],
    tally: IngestReport,
) -> Iterator[OwnedItem]:
    """Yields the tables of the member of that number, each block for each dataset that has the
    file, then what became of it, for each of them; only the first of these names the archive."""
    reasons: list[str] = []
    tables = position = 0
    for start, table, language in _member_blocks(
        member, owners[0].language, encodings, reader, reasons, tally
    ):
        # Each table's first block begins with its first row.
        tables, position = (tables, position + 1) if start else (tables + 1, 0)
        # A block of a file's table of that number, for every dataset that has the file.
        block = schema.RowBlock(member.name, start, table)
        for owner in owners:
            table_id = schema.table_id(schema.file_id(owner.dataset_id, owner.position), tables)
            yield schema.block_id(table_id, position), owner._replace(language=language), block
    reason = "; ".join(dict.fromkeys(filter(None, reasons)))
    file = schema.FileRead(member.name, tables, reason, archive, number)
    _reject_file(file, tally)
    for owner in owners:
        yield schema.file_id(owner.dataset_id, owner.position), owner, file
        # A file of several datasets is counted once.
        file = file._replace(archive="")


def _reject_file(file: schema.FileRead, tally: IngestReport) -> None:
    """Rejects a file that has a reason, in part if it gave tables; does nothing for others."""
    if file.reason:
        tally.reject(f"{file.archive}/{file.name}", 0, file.reason, in_part=file.tables > 0)


def _member_blocks(
    member: Member,
    language: Language,
    encodings: TextEncodings,
    reader: Sandbox[ReadPart],
    reasons: list[str],
    tally: IngestReport,
) -> Iterator[tuple[int, Table, Language]]:
    """Yields the blocks of a member's tables (number of the block's first row, table, language), or
    of a zip's members in turn; what is hidden is counted.

    `reader` is `table_blocks` in a sandbox, whose strings are reasons; what cannot be read, and a
    zip inside a zip, adds a reason to `reasons`, after the inner member's name.
    """
    zipped = False
    inner_members: Iterable[Member] = (member,)
    if member.data is not None and is_zip(member.data):
        zipped = True
        inner_members = members(member.data, limits=NESTED)
    for inner in inner_members:
        prefix = f"{inner.name}: " if zipped and inner.name else ""
        # One level: a zip in a zip is how archives of any size are made out of a few bytes.
        if inner.data is None or (zipped and is_zip(inner.data)):
            reasons.append(f"{prefix}{inner.reason or 'a zip inside a zip'}")
            continue
        text = encodings.choose(inner.name or member.name, inner.data, language)
        try:
            for block in reader(inner.data, language, text.encoding):
                if isinstance(block, str):
                    reasons.append(f"{prefix}{block}")
                elif isinstance(block, HiddenText):
                    for hidden in block.texts:
                        leave_out(tally.pieces, block.reason, hidden)
                else:
                    yield *block, text.language
        except WorkerDiedError as error:
            reasons.append(f"{prefix}{error}")


def make_documents(items: list[OwnedItem]) -> Batch:
    """The documents of blocks of tables and of files, by part.

    Searchable of a block are its title, notes, headings and distinct cells other than numbers that
    are not years and marks of missing ones, and `schema.dataset_term`; shown are title and
    headings. A block of no dataset is left out; a file of none has no key.
    """
    tables, files = list[Document](), list[Document]()
    for doc_id, owner, content in items:
        keys = {schema.DATASET: (owner.dataset_id,)} if owner else {}
        if isinstance(content, schema.FileRead):
            files.append(Document(doc_id, content.name, {}, keys, schema.encode(content)))
        elif owner:
            table = content.table
            headings = [" ".join(path) for path in table.columns if path]
            cells = dict.fromkeys(
                cell for row in table.rows for cell in row if cell and not is_unsearched(cell)
            )
            lines = (table.title, *table.notes, *headings, *cells)
            # a language without blanks is analysed cell by cell, for a parse of a long text costs
            # more
            texts = ("\n".join(lines),) if owner.language.uses_spaces else lines
            terms_in = owner.language.analyser().terms
            terms = [term for text in texts for term in terms_in(text)]
            terms.append(schema.dataset_term(owner.dataset_id))
            text = "\n".join(filter(None, (table.title, " | ".join(headings))))
            tables.append(
                Document(
                    doc_id, text, {schema.TEXT_FIELD: terms}, keys, schema.encode_block(content)
                )
            )
    return Batch({schema.TABLES.name: tables, schema.FILES.name: files})


def dataset_documents(
    datasets: Iterable[DatasetMetadata], tally: IngestReport, writer: Writer
) -> Iterator[Made]:
    """Yields a document for each dataset with its metadata, 1,000 at a time, as {part's name:
    documents}; files that no archive held are counted as read and rejected.

    The collection is read once more: nothing of it but the files' owners is held while archives are
    read.
    """
    files = writer.searcher(schema.FILES.name)
    for batch in batches(datasets, 1000):
        documents = []
        for dataset, results in zip(
            batch,
            files.lookup(schema.DATASET, [dataset.dataset_id for dataset in batch]),
            strict=True,
        ):
            files_read = {document.doc_id for document in results}
            for position, name in enumerate(dataset.files):
                if schema.file_id(dataset.dataset_id, position) not in files_read:
                    tally.read += 1
                    tally.reject(name, 0, "in none of the archives", dataset.dataset_id)
            payload = schema.encode(schema.StoredDataset(dataset.title, dataset.description))
            text = f"{dataset.title}\n{dataset.description}".strip()
            terms = [
                *detect_language(text).analyser().terms(text),
                schema.dataset_term(dataset.dataset_id),
            ]
            documents.append(
                Document(dataset.dataset_id, text, {schema.TEXT_FIELD: terms}, {}, payload)
            )
        yield {schema.DATASETS.name: documents}


def file_owners(datasets: Iterable[DatasetMetadata]) -> dict[bytes, list[Owner]]:
    """The datasets that each file belongs to, in order, by its key (`file_key`), with the language
    of their title and description, Japanese for Chinese where many titles are (`title_language`).
    """
    owners: dict[bytes, list[Owner]] = {}
    languages: Counter[Language] = Counter()
    for dataset in datasets:
        # Files are mostly figures: the metadata say more of their language.
        language = detect_language(f"{dataset.title}\n{dataset.description}")
        languages[language] += 1
        for position, name in enumerate(dataset.files):
            owners.setdefault(file_key(name), []).append(
                Owner(dataset.dataset_id, position, language)
            )
    for key, owners_of_file in owners.items():
        owners[key] = [
            owner._replace(language=title_language(owner.language, languages))
            for owner in owners_of_file
        ]
    return owners


@click.command(
    cls=Command,
    example="index datasets samples/datasearch-collection.jsonl.bz2 "
    "samples/datasearch-data.tar.bz2",
)
@click.argument("files", nargs=-1, required=True, metavar="COLLECTION ARCHIVE...", type=InputFile())
@index_option("datasets", "datasets")
@click.option(
    "--only",
    metavar="QUESTIONS",
    type=InputFile(),
    help="Only the datasets that these questions name.",
)
@build_options
def command(
    files: Sequence[Path], address: Location, only: Path | None, options: BuildOptions
) -> None:
    """Index the tables of open data: metadata (JSON lines) and archives (tar, plain or packed, or
    zip) of data files.

    Archives are read once, member by member. csv, tsv, xls, xlsx, ods, html, json, xml, pdf (with
    the extra `pdf`) and zip of these give tables; what cannot be read is listed with its reason.
    """
    build(list(map(str, files)), address, str(only) if only else None, options)


def build(
    files: Sequence[str], address: str | Location, only: str | None, options: BuildOptions
) -> BuiltIndex:
    """Builds the index of the data sets of `files`, collections (.json in the name) and archives
    with their files; `only` is a file of questions, whose data sets alone are indexed. A data set
    whose id came before is rejected. Raises UserError without a collection or an archive; warns of
    data sets asked for that no collection has."""
    # By name, for both may be packed.
    collections = [file for file in files if ".json" in Path(file).name.lower()]
    archives = [file for file in files if file not in collections]
    if not collections or not archives:
        missing = (
            "a collection (.jsonl, .jsonl.bz2)"
            if not collections
            else "an archive (.tar, .tar.bz2, .zip)"
        )
        raise UserError(f"{missing} is not among the files: {' '.join(files)}")
    ids = frozenset(question.dataset_id for question in read_questions(only)) if only else None

    def read_datasets(seen: set[str], tally: IngestReport) -> Iterator[DatasetMetadata]:
        """The datasets of all collections that are asked for; an id in `seen` is rejected, new ones
        are added."""
        for path in collections:
            yield from read_collection(path, tally, ids, seen)

    with ingest_report(options.rejects) as tally:
        seen: set[str] = set()
        owners = file_owners(read_datasets(seen, tally))
        if unknown := sorted((ids or frozenset()) - seen):
            warn(
                f"in no collection: {counted(len(unknown), 'requested datasets')} (the first is "
                f"{unknown[0]})"
            )
        # Another choice of datasets is another index.
        settings = {"format": FORMAT_VERSION, "only": sorted(ids) if ids is not None else None}
        packages = {
            *PACKAGES,
            *(package for language in LANGUAGES.values() for package in language.packages),
        }
        parts = (schema.TABLES, schema.DATASETS, schema.FILES)
        metadata = corpus_metadata("datasets", parts, None, files, settings, packages)
        sizes = {file: size for file, (_, size) in zip(files, metadata.sources, strict=True)}
        known_as = list(archives)
        if isinstance(files[0], MemoryFile):  # a program's data sets are one source
            known_as = [metadata.sources[0][0]]
            metadata = metadata._replace(
                sources=((known_as[0], sum(size for _, size in metadata.sources)),)
            )
        keys_read: set[bytes] = set()  # of the files so far
        sources = []
        for path, name in zip(archives, known_as, strict=True):
            read = partial(read_archive, path, name, sizes[path], owners, keys_read)
            sources.append(SourceFile(name, read))

        def derive(writer: Writer) -> Iterator[Made]:
            """The documents of the datasets."""
            # Rejects of the collections were counted in the first pass: the second has a tally that
            # nobody reads.
            return dataset_documents(read_datasets(set(), IngestReport()), tally, writer)

        corpus = Corpus(metadata, sources, make_documents, derive=derive)
        return build_index(address, corpus, options, tally)
