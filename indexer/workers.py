"""Worker processes: results in the order of the input, memory bounded; builds that write from several processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from indexer.build import BATCH, OBJECTS_BETWEEN_COLLECTIONS, Batch, Corpus, batches
from indexer.files.errors import UserError
from indexer.ingest_report import IngestReport

if TYPE_CHECKING:
    from indexer.engines.writing import Share, Writer
    from indexer.statistics.counting import NameCounter

Item = TypeVar("Item")
Result = TypeVar("Result")
Worker = TypeVar("Worker")
_AHEAD = 4  # batches under way for each process


class Workers(Generic[Worker]):
    """Processes that each make an object at their first call and keep it until they are closed.

    `makers` (one for each process) and the functions called must be picklable. An error of a call is raised here;
    UserError if a process was killed.
    """

    def __init__(self, makers: Sequence[Callable[[], Worker]]) -> None:
        context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
        self._pools = [ProcessPoolExecutor(1, context, initializer=_keep, initargs=(make,)) for make in makers]
        self._under_way: list[list[Future[Any]]] = [[] for _ in makers]

    def map(
        self, function: Callable[[Worker, list[Item]], Result], items: Iterable[Item], size: int = BATCH
    ) -> Iterator[Result]:
        """Yields `function(object, batch)` for each batch of at most `size` items, run by the least busy process, in
        the order of the items. Fewer than 4 batches for each process are in memory at once."""
        waiting: deque[Future[Result]] = deque()
        with _deaths_reported():
            for batch in batches(items, size):
                # The process with the fewest calls under way.
                self._under_way = [[call for call in calls if not call.done()] for calls in self._under_way]
                number = min(range(len(self._pools)), key=lambda number: len(self._under_way[number]))
                waiting.append(self._pools[number].submit(_call, function, batch))
                self._under_way[number].append(waiting[-1])
                if len(waiting) >= len(self._pools) * _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def each(self, function: Callable[[Worker], Result]) -> list[Result]:
        """`function` of every process's object."""
        with _deaths_reported():
            return [call.result() for call in [pool.submit(_call, function) for pool in self._pools]]

    def close(self) -> None:
        """Ends the processes after their current calls; waiting calls are cancelled."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools:
            pool.shutdown()


@contextmanager
def _deaths_reported() -> Iterator[None]:
    """Context manager that raises UserError if a worker process was killed."""
    try:
        yield
    except BrokenProcessPool:
        raise UserError(
            "a process of the build was killed, perhaps out of memory: give the same command again, with fewer --jobs"
        ) from None


_made: list[Callable[[], Any]] = []  # what makes the object of this process


def _keep(make: Callable[[], object]) -> None:
    """Initialises a process of `Workers`; an error of making its object is raised by the first call."""

    def end_with_the_parent() -> None:  # killed, it would leave this process waiting for the next batch for ever
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the parent decides
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    _made[:] = [cache(make)]


def _call(function: Callable[..., Result], *arguments: object) -> Result:
    """Calls a function with this process's object."""
    return function(_made[0](), *arguments)


class BuildWorker(Generic[Item]):
    """State of one worker process of a build: makes documents of records, writes them to this process's separate folder
    or connection, and counts the notes of its batches if the corpus counts any."""

    def __init__(
        self, make: Callable[[list[Item]], Batch], share: Callable[[], Share], begin: Callable[[], NameCounter] | None
    ) -> None:
        self._make = make
        self.share = share()
        self.counter = begin() if begin else None

    def write(self, records: list[Item]) -> tuple[Mapping[str, Any], int, Batch]:
        """Makes and writes the documents of some records.

        Returns what the writer counts of them (by part), the number of documents made, and the batch without its
        documents; its notes are empty if this process counts them.
        """
        made = self._make(records)
        written = {part: self.share.add(part, documents) for part, documents in made.documents.items()}
        if self.counter is not None:
            from indexer.statistics.counting import count_passages

            count_passages(self.counter, made.notes)
            made = made._replace(notes=[])
        return written, sum(map(len, made.documents.values())), made._replace(documents={})

    def commit(self) -> None:
        self.share.commit()

    def end(self) -> NameCounter | None:
        """Commits, closes for writing, and returns the counter."""
        self.share.commit()
        self.share.end()
        return self.counter


class BuildWorkers(Generic[Item]):
    """Worker processes of a build, each of which writes some of its documents; the build's writer commits and ends
    them."""

    def __init__(self, writer: Writer, corpus: Corpus[Item], shares: Sequence[Callable[[], Share]]) -> None:
        self._writer = writer
        self._counter = corpus.counter
        make = [partial(BuildWorker, corpus.make, share, corpus.new_counter) for share in shares]
        self._workers = Workers(make)
        writer.lead(self)

    def write(self, records: Iterator[Item], tally: IngestReport) -> Iterator[Any]:
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
            if self._counter and counter:
                from indexer.statistics.counting import join_counters

                join_counters(self._counter, counter)
        self._writer.join()

    def close(self) -> None:
        self._workers.close()
