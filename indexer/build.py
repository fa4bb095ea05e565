"""Building an index: sources read, turned into documents, written aside, put in place when the counts are right."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from indexer.address import engine_for
from indexer.document import Document
from indexer.engines.contract import Metadata
from indexer.engines.writing import Share, Standing, Writer
from indexer.files.errors import RefusedInput, UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import info
from indexer.files.progress import phase
from indexer.garbage import collect_garbage_rarely
from indexer.ingest_report import IngestReport
from indexer.location import claim_index, without_passwords
from indexer.parameters import OutputPath, Parameter, SchedulerAddress, WholeNumber, address_option, flag, option
from indexer.workers import Workers, batches

# from this number of records on, a build that rejects more than half stops at once; before, at the end of a file
EARLY_RECORDS = 10_000

DERIVED = "(derived)"
"""What stands among a build's finished sources once the derived documents are written too."""

Item = TypeVar("Item")  # what a source reads before it is analysed; each kind of corpus has its own types
Made = Mapping[str, Sequence[Document]]  # documents by the part that they belong to


class BuildOptions(NamedTuple):
    """Options of every build: path of the file for rejected records, number of processes, shards and replicas
    (Elasticsearch), whether an index of other sources may be replaced, whether any number of rejected records is
    accepted, and the address of the Dask scheduler whose workers build, if any."""

    rejects: str | None = None
    jobs: int = 1
    shards: int | None = None
    replicas: int | None = None
    replace: bool = False
    allow_rejects: bool = False
    scheduler: str | None = None


_DEFAULTS = BuildOptions()

BUILD_OPTIONS = (
    option("--rejects", metavar="FILE", type=OutputPath(), help="Keep rejected records here, as JSON lines."),
    flag("--allow-rejects", help="Publish even if most records, or all of a file, are rejected."),
    flag("--replace", help="Replace an index of another kind or of other sources."),
    option("--jobs", type=WholeNumber(1, 256), default=1, help="Processes that analyse text [1]."),
    option("--shards", type=WholeNumber(1, 1024), help="Elasticsearch: primary shards [1 for each 10 GB]."),
    option("--replicas", type=WholeNumber(0, 100), help="Elasticsearch: copies of each shard [1, or 0 on one node]."),
)
"""The options of every command that builds an index."""

SCHEDULER = option(
    "--scheduler",
    metavar="ADDRESS",
    type=SchedulerAddress(),
    help="Build on the workers of a Dask scheduler (tcp://HOST:8786).",
)


def index_option(said: str, default: str | None = None) -> Parameter:
    """--index ADDRESS: where the index goes; `said` is the default as the help shows it."""
    return address_option(f"Where the index goes [{said}].", default=default, written=True)


def gather_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a build command's parameters, those of `BuildOptions` as one under `options`."""
    own = {name: value for name, value in values.items() if name in BuildOptions._fields}
    return {name: value for name, value in values.items() if name not in own} | {"options": BuildOptions(**own)}


class SourceFile(NamedTuple, Generic[Item]):
    """One file of a corpus: its path, and a function that yields its records and counts them in an `IngestReport`.

    `costly` is True if reading the file again takes longer than storing a checkpoint after it.
    """

    path: str
    records: Callable[[IngestReport], Iterator[Item]]
    costly: bool = False


class Batch(NamedTuple):
    """Result of `Corpus.make` on some records: documents by part, number of pieces that the user asked to leave out,
    and notes for `Corpus.after_batch`."""

    documents: Made
    left_out: int = 0
    notes: object = None


def source_sizes(paths: Sequence[str | Path]) -> tuple[tuple[str, int], ...]:
    """Name and size in bytes of each source: what an index remembers, and what a resumed build compares."""
    return tuple((str(path), Path(path).stat().st_size) for path in paths)


def source_content(paths: Sequence[str | Path]) -> str:
    """A hash (SHA-256) of what is in the sources: a file that was changed without changing its size is another.

    It takes about a second for half a GB, of which a build takes minutes.
    """
    hashes = (str(fingerprint(path)["sha256"]) for path in paths)
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()


def rename_source(sources: Sequence[tuple[str, int]], path: str, named: str | None) -> tuple[tuple[str, int], ...]:
    """Sources with the one at `path` called by another name, where it has one: it is a passing copy."""
    return tuple((named if named and name == path else name, size) for name, size in sources)


class NoteCounter(Protocol):
    """Object in a worker process that counts the notes of batches; pickled back with its counts when the process has
    finished."""

    def see(self, notes: Any) -> None:
        """Count the notes of a batch."""

    def join(self, other: Any) -> None:
        """Count what another one did, too."""


class Counting(NamedTuple):
    """How worker processes count the notes of batches: `begin` makes a process's counter, `join` gets each counter back
    in the main process at the end and adds its counts."""

    begin: Callable[[], NoteCounter]
    join: Callable[[Any], None]


class Corpus(NamedTuple, Generic[Item]):
    """A corpus to be indexed: the index's metadata, the source files, and the function that makes documents of their
    records.

    `make` turns records into documents, on any process. What depends on more than some records is optional:
    `after_batch` gets the notes of every batch in order, None for a source that an interrupted build wrote; with
    `counting`, processes that write by themselves keep the notes of their batches and count them; `derive` makes
    documents of all that was written, at the end; `recall` first gets the sources that an interrupted build finished.
    """

    metadata: Metadata
    sources: Sequence[SourceFile[Item]]
    make: Callable[[list[Item]], Batch]
    after_batch: Callable[[Any], None] | None = None
    counting: Counting | None = None
    derive: Callable[[Writer], Iterator[Made]] | None = None
    recall: Callable[[Writer], None] | None = None


class BuildWorker(Generic[Item]):
    """State of one worker process of a build: makes documents of records, writes them to this process's separate folder
    or connection, and counts the notes of its batches if the corpus counts any."""

    def __init__(
        self, make: Callable[[list[Item]], Batch], share: Callable[[], Share], begin: Callable[[], NoteCounter] | None
    ) -> None:
        self._make = make
        self._share = share()
        self._counter = begin() if begin else None

    def write(self, records: list[Item]) -> tuple[Mapping[str, Any], int, Batch]:
        """Makes and writes the documents of some records.

        Returns what the writer counts of them (by part), the number of documents made, and the batch without its
        documents; its notes are empty if this process counts them.
        """
        made = self._make(records)
        written = {part: self._share.add(part, documents) for part, documents in made.documents.items()}
        if self._counter is not None:
            self._counter.see(made.notes)
            made = made._replace(notes=[])
        return written, sum(map(len, made.documents.values())), made._replace(documents={})

    def commit(self) -> None:
        self._share.commit()

    def end(self) -> NoteCounter | None:
        """Commit, and write no more; what was counted."""
        self._share.commit()
        self._share.end()
        return self._counter


class BuildWorkers(Generic[Item]):
    """Worker processes of a build, each of which writes some of its documents; the build's writer commits and ends
    them."""

    def __init__(self, writer: Writer, corpus: Corpus[Item], shares: Sequence[Callable[[], Share]]) -> None:
        self._writer = writer
        self._counting = corpus.counting
        begin = corpus.counting.begin if corpus.counting else None
        self._workers = Workers([partial(BuildWorker, corpus.make, share, begin) for share in shares])
        writer.lead(self)

    def write(self, records: Iterator[Item], tally: IngestReport) -> Iterator[object]:
        """Distributes records over the workers, which write their documents, and yields the notes of every batch in
        record order ([] where workers count them). Documents and left-out pieces are counted in the tally."""
        for written, documents, rest in self._workers.map(BuildWorker.write, records):
            tally.left_out += rest.left_out
            tally.documents += documents
            for part, counted in written.items():
                self._writer.count(part, counted)
            yield rest.notes

    def commit(self) -> None:
        self._workers.each(BuildWorker.commit)

    def end(self) -> None:
        """Joins the workers' counts of notes and has the writer join the documents that the workers wrote."""
        for counter in self._workers.each(BuildWorker.end):
            if self._counting:
                self._counting.join(counter)
        self._writer.join()

    def close(self) -> None:
        self._workers.close()


def build_index(
    address: str,
    corpus: Corpus[Item],
    tally: IngestReport,
    options: BuildOptions = _DEFAULTS,
    write: Callable[[Writer], None] | None = None,
) -> Metadata:
    """Builds the index of a corpus at an address, all or nothing, and reports what became of its records; returns its
    metadata.

    An interrupted build of the same sources and settings resumes after its last finished source; a refused one leaves
    nothing behind. `write`, if given, writes all documents instead of this machine's processes; such a build starts
    from the beginning. Raises UserError if the address cannot be written, if it holds an index of another kind or of
    other sources (without `replace`), if no document of the main part was made, or if too many records are rejected.
    """
    collect_garbage_rarely()
    begun = time.monotonic()
    place = without_passwords(address)
    claim_index(address, written=True)
    engine = engine_for(address)
    if not options.replace:
        refuse_replacing(place, engine.standing(address), corpus.metadata)
    writer = engine.build(address, corpus.metadata, options.shards, options.replicas)
    if write and writer.finished_sources:
        writer.discard()
        writer = engine.build(address, corpus.metadata, options.shards, options.replicas)
    resumed = len(writer.finished_sources - {DERIVED})
    state = f"what was at {place} stays as it was"
    try:
        if corpus.recall and writer.finished_sources:
            corpus.recall(writer)
        if write:
            write(writer)
        else:
            workers: BuildWorkers[Item] | None = None
            if options.jobs > 1 and any(source.path not in writer.finished_sources for source in corpus.sources):
                shares = [share for number in range(options.jobs) if (share := writer.share(number))]
                workers = BuildWorkers(writer, corpus, shares) if shares else None
            for source in corpus.sources:
                _write_source(writer, corpus, source, workers, tally, options)
            if workers:
                workers.end()
        if corpus.derive and DERIVED not in writer.finished_sources:
            with phase("adding up what was read"):
                for documents in corpus.derive(writer):
                    _write_batch(writer, Batch(documents), tally)
            if not write:
                writer.finish_source(DERIVED)
        main = corpus.metadata.parts[0].name
        if not writer.counts[main]:
            why = _why(tally)
            raise RefusedInput(f"nothing to index: {tally.read:,} records read, no {main} among them{why}; {state}")
        state = f"at {place} is what was there before, or the whole new index"
        with phase("putting the index in place"):
            final = writer.publish()
    except RefusedInput:
        writer.discard()
        raise
    except BaseException as error:
        writer.abandon()
        goes_on = "the same command goes on after the last finished file"
        if isinstance(error, KeyboardInterrupt | SystemExit):
            again = goes_on if writer.finished_sources else "the same command begins anew, for no file was finished"
            error.add_note(f"{state}; {again}")
        elif writer.finished_sources:
            info(f"interrupted: {goes_on}")
        raise
    tally.report(place, sum(final.documents.values()), resumed, engine.size(address), time.monotonic() - begun)
    return final


def _write_source(
    writer: Writer,
    corpus: Corpus[Item],
    source: SourceFile[Item],
    workers: BuildWorkers[Item] | None,
    tally: IngestReport,
    options: BuildOptions,
) -> None:
    """Writes the documents of one source, here or by worker processes, and records that it is finished; skips it if an
    interrupted build has finished it.

    Raises UserError if too many of its records, or of all records so far, are rejected.
    """
    if source.path in writer.finished_sources:
        if corpus.after_batch:
            corpus.after_batch(None)
        return
    expected, faults = tally.expected_records, tally.faults
    records = source.records(tally)
    here = (_write_batch(writer, batch, tally) for batch in map(corpus.make, batches(records)))
    for notes in workers.write(records, tally) if workers else here:
        if tally.read >= EARLY_RECORDS:
            refuse_rejects(tally, options)
        if corpus.after_batch:
            corpus.after_batch(notes)
    refuse_source(source.path, tally.expected_records - expected, tally.faults - faults, tally, options)
    refuse_rejects(tally, options)
    writer.finish_source(source.path, source.costly)


def _write_batch(writer: Writer, batch: Batch, tally: IngestReport) -> object:
    """Writes a batch's documents to their parts, adds their number and that of left-out pieces to the tally, and
    returns the batch's notes."""
    tally.left_out += batch.left_out
    for part, documents in batch.documents.items():
        tally.documents += len(documents)
        writer.add(part, documents)
    return batch.notes


def refuse_replacing(address: str, standing: Standing | None, metadata: Metadata) -> None:
    """Raises UserError if the index that exists at an address (`standing`, None: none) has another kind or other source
    files than the index to be built (`metadata`)."""
    if standing is None:
        return
    # links are kept as the user named them
    there, new = ({os.path.abspath(name) for name in names} for names in (standing.sources, dict(metadata.sources)))  # noqa: PTH100
    if standing.kind == metadata.kind and there == new:
        return
    language = f", {standing.language}" if standing.language else ""
    more = f" and {len(standing.sources) - 3} more" if len(standing.sources) > 3 else ""
    raise UserError(
        f"{address} is another index ({standing.kind}{language}, built {standing.when} from "
        f"{', '.join(standing.sources[:3])}{more}): choose another place with --index, or give --replace"
    )


def refuse_source(path: str, expected: int, faults: int, tally: IngestReport, options: BuildOptions) -> None:
    """Raises UserError for a source whose every record is rejected."""
    if expected == faults > 0 and not options.allow_rejects:
        raise RefusedInput(f"{path}: not one of its {expected:,} records can be used{_why(tally)}")


def refuse_rejects(tally: IngestReport, options: BuildOptions) -> None:
    """Raises UserError where more than half of the records so far were rejected."""
    if 2 * tally.faults > tally.expected_records and not options.allow_rejects:
        raise RefusedInput(f"{tally.faults:,} of {tally.expected_records:,} records are rejected{_why(tally)}")


def _why(tally: IngestReport) -> str:
    """The first rejected record, and how to see them all or let them pass."""
    if not tally.examples:
        return ""
    return f" ({tally.examples[0]}); --rejects FILE keeps them all, --allow-rejects lets them pass"
