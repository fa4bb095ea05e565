"""Building an index: sources read, turned into documents, written aside, put in place when the counts are right."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from indexer.address import engine_for
from indexer.cli.options import BuildOptions
from indexer.document import Document
from indexer.engines.contract import Metadata, Share, Standing, Writer
from indexer.files.errors import RefusedInput, UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import info, phase
from indexer.ingest_report import IngestReport
from indexer.location import without_passwords
from indexer.paths import claim_index
from indexer.workers import Workers, batches, collect_garbage_rarely

_DEFAULTS = BuildOptions()

# from this number of records on, a build that rejects more than half stops at once; before, at the end of a file
EARLY_RECORDS = 10_000

DERIVED = "(derived)"
"""What stands among a build's finished sources once the derived documents are written too."""

Item = TypeVar("Item")  # what a source reads before it is analysed; each kind of corpus has its own types
Made = Mapping[str, Sequence[Document]]  # documents by the part that they belong to


class SourceFile(NamedTuple, Generic[Item]):
    """One file of a corpus: its path, and how its records are read (counting them in the tally).

    `costly` is True if reading it again takes longer than a checkpoint after it.
    """

    path: str
    records: Callable[[IngestReport], Iterator[Item]]
    costly: bool = False


class Batch(NamedTuple):
    """The documents made of some records, how many pieces were left out as the user asked, notes for `after_batch`."""

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


def _ignore_notes(notes: object) -> None:
    """Ignores a batch's notes: the default of `Corpus.after_batch`."""


class NoteCounter(Protocol):
    """Object in a worker process that counts the notes of batches; pickled back with its counts when the process has
    finished."""

    def see(self, notes: Any) -> None:
        """Count the notes of a batch."""

    def join(self, other: Any) -> None:
        """Count what another one did, too."""


class Counting(NamedTuple):
    """Counting of notes in the worker processes: `begin` makes a process's counter, `join` takes over its counts at the
    end."""

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
    after_batch: Callable[[Any], None] = _ignore_notes
    counting: Counting | None = None
    derive: Callable[[Writer], Iterator[Made]] | None = None
    recall: Callable[[Writer], None] | None = None


class BatchCounts(NamedTuple):
    """Counts of a batch: documents written by part, documents made, and the rest of its ingest counts."""

    counted: Mapping[str, Any]
    documents: int
    left_out: int
    notes: object


class BuildWorker(Generic[Item]):
    """A worker of a build: makes documents of records, writes them, and counts their notes if the corpus counts any."""

    def __init__(
        self, make: Callable[[list[Item]], Batch], share: Callable[[], Share], begin: Callable[[], NoteCounter] | None
    ) -> None:
        self._make = make
        self._share = share()
        self._counter = begin() if begin else None

    def write(self, records: list[Item]) -> BatchCounts:
        """Write the documents of some records; what is counted of their notes stays here."""
        made = self._make(records)
        counted = {part: self._share.add(part, documents) for part, documents in made.documents.items()}
        documents, notes = sum(map(len, made.documents.values())), made.notes
        if self._counter is not None:
            self._counter.see(notes)
            notes = []
        return BatchCounts(counted, documents, made.left_out, notes)

    def commit(self) -> None:
        self._share.commit()

    def end(self) -> NoteCounter | None:
        """Commit, and write no more; what was counted."""
        self._share.commit()
        self._share.end()
        return self._counter


class BuildWorkers(Generic[Item]):
    """All worker processes of a build; its writer commits and ends them."""

    def __init__(self, writer: Writer, corpus: Corpus[Item], makers: list[Callable[[], BuildWorker[Item]]]) -> None:
        self._writer = writer
        self._corpus = corpus
        self._workers: Workers[BuildWorker[Item]] = Workers(makers)
        writer.lead(self)

    def write(self, records: Iterator[Item], tally: IngestReport) -> Iterator[object]:
        """Write the documents of all records; the notes of every batch in order, [] where they are counted there."""
        for written in self._workers.map(BuildWorker.write, records):
            tally.left_out += written.left_out
            tally.documents += written.documents
            for part, counted in written.counted.items():
                self._writer.count(part, counted)
            yield written.notes

    def commit(self) -> None:
        self._workers.each(BuildWorker.commit)

    def end(self) -> None:
        """Take in what was counted, and have what was written joined."""
        for counter in self._workers.each(BuildWorker.end):
            if self._corpus.counting:
                self._corpus.counting.join(counter)
        self._writer.join()

    def close(self) -> None:
        self._workers.close()


def build_workers(writer: Writer, corpus: Corpus[Item], jobs: int) -> BuildWorkers[Item] | None:
    """Starts a build's worker processes; None where one process does all the work."""
    todo = any(source.path not in writer.finished_sources for source in corpus.sources)
    if jobs <= 1 or not todo:
        return None
    shares = [writer.share(number) for number in range(jobs)]
    begin = corpus.counting.begin if corpus.counting else None
    makers: list[Callable[[], BuildWorker[Item]]] = [
        partial(BuildWorker, corpus.make, share, begin) for share in shares if share
    ]
    return BuildWorkers(writer, corpus, makers) if makers else None


def build_index(
    address: str,
    corpus: Corpus[Item],
    tally: IngestReport,
    options: BuildOptions = _DEFAULTS,
    write: Callable[[Writer], None] | None = None,
) -> Metadata:
    """Build the index of a corpus at an address, all or nothing, and report what became of every record; its metadata.

    An interrupted build of the same sources and settings resumes after its last finished source; one that fails
    otherwise leaves nothing behind. `write`, where it is given, writes all documents in the place of this machine's
    processes, and such a build starts from the beginning. Raises UserError when the place cannot be written, when an
    index of another kind or of other sources is already there, when nothing is left to index, or when too much is
    rejected.
    """
    collect_garbage_rarely()
    begun = time.monotonic()
    place = without_passwords(address)
    writer = _open_writer(address, corpus.metadata, options, anew=write is not None)
    resumed = len(writer.finished_sources - {DERIVED})
    stands = f"what was at {place} stays as it was"
    try:
        if corpus.recall and writer.finished_sources:
            corpus.recall(writer)
        if write:
            write(writer)
        else:
            # The documents of all sources; with --jobs, other processes make and write them.
            hands = build_workers(writer, corpus, options.jobs)
            for source in corpus.sources:
                _write_source(writer, corpus, source, hands, tally, options)
            if hands:
                hands.end()
        if corpus.derive and DERIVED not in writer.finished_sources:
            with phase("adding up what was read"):
                for documents in corpus.derive(writer):
                    _write(writer, documents, tally)
            if not write:
                writer.finish_source(DERIVED)
        refuse_nothing(place, corpus.metadata, writer, tally)
        stands = f"at {place} is what was there before, or the whole new index"
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
            error.add_note(f"{stands}; {again}")
        elif writer.finished_sources:
            info(f"interrupted: {goes_on}")
        raise
    size = engine_for(address).size(address)
    tally.report(place, sum(final.documents.values()), resumed, size, time.monotonic() - begun)
    return final


def _open_writer(address: str, metadata: Metadata, options: BuildOptions, *, anew: bool) -> Writer:
    """Opens the writer of an index, after checking that nothing at the address may not be replaced."""
    claim_index(address, written=True)
    engine = engine_for(address, options.shards, options.replicas)
    if not options.replace:
        refuse_replacing(without_passwords(address), engine.standing(address), metadata)
    writer = engine.build(address, metadata)
    if anew and writer.finished_sources:
        writer.discard()
        writer = engine.build(address, metadata)
    return writer


def _write_source(
    writer: Writer,
    corpus: Corpus[Item],
    source: SourceFile[Item],
    hands: BuildWorkers[Item] | None,
    tally: IngestReport,
    options: BuildOptions,
) -> None:
    """The documents of one source, unless an interrupted build has written them."""
    if source.path in writer.finished_sources:
        corpus.after_batch(None)
        return
    expected, faults = tally.expected_records, tally.faults
    records = source.records(tally)
    for notes in hands.write(records, tally) if hands else _write_batches(writer, corpus.make, records, tally):
        if tally.read >= EARLY_RECORDS:
            refuse_rejects(tally, options)
        corpus.after_batch(notes)
    refuse_source(source.path, tally.expected_records - expected, tally.faults - faults, tally, options)
    refuse_rejects(tally, options)
    writer.finish_source(source.path, source.costly)


def _write_batches(
    writer: Writer, make: Callable[[list[Item]], Batch], records: Iterator[Item], tally: IngestReport
) -> Iterator[object]:
    """The notes of every batch, when its documents are made and written by this process."""
    for batch in map(make, batches(records)):
        tally.left_out += batch.left_out
        _write(writer, batch.documents, tally)
        yield batch.notes


def refuse_replacing(address: str, standing: Standing | None, metadata: Metadata) -> None:
    """Raises UserError if the index at an address is of another kind or of other sources than the one to be built."""
    if standing is None:
        return
    if standing.kind == metadata.kind and _places(standing.sources) == _places(name for name, _ in metadata.sources):
        return
    language = f", {standing.language}" if standing.language else ""
    more = f" and {len(standing.sources) - 3} more" if len(standing.sources) > 3 else ""
    raise UserError(
        f"at {address} stands another index ({standing.kind}{language}, built {standing.when} from "
        f"{', '.join(standing.sources[:3])}{more}): name another place with --index, or replace it with --replace"
    )


def _places(sources: Iterable[str]) -> set[str]:
    """Absolute paths of sources, links kept."""
    return {os.path.abspath(source) for source in sources}  # noqa: PTH100 - links stay as the user named them


def refuse_source(path: str, expected: int, faults: int, tally: IngestReport, options: BuildOptions) -> None:
    """Raises UserError for a source whose every record is rejected."""
    if expected == faults > 0 and not options.allow_rejects:
        raise RefusedInput(f"{path}: not one of its {expected:,} records can be used{_why(tally)}")


def refuse_nothing(address: str, metadata: Metadata, writer: Writer, tally: IngestReport) -> None:
    """Raises UserError for an index without a document."""
    main = metadata.parts[0].name
    if not writer.counts[main]:
        raise RefusedInput(
            f"nothing to index: {tally.read:,} records read, no {main} among them{_why(tally)}; "
            f"what was at {address} stays as it was"
        )


def refuse_rejects(tally: IngestReport, options: BuildOptions) -> None:
    """Raises UserError where more than half of the records so far were rejected."""
    if 2 * tally.faults > tally.expected_records and not options.allow_rejects:
        raise RefusedInput(f"{tally.faults:,} of {tally.expected_records:,} records are rejected{_why(tally)}")


def _why(tally: IngestReport) -> str:
    """The first rejected record, and how to see them all or let them pass."""
    if not tally.examples:
        return ""
    return f" ({tally.examples[0]}); --rejects FILE keeps them all, --allow-rejects lets them pass"


def _write(writer: Writer, made: Made, tally: IngestReport) -> None:
    """Writes a batch's documents, by part, and counts them in the tally."""
    for part, documents in made.items():
        tally.documents += len(documents)
        writer.add(part, documents)
