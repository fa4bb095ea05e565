"""A book counted block by block, in memory or in files, is the book counted as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from indexer.build import batches
from indexer.engines.contract import Document
from indexer.languages.english import ENGLISH
from indexer.statistics import counting, ragged
from indexer.statistics.counting import NameCounter, derive_names
from indexer.statistics.notes import PassageNotes, passage_notes

NAMES, ANALYSER = ENGLISH.recogniser(), ENGLISH.analyser()
TEXTS = (
    "In 1313 Constantine ruled Rome.",
    "Rome traded with Carthage.",
    "The general Mark Antony fled.",
    "Then Antony fell.",
    "War came. A war began.",
    "Later Ashoka of India met Carthage in Rome.",
)


def notes_of(book: Sequence[tuple[str, int]]) -> list[PassageNotes]:
    """The notes of paragraphs of a title and the number of a text."""
    return [
        passage_notes(
            f"p-{number:07d}", title, ENGLISH.analyser().sentences(TEXTS[text]), ANALYSER, NAMES
        )
        for number, (title, text) in enumerate(book, 1)
    ]


def counter_of(notes: Sequence[PassageNotes], block: int) -> NameCounter:
    """The counts of passages that come so many at a time."""
    counter = NameCounter()
    for passages in batches(notes, block):
        counter.count(passages)
    return counter


def documents(counter: NameCounter) -> list[Document]:
    made = derive_names(counter, ENGLISH, None, None, cast(Any, None))
    return [document for batch in made for document in batch["names"]]


@given(
    book=st.lists(
        st.tuples(st.sampled_from(["", "Rome", "India"]), st.integers(0, len(TEXTS) - 1)),
        min_size=1,
    ),
    room=st.integers(1, 40),
)
def test_blocks_in_files_give_the_documents_of_the_whole_in_memory(
    book: list[tuple[str, int]], room: int
) -> None:
    notes = notes_of(book)
    with (
        patch.object(counting, "_NUMBERS", room),
        patch.object(ragged, "IN_MEMORY", 1),
    ):
        pieces = documents(counter_of(notes, 1 + room // 8))
    assert pieces == documents(counter_of(notes, len(notes)))


def test_a_section_of_equal_titles_goes_on_over_blocks_up_to_fifteen_paragraphs() -> None:
    notes = notes_of([("Rome", 0)] * 20)
    layout, *_ = documents(counter_of(notes, 9))
    assert layout == documents(counter_of(notes, 20))[0]
