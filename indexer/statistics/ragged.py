"""Ragged arrays (concatenated, with offsets), their compact forms, and counts that are spilled to disk."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import Float32Array, Float64Array, Int32Array, Int64Array

# Corpus statistics of a whole book, kept in unnamed files once they are long: memory holds a part of it at a time.

IN_MEMORY = 1_000_000  # bytes of each kind that need no file
_TOGETHER = 1_000_000  # numbers that are put in order at a time
_ROWS = 4_000  # that are read at a time


class Numbers:
    """A growing array of 32-bit integers on disk, read by offset; safe for several threads. Raises OSError if the disk
    is full."""

    def __init__(self, held: Int32Array | None = None) -> None:
        self._one_at_a_time = Lock()
        self._file = SpooledTemporaryFile[bytes](IN_MEMORY)
        self._size = 0
        if held is not None:
            self.append(held)

    def __reduce__(self) -> tuple[object, tuple[Int32Array]]:
        return Numbers, (self.read(0, self._size),)

    def append(self, numbers: Int32Array) -> int:
        """Appends numbers; returns the offset (in numbers) of the first."""
        with self._one_at_a_time:
            place, self._size = self._size, self._size + len(numbers)
            self._file.seek(4 * place)
            self._file.write(numbers.data)
        return place

    def read(self, place: int, size: int) -> Int32Array:
        """The `size` numbers from offset `place` on."""
        found = np.empty(size, np.int32)
        with self._one_at_a_time:
            self._file.seek(4 * place)
            self._file.readinto(found.data)
        return found


class Vectors:
    """Rows of 32-bit floats of one width, appended and then read by slices.

    Rows are read divided by the largest absolute value of all rows.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._numbers = Numbers()
        self._size = 0
        self._greatest = np.float32(1e-12)  # so that rows of zeros stay zeros

    def __len__(self) -> int:
        return self._size

    def append(self, rows: Float32Array) -> None:
        """Put rows behind the others."""
        self._numbers.append(np.ascontiguousarray(rows, np.float32).view(np.int32).reshape(-1))
        self._size += len(rows)
        self._greatest = max(self._greatest, rows.max(initial=0.0), -rows.min(initial=0.0))

    def __getitem__(self, rows: slice) -> Float32Array:
        start, stop, _ = rows.indices(self._size)
        held = self._numbers.read(start * self.width, (stop - start) * self.width)
        return held.view(np.float32).reshape(stop - start, self.width) / self._greatest


class OnesTable:
    """A sparse table of ones: the column indices of each row, one row after another; `ends` are the numbers of ones up
    to each row."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._numbers = Numbers()
        self._ends: list[Int64Array] = [np.zeros(1, np.int64)]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return sum(map(len, self._ends)) - 1, self._width

    def append(self, rows: csr_array) -> None:
        """Put rows behind the others."""
        self._numbers.append(rows.indices.astype(np.int32, copy=False))
        self._ends.append(self._ends[-1][-1] + rows.indptr[1:].astype(np.int64))

    def __getitem__(self, rows: slice) -> csr_array:
        """Some rows, also with a step."""
        self._ends = [np.concatenate(self._ends)]
        first, stop, step = rows.indices(self.shape[0])
        columns, sizes = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
        # some at a time: with a step most of what is read is dropped again
        for start in range(first, stop, _ROWS * step):
            ends = self._ends[0][start : min(start + _ROWS * step, stop) + 1]
            read, lengths = self._numbers.read(int(ends[0]), int(ends[-1] - ends[0])), np.diff(ends)
            kept = np.arange(len(lengths)) % step == 0
            columns.append(read if step == 1 else read[np.repeat(kept, lengths)])
            sizes.append(lengths[kept])
        joined, row_ends = np.concatenate(columns), np.cumsum(np.concatenate(sizes))
        ones = np.ones(len(joined), np.int8)
        return csr_array((ones, joined, row_ends.astype(np.int32)), (len(row_ends) - 1, self._width))


class Postings:
    """The ascending numbers of the rows that contain each column of a growing table; iterating yields one array for
    each column.

    Rows are appended in runs, which are merged when they are read.
    """

    def __init__(self, width: int) -> None:
        self.often = np.zeros(width, np.int64)
        self._numbers = Numbers()
        self._runs: list[tuple[int, int]] = []  # where the ends of a run's columns are, and where its rows are
        self._rows = 0

    def append(self, rows: csr_array) -> None:
        """Appends rows, as a sparse table of ones."""
        by_column = rows.tocsc()
        ends = self._numbers.append(by_column.indptr.astype(np.int32, copy=False))
        self._runs.append((ends, self._numbers.append(by_column.indices.astype(np.int32) + np.int32(self._rows))))
        self.often += np.diff(by_column.indptr)
        self._rows += rows.shape[0]

    def __iter__(self) -> Iterator[Int32Array]:
        """The rows that hold each column, rising, column after column."""
        all_ends = np.cumsum(self.often)
        start = before = 0
        while start < len(all_ends):
            stop = max(start + 1, int(np.searchsorted(all_ends, before + _TOGETHER, "right")))
            columns, rows = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
            for ends_at, rows_at in self._runs:
                ends = self._numbers.read(ends_at + start, stop - start + 1)
                columns.append(np.repeat(np.arange(stop - start, dtype=np.int32), np.diff(ends)))
                rows.append(self._numbers.read(rows_at + int(ends[0]), int(ends[-1] - ends[0])))
            order = np.argsort(np.concatenate(columns), kind="stable")  # runs came in order of their rows
            merged, end = np.concatenate(rows)[order], 0
            for size in self.often[start:stop].tolist():
                yield merged[end : end + size]
                end += size
            start, before = stop, int(all_ends[stop - 1])


# Arrays of numbers as short texts, which any engine can keep: every `encode` with its `decode`.

_WIDTHS = (1, 2, 4, 8)  # bytes of a number


def encode_numbers(numbers: Int32Array | Int64Array) -> str:
    """Whole numbers as a text: the digit 1, 2, 4 or 8 (bytes of each number), then all of them in base 64,
    little-endian."""
    least, greatest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    width = next(width for width in _WIDTHS if -(1 << 8 * width - 1) <= least and greatest < 1 << 8 * width - 1)
    return f"{width}{base64.b64encode(numbers.astype(f'<i{width}').tobytes()).decode()}"


def decode_numbers(text: str) -> Int64Array:
    """Numbers from the text of `encode_numbers`."""
    return np.frombuffer(base64.b64decode(text[1:]), f"<i{text[0]}").astype(np.int64)


def encode_rising(numbers: Int32Array | Int64Array) -> str:
    """Ascending numbers as a text: the first number and the differences between neighbours, by `encode_numbers`."""
    steps = numbers.copy()
    steps[1:] -= numbers[:-1]  # quicker than np.diff, which counts with some ten thousand short ones
    return encode_numbers(steps)


def decode_rising(text: str) -> Int64Array:
    """Rising numbers from the text of `encode_rising`."""
    return np.cumsum(decode_numbers(text))


def encode_halves(rows: Float32Array) -> str:
    """A table as a text: its number of columns, a colon, and its rows as 16-bit floats in base 64."""
    return f"{rows.shape[1]}:{base64.b64encode(rows.astype('<f2').tobytes()).decode()}"


def decode_halves(text: str) -> Float64Array:
    """Table of half-precision numbers from the text of `encode_halves`; a table without columns has no rows."""
    columns, _, halves = text.partition(":")
    numbers = np.frombuffer(base64.b64decode(halves), "<f2").astype(np.float64)
    return numbers.reshape(-1, int(columns)) if int(columns) else np.zeros((0, 0))


# doc_ids that count up, written as runs: those of a book's hundred thousand paragraphs are a few numbers.

_NUMBERED = re.compile(r"(.*?)([0-9]{0,15})", re.DOTALL)


class IdRun(NamedTuple):
    """`size` consecutive doc_ids: `beginning` followed by a number, from `first`, zero-padded to `width` digits (0: the
    doc_id is `beginning`)."""

    beginning: str
    width: int
    first: int
    size: int


def run_of(doc_id: str) -> IdRun:
    """Run of a single doc_id, split into its beginning and the digits at its end."""
    found = _NUMBERED.fullmatch(doc_id)
    assert found is not None  # noqa: S101 - whatever has no number has an empty one
    return IdRun(found[1], len(found[2]), int(found[2] or 0), 1)


def join_runs(runs: Iterable[IdRun]) -> list[IdRun]:
    """The runs in order, with neighbours merged where the numbers of one continue those of the other."""
    found: list[IdRun] = []
    for run in runs:
        last = found[-1] if found else None
        if last and run.width and last[:2] == run[:2] and last.first + last.size == run.first:
            found[-1] = last._replace(size=last.size + run.size)
        else:
            found.append(run)
    return found


def doc_id_at(runs: Sequence[IdRun], place: int) -> str:
    """The doc_id at index `place`, from 0, of concatenated runs. Raises IndexError beyond the last."""
    for run in runs:
        if place < run.size:
            return run.beginning + (f"{run.first + place:0{run.width}}" if run.width else "")
        place -= run.size
    raise IndexError("there are fewer doc_ids")
