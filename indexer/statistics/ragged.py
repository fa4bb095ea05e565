"""Occurrences of names and terms in a long text, in unnamed files once they are many: memory holds
a part at a time."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import Int32Array, Int64Array

IN_MEMORY = 1_000_000  # bytes of each kind that need no file


class Numbers:
    """A growing array of 32-bit integers, read by offset, in memory up to 1 MB, else in an unnamed
    temporary file. Raises OSError if the disk is full."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile[bytes](IN_MEMORY)
        self._size = 0

    def append(self, numbers: Int32Array) -> int:
        """Appends numbers; returns the offset (in numbers) of the first."""
        offset, self._size = self._size, self._size + len(numbers)
        try:
            self._file.seek(4 * offset)
            self._file.write(numbers.data)
            self._file.flush()
        except OSError:
            with suppress(OSError):  # what could not be written is tried once more
                self._file.close()
            raise
        return offset

    def read(self, offset: int, size: int) -> Int32Array:
        """The `size` numbers from an offset on, all of which must have been appended."""
        numbers = np.empty(size, np.int32)
        self._file.seek(4 * offset)
        self._file.readinto(numbers.data)
        return numbers


@dataclass
class Occurrences:
    """Occurrences of columns (names or terms): `often` has the number of sentences that contain
    each, of `sentences`.

    `at` holds, for each run of sentences, the offsets of its columns and then the sentences of each
    column; `runs` are the places of both. `columns` has the columns of each paragraph, one after
    another, `ends` the ends of paragraphs.
    """

    often: Int64Array
    sentences: int = 0
    at: Numbers = field(default_factory=Numbers)
    runs: list[tuple[int, int]] = field(default_factory=list)
    columns: Numbers = field(default_factory=Numbers)
    ends: array[int] = field(default_factory=lambda: array("q", [0]))


def add_occurrences(
    table: Occurrences, columns: Int32Array, in_sentence: Int32Array, paragraphs: Sequence[int]
) -> None:
    """Adds passages to a table: `columns` are the column indices in all sentences, one after
    another, `in_sentence` how many each sentence has; a repeated column counts once a sentence,
    negative ones are left out. `paragraphs` are lengths in sentences."""
    mask = columns >= 0
    ends = np.concatenate([[0], np.cumsum(mask)])[np.concatenate([[0], np.cumsum(in_sentence)])]
    ones = np.ones(int(ends[-1]), np.int8)
    by_sentence = csr_array(
        (ones, columns[mask], ends.astype(np.int32)), (len(in_sentence), len(table.often))
    )
    by_sentence.sum_duplicates()
    by_sentence.data[:] = 1
    by_column = by_sentence.tocsc()
    offsets = table.at.append(by_column.indptr.astype(np.int32, copy=False))
    table.runs.append(
        (offsets, table.at.append(by_column.indices.astype(np.int32) + np.int32(table.sentences)))
    )
    table.often += np.diff(by_column.indptr)
    table.sentences += len(in_sentence)
    lengths = np.cumsum([0, *paragraphs], dtype=np.int32)
    sentences = np.arange(lengths[-1], dtype=np.int32)
    of_paragraph = csr_array(
        (np.ones(lengths[-1], np.float32), sentences, lengths), (len(paragraphs), lengths[-1])
    )
    by_paragraph = of_paragraph @ by_sentence
    table.columns.append(by_paragraph.indices.astype(np.int32, copy=False))
    table.ends.extend((table.ends[-1] + by_paragraph.indptr[1:].astype(np.int64)).tolist())


def paragraph_rows(table: Occurrences, start: int, stop: int) -> csr_array:
    """A sparse table of ones: a row for each paragraph from `start` to before `stop` (or the last),
    its columns."""
    ends = np.array(table.ends[start : stop + 1], np.int64)
    columns = table.columns.read(int(ends[0]), int(ends[-1] - ends[0]))
    ends = (ends - ends[0]).astype(np.int32)
    return csr_array(
        (np.ones(len(columns), np.int8), columns, ends), (len(ends) - 1, len(table.often))
    )


def column_blocks(table: Occurrences, width: int) -> Iterator[csr_array]:
    """Yields sparse tables of ones, each of `width` columns (the last of fewer) of the whole: a row
    for each of these columns, the sentences that contain it."""
    for start in range(0, len(table.often), width):
        stop = min(start + width, len(table.often))
        columns, rows = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
        for ends_at, rows_at in table.runs:
            ends = table.at.read(ends_at + start, stop - start + 1)
            columns.append(np.repeat(np.arange(stop - start, dtype=np.int32), np.diff(ends)))
            rows.append(table.at.read(rows_at + int(ends[0]), int(ends[-1] - ends[0])))
        # runs came in order of their rows
        order = np.argsort(np.concatenate(columns), kind="stable")
        sentences = np.concatenate(rows)[order]
        ends = np.cumsum([0, *table.often[start:stop]], dtype=np.int32)
        ones = np.ones(len(sentences), np.int8)
        yield csr_array((ones, sentences, ends), (stop - start, table.sentences))
