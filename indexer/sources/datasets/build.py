"""Collections of open data into an index of tables: `python -m indexer datasets COLLECTION ARCHIVE...`
[DataSearch2]."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from indexer.analysis import Analyser
from indexer.api import BuiltIndex, built
from indexer.build import (
    BUILD_OPTIONS,
    DERIVED,
    SCHEDULER,
    Batch,
    BuildOptions,
    Corpus,
    Made,
    SourceFile,
    build_index,
    gather_options,
    index_option,
    source_content,
    source_sizes,
)
from indexer.document import Document
from indexer.engines.contract import Metadata
from indexer.engines.writing import Writer
from indexer.files.archive import Member, members, zip_members
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.files.progress import Progress
from indexer.files.versions import versions
from indexer.formats.datasearch import DatasetMetadata, file_key, read_collection, wanted_datasets
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language
from indexer.parameters import InputPath, argument, command_line, option
from indexer.sandbox import Sandbox, WorkerDiedError
from indexer.sources.datasets.schema import (
    DATASET,
    DATASETS,
    FILES,
    TABLES,
    TEXT_FIELD,
    FileRead,
    ListedFile,
    RowBlock,
    StoredDataset,
    block_id,
    dataset_term,
    decode_file,
    encode_block,
    encode_dataset,
    encode_file,
    file_id,
    ownerless_file_id,
    table_id,
)
from indexer.tables.files import PACKAGES, is_zip, read_grids
from indexer.tables.table import Table, read_tables
from indexer.tables.values import parse_value
from indexer.tables.workbook import UnreadableTableError
from indexer.workers import batches

if TYPE_CHECKING:
    from indexer.cluster import Machines, SourcePiece

_WORD = 5  # letters: no currency, unit or word for a missing value has this number
_PLAIN = re.compile(  # plainly not a year, recognised in a third of the time of reading all that cells may mean
    r"-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}\.\d+|[1-9]\d{4,20}\.\d+)", re.ASCII
)


def is_unsearched(cell: str) -> bool:
    """Returns whether nobody would search for a cell: a number that is not a year, or a mark of a missing one."""
    if len(cell) != 4 and cell.isdigit():
        return True
    # The quick tests come first: most cells need no reading of all that they may mean.
    if len(cell) >= _WORD and cell[:_WORD].isalpha():
        return False
    if _PLAIN.fullmatch(cell):
        return True
    value = parse_value(cell)
    return value.kind in ("number", "missing") and value.year is None


BLOCK_CELLS = 4_000  # of a document at most: a longer table is cut into several, each with the headings


class TableBlock(NamedTuple):
    """Rows of a file's table: the block's place in it and the number of its first row, both from 0."""

    place: int
    start: int
    table: Table


def table_blocks(data: bytes, language: Language) -> Iterator[TableBlock | str]:
    """The blocks of a file's tables, and at the end why the file, or the rest of it, gave none."""
    try:
        for grid in read_grids(data, language):
            name = grid.name if grid.name and not grid.name.lower().startswith("sheet") else ""
            for table in read_tables(grid):
                # The sheet's name is the title of a table that has none, else its last note.
                if name:
                    named = {"notes": (*table.notes, name)} if table.title else {"title": name}
                    table = table._replace(**named)
                # A table without rows still gives a block, for its headings.
                height = max(1, BLOCK_CELLS // max(1, len(table.columns)))
                for place, start in enumerate(range(0, max(1, len(table.rows)), height)):
                    yield TableBlock(place, start, table._replace(rows=table.rows[start : start + height]))
    except UnreadableTableError as error:
        # What was read before the damage stays: the reason comes after it.
        yield str(error)


def tell(file: FileRead, tally: IngestReport) -> None:
    """Put a file with a reason among the rejects; one that gave tables is used in part."""
    if file.reason:
        tally.reject(f"{file.archive}/{file.name}", 0, file.reason, in_part=file.tables > 0)


class FilesRead:
    """The files that were met so far: a second copy of one is not read."""

    def __init__(self, known: Iterable[bytes] = ()) -> None:
        """`known` are the keys of files that count as met."""
        self._keys = set(known)

    def first(self, name: str) -> bool:
        """Adds a file; returns whether it was not met before."""
        key = file_key(name)
        # Archives of a collection repeat files: the first copy is read.
        new = key not in self._keys
        self._keys.add(key)
        return new

    def recall(self, documents: Iterable[Document], finished: Collection[str], tally: IngestReport) -> None:
        """Count what an interrupted build read of the archives that it finished, in their order."""
        places = {archive: place for place, archive in enumerate(finished)}
        reasons: list[FileRead] = []
        for document in documents:
            one = decode_file(document.payload)
            if one.archive in places:
                tally.count()
                self._keys.add(file_key(one.name))
                if one.reason:
                    reasons.append(one)
        for one in sorted(reasons, key=lambda one: (places[one.archive], one.number)):
            tell(one, tally)


COSTLY_BYTES = 65_536  # size of an archive from which on its end is a checkpoint at once

FORMAT_VERSION = 6  # rises when the same files give other tables: an index of another version is rebuilt


class Owner(NamedTuple):
    """A dataset that a file belongs to: its id, the file's place in it, and the dataset's language."""

    dataset_id: str
    place: int
    language: Language


Owners = Mapping[bytes, Sequence[Owner]]


class OwnedBlock(NamedTuple):
    """A block of a table for one of the datasets that have its file."""

    doc_id: str
    owner: Owner
    block: RowBlock


class OwnedFile(NamedTuple):
    """A file's result for one of the datasets that have it; `dataset_id` is "" if none has."""

    doc_id: str
    dataset_id: str
    file: FileRead


def read_archive(
    path: str, called: str, owners: Owners, files: FilesRead, tally: IngestReport
) -> Iterator[OwnedBlock | OwnedFile]:
    """The tables of an archive's members that belong to a dataset, block by block, and what became of each file.

    The index knows the archive as `called`.

    A member that cannot be read, or only in part, is rejected with its reason; what was read of it stays.
    A second copy of a file is rejected.
    """
    size = Path(path).stat().st_size
    with Progress(Path(path).name, size, "bytes") as progress, Sandbox(table_blocks) as reader:
        for number, member in enumerate(members(path, lambda name: file_key(name) in owners, progress=progress.add), 1):
            tally.count()
            found = owners.get(file_key(member.name), ()) if files.first(member.name) else ()
            reasons: list[str] = []
            tables = 0
            if found:
                for place, start, table in _member_blocks(member, found[0].language, reader, reasons):
                    # The first block of a table has the place 0.
                    tables += place == 0
                    # A block of a file's table of that number, for every dataset that has the file.
                    block = RowBlock(member.name, start, table)
                    for owner in found:
                        doc_id = block_id(table_id(file_id(owner.dataset_id, owner.place), tables), place)
                        yield OwnedBlock(doc_id, owner, block)
            else:
                reasons.append(member.reason or "a file that came before")
            reason = "; ".join(dict.fromkeys(filter(None, reasons)))
            one = FileRead(member.name, tables, reason, called, number)
            tell(one, tally)
            if not found:
                yield OwnedFile(ownerless_file_id(called, number), "", one)
            for owner in found:
                yield OwnedFile(file_id(owner.dataset_id, owner.place), owner.dataset_id, one)
                # A file of several datasets is counted once.
                one = one._replace(archive="")


def _member_blocks(
    member: Member, language: Language, reader: Sandbox[TableBlock | str], reasons: list[str]
) -> Iterator[TableBlock]:
    """The blocks of a member's tables, of a zip's members in turn; reasons are added for what cannot be read."""
    zipped = member.data is not None and is_zip(member.data)
    for inner in zip_members(member.data) if member.data is not None and zipped else (member,):
        prefix = f"{inner.name}: " if zipped and inner.name else ""
        # One level: a zip in a zip is how archives of any size are made out of a few bytes.
        if inner.data is None or (zipped and is_zip(inner.data)):
            reasons.append(f"{prefix}{inner.reason or 'a zip inside a zip'}")
            continue
        try:
            for found in reader(inner.data, language):
                if isinstance(found, str):
                    reasons.append(f"{prefix}{found}")
                else:
                    yield found
        except WorkerDiedError as error:
            reasons.append(f"{prefix}{error}")


class TableMaker:
    """Turns tables into documents; picklable, for it works in several processes."""

    @cached_property
    def _analysers(self) -> dict[Language, Analyser]:
        return {}

    # Analysers hold MeCab's C objects: each process makes its own.
    def __getstate__(self) -> dict[str, Any]:
        return {}

    def terms(self, text: str, language: Language) -> list[str]:
        """Terms of a text; analysers are made once a language."""
        if language not in self._analysers:
            self._analysers[language] = language.analyser()
        return self._analysers[language].terms(text)

    def __call__(self, items: list[OwnedBlock | OwnedFile]) -> Batch:
        """The documents of tables and of files, by part."""
        tables = [self._table(item) for item in items if isinstance(item, OwnedBlock)]
        files = [
            Document(
                item.doc_id,
                item.file.name,
                {},
                {DATASET: (item.dataset_id,)} if item.dataset_id else {},
                encode_file(item.file),
            )
            for item in items
            if isinstance(item, OwnedFile)
        ]
        return Batch({TABLES.name: tables, FILES.name: files})

    def _table(self, item: OwnedBlock) -> Document:
        """Document of a table's block: searchable are its title, notes, headings and cells other than plain numbers."""
        table, owner = item.block.table, item.owner
        headings = [" ".join(path) for path in table.columns if path]
        cells = dict.fromkeys(cell for row in table.rows for cell in row if cell and not is_unsearched(cell))
        lines = (table.title, *table.notes, *headings, *cells)
        # a language without blanks is analysed cell by cell, for a parse of a long text costs more
        texts = ("\n".join(lines),) if owner.language.uses_spaces else lines
        terms = [term for text in texts for term in self.terms(text, owner.language)]
        text = "\n".join(filter(None, (table.title, " | ".join(headings))))
        return Document(
            item.doc_id,
            text,
            {TEXT_FIELD: [*terms, dataset_term(owner.dataset_id)]},
            {DATASET: (owner.dataset_id,)},
            encode_block(item.block),
        )


def dataset_documents(
    read: Callable[[], Iterator[DatasetMetadata]], tally: IngestReport, maker: TableMaker, writer: Writer
) -> Iterator[Made]:
    """A document for each dataset, with its metadata and files; files that no archive held are rejected.

    The collection is `read` once more: nothing of it but the files' owners is held while archives are read.
    """
    files = writer.searcher(FILES.name)
    for batch in batches(read(), 1000):
        found = files.lookup(DATASET, [dataset.dataset_id for dataset in batch])
        made = [_dataset_document(one, known, tally, maker) for one, known in zip(batch, found, strict=True)]
        yield {DATASETS.name: made}


def _dataset_document(
    dataset: DatasetMetadata, known: Sequence[Document], tally: IngestReport, maker: TableMaker
) -> Document:
    """Document of a dataset with its list of files; files that no archive has are rejected in the tally."""
    facts = {document.doc_id: decode_file(document.payload) for document in known}
    listed = []
    for place, name in enumerate(dataset.files):
        fact = facts.get(file_id(dataset.dataset_id, place))
        if fact is None:
            tally.count()
            tally.reject(name, 0, "in none of the archives", dataset.dataset_id)
            fact = FileRead(name, 0, "in none of the archives", "", 0)
        listed.append(ListedFile(fact.name, fact.tables, fact.reason))
    payload = encode_dataset(StoredDataset(dataset.title, dataset.description, tuple(listed)))
    text = f"{dataset.title}\n{dataset.description}".strip()
    terms = [*maker.terms(text, detect_language(text)), dataset_term(dataset.dataset_id)]
    return Document(dataset.dataset_id, text, {TEXT_FIELD: terms}, {}, payload)


def file_owners(datasets: Iterable[DatasetMetadata]) -> dict[bytes, list[Owner]]:
    """The datasets that each file belongs to, by its key."""
    owners: dict[bytes, list[Owner]] = {}
    for dataset in datasets:
        # Files are mostly figures: the metadata say more of their language.
        language = detect_language(f"{dataset.title}\n{dataset.description}")
        for place, name in enumerate(dataset.files):
            owners.setdefault(file_key(name), []).append(Owner(dataset.dataset_id, place, language))
    return owners


def read_datasets(paths: Sequence[str], only: frozenset[str] | None, tally: IngestReport) -> Iterator[DatasetMetadata]:
    """The datasets of all collections, an id that came before rejected."""
    seen: set[str] = set()
    for path in paths:
        yield from read_collection(path, tally, only, seen)


@command_line(
    "indexer datasets samples/datasearch-collection.jsonl.bz2 samples/datasearch-data.tar.bz2",
    argument("files", InputPath(), "COLLECTION ARCHIVE...", multiple=True),
    index_option("datasets", "datasets"),
    option(
        "--only", metavar="QUESTIONS", type=InputPath(), help="Only the datasets that these questions (or ids) name."
    ),
    *BUILD_OPTIONS,
    SCHEDULER,
)
def command(**values: Any) -> None:
    """Index the tables of open data: metadata (JSON lines) and archives (tar, plain or packed, or zip) of data files.

    Archives are read once, member by member. csv, tsv, xls, xlsx, ods, html, json, xml, pdf (with the extra
    `pdf`) and zip of these give tables; what cannot be read is listed with its reason.
    """
    build(**gather_options(values))


def build(
    files: Sequence[str], address: str, only: str | None, options: BuildOptions, named: str | None = None
) -> BuiltIndex:
    """Build the index of collections and archives at an address.

    `named` is what the index calls the one archive, where this and the collection are but passing copies.
    """
    if options.scheduler:
        from indexer.cluster import absolute, build_on_machines

        files = absolute(files, named)
    # By name, for both may be packed.
    collections = [file for file in files if ".json" in Path(file).name.lower()]
    archives = [file for file in files if file not in collections]
    if not collections or not archives:
        missing = "a collection (.jsonl, .jsonl.bz2)" if not collections else "an archive (.tar, .tar.bz2, .zip)"
        raise UserError(f"{missing} is not among the files: {' '.join(files)}")
    ids = wanted_datasets(only) if only else None
    with IngestReport(options.rejects) as tally:
        owners = file_owners(_noting_unknown(read_datasets(collections, ids, tally), ids))
        # Another choice of datasets is another index: an interrupted build of it is not continued.
        settings = {"format": FORMAT_VERSION, "only": sorted(ids) if ids is not None else None}
        parts = (TABLES, DATASETS, FILES)
        analysed_by = {package for language in LANGUAGES.values() for package in language.packages}
        made_by = versions({*PACKAGES, *analysed_by})
        sizes = source_sizes(files)
        known_as = [named or path for path in archives]
        if named:
            sizes = ((named, sum(size for _, size in sizes)),)
        content = source_content(files)
        metadata = Metadata("datasets", parts, None, settings, sizes, versions=made_by, content=content)
        maker, read = TableMaker(), FilesRead()
        sources = [
            SourceFile(name, partial(read_archive, path, name, owners, read), _size(path) >= COSTLY_BYTES)
            for path, name in zip(archives, known_as, strict=True)
        ]
        # Rejects of the collections were counted in the first pass: the second has a tally that nobody reads.
        derive = partial(dataset_documents, partial(read_datasets, collections, ids, IngestReport()), tally, maker)
        recall = partial(_recall, known_as, read, derive, tally)
        corpus = Corpus(metadata, sources, maker, derive=derive, recall=recall)
        in_pieces = partial(_in_pieces, corpus, owners)
        final = (
            build_on_machines(address, corpus, tally, options, in_pieces)
            if options.scheduler
            else build_index(address, corpus, tally, options)
        )
        return built(address, final, tally)


def _in_pieces(
    corpus: Corpus[OwnedBlock | OwnedFile], owners: Owners, machines: Machines
) -> tuple[Corpus[OwnedBlock | OwnedFile], list[SourcePiece]]:
    """The corpus as machines build it: a piece for each archive, with the files that the archives before it hold."""
    from indexer.cluster import SourcePiece

    sizes = {source.path: _size(source.path) for source in corpus.sources}
    keys = machines.each(keys_of, [(path, size, owners) for path, size in sizes.items()], "looking for second copies")
    met: frozenset[bytes] = frozenset()
    pieces = []
    for (path, size), found in zip(sizes.items(), keys, strict=True):
        records = partial(read_archive, path, path, owners, FilesRead(met))
        pieces.append(SourcePiece(SourceFile(path, records), size))
        # In the order of the archives, as one machine would meet the files.
        met |= machines.value(found)
    return corpus, pieces


def keys_of(path: str, size: int, owners: Owners) -> frozenset[bytes]:
    """The keys of an archive's files that belong to a dataset; none of them is read."""
    from indexer.cluster import require_source

    require_source(path, size)
    found = set()

    def note_owned(name: str) -> bool:
        if file_key(name) in owners:
            found.add(file_key(name))
        # No member is wanted: its data are passed over.
        return False

    deque(members(path, note_owned), maxlen=0)
    return frozenset(found)


def _size(path: str) -> int:
    return Path(path).stat().st_size


def _noting_unknown(datasets: Iterator[DatasetMetadata], ids: frozenset[str] | None) -> Iterator[DatasetMetadata]:
    """The datasets as they come; at the end, what was asked for and is in no collection is said."""
    known: set[str] = set()
    for dataset in datasets:
        known |= {dataset.dataset_id} & (ids or frozenset())
        yield dataset
    unknown = sorted((ids or frozenset()) - known)
    if unknown:
        warn(f"{len(unknown)} requested datasets are in no collection (the first is {unknown[0]})")


def _recall(
    archives: Sequence[str],
    read: FilesRead,
    derive: Callable[[Writer], Iterator[Made]],
    tally: IngestReport,
    writer: Writer,
) -> None:
    """Count what an interrupted build has finished, of the archives and of the datasets."""
    finished = [path for path in archives if path in writer.finished_sources]
    read.recall(writer.searcher(FILES.name).scan(), finished, tally)
    if DERIVED in writer.finished_sources:
        # Documents are there already; what counts are the rejects.
        for _ in derive(writer):
            pass
