"""Builds on many machines, by Dask: pieces of the sources are analysed and loaded there, and the counts must agree."""

from __future__ import annotations

import logging
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from io import StringIO
from itertools import islice, pairwise
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from indexer.build import (
    BuildOptions,
    BuiltIndex,
    Corpus,
    SourceFile,
    batches,
    build_index,
    refuse_rejects,
    refuse_source,
)
from indexer.engines.writing import Writer
from indexer.files.encoding import held_content
from indexer.files.errors import UserError
from indexer.files.progress import with_progress
from indexer.files.versions import install_hint, versions
from indexer.ingest_report import EXAMPLES, IngestReport
from indexer.location import locate
from indexer.workers import BuildWorker

if TYPE_CHECKING:
    from indexer.engines.bulk import BulkLoader
    from indexer.statistics.counting import NameCounter

# The machines of a build: the workers of a Dask scheduler. Source: https://distributed.dask.org.

SECONDS_TO_CONNECT = 20
SECONDS_FOR_A_WORKER = 60  # bounds the wait for the scheduler's first worker


class Machines:
    """Dask workers that call functions. Results stay on the workers: a call returns a promise (a Dask future), which
    other calls accept as an argument in place of the result.

    One thread of each worker is used: analysers are not thread-safe.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    @property
    def size(self) -> int:
        """Number of calls that run at a time."""
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def share(self, value: object) -> Any:
        """A promise of a value that many calls need."""
        # a call's result is made again where its worker is lost; what is scattered is not
        return self._client.submit(_itself, value, pure=False)

    def each(self, function: Callable[..., object], calls: Sequence[tuple[Any, ...]], label: str = "") -> list[Any]:
        """Calls a function on the workers once for each tuple of arguments, waits for all, and returns the promises of
        their results, in order.

        `label` names the progress line. Promises among the arguments, also in lists, are replaced by their results on
        the worker. Raises the error of a failed call.
        """
        import distributed

        futures = [self._client.submit(function, *arguments, pure=False) for arguments in calls]
        completed = cast(Any, distributed).as_completed(futures, loop=self._client.loop)
        for done in with_progress(completed, label, len(futures), "pieces"):
            done.result()
        return futures

    def item(self, promise: Any, place: int) -> Any:
        """A promise of one of a result's items; that item alone passes between machines."""
        return self._client.submit(itemgetter(place), promise)

    def value(self, promise: Any) -> Any:
        """Waits for a promise and returns its result on this machine."""
        return promise.result()


@contextmanager
def machines_at(address: str) -> Iterator[Machines]:
    """Context manager with the workers of the Dask scheduler at an address.

    Raises UserError, also in the block: Dask or its certificates are missing, no scheduler answers, it has no worker,
    a worker has several threads or other versions of this program and its packages than this machine, workers end one
    after another, the scheduler is lost. Other errors of the calls themselves pass through.
    """
    try:
        import distributed
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise UserError(f"--scheduler needs Dask: {install_hint('cluster')}") from None
    dask: Any = distributed
    # Let no logger of a package speak: what goes wrong is reported in one line here.
    for logger in [each for each in logging.root.manager.loggerDict if each.split(".")[0] == "distributed"]:
        logging.getLogger(logger).setLevel(logging.CRITICAL + 1)
    if address.startswith("tls:") and not dask.Security().get_tls_config_for_role("client")["ca_file"]:
        raise UserError(
            f"{address} needs certificates: name them to Dask (DASK_DISTRIBUTED__COMM__TLS__CA_FILE and "
            "what else `distributed.comm.tls` has), or give a tcp:// address"
        )
    start_workers = f"`dask worker {address} --nthreads 1`"
    try:
        client = dask.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(
            f"no Dask scheduler answers at {address} ({type(error).__name__}): start one with "
            f"`dask scheduler`, and workers with {start_workers}"
        ) from None
    gone = (CancelledError, CommClosedError)
    try:
        try:
            client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
        except TimeoutError:
            raise UserError(f"the scheduler at {address} has no worker: start some with {start_workers}") from None
        if {about["nthreads"] for about in client.scheduler_info(n_workers=-1)["workers"].values()} != {1}:
            raise UserError(f"the workers of {address} have several threads: start them with --nthreads 1")
        ours = own_versions()
        try:
            theirs = client.run(own_versions)
        except (ImportError, AttributeError) as error:
            raise UserError(
                f"the workers of {address} cannot import this program ({error}): install it on every machine"
            ) from None
        for worker, found in theirs.items():
            if other := sorted(name for name in ours | found if ours.get(name) != found.get(name)):
                differing = f"another version of {', '.join(other)}"
                raise UserError(f"the worker {worker} has {differing}: install the same everywhere")
        yield Machines(client)
    except dask.KilledWorker as error:
        raise UserError(
            f"workers of {address} ended one after another at the same piece ({error.task}), as when "
            "memory runs out: give them more, or cut the sources into more files"
        ) from None
    except (*gone, OSError) as error:
        if client.status == "running" and not isinstance(error, gone):
            raise  # of the work itself, on a machine
        raise UserError(
            f"the Dask scheduler at {address} was lost ({type(error).__name__}): give the same command again "
            "when it is back"
        ) from None
    finally:
        client.close()


def absolute(paths: Sequence[str]) -> list[str]:
    """Paths as every machine finds them. Raises UserError for documents that a program gave, which only it has."""
    if any(held_content(path) is not None for path in paths):
        raise UserError("documents in memory cannot be read by other machines: write them to a file for --scheduler")
    return [os.path.abspath(path) for path in paths]  # noqa: PTH100 - links stay as the user named them


def _itself(value: object) -> object:
    """Returns its argument: a call by which a value is sent to the machines."""
    return value


def own_versions() -> dict[str, str]:
    """Versions of this program, of the packages that analyse text, and of numpy and scipy: name → version."""
    from indexer.languages.registry import LANGUAGES

    return versions({"numpy", "scipy", *(name for language in LANGUAGES.values() for name in language.packages)})


# Pieces of the sources, and what a machine does with one: reads it, analyses it, loads it; counts come back.

PIECES_OF_A_MACHINE = 4  # so that none waits long for the last of another
LEAST_BYTES = 1_000_000  # of a piece
MOST_PIECES = 16  # of a source: each of them reads it from its beginning


class SourcePiece(NamedTuple):
    """The records of a source from index `start` to before `stop` (None: to its end), counted from 0.

    `size` is the size of the whole source in bytes, by which a worker checks that it reads the same file.
    """

    source: SourceFile[Any]
    size: int
    start: int = 0
    stop: int | None = None


def cut_pieces(
    machines: Machines, sources: Sequence[SourceFile[Any]], keep_rejects: bool
) -> tuple[list[SourcePiece], dict[str, IngestReport]]:
    """Cuts sources into pieces for the machines.

    Returns the pieces in source order, and the ingest counts, by path, of sources cut into several pieces. Such a
    source is large compared with an even division of all bytes over the machines; a worker counts its records first.
    With `keep_rejects`, its rejected records are kept.
    """
    sizes = [Path(source.path).stat().st_size for source in sources]
    pieces = [SourcePiece(source, size) for source, size in zip(sources, sizes, strict=True)]
    share = PIECES_OF_A_MACHINE * machines.size / max(sum(sizes), 1)  # pieces a byte
    wanted = [max(1, min(round(share * size), size // LEAST_BYTES, MOST_PIECES)) for size in sizes]
    large = [number for number, parts in enumerate(wanted) if parts > 1]
    counting = machines.each(count_records, [(pieces[number], keep_rejects) for number in large], "counting records")
    counted = dict(zip(large, map(machines.value, counting), strict=True))
    found: list[SourcePiece] = []
    for number, piece in enumerate(pieces):
        if number in counted:
            records, parts = counted[number][0], wanted[number]
            ends = pairwise(records * part // parts for part in range(parts + 1))
            found += [piece._replace(start=start, stop=stop) for start, stop in ends]
        else:
            found.append(piece)
    return found, {sources[number].path: counts for number, (_, counts) in counted.items()}


def count_records(piece: SourcePiece, keep_rejects: bool) -> tuple[int, IngestReport]:
    """Number of records of a source, and the ingest counts of reading them."""
    tally = IngestReport(kept=StringIO() if keep_rejects else None)
    return sum(1 for _ in _records(piece, tally)), tally


def load_piece(
    start: Callable[[], BuildWorker[Any]], keep_rejects: bool, piece: SourcePiece
) -> tuple[tuple[dict[str, int], IngestReport], NameCounter | None]:
    """Makes the documents of a piece and writes them to the index being built, on a worker.

    Returns ((number of documents by part, ingest counts), counter of notes or None); with `keep_rejects`, the counts
    have the rejected records. After an error the loader of the documents is abandoned and the error raised.
    """
    tally, worker = IngestReport(kept=StringIO() if keep_rejects else None), start()
    read = IngestReport() if piece.stop is not None else tally  # a source in pieces was counted when it was cut
    loader = cast("BulkLoader", worker.share)
    try:
        for batch in batches(_records(piece, read)):
            _, documents, rest = worker.write(batch)
            tally.documents += documents
            tally.left_out += rest.left_out
        counter = worker.end()
    except BaseException:
        loader.abandon()
        raise
    return (loader.counts, tally), counter


def require_source(name: str, size: int) -> None:
    """Raises UserError if the file `name` does not exist on this machine or has another size in bytes than `size`."""
    path = Path(name)
    if not path.is_file() or path.stat().st_size != size:
        fault = "is another file there" if path.is_file() else "is not there"
        raise UserError(
            f"{path}: {fault} on {socket.gethostname()}: machines need the sources at the same paths, as on a shared "
            "file system"
        )


def _records(piece: SourcePiece, tally: IngestReport) -> Iterator[Any]:
    """A piece's records."""
    require_source(piece.source.path, piece.size)
    return islice(piece.source.records(tally), piece.start, piece.stop)


# Building an index on many machines: they read, analyse and load; what comes back are counts, and they must agree.


def build_on_machines(
    address: str,
    corpus: Corpus[Any],
    options: BuildOptions,
    tally: IngestReport | None = None,
    in_pieces: Callable[[Machines], tuple[Corpus[Any], Sequence[SourcePiece]]] | None = None,
) -> BuiltIndex:
    """Builds the index of a corpus at an Elasticsearch address on the Dask workers of `options.scheduler`.

    `in_pieces`, if given, returns the corpus as machines build it and its pieces; by default the sources are cut. The
    machines' counts of notes are joined two by two; documents derived from them are made on this machine. A failed
    build starts from the beginning the next time. Raises UserError for an embedded index and as `build_index` does.
    """
    if locate(address).folder is not None:
        raise UserError(
            f"{address} is an embedded index, which one machine writes: give --scheduler with an index on "
            "Elasticsearch, or --jobs"
        )
    with machines_at(str(options.scheduler)) as machines:
        whole, pieces = in_pieces(machines) if in_pieces else (corpus, ())
        return build_index(address, whole, options, tally, partial(_write, machines, whole, pieces, options))


def _write(
    machines: Machines,
    corpus: Corpus[Any],
    pieces: Sequence[SourcePiece],
    options: BuildOptions,
    writer: Writer,
    tally: IngestReport,
) -> None:
    """Has machines write all documents of a corpus, from the given pieces or, without any, from its sources cut into
    pieces; adds what they counted to the tally, the writer and `corpus.counter`.

    Raises UserError if too many records are rejected.
    """
    keep_rejects = options.rejects is not None
    if not pieces:
        pieces, of_large = cut_pieces(machines, corpus.sources, keep_rejects)
        for path, one in of_large.items():  # counts of reading the sources that are cut into several
            _add_report(tally, one)
            refuse_source(path, one.expected_records, one.faults, tally, options)
        refuse_rejects(tally, options)
    share = cast("Callable[[], BulkLoader]", writer.share(0))
    shared = machines.share(partial(BuildWorker, corpus.make, share, corpus.new_counter))
    done = machines.each(load_piece, [(shared, keep_rejects, piece) for piece in pieces], "loading")
    numbers, counted = ([machines.item(promise, place) for promise in done] for place in (0, 1))
    expected, faults = Counter[str](), Counter[str]()
    for piece, promise in zip(pieces, numbers, strict=True):
        counts, ingested = machines.value(promise)
        _add_report(tally, ingested)
        for part, number in counts.items():
            writer.count(part, number)
        expected[piece.source.path] += ingested.expected_records
        faults[piece.source.path] += ingested.faults
    for path, number in expected.items():
        refuse_source(path, number, faults[path], tally, options)
    refuse_rejects(tally, options)
    if corpus.counter and corpus.new_counter:
        from indexer.statistics.counting import join_counters

        join = partial(sum_of, corpus.new_counter)
        while len(counted) > 1:  # pair by pair, in rounds
            pairs = list(zip(counted[0::2], counted[1::2], strict=False))
            odd = counted[2 * len(pairs) :]
            counted = [*machines.each(join, pairs, "adding up what was counted"), *odd]
        join_counters(corpus.counter, machines.value(counted[0]))


def _add_report(tally: IngestReport, other: IngestReport) -> None:
    """Adds the counts, examples and rejected records of another report to a tally."""
    for name in ("read", "rejected", "faults", "in_part", "left_out", "documents"):
        setattr(tally, name, getattr(tally, name) + getattr(other, name))
    tally.passed_over += other.passed_over
    tally.pieces += other.pieces
    tally.examples += other.examples[: EXAMPLES - len(tally.examples)]
    if tally.kept is not None and isinstance(other.kept, StringIO):
        tally.kept.write(other.kept.getvalue())


def sum_of(begin: Callable[[], NameCounter], one: NameCounter, other: NameCounter) -> NameCounter:
    """Returns a new counter (made by `begin`) with the sums of two others, which stay unchanged: a machine may repeat
    the call."""
    from indexer.statistics.counting import join_counters

    counter = begin()
    join_counters(counter, one)
    join_counters(counter, other)
    return counter
