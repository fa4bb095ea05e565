"""The names of paragraphs: what is read is what was written, of the blocks that were asked for."""

from __future__ import annotations

from typing import get_args

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexer.document import Document
from indexer.entities import Kind
from indexer.files.arrays import Int64Array
from indexer.statistics.counting import encode_paragraph_names
from indexer.statistics.forms import BLOCK
from indexer.statistics.part import decode_paragraph_names
from indexer.statistics.ragged import Occurrences, add_occurrences

KEYS = ["alexander", "y:-44..-40", "アショーカ"]


class Written:
    """Documents that are found by their doc_ids, as an index finds them."""

    def __init__(self, documents: list[Document]) -> None:
        self._documents = documents

    def lookup(self, field: str, values: list[str]) -> list[list[Document]]:
        assert field == "doc_id"
        return [
            [document for document in self._documents if document.doc_id == value]
            for value in values
        ]


def table(held: list[set[int]]) -> Occurrences:
    """Paragraphs of one sentence each."""
    found, columns = (
        Occurrences(np.zeros(len(KEYS), np.int64)),
        [column for row in held for column in row],
    )
    sizes = np.array(list(map(len, held)), np.int32)
    add_occurrences(found, np.array(columns, np.int32), sizes, [1] * len(held))
    return found


def read(
    held: list[set[int]], kinds: dict[str, Kind], paragraphs: Int64Array
) -> tuple[dict[str, Kind], list[set[str]]]:
    """The kinds of the names, and the names of each paragraph."""
    written = Written(list(encode_paragraph_names(table(held), KEYS, kinds)))
    keys, found, at = decode_paragraph_names(written, paragraphs, len(held))  # type: ignore[arg-type]
    assert keys == sorted(keys)
    return dict(zip(keys, found, strict=True)), [
        {keys[n] for n in np.flatnonzero(row)} for row in at.toarray()
    ]


HELD = st.lists(st.sets(st.integers(0, len(KEYS) - 1)), max_size=3 * BLOCK)


@given(HELD, st.lists(st.sampled_from(get_args(Kind)), min_size=len(KEYS), max_size=len(KEYS)))
def test_what_is_written_is_read(held: list[set[int]], kinds: list[Kind]) -> None:
    of = dict(zip(KEYS, kinds, strict=True))
    names, there = read(held, of, np.arange(len(held)))
    assert there == [{KEYS[number] for number in paragraph} for paragraph in held]
    assert names == {KEYS[number]: of[KEYS[number]] for number in set().union(*held)}


def test_paragraphs_that_are_not_asked_for_hold_no_names() -> None:
    asked = np.array([BLOCK + 1, BLOCK + 3, BLOCK + 1])
    names, there = read(
        [{0}] * BLOCK + [{0, 1}, {2}, {1}, {0, 2}], {KEYS[0]: "place", KEYS[2]: "person"}, asked
    )
    assert there == [set()] * (BLOCK + 1) + [{KEYS[2]}, set(), {KEYS[0], KEYS[2]}]
    assert names == {KEYS[0]: "place", KEYS[2]: "person"}


def test_without_paragraphs_there_are_no_names() -> None:
    assert read([{0}], {}, np.zeros(0, np.int64)) == ({}, [set()])


def test_a_name_without_a_kind_is_of_the_kind_other() -> None:
    assert read([{1}], {}, np.array([0]))[0] == {KEYS[1]: "other"}
