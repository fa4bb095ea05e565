"""doc_ids as runs: whatever they are, they come back in order, and those that count up take one
run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.statistics.forms import IdRun, doc_id_at, join_runs, run_of


def runs_of(doc_ids: list[str]) -> list[IdRun]:
    return join_runs(map(run_of, doc_ids))


def test_doc_ids_that_count_up_are_one_run() -> None:
    assert runs_of([f"book-{number:07d}" for number in (1, 2, 3, 5)]) == [
        IdRun("book-", 7, 1, 3),
        IdRun("book-", 7, 5, 1),
    ]


def test_blocks_that_go_on_with_each_other_are_made_one() -> None:
    runs = [IdRun("b-", 3, 1, 2), IdRun("b-", 3, 3, 4), IdRun("c-", 3, 7, 1)]
    assert join_runs(runs) == [IdRun("b-", 3, 1, 6), IdRun("c-", 3, 7, 1)]


def test_a_place_beyond_the_last_is_an_error() -> None:
    with pytest.raises(IndexError):
        doc_id_at([IdRun("b-", 3, 1, 2)], 2)


@given(
    st.lists(st.text("ab-019", max_size=5) | st.integers(0, 12).map("x{:02d}".format)),
    st.integers(0, 9),
)
def test_every_doc_id_comes_back(doc_ids: list[str], cut: int) -> None:
    runs = join_runs([*runs_of(doc_ids[:cut]), *runs_of(doc_ids[cut:])])
    assert [doc_id_at(runs, place) for place in range(len(doc_ids))] == doc_ids
