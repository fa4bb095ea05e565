"""Numbers kept in files: what comes back is what was put there, whatever part of it is read at a time."""

from __future__ import annotations

import errno
import gc
import pickle
import resource
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from indexer.statistics import ragged
from indexer.statistics.ragged import Numbers, OnesTable, Postings, Vectors

ROWS = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), max_size=12)


@pytest.fixture(autouse=True, scope="module")
def in_files() -> Iterator[None]:
    """Every number goes to a file, a few are read at a time."""
    with patch.multiple(ragged, IN_MEMORY=1, _TOGETHER=3, _ROWS=2):
        yield


def pieces(rows: Sequence[Sequence[bool]], cut: int) -> list[csr_array]:
    """Tables of so many rows each, the last one shorter."""
    return [csr_array(np.array(rows[start : start + cut], np.int8)) for start in range(0, len(rows), cut)]


@given(ROWS, st.integers(1, 5))
def test_the_rows_of_columns_are_those_of_the_whole_table(rows: list[list[bool]], cut: int) -> None:
    postings = Postings(5)
    for piece in pieces(rows, cut):
        postings.append(piece)
    whole = [[number for number, row in enumerate(rows) if row[column]] for column in range(5)]
    assert [found.tolist() for found in postings] == whole
    assert postings.often.tolist() == list(map(len, whole))


@given(ROWS, st.integers(1, 5), st.integers(0, 12), st.integers(0, 12), st.integers(1, 4))
def test_some_rows_are_those_of_the_whole_table(
    rows: list[list[bool]], cut: int, start: int, stop: int, step: int
) -> None:
    table = OnesTable(5)
    for piece in pieces(rows, cut):
        table.append(piece)
    assert table.shape == (len(rows), 5)
    assert table[start:stop:step].toarray().astype(bool).tolist() == rows[start:stop:step]


def test_rows_that_come_after_reading_are_read_too() -> None:
    table = OnesTable(2)
    for _ in range(2):
        table.append(csr_array(np.array([[1, 0]], np.int8)))
        assert table[-1:].toarray().tolist() == [[1, 0]]
    assert table.shape == (2, 2)


def test_numbers_go_to_another_process_with_all_that_they_hold() -> None:
    numbers = Numbers()
    places = [numbers.append(np.array(each, np.int32)) for each in ([7, 8], [], [9])]
    assert places == [0, 2, 2]
    again = pickle.loads(pickle.dumps(numbers))  # noqa: S301 - its own
    assert again.append(np.array([10], np.int32)) == 3
    assert again.read(1, 3).tolist() == [8, 9, 10]
    assert numbers.read(0, 3).tolist() == [7, 8, 9]


def test_threads_read_side_by_side() -> None:
    numbers = Numbers()
    numbers.append(np.arange(10_000, dtype=np.int32))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda place: int(numbers.read(place, 1)[0]), range(10_000)))
    assert found == list(range(10_000))


def test_vectors_are_divided_by_the_number_farthest_from_zero() -> None:
    vectors = Vectors(2)
    vectors.append(np.array([[2, 4], [6, -8]], np.float32))
    vectors.append(np.array([[1, 0]], np.float32))
    assert vectors[1:3].tolist() == [[0.75, -1], [0.125, 0]]
    assert len(vectors) == 3


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
