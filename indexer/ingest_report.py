"""Ingest report of a build: records read, used and rejected, with counts that add up; rejected records can be kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from types import TracebackType
from typing import TextIO

from indexer.files.atomic import atomic_text
from indexer.files.errors import RefusedInput
from indexer.files.messages import info

EXAMPLES = 5  # rejected records in the summary; --rejects keeps all
_SHOWN = 200  # characters of a rejected record that are kept


@dataclass
class IngestReport:
    """Counts of a build's records, and its first few rejected ones; reports of pieces of the work can be added up.

    `rejects` is the path of a file that gets every rejected record as a JSON line `{file, line, reason, record}`,
    complete when the build is over; `kept` is the stream they are written to meanwhile, a StringIO in a piece of the
    work. `in_part` counts records of which only a part was rejected, `left_out` pieces left out on request, `documents`
    those made. `passed_over` counts by reason the rejected records that are not faults, `pieces` the text left out, by
    its kind.
    """

    rejects: str | Path | None = None
    read: int = 0
    rejected: int = 0
    in_part: int = 0
    left_out: int = 0
    documents: int = 0
    passed_over: Counter[str] = field(default_factory=Counter)
    pieces: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    kept: TextIO | None = field(default=None, compare=False)

    def __enter__(self) -> IngestReport:
        self._stack = ExitStack()
        if self.rejects is not None:
            self.kept = self._stack.enter_context(atomic_text(self.rejects))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, RefusedInput):  # the rejected records say why
            kind = error = trace = None
        self._stack.__exit__(kind, error, trace)

    @property
    def faults(self) -> int:
        """The rejected records that ought to have been usable."""
        return self.rejected - self.passed_over.total()

    @property
    def expected_records(self) -> int:
        """The records read that ought to be usable."""
        return self.read - self.passed_over.total()

    def take(self, other: IngestReport) -> None:
        """Adds the counts, examples and rejected records of another report."""
        self.read += other.read
        self.rejected += other.rejected
        self.in_part += other.in_part
        self.left_out += other.left_out
        self.documents += other.documents
        self.passed_over += other.passed_over
        self.pieces += other.pieces
        self.examples += other.examples[: EXAMPLES - len(self.examples)]
        if self.kept is not None and isinstance(other.kept, StringIO):
            self.kept.write(other.kept.getvalue())

    def count(self, records: int = 1) -> None:
        """Records were read (whether they are then rejected or not)."""
        self.read += records

    def reject(self, file: str | Path, line: int, reason: str, record: str = "", in_part: bool = False) -> None:
        """Counts a record as rejected and keeps it with the reason; with `in_part` only a part of it is, and it counts
        as used."""
        self.rejected += not in_part
        self.in_part += in_part
        if len(self.examples) < EXAMPLES:
            self.examples.append(f"{file}:{line}: {reason}")
        self._keep(file, line, reason, record)

    def pass_over(self, file: str | Path, line: int, kind: str, record: str = "") -> None:
        """Passes over a record of a kind (in the plural) that holds nothing to index: rejected, but not faulty."""
        self.rejected += 1
        self.passed_over[kind] += 1
        self._keep(file, line, kind, record)

    def leave_out(self, pieces: Mapping[str, int]) -> None:
        """Counts pieces of records that were left out because they are not text, by kind."""
        self.pieces.update(pieces)

    def _keep(self, file: str | Path, line: int, reason: str, record: str) -> None:
        """Writes a rejected record to the file of rejects, if there is one."""
        if self.kept is not None:
            entry = {"file": str(file), "line": line, "reason": reason, "record": record[:_SHOWN]}
            self.kept.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def report(self, address: str, indexed: int, resumed: int, size: int, seconds: float) -> None:
        """Writes a summary to stderr: records read = used + rejected, documents made = indexed + without terms.

        `indexed` is the number of documents in the index, `resumed` the number of sources that an earlier, interrupted
        build wrote, whose documents count as indexed; `size` is in bytes.
        """
        lines = [f"rejected {example}" for example in self.examples]
        if self.faults + self.in_part > len(self.examples):
            more = self.faults + self.in_part - len(self.examples)
            lines.append(f"rejected {more:,} more (--rejects FILE keeps them all)")
        used = f"{self.read - self.rejected:,} used" + (f" ({self.in_part:,} of them in part)" if self.in_part else "")
        passed = f" (passed over: {_list_counts(self.passed_over)})" if self.passed_over else ""
        lines.append(f"records: {self.read:,} read = {used} + {self.rejected:,} rejected{passed}")
        if +self.pieces:
            lines.append(f"left out of the text: {_list_counts(self.pieces)}")
        if resumed:
            lines.append(f"resumed: {resumed:,} sources were finished by the interrupted build")
            lines.append(f"documents: {indexed:,} indexed")
        else:
            without = self.documents - indexed
            made = f"{self.documents:,} made = {indexed:,} indexed + {without:,} without terms"
            lines.append(f"documents: {made}" + (f"; {self.left_out:,} left out as asked" if self.left_out else ""))
        lines.append(
            f"index: {address}, {in_megabytes(size)}, in {seconds:,.1f} s ({indexed / seconds:,.0f} documents/s)"
        )
        for line in lines:
            info(line)


def in_megabytes(size: int) -> str:
    """Bytes as a person reads them: `12.3 MB`."""
    return f"{size / 1_000_000:,.1f} MB"


def _list_counts(counts: Mapping[str, int]) -> str:
    """`tables 12, references 3`, most first, equal ones by name."""
    ordered = sorted(counts.items(), key=lambda count: (-count[1], count[0]))
    return ", ".join(f"{what} {number:,}" for what, number in ordered if number)
