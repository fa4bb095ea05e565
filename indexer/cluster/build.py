"""Building an index on many machines: they read, analyse and load; what comes back are counts, and they must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from indexer.build import Corpus, build_index, refuse_nothing, refuse_rejects, refuse_source
from indexer.cli.options import BuildOptions
from indexer.cluster.pieces import Job, Piece, cut, load_piece, nothing_of
from indexer.cluster.scheduler import Machines
from indexer.engines.bulk import ElasticsearchWriter
from indexer.engines.contract import Metadata, Writer
from indexer.tally import Tally

Derive = Callable[[Machines, ElasticsearchWriter, Sequence[Any]], Mapping[str, int]]


def _nothing_derived(machines: Machines, writer: ElasticsearchWriter, gathered: Sequence[Any]) -> Mapping[str, int]:
    """What a corpus does at the end that has nothing to derive."""
    return {}


def build_on_machines(
    address: str,
    corpus: Corpus[Any],
    machines: Machines,
    tally: Tally,
    options: BuildOptions,
    gather: Callable[[Iterable[Any]], object] = nothing_of,
    derive: Derive = _nothing_derived,
    pieces: Sequence[Piece] = (),
) -> Metadata:
    """Build the index of a corpus at an address on Elasticsearch, all or nothing, as `build_index` does.

    `gather` takes the notes of a piece's batches, on its machine; `derive` gets promises of what it gave, piece by
    piece, writes what depends on all of them, in the place of the corpus's own `derive`, and says how much it is.
    `pieces` are given where a corpus cuts its sources itself. A build that fails begins anew the next time.
    """
    given = list(pieces)

    def write(writer: Writer) -> None:
        assert isinstance(writer, ElasticsearchWriter)  # noqa: S101 - `machines_for` sees to it
        job = Job(writer.shared(), corpus.make, gather, options.rejects is not None)
        gathered = _load(writer, job, given or _cut(corpus, machines, tally, options), machines, tally, options)
        refuse_nothing(address, corpus.metadata, writer, tally)
        for part, number in derive(machines, writer, gathered).items():
            writer.count(part, number)
            tally.documents += number

    return build_index(address, corpus._replace(derive=None), tally, options, write)


def _cut(corpus: Corpus[Any], machines: Machines, tally: Tally, options: BuildOptions) -> list[Piece]:
    """The pieces of the sources; what reading those told that are cut into several is told."""
    pieces, told = cut(machines, corpus.sources, options.rejects is not None)
    for path, one in told.items():
        tally.take(one)
        refuse_source(path, one.expected, one.faults, tally, options)
    refuse_rejects(tally, options)
    return pieces


def _load(
    writer: ElasticsearchWriter,
    job: Job,
    pieces: Sequence[Piece],
    machines: Machines,
    tally: Tally,
    options: BuildOptions,
) -> list[Any]:
    """Have all pieces loaded; promises of what was gathered of each, in order."""
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
    return [gathered for _, gathered in done]
