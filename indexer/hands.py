"""Processes of a build that analyse records and write what they make of them, each to a share of the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from indexer.engines.contract import Share, Writer
from indexer.parallel import Workers
from indexer.tally import Tally

if TYPE_CHECKING:
    from indexer.build import Batch, Corpus

Item = TypeVar("Item")


class Counter(Protocol):
    """What sees the notes of batches in a process of its own; it comes back as it is then."""

    def see(self, notes: Any) -> None:
        """Count the notes of a batch."""

    def join(self, other: Any) -> None:
        """Count what another one did, too."""


class Written(NamedTuple):
    """What became of a batch: by part what the writer counts, how many documents were made, the rest of it."""

    counted: Mapping[str, Any]
    documents: int
    left_out: int
    notes: object


class Hand(Generic[Item]):
    """One such process: it makes documents of records, writes them, and counts their notes where there is a way to."""

    def __init__(
        self, make: Callable[[list[Item]], Batch], share: Callable[[], Share], begin: Callable[[], Counter] | None
    ) -> None:
        self._make = make
        self._share = share()
        self._counter = begin() if begin else None

    def write(self, records: list[Item]) -> Written:
        """Write the documents of some records; what is counted of their notes stays here."""
        made = self._make(records)
        counted = {part: self._share.add(part, documents) for part, documents in made.documents.items()}
        documents, notes = sum(map(len, made.documents.values())), made.notes
        if self._counter is not None:
            self._counter.see(notes)
            notes = []
        return Written(counted, documents, made.left_out, notes)

    def commit(self) -> None:
        self._share.commit()

    def end(self) -> Counter | None:
        """Commit, and write no more; what was counted."""
        self._share.commit()
        self._share.end()
        return self._counter


class Hands(Generic[Item]):
    """All such processes of a build; its writer commits and ends them."""

    def __init__(self, writer: Writer, corpus: Corpus[Item], makers: list[Callable[[], Hand[Item]]]) -> None:
        self._writer = writer
        self._corpus = corpus
        self._workers: Workers[Hand[Item]] = Workers(makers)
        writer.lead(self)

    def write(self, records: Iterator[Item], tally: Tally) -> Iterator[object]:
        """Write the documents of all records; the notes of every batch in order, [] where they are counted there."""
        for written in self._workers.map(Hand.write, records):
            tally.left_out += written.left_out
            tally.documents += written.documents
            for part, counted in written.counted.items():
                self._writer.count(part, counted)
            yield written.notes

    def commit(self) -> None:
        self._workers.each(Hand.commit)

    def end(self) -> None:
        """Take in what was counted, and have what was written joined."""
        for counter in self._workers.each(Hand.end):
            if self._corpus.counting:
                self._corpus.counting.join(counter)
        self._writer.join()

    def close(self) -> None:
        self._workers.close()


def hands_for(writer: Writer, corpus: Corpus[Item], jobs: int) -> Hands[Item] | None:
    """So many processes for a build; None where one process does it all."""
    todo = any(source.path not in writer.finished for source in corpus.sources)
    if jobs <= 1 or not todo:
        return None
    shares = [writer.share(number) for number in range(jobs)]
    begin = corpus.counting.begin if corpus.counting else None
    makers: list[Callable[[], Hand[Item]]] = [partial(Hand, corpus.make, share, begin) for share in shares if share]
    return Hands(writer, corpus, makers) if makers else None
