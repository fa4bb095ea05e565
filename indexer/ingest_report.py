"""Ingest report of a build: records read, used and rejected, with counts that add up; rejected
records can be kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from indexer.engines.contract import Metadata
from indexer.files.encoding import TextLine
from indexer.files.errors import RefusedInput
from indexer.files.messages import counted, detail, info

EXAMPLES = 5  # rejected records in the summary; --rejects keeps all
SHOWN_PIECES = 3
"""Pieces of each reason that are left out and shown with `--verbose`."""
_SHOWN = 200  # characters of a rejected record that are kept


@dataclass
class IngestReport:
    """Counts of a build's records, and its first five rejected ones (`FILE:LINE: reason`).

    `faults` counts rejected records that ought to have been usable, `in_part` those of which only a
    part was rejected, `left_out` pieces left out on request, `documents` those made for each part.
    `passed_over` counts by reason rejected records that are not faults, `pieces` by kind what is
    not text; `glossary_terms` lines of a glossary that are read as "term: definition". `rejects`
    takes every rejected record as a JSON line `{file, line, reason, record}`.
    """

    read: int = 0
    rejected: int = 0
    faults: int = 0
    in_part: int = 0
    left_out: int = 0
    documents: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    pieces: Counter[str] = field(default_factory=Counter)
    glossary_terms: int = 0
    examples: list[str] = field(default_factory=list)
    rejects: TextIO | None = field(default=None, compare=False)

    @property
    def expected_records(self) -> int:
        """Number of records read that ought to be usable: all but those passed over."""
        return self.read - self.passed_over.total()

    def reject(
        self,
        file: str | Path,
        line: int,
        reason: str,
        record: str = "",
        *,
        in_part: bool = False,
        fault: bool = True,
    ) -> None:
        """Counts a record, which the caller has counted as read, as rejected, and writes it, cut to
        200 characters, with the reason to `rejects`.

        With `in_part` only a part of it is, and it counts as used. Without `fault` it is of a kind
        (`reason`, in the plural) that holds nothing to index: passed over, and no example. `line`
        is 0 for a whole file.
        """
        self.rejected += not in_part
        self.in_part += in_part
        self.faults += fault and not in_part
        if not fault:
            leave_out(self.passed_over, reason, record or f"{file}:{line}")
        elif len(self.examples) < EXAMPLES:
            self.examples.append(f"{file}:{line}: {reason}" if line else f"{file}: {reason}")
        if self.rejects is not None:
            entry = {"file": str(file), "line": line, "reason": reason, "record": record[:_SHOWN]}
            self.rejects.write(json.dumps(entry, ensure_ascii=False) + "\n")


def leave_out(pieces: Counter[str], reason: str, text: str) -> None:
    """Counts a piece that is left out in `pieces`, by its reason; with `--verbose` the first 200
    characters of the first three of each are shown."""
    pieces[reason] += 1
    if pieces[reason] <= SHOWN_PIECES:
        detail(f"left out as {reason}: {' '.join(text.split())[:_SHOWN]}")


def readable_lines(
    lines: Iterable[TextLine], path: str, tally: IngestReport
) -> Iterator[tuple[int, str]]:
    """Yields (line number, text) of the lines that can be read, blank ones too; the others are
    counted as read and rejected."""
    for line in lines:
        if line.text is None:
            tally.read += 1
            tally.reject(path, line.number, line.reason)
        else:
            yield line.number, line.text


@contextmanager
def ingest_report(rejects: str | Path | None = None) -> Iterator[IngestReport]:
    """Context manager with a new report, which writes rejected records to the file `rejects`, if
    given. The file is put in place also if the block refuses its input (RefusedInput), for the
    rejected records say why, but not on other errors."""
    if rejects is None:
        yield IngestReport()
        return
    from indexer.files.atomic import atomic_text

    refusal = None
    with atomic_text(rejects) as file:
        try:
            yield IngestReport(rejects=file)
        except RefusedInput as error:
            refusal = error
    if refusal:
        raise refusal


def log_summary(
    tally: IngestReport, address: str, metadata: Metadata, size: int, seconds: float
) -> None:
    """Logs a summary of a build: rejected records (the examples), numbers of records read, used and
    rejected; pieces left out of the text, by reason; glossary lines; what is indexed, a number for
    each part that is searched, smallest first; documents without terms and what was to be left out;
    address, size and time. `metadata` is that of the index, `size` is in bytes."""
    lines = [f"rejected {example}" for example in tally.examples]
    if (more := tally.faults + tally.in_part - len(tally.examples)) > 0:
        lines.append(f"rejected {more:,} more (--rejects FILE keeps them all)")
    read = f"read: {counted(tally.read, 'records')}"
    if tally.rejected or tally.in_part:
        in_part = f" ({tally.in_part:,} of them in part)" if tally.in_part else ""
        passed = f" (passed over: {_list_counts(tally.passed_over)})" if tally.passed_over else ""
        used = tally.read - tally.rejected
        read += f": {used:,} used{in_part}, {tally.rejected:,} rejected{passed}"
    lines.append(read)
    if +tally.pieces:
        lines.append(f"left out of the text: {_list_counts(tally.pieces)}")
    if tally.glossary_terms:
        glossary = counted(tally.glossary_terms, "lines")
        lines.append(f"glossary: {glossary} read as “term: definition”")
    searched = {part.name for part in metadata.parts if part.term_fields}
    # The largest units first: paragraphs, then their sentences.
    indexed = sorted((count, name) for name, count in metadata.documents.items() if count)
    units = [counted(count, name) for count, name in indexed if name in searched]
    lines.append(f"indexed: {', '.join(units)}")
    without_terms = sum(tally.documents.values()) - sum(metadata.documents.values())
    if without_terms > 0:
        lines.append(f"not indexed: {without_terms:,} without a word to search for")
    if tally.left_out or metadata.settings.get("left_out"):  # 0: nothing of `--without` is there
        lines.append(f"left out as asked: {tally.left_out:,}")
    lines.append(f"index: {address}, {in_megabytes(size)}, in {seconds:,.1f} s")
    for line in lines:
        info(line)


def in_megabytes(size: int) -> str:
    """Bytes as a person reads them: `12.3 MB`."""
    return f"{size / 1_000_000:,.1f} MB"


def _list_counts(counts: Mapping[str, int]) -> str:
    """`tables 12, references 3`: most first, equal ones by name, without those of 0."""
    ordered = sorted(counts.items(), key=lambda count: (-count[1], count[0]))
    return ", ".join(f"{what} {number:,}" for what, number in ordered if number)
