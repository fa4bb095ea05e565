"""Building an index: sources read, turned into documents, written aside, put in place when the counts are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from indexer.address import engine_for
from indexer.document import Document, Record
from indexer.engines.contract import Metadata, Writer
from indexer.parallel import collect_garbage_rarely, ordered_map
from indexer.tally import Tally

DERIVED = "(derived)"
"""What stands among a build's finished sources once the derived documents are written too."""

Made = Mapping[str, Sequence[Document]]  # documents by the part that they belong to


class SourceFile(NamedTuple):
    """One file of a corpus: its path, and how its records are read (counting them in the tally).

    `costly` tells one that takes longer to read again than a checkpoint after it takes.
    """

    path: str
    records: Callable[[Tally], Iterator[Record]]
    costly: bool = False


class Batch(NamedTuple):
    """The documents made of some records, how many pieces were left out as the user asked, notes for `see`."""

    documents: Made
    left_out: int = 0
    notes: object = None


def source_sizes(paths: Sequence[str | Path]) -> tuple[tuple[str, int], ...]:
    """Name and size in bytes of each source: what an index remembers, and what a resumed build compares."""
    return tuple((str(path), Path(path).stat().st_size) for path in paths)


def build_index(
    address: str,
    metadata: Metadata,
    sources: Iterable[SourceFile],
    make: Callable[[list[Record]], Batch],
    tally: Tally,
    *,
    jobs: int = 1,
    derive: Callable[[Writer], Iterator[Made]] | None = None,
    see: Callable[[object], None] | None = None,
    recall: Callable[[Writer], None] | None = None,
    shards: int = 1,
    replicas: int = 0,
) -> Metadata:
    """Build the index at an address, all or nothing, and report what became of every record; its metadata.

    `make` turns records into documents, on `jobs` processes; `derive` adds documents made of all that was
    written, at the end; `see` gets the notes of every batch in order, None for a source that was written by an
    interrupted build. An interrupted build of the same sources and settings resumes after its last
    finished source. UserError when the place cannot be written.
    """
    collect_garbage_rarely()
    writer = engine_for(address, shards, replicas).build(address, metadata)
    resumed = len(writer.finished - {DERIVED})
    try:
        if recall and writer.finished:
            recall(writer)
        for source in sources:
            if source.path in writer.finished:
                if see:
                    see(None)
                continue
            for batch in ordered_map(make, source.records(tally), jobs):
                tally.left_out += batch.left_out
                _write(writer, batch.documents, tally)
                if see:
                    see(batch.notes)
            writer.finish_source(source.path, source.costly)
        if derive and DERIVED not in writer.finished:
            for documents in derive(writer):
                _write(writer, documents, tally)
            writer.finish_source(DERIVED)
        final = writer.publish()
    except BaseException:
        writer.abandon()
        raise
    tally.report(address, sum(final.documents.values()), resumed)
    return final


def _write(writer: Writer, made: Made, tally: Tally) -> None:
    for part, documents in made.items():
        tally.documents += len(documents)
        writer.add(part, documents)
