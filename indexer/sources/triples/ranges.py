"""A knowledge base cut into ranges that machines read by themselves, with what each must know of those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from indexer.build import SourceFile
from indexer.cluster.pieces import PIECES_OF_A_MACHINE, Piece, require_source
from indexer.cluster.scheduler import Machines, in_pairs
from indexer.files.arrays import UInt64Array
from indexer.files.encoding import LINE_LIMIT, PACKED, SAMPLE_SIZE
from indexer.files.errors import bad_input
from indexer.files.hashes import SeenNames, name_hash
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.sources.triples.facts import MOST_PREDICATES, PredicateCharacters, aliases, clean_predicate, fold
from indexer.sources.triples.lines import Range, encoding_of
from indexer.sources.triples.runs import EXPECTED, NamedRun, Predicates, fields_of, named_run, read_runs
from indexer.sources.triples.schema import CharacterCounts, numbered_id

LEAST_BYTES = 1_000_000  # of a range
BUCKETS = 8  # of name hashes, so that no machine holds those of the whole knowledge base


class Ranges(NamedTuple):
    """A knowledge base in pieces, and a promise of all its predicates."""

    pieces: list[Piece]
    predicates: object


def in_ranges(machines: Machines, path: str, label: str) -> Ranges:
    """The pieces of a knowledge base. UserError where it holds no triple.

    Machines read it once before: doc_ids count runs, and a name is new only where no range before has it.
    """
    size = Path(path).stat().st_size
    parts = 1 if path.endswith(PACKED) else max(1, min(PIECES_OF_A_MACHINE * machines.size, size // LEAST_BYTES))
    ranges = cut_at_subjects(path, size, parts)
    done = machines.each_many(survey, [(path, size, each) for each in ranges], 3, "counting subjects")
    counts = [machines.value(numbers) for numbers, _, _ in done]
    if not sum(runs for _, runs in counts):
        raise bad_input(path, None, "no triple in it", f"{EXPECTED} on each line")
    named = [names for _, names, _ in done]
    before = machines.each(known_before, [(named, bucket) for bucket in range(BUCKETS)], "looking for known names")
    known = [np.sort(np.concatenate(arrays)) for arrays in zip(*map(machines.value, before), strict=True)]
    pieces, line, number = [], 1, 1
    for within, (lines, runs), seen in zip(ranges, counts, known, strict=True):
        records = partial(range_items, path, label, within._replace(line=line), number, seen)
        pieces.append(Piece(SourceFile(path, records), size))
        line, number = line + lines, number + runs
    predicates = in_pairs(machines, all_predicates, [names for _, _, names in done], "counting predicates")
    return Ranges(pieces, predicates)


def cut_at_subjects(path: str, size: int, parts: int) -> list[Range]:
    """About `parts` ranges of a file, each of which ends where the next good line has another subject."""
    if parts == 1:
        return [Range()]
    with Path(path).open("rb") as file:
        encoding = encoding_of(path, file.read(SAMPLE_SIZE), CHINESE.encodings)
        starts = {_next_subject(file, size * part // parts, encoding) for part in range(1, parts)}
    ends = sorted({0, *starts, size})
    return [Range(start, stop, encoding=encoding) for start, stop in pairwise(ends)]


def _next_subject(file: BinaryIO, start: int, encoding: str) -> int:
    """Where the first run begins after the one that goes on at a byte, or the file's end."""
    file.seek(start)
    file.readline(LINE_LIMIT)
    before = None
    while True:
        place = file.tell()
        line = file.readline(LINE_LIMIT)
        if not line:
            return place
        subject = _subject(line.decode(encoding, "replace").removesuffix("\n"))
        if subject and before is not None and subject != before:
            return place
        before = subject or before


def _subject(line: str) -> str:
    """The subject of a line as it is written, "" where it is no triple; as `read_runs` takes lines."""
    subject, written, value = fields_of(line)
    good = value.strip(" \t\r\n") and clean_predicate(" ".join(written.split("\t")).strip()) and fold(subject)
    return subject if good else ""


def survey(path: str, size: int, within: Range) -> tuple[tuple[int, int], list[UInt64Array], list[str]]:
    """Lines and runs of a range; the hashes of its names, by buckets; its predicates in the order of their coming."""
    require_source(path, size)
    predicates = Predicates()
    hashes = [name_hash(aliases(run.subject)[-1]) for run in read_runs(path, predicates, IngestReport(), within)]
    names = np.unique(np.array(hashes, np.uint64))
    buckets = [names[names % np.uint64(BUCKETS) == bucket] for bucket in range(BUCKETS)]
    return (_lines(path, within), len(hashes)), buckets, predicates.characters.seen()


def _lines(path: str, within: Range) -> int:
    """The lines of a range; of the only one nobody asks."""
    if within.stop is None:
        return 0
    lines = 0
    with Path(path).open("rb") as file:
        file.seek(within.start)
        while data := file.read(min(1 << 20, within.stop - file.tell())):
            lines += data.count(b"\n")
    return lines


def known_before(ranges: Sequence[Sequence[UInt64Array]], bucket: int) -> list[UInt64Array]:
    """Of each range the hashes in a bucket that a range before it has."""
    seen, found = np.zeros(0, np.uint64), []
    for buckets in ranges:
        found.append(np.intersect1d(buckets[bucket], seen, assume_unique=True))
        seen = np.union1d(seen, buckets[bucket])
    return found


def all_predicates(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The first million different predicates of two ranges in their order."""
    return list(dict.fromkeys([*one, *other]))[:MOST_PREDICATES]


def range_items(
    path: str, label: str, within: Range, number: int, known: UInt64Array, tally: IngestReport
) -> Iterator[NamedRun]:
    """The runs of a range, numbered from `number`; names of which the hash is `known` are not new."""
    seen = SeenNames(known.tolist())
    for place, run in enumerate(read_runs(path, Predicates(), tally, within), number):
        yield named_run(numbered_id(label, place), run, seen)


def counts_of(predicates: Sequence[str]) -> CharacterCounts:
    """The counts of characters in predicates."""
    characters = PredicateCharacters()
    for predicate in predicates:
        characters.add(predicate)
    return characters.counts()
