"""A knowledge base read: lines, runs of lines of one subject, ranges of a file that several processes read."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from indexer.build import SourceFile
from indexer.cluster import PIECES_OF_A_MACHINE, Machines, SourcePiece, in_pairs, require_source
from indexer.files.arrays import UInt64Array
from indexer.files.encoding import LINE_LIMIT, PACKED, SAMPLE_SIZE, detect_encoding, open_bytes
from indexer.files.errors import bad_input
from indexer.files.hashes import SeenNames, name_hash
from indexer.files.progress import reading
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.sources.triples.schema import (
    MOST_PREDICATES,
    CharacterCounts,
    aliases,
    character_counts,
    clean_predicate,
    encode_fact,
    encode_facts,
    fact_beginning,
    fold,
    numbered_id,
)

# The lines of a huge text file in blocks: decoded many at a time, one by one only where something is wrong.

BLOCK = 1 << 20
_READABLE = ("utf-8", "utf-8-sig", "euc-jp", "cp932", "gb18030")


class Range(NamedTuple):
    """Whole lines of a file from byte `start` to before byte `stop` (None: to its end); `line` is the number of the
    first, `encoding` is "" if not yet known."""

    start: int = 0
    stop: int | None = None
    line: int = 1
    encoding: str = ""


WHOLE = Range()


def line_blocks(
    path: str | Path, fallbacks: tuple[str, ...], tally: IngestReport, within: Range = WHOLE
) -> Iterator[list[tuple[int, str]]]:
    """Yields blocks of (line number, line without its end) of a range; lines that cannot be decoded are counted and
    rejected.

    The encoding is detected in the first MiB: UTF-8, else one of the fallbacks. Raises UserError for a damaged archive
    and for a file in UTF-16 or another encoding that cannot be read line by line.
    """
    number, encoding = within.line, within.encoding
    with open_bytes(path) if within.stop is None else Path(path).open("rb") as file:
        if within.stop is not None:
            file.seek(within.start)
        while data := _read_lines(file, BLOCK if within.stop is None else min(BLOCK, within.stop - file.tell())):
            if not encoding:
                encoding = encoding_of(path, data, fallbacks)
            if number == 1 and within.start == 0:
                data = data.removeprefix(codecs.BOM_UTF8)
            try:
                lines = _decode(data, encoding)
            except UnicodeDecodeError:  # line by line: those that cannot be decoded are rejected
                block = []
                for place, line in enumerate(data.removesuffix(b"\n").split(b"\n"), number):
                    try:
                        block.append((place, _decode(line, encoding)[0]))
                    except UnicodeDecodeError:
                        long = len(line) > LINE_LIMIT
                        reason = f"a line over {LINE_LIMIT >> 20} MiB" if long else f"not {encoding} text"
                        tally.count()
                        tally.reject(path, place, reason, line[:400].decode(encoding, "replace"))
                number = place + 1
                yield block
            else:
                yield list(enumerate(lines, number))
                number += len(lines)


def _read_lines(file: BinaryIO, size: int) -> bytes:
    """Reads about `size` bytes, up to the end of a line; b"" at the end of the file."""
    data = file.read(size)
    if data and not data.endswith(b"\n"):
        rest = file.readline(LINE_LIMIT + 1)
        data += rest
        while len(rest) > LINE_LIMIT and not rest.endswith(b"\n"):
            rest = file.readline(LINE_LIMIT + 1)
    return data


def encoding_of(path: str | Path, sample: bytes, fallbacks: tuple[str, ...]) -> str:
    """Encoding of a file with this beginning. Raises UserError for an encoding that cannot be read line by line."""
    found = detect_encoding(sample, fallbacks)
    if found not in _READABLE:
        raise bad_input(path, 1, f"a file in {found}", "save it as UTF-8")
    return "utf-8" if found == "utf-8-sig" else found


def _decode(data: bytes, encoding: str) -> list[str]:
    """The lines of a block; UnicodeDecodeError also for binary noise and where one line may be too long."""
    if b"\0" in data or len(data) > LINE_LIMIT:
        raise UnicodeDecodeError(encoding, data[:1], 0, 1, "no text")
    return data.decode(encoding).removesuffix("\n").split("\n")


# The runs of a knowledge base: lines in a row with one subject, read in their order, named and numbered.

_SEPARATOR = " ||| "
_BLANKS = " \t\r\n"
EXPECTED = "expected `subject ||| predicate ||| object`"


class SubjectRun(NamedTuple):
    """Consecutive lines with one subject, and their facts in the stored form."""

    subject: str
    facts: list[str]


class NamedRun(NamedTuple):
    """A run with its doc_id and the folded forms of its subject's name; `new_name` is the shortest form if no earlier
    run has it, else "". `facts` are encoded."""

    doc_id: str
    subject: str
    aliases: list[str]
    new_name: str
    facts: str


class Predicates:
    """Maps a predicate, as written in a line, to the beginning of its stored facts.

    Each different predicate is cleaned once; `cleaned` are the first million, in order of first appearance.
    """

    def __init__(self) -> None:
        self.cleaned: dict[str, None] = {}
        self._beginnings: dict[str, str] = {}

    def beginning(self, written: str) -> str:
        """Beginning of the stored facts with a predicate, as written; "" if the cleaned predicate is empty."""
        found = self._beginnings.get(written)
        if found is None:
            predicate = " ".join(written.split("\t")).strip()
            cleaned = clean_predicate(predicate)
            found = fact_beginning(predicate, cleaned) if cleaned else ""
            if cleaned and len(self.cleaned) < MOST_PREDICATES:
                self.cleaned[cleaned] = None
            if len(self._beginnings) >= MOST_PREDICATES:
                self._beginnings.clear()
            self._beginnings[written] = found
        return found


def read_runs(path: str, predicates: Predicates, tally: IngestReport, within: Range = WHOLE) -> Iterator[SubjectRun]:
    """Yields the runs of a knowledge base, or of a range, in order, one in memory at a time.

    A line whose subject, predicate or object is missing, or that cannot be decoded, is rejected in the tally. All text
    after the second separator is the object. Blank lines are not counted.
    """
    run, written_subject = SubjectRun("", []), None
    with reading(path, Path(path).name):
        for block in line_blocks(path, CHINESE.encodings, tally, within):
            rejected = 0
            for number, line in block:
                subject, written, value = fields_of(line)
                beginning, value = predicates.beginning(written), value.strip(_BLANKS)
                if not beginning or not value or (subject != written_subject and not fold(subject)):
                    rejected += 1
                    if line.strip():
                        tally.count()
                        tally.reject(path, number, f"no triple ({EXPECTED})", line)
                    continue
                if subject != written_subject:
                    if run.facts:
                        yield run
                    run, written_subject = SubjectRun(subject.strip().replace("\t", " "), []), subject
                run.facts.append(encode_fact(beginning, value))
            tally.count(len(block) - rejected)
    if run.facts:
        yield run


def fields_of(line: str) -> Sequence[str]:
    """Subject, predicate and object of a line, also if separators lack their blanks; three "" if there are too few."""
    fields = line.split(_SEPARATOR, 2)
    if len(fields) < 3:
        fields = line.split("|||", 2)
    return fields if len(fields) == 3 else ("", "", "")


def knowledge_base_items(path: str, label: str, tally: IngestReport) -> Iterator[NamedRun | CharacterCounts]:
    """Yields every run of a knowledge base, numbered from 1, and then the character counts of its predicates.

    Raises UserError if the file has no triples.
    """
    predicates, run = Predicates(), None
    for run in range_items(path, label, WHOLE, 1, np.zeros(0, np.uint64), tally, predicates):
        yield run
    if run is None:
        raise bad_input(path, None, "no triple in it", f"{EXPECTED} on each line")
    yield character_counts(predicates.cleaned)


# A knowledge base cut into ranges that machines read by themselves, with what each must know of those before it.

LEAST_BYTES = 1_000_000  # of a range
BUCKETS = 8  # of name hashes, so that no machine holds those of the whole knowledge base


def in_ranges(machines: Machines, path: str, label: str) -> tuple[list[SourcePiece], list[str]]:
    """Cuts a knowledge base for machines: (the pieces, all its predicates). Raises UserError if it has no triples.

    Machines read it once beforehand: doc_ids number the runs, and a name is new only if no earlier range has it.
    """
    size = Path(path).stat().st_size
    parts = 1 if path.endswith(PACKED) else max(1, min(PIECES_OF_A_MACHINE * machines.size, size // LEAST_BYTES))
    ranges = cut_at_subjects(path, size, parts)
    done = machines.each_many(survey, [(path, size, each) for each in ranges], 3, "counting subjects")
    counts = [machines.value(numbers) for numbers, _, _ in done]
    if not sum(runs for _, runs in counts):
        raise bad_input(path, None, "no triple in it", f"{EXPECTED} on each line")
    named = [names for _, names, _ in done]
    before = machines.each(
        hashes_in_earlier_ranges, [(named, bucket) for bucket in range(BUCKETS)], "looking for known names"
    )
    known = [np.sort(np.concatenate(arrays)) for arrays in zip(*map(machines.value, before), strict=True)]
    pieces, line, number = [], 1, 1
    for within, (lines, runs), seen in zip(ranges, counts, known, strict=True):
        records = partial(range_items, path, label, within._replace(line=line), number, seen)
        pieces.append(SourcePiece(SourceFile(path, records), size))
        line, number = line + lines, number + runs
    predicates = in_pairs(machines, all_predicates, [names for _, _, names in done], "counting predicates")
    return pieces, machines.value(predicates)


def cut_at_subjects(path: str, size: int, parts: int) -> list[Range]:
    """About `parts` ranges that cover a file of `size` bytes, each ending where the next valid line has another
    subject."""
    if parts == 1:
        return [Range()]
    with Path(path).open("rb") as file:
        encoding = encoding_of(path, file.read(SAMPLE_SIZE), CHINESE.encodings)
        starts = {_next_subject(file, size * part // parts, encoding) for part in range(1, parts)}
    ends = sorted({0, *starts, size})
    return [Range(start, stop, encoding=encoding) for start, stop in pairwise(ends)]


def _next_subject(file: BinaryIO, start: int, encoding: str) -> int:
    """Byte offset of the first line after `start` whose subject differs from that of the valid line before it, or of
    the end of the file."""
    file.seek(start)
    file.readline(LINE_LIMIT)
    before = None
    while True:
        place = file.tell()
        line = file.readline(LINE_LIMIT)
        if not line:
            return place
        subject, written, value = fields_of(line.decode(encoding, "replace").removesuffix("\n"))
        predicate = clean_predicate(" ".join(written.split("\t")).strip())
        if not (value.strip(_BLANKS) and predicate and fold(subject)):
            continue  # no triple, as `read_runs` takes lines
        if before is not None and subject != before:
            return place
        before = subject


def survey(path: str, size: int, within: Range) -> tuple[tuple[int, int], list[UInt64Array], list[str]]:
    """First pass over a range: ((number of lines, number of runs), sorted hashes of its names by bucket, predicates in
    order of first appearance).

    Raises UserError if the file on this machine has another size than `size`.
    """
    require_source(path, size)
    predicates = Predicates()
    hashes = [name_hash(aliases(run.subject)[-1]) for run in read_runs(path, predicates, IngestReport(), within)]
    names = np.unique(np.array(hashes, np.uint64))
    buckets = [names[names % np.uint64(BUCKETS) == bucket] for bucket in range(BUCKETS)]
    lines = 0
    if within.stop is not None:  # nobody asks for those of the only range
        with Path(path).open("rb") as file:
            file.seek(within.start)
            while data := file.read(min(BLOCK, within.stop - file.tell())):
                lines += data.count(b"\n")
    return (lines, len(hashes)), buckets, list(predicates.cleaned)


def hashes_in_earlier_ranges(ranges: Sequence[Sequence[UInt64Array]], bucket: int) -> list[UInt64Array]:
    """For each range, the hashes of a bucket that an earlier range contains too; `ranges` has each range's hashes by
    bucket."""
    seen, found = np.zeros(0, np.uint64), []
    for buckets in ranges:
        found.append(np.intersect1d(buckets[bucket], seen, assume_unique=True))
        seen = np.union1d(seen, buckets[bucket])
    return found


def all_predicates(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The first million different predicates of two ranges in their order."""
    return list(dict.fromkeys([*one, *other]))[:MOST_PREDICATES]


def range_items(
    path: str,
    label: str,
    within: Range,
    number: int,
    known: UInt64Array,
    tally: IngestReport,
    predicates: Predicates | None = None,
) -> Iterator[NamedRun]:
    """Yields the runs of a range, numbered from `number`, each with the folded forms of its name.

    A name is new if its hash is not in `known` and no earlier run of the range has it. `predicates` collects the
    range's predicates.
    """
    seen = SeenNames(known.tolist())
    for place, run in enumerate(read_runs(path, predicates or Predicates(), tally, within), number):
        forms = aliases(run.subject)
        new_name = forms[-1] if seen.add(forms[-1]) else ""
        yield NamedRun(numbered_id(label, place), run.subject, forms, new_name, encode_facts(run.facts))
