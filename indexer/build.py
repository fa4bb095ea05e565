"""Building an index: sources read, turned into documents, written aside, put in place when the
counts are right."""

from __future__ import annotations

import gc
import hashlib
import io
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from indexer.address import Location, locate, without_passwords
from indexer.engines.contract import (
    OBJECTS_BETWEEN_COLLECTIONS,
    Document,
    Metadata,
    Part,
    describe,
    to_json,
)
from indexer.engines.opening import builder_for
from indexer.files.errors import RefusedInput, UserError
from indexer.files.inputs import MemoryFile
from indexer.files.progress import phase
from indexer.files.versions import versions
from indexer.ingest_report import IngestReport, ingest_report, log_summary
from indexer.languages.language import Language

if TYPE_CHECKING:
    from indexer.engines.writing import Writer

# from this number of records on, a build that rejects more than half stops at once; before, at the
# end of a file
EARLY_RECORDS = 10_000
BATCH = 200  # items that are worked on together

VERSION_SETTINGS = frozenset({"analysis", "format"})
"""The settings of an index that are versions of this program, not a user's options."""

Item = TypeVar(
    "Item"
)  # what a source reads before it is analysed; each kind of corpus has its own types
Made = Mapping[str, Sequence[Document]]  # documents by the part that they belong to


class BuildOptions(NamedTuple):
    """Options of every build: path of the file for rejected records, number of processes, shards
    and replicas (Elasticsearch), whether an index of another kind, of other sources or options may
    be replaced, and whether any number of rejected records is accepted."""

    rejects: str | None = None
    jobs: int = 1
    shards: int | None = None
    replicas: int | None = None
    replace: bool = False
    allow_rejects: bool = False


@dataclass(frozen=True, repr=False)
class BuiltIndex:
    """An index that was built: a record to pass on, not an open index (`retriever.open_index` opens
    it).

    `read` records were read, `rejected` of them are not used; the first few of these are in
    `examples`.
    """

    address: str
    metadata: Metadata
    read: int
    rejected: int
    examples: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`textbook`, `collection`, `triples`, `tables`, `datasets` or `reports`."""
        return self.metadata.kind

    @property
    def language(self) -> str | None:
        """The code of its language; None if each of its documents has its own."""
        return self.metadata.language.code if self.metadata.language else None

    @property
    def documents(self) -> Mapping[str, int]:
        """Number of documents each of its parts holds."""
        return self.metadata.documents

    def __repr__(self) -> str:
        return describe(without_passwords(self.address), self.metadata)


class SourceFile(NamedTuple, Generic[Item]):
    """One file of a corpus: its path, and a function that yields its records and counts them in an
    `IngestReport`."""

    path: str
    records: Callable[[IngestReport], Iterator[Item]]


class Batch(NamedTuple):
    """Result of `Corpus.make` on some records: documents by part, number of pieces that the user
    asked to leave out, and notes for `Corpus.counter`."""

    documents: Made
    left_out: int = 0
    notes: Any = None


class Corpus(NamedTuple, Generic[Item]):
    """A corpus to be indexed: the index's metadata, the source files, and the function that makes
    documents of their records, on any process.

    Optional: `counter` is called with every batch, in the order of the files, in the process that
    writes; `derive` makes documents of all that was written, at the end.
    """

    metadata: Metadata
    sources: Sequence[SourceFile[Item]]
    make: Callable[[list[Item]], Batch]
    counter: Callable[[Batch], None] | None = None
    derive: Callable[[Writer], Iterator[Made]] | None = None


def corpus_metadata(
    kind: str,
    parts: Sequence[Part],
    language: Language | None,
    files: Sequence[str | Path],
    settings: Mapping[str, Any] | None = None,
    packages: Iterable[str] = (),
) -> Metadata:
    """Metadata of an index to be built of these files, with their names, sizes and a hash of their
    content (a second for half a GB), for which they are read; `packages` are those that analyse the
    text. A file in memory is called by its stem and the first 12 digits of its hash."""
    sources, hashes = list[tuple[str, int]](), list[str]()
    for path in files:
        in_memory = isinstance(path, MemoryFile)
        with (
            io.BytesIO(path.content)
            if isinstance(path, MemoryFile)
            else Path(path).open("rb") as file
        ):
            hashes.append(hashlib.file_digest(file, "sha256").hexdigest())
            name = f"{Path(path).stem} {hashes[-1][:12]}" if in_memory else str(path)
            sources.append((name, file.seek(0, os.SEEK_END)))
    content, made_by = hashlib.sha256("\n".join(hashes).encode()).hexdigest(), versions(packages)
    return Metadata(
        kind,
        tuple(parts),
        language,
        settings or {},
        tuple(sources),
        versions=made_by,
        content=content,
    )


def file_label(path: str, default: str) -> str:
    """The name of a file up to its first point, in doc_ids, blanks and unprintable characters as _
    (a TREC run parts its columns by blanks); `default` where nothing precedes the point."""
    stem = Path(path).name.split(".")[0]
    return (
        "".join(
            character if character.isprintable() and character != " " else "_" for character in stem
        )
        or default
    )


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """Yields the items in lists of `size`, the last one with what is left; none without items."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def build_index(
    address: str | Location,
    corpus: Corpus[Item],
    options: BuildOptions,
    tally: IngestReport | None = None,
) -> BuiltIndex:
    """Builds the index of a corpus at an address, all or nothing, and logs what became of its
    records, which are counted in `tally` (without one in a new report, which `options.rejects`
    takes). Leaves the thresholds of Python's garbage collection raised.

    Raises UserError if the address cannot be written, if it holds an index of another kind, of
    other sources or options (without `replace`), if no document of the main (first) part was made,
    or if too many records are rejected.
    """
    if tally is None:
        with ingest_report(options.rejects) as tally:
            return build_index(address, corpus, options, tally)
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    begun = time.monotonic()
    location = locate(address)
    target = without_passwords(location.address)
    engine = builder_for(location)
    if not options.replace and (there := engine.standing(location)):
        refuse_replacing(target, there, corpus.metadata)
    writer = engine.build(location, corpus.metadata, options.shards, options.replicas)
    state = f"what was at {target} stays as it was"
    try:
        _write_sources(writer, corpus, tally, options)
        if corpus.derive:
            with phase("adding up what was read"):
                for documents in corpus.derive(writer):
                    _write_batch(writer, Batch(documents), tally)
        main = corpus.metadata.parts[0].name
        if not writer.counts[main]:
            why = _first_reject(tally)
            raise RefusedInput(
                f"nothing to index: {tally.read:,} records read, no {main} among them{why}; {state}"
            )
        state = f"at {target} is what was there before, or the whole new index"
        with phase("putting the index in place"):
            final = writer.publish()
    except BaseException as error:
        writer.discard()
        if isinstance(error, KeyboardInterrupt | SystemExit):
            error.add_note(state)
        raise
    log_summary(tally, target, final, engine.size(location), time.monotonic() - begun)
    return BuiltIndex(location.address, final, tally.read, tally.rejected, tuple(tally.examples))


def _write_sources(
    writer: Writer, corpus: Corpus[Item], tally: IngestReport, options: BuildOptions
) -> None:
    """Writes the documents of all sources in their order; with `jobs` > 1 worker processes make
    them.

    Raises RefusedInput, unless rejects are allowed, if every record of a source is a fault, or,
    after a source or from 10,000 records on, more than half of all so far.
    """
    make: Callable[[Iterable[list[Item]]], Iterable[Batch]] = partial(map, corpus.make)
    with ExitStack() as ending:
        if options.jobs > 1:
            from indexer.workers import Workers

            make = ending.enter_context(closing(Workers(corpus.make, options.jobs))).map
        for source in corpus.sources:
            before, faults = tally.expected_records, tally.faults
            for batch in make(batches(source.records(tally))):
                _write_batch(writer, batch, tally)
                if tally.read >= EARLY_RECORDS:
                    _refuse_rejects(tally, options)
                if corpus.counter:
                    corpus.counter(batch)
            expected = tally.expected_records - before
            if 0 < expected == tally.faults - faults and not options.allow_rejects:
                why = _first_reject(tally)
                raise RefusedInput(
                    f"{source.path}: not one of its {expected:,} records can be used{why}"
                )
            _refuse_rejects(tally, options)


def _write_batch(writer: Writer, batch: Batch, tally: IngestReport) -> None:
    """Writes a batch's documents; counts them by part, and what the user asked to leave out."""
    tally.left_out += batch.left_out
    for part, documents in batch.documents.items():
        tally.documents[part] += len(documents)
        writer.add(part, documents)


def refuse_replacing(address: str, standing: Mapping[str, Any], metadata: Metadata) -> None:
    """Raises UserError if the index that exists at an address (`standing`, its stored metadata) has
    another kind, other source files (absolute paths, not their content) or other options than the
    index to be built (`metadata`)."""
    kind, names = standing.get("kind"), [name for name, _ in standing.get("sources", ())]
    # links are kept as the user named them
    there, new = (
        {os.path.abspath(name) for name in paths}  # noqa: PTH100
        for paths in (names, dict(metadata.sources))
    )
    if kind == metadata.kind and there == new:
        differences = _other_options(standing, to_json(metadata))
        if not differences:
            return
        raise UserError(
            f"{address} was built from the same files with other options "
            f"({', '.join(differences)}): choose another place with --index, or give --replace"
        )
    language = f", {standing['language']}" if standing.get("language") else ""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    raise UserError(
        f"{address} is another index ({kind}{language}, built {standing['built']} from "
        f"{', '.join(names[:3])}{more}): "
        "choose another place with --index, or give --replace"
    )


def _other_options(standing: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The options in which the stored metadata of two indexes differ, by name, as "unit: sentence
    there, paragraph now", or the option's name alone where a value is not a text or is longer than
    60 characters. An option that only one of them has is ignored.

    Versions of the program are not options. Parts differ by --no-names; they follow from another
    option or version too, and count only where these are the same.
    """
    before, now = (
        {**metadata.get("settings", {}), "language": metadata.get("language")}
        for metadata in (standing, new)
    )
    differences = []
    # A setting that one of them lacks is another version's.
    for name in sorted((before.keys() & now.keys()) - VERSION_SETTINGS):
        values = [json.loads(json.dumps(options[name])) for options in (before, now)]
        if values[0] == values[1]:
            continue
        short = all(isinstance(value, str) and len(value) <= 60 for value in values)
        differences.append(f"{name}: {values[0]} there, {values[1]} now" if short else name)
    old_parts, new_parts = (
        " + ".join(part["name"] for part in metadata.get("parts", ()))
        for metadata in (standing, new)
    )
    same_version = all(before.get(name) == now.get(name) for name in VERSION_SETTINGS)
    if not differences and same_version and old_parts != new_parts:
        differences.append(f"parts: {old_parts} there, {new_parts} now")
    return differences


def _refuse_rejects(tally: IngestReport, options: BuildOptions) -> None:
    """Raises RefusedInput if more than half of the records so far, without those passed over, were
    rejected, unless rejects are allowed."""
    if 2 * tally.faults > tally.expected_records and not options.allow_rejects:
        raise RefusedInput(
            f"{tally.faults:,} of {tally.expected_records:,} records are "
            f"rejected{_first_reject(tally)}"
        )


def _first_reject(tally: IngestReport) -> str:
    """The end of a message: the first rejected record in brackets, and how to see them all or let
    them pass; "" without one."""
    if not tally.examples:
        return ""
    return f" ({tally.examples[0]}); --rejects FILE keeps them all, --allow-rejects lets them pass"
