"""Numbers kept in files: what comes back is what was put there, whatever part of it is read at a
time."""

from __future__ import annotations

import errno
import gc
import resource
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.statistics import ragged
from indexer.statistics.ragged import (
    Numbers,
    Occurrences,
    add_occurrences,
    column_blocks,
    paragraph_rows,
)

ROWS = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), max_size=12)


@pytest.fixture(autouse=True, scope="module")
def in_files() -> Iterator[None]:
    """Every number goes to a file."""
    with patch.object(ragged, "IN_MEMORY", 1):
        yield


def table_of(rows: Sequence[Sequence[bool]], cut: int) -> Occurrences:
    """Sentences with the columns that they hold, which come so many at a time; each is a
    paragraph."""
    table = Occurrences(np.zeros(5, np.int64))
    for start in range(0, len(rows), cut):
        held = [[column for column in range(5) if row[column]] for row in rows[start : start + cut]]
        columns = np.array(
            [column for row in held for column in (*row, -1, *row)], np.int32
        )  # twice, and one for none
        sizes = np.array([2 * len(row) + 1 for row in held], np.int32)
        add_occurrences(table, columns, sizes, [1] * len(held))
    return table


@given(ROWS, st.integers(1, 5), st.integers(1, 6))
def test_the_sentences_of_columns_are_those_of_the_whole_table(
    rows: list[list[bool]], cut: int, width: int
) -> None:
    table = table_of(rows, cut)
    whole = [[number for number, row in enumerate(rows) if row[column]] for column in range(5)]
    blocks = list(column_blocks(table, width))
    assert [row.nonzero()[0].tolist() for block in blocks for row in block.toarray()] == whole
    assert table.often.tolist() == list(map(len, whole))
    assert table.sentences == len(rows)


@given(ROWS, st.integers(1, 5), st.integers(0, 12), st.integers(0, 12))
def test_some_paragraphs_are_those_of_the_whole_table(
    rows: list[list[bool]], cut: int, start: int, more: int
) -> None:
    start = min(start, len(rows))
    found = paragraph_rows(table_of(rows, cut), start, start + more)
    assert found.toarray().astype(bool).tolist() == rows[start : start + more]


def test_numbers_are_read_where_they_were_put() -> None:
    numbers = Numbers()
    places = [numbers.append(np.array(each, np.int32)) for each in ([7, 8], [], [9])]
    assert places == [0, 2, 2]
    assert numbers.read(1, 2).tolist() == [8, 9]


def test_the_file_has_no_name(tmp_path: Path) -> None:
    """So that nothing is left of it where a build is killed."""
    gc.collect()  # or else files of other tests might be closed meanwhile
    before = len(list(Path("/proc/self/fd").iterdir()))
    with patch.object(tempfile, "tempdir", str(tmp_path)):
        numbers = Numbers()
        numbers.append(np.arange(10, dtype=np.int32))
    assert len(list(Path("/proc/self/fd").iterdir())) == before + 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_an_error_of_the_system() -> None:
    """A limit on the size of a file is what a full disk is to a program."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    numbers = Numbers()
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as found:
            numbers.append(np.zeros(100_000, np.int32))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert found.value.errno == errno.EFBIG
    assert found.value.filename is None


def test_after_an_error_of_a_full_disk_no_other_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the file is closed it is not written once more."""
    shown: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", shown.append)
    monkeypatch.setattr("indexer.statistics.ragged.IN_MEMORY", 1)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    numbers = Numbers()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, limits[1]))
    try:
        numbers.append(np.zeros(500, np.int32))
        with pytest.raises(OSError, match="File too large"):
            numbers.append(np.zeros(600, np.int32))
        del numbers
        gc.collect()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert shown == []
