"""Pieces of the sources, and what a machine does with one: reads it, analyses it, loads it; counts come back."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from indexer.build import Batch, NoteCounter, SourceFile
from indexer.cluster.scheduler import Machines
from indexer.files.errors import UserError
from indexer.ingest_report import IngestCounts, IngestReport
from indexer.workers import batches

if TYPE_CHECKING:
    from indexer.engines.loading import Loader

PIECES_OF_A_MACHINE = 4  # so that none waits long for the last of another
LEAST_BYTES = 1_000_000  # of a piece
MOST_PIECES = 16  # of a source: each of them reads it from its beginning


class Piece(NamedTuple):
    """The records of a source from `start` to before `stop` (None: to its end), counted from 0.

    `size` is the source's in bytes, which a machine compares.
    """

    source: SourceFile[Any]
    size: int
    start: int = 0
    stop: int | None = None


class Job(NamedTuple):
    """What is done with every piece: records are made into documents and written; what `begin` gives counts the notes.

    `keep_rejects` says whether rejected records come back, or only their number.
    """

    share: Callable[[], Loader]
    make: Callable[[list[Any]], Batch]
    begin: Callable[[], NoteCounter] | None
    keep_rejects: bool


class Loaded(NamedTuple):
    """The documents of each part that a piece gave, and what became of its records."""

    counts: dict[str, int]
    told: IngestCounts


def cut(
    machines: Machines, sources: Sequence[SourceFile[Any]], keep_rejects: bool
) -> tuple[list[Piece], dict[str, IngestCounts]]:
    """The pieces of all sources in order, and by path what reading those told that are cut into several.

    A source is cut where it is large beside its share of the machines; its records are counted first, on a machine.
    """
    sizes = [Path(source.path).stat().st_size for source in sources]
    pieces = [Piece(source, size) for source, size in zip(sources, sizes, strict=True)]
    wanted = [_parts(size, sum(sizes), machines.size) for size in sizes]
    large = [number for number, parts in enumerate(wanted) if parts > 1]
    counting = machines.each(count_records, [(pieces[number], keep_rejects) for number in large], "counting records")
    counted = dict(zip(large, map(machines.value, counting), strict=True))
    found: list[Piece] = []
    for number, piece in enumerate(pieces):
        if number not in counted:
            found.append(piece)
            continue
        records = counted[number][0]
        ends = [records * part // wanted[number] for part in range(wanted[number] + 1)]
        found += [piece._replace(start=start, stop=stop) for start, stop in pairwise(ends)]
    return found, {sources[number].path: told for number, (_, told) in counted.items()}


def _parts(size: int, total: int, machines: int) -> int:
    """Into how many pieces a source of this size is cut."""
    share = round(PIECES_OF_A_MACHINE * machines * size / max(total, 1))
    return max(1, min(share, size // LEAST_BYTES, MOST_PIECES))


def count_records(piece: Piece, keep_rejects: bool) -> tuple[int, IngestCounts]:
    """How many records a source has, and what reading them told."""
    tally = IngestReport.gathering(keep_rejects)
    return sum(1 for _ in _records(piece, tally)), tally.told()


def load_piece(job: Job, piece: Piece) -> tuple[Loaded, NoteCounter | None]:
    """Make the documents of a piece and write them; what was written, and what was counted of the notes."""
    tally, loader = IngestReport.gathering(job.keep_rejects), job.share()
    read = IngestReport() if piece.stop is not None else tally  # of a source in pieces the reading was told before
    counter = job.begin() if job.begin else None
    try:
        for batch in map(job.make, batches(_records(piece, read))):
            tally.left_out += batch.left_out
            for part, documents in batch.documents.items():
                tally.documents += len(documents)
                loader.add(part, documents)
            if counter is not None:
                counter.see(batch.notes)
        loader.commit()
        loader.end()
    except BaseException:
        loader.abandon()
        raise
    return Loaded(loader.counts, tally.told()), counter


def require_source(name: str, size: int) -> None:
    """UserError where a source is not the one that the build began with."""
    path = Path(name)
    if not path.is_file() or path.stat().st_size != size:
        fault = "is another file there" if path.is_file() else "is not there"
        raise UserError(
            f"{path}: {fault} on {socket.gethostname()}: machines read the sources at the same paths, as on a shared "
            "file system"
        )


def _records(piece: Piece, tally: IngestReport) -> Iterator[Any]:
    """A piece's records."""
    require_source(piece.source.path, piece.size)
    return islice(piece.source.records(tally), piece.start, piece.stop)
