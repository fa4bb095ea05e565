"""Building an index on many machines: they read, analyse and load; what comes back are counts, and they must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from indexer.build import Corpus, NoteCounter, build_index, refuse_rejects, refuse_source
from indexer.cli.options import BuildOptions
from indexer.cluster.pieces import Job, Piece, cut, load_piece
from indexer.cluster.scheduler import Machines, in_pairs, machines_for
from indexer.engines.contract import Metadata, Writer
from indexer.ingest_report import IngestReport

if TYPE_CHECKING:
    from indexer.engines.loading import Loader


def build_corpus(
    address: str,
    corpus: Corpus[Any],
    tally: IngestReport,
    options: BuildOptions,
    in_pieces: Callable[[Machines], tuple[Corpus[Any], Sequence[Piece]]] | None = None,
) -> Metadata:
    """Build the index of a corpus at an address, as `build_index` does: here, or on the machines of a scheduler.

    `in_pieces` gives the corpus as machines build it, and its pieces, where these are more than its sources cut. What
    machines count of the notes of their pieces is joined two by two; what is derived from that is derived here. A build
    on machines that fails begins anew the next time.
    """
    machines = machines_for(address, options)
    if machines is None:
        return build_index(address, corpus, tally, options)
    with machines:
        whole, pieces = in_pieces(machines) if in_pieces else (corpus, ())
        return build_index(address, whole, tally, options, partial(_write, machines, whole, pieces, tally, options))


def _write(
    machines: Machines,
    corpus: Corpus[Any],
    pieces: Sequence[Piece],
    tally: IngestReport,
    options: BuildOptions,
    writer: Writer,
) -> None:
    """Have machines write all documents of a corpus."""
    counting, share = corpus.counting, cast("Callable[[], Loader]", writer.share(0))
    job = Job(share, corpus.make, counting and counting.begin, options.rejects is not None)
    counted = _load(writer, job, pieces or _cut(corpus, machines, tally, options), machines, tally, options)
    if counting:
        whole = in_pairs(machines, partial(joined, counting.begin), counted, "adding up what was counted")
        counting.join(machines.value(whole))


def joined(begin: Callable[[], NoteCounter], one: NoteCounter, other: NoteCounter) -> NoteCounter:
    """What two counted, in a third; both stay as they are, for a machine may do it again."""
    counter = begin()
    counter.join(one)
    counter.join(other)
    return counter


def _cut(corpus: Corpus[Any], machines: Machines, tally: IngestReport, options: BuildOptions) -> list[Piece]:
    """The pieces of the sources; what reading those told that are cut into several is told."""
    pieces, told = cut(machines, corpus.sources, options.rejects is not None)
    for path, one in told.items():
        tally.take(one)
        refuse_source(path, one.expected, one.faults, tally, options)
    refuse_rejects(tally, options)
    return pieces


def _load(
    writer: Writer, job: Job, pieces: Sequence[Piece], machines: Machines, tally: IngestReport, options: BuildOptions
) -> list[Any]:
    """Have all pieces loaded; promises of what was counted of each, in order."""
    shared = machines.share(job)
    done = machines.each_many(load_piece, [(shared, piece) for piece in pieces], 2, "loading")
    expected, faults = Counter[str](), Counter[str]()
    for piece, (promise, _) in zip(pieces, done, strict=True):
        loaded = machines.value(promise)
        tally.take(loaded.told)
        for part, number in loaded.counts.items():
            writer.count(part, number)
        expected[piece.source.path] += loaded.told.expected
        faults[piece.source.path] += loaded.told.faults
    for path, number in expected.items():
        refuse_source(path, number, faults[path], tally, options)
    refuse_rejects(tally, options)
    return [counted for _, counted in done]
