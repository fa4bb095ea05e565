"""A book counted piece by piece and put together from its buckets is the book counted as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from indexer.book import counts, spilled
from indexer.book.counting import NameCounter, count_notes
from indexer.book.counts import book_of
from indexer.book.derivation import passage_notes
from indexer.book.notes import PassageNotes
from indexer.book.part import encode_book
from indexer.book.spread import (
    bucket_documents,
    frame_of,
    held_in_paragraphs,
    outline_document,
    paragraph_documents,
    shares_of,
)
from indexer.book.vocabulary import names_of, together, vocabulary_of
from indexer.document import Document
from indexer.languages.english import ENGLISH
from indexer.parallel import batches

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
        passage_notes(f"p-{number:07d}", title, ENGLISH.analyser().sentences(TEXTS[text]), ANALYSER, NAMES)
        for number, (title, text) in enumerate(book, 1)
    ]


def in_pieces(pieces: Sequence[list[PassageNotes]], buckets: int) -> list[Document]:
    """The documents as machines make them, each step from what the one before gave."""
    counted = [count_notes([piece]) for piece in pieces]
    names = names_of(reduce(together, map(vocabulary_of, counted)), NAMES, ANALYSER)
    frames = [frame_of(each) for each in counted]
    shares = [shares_of(each, names, buckets) for each in counted]
    offsets = [sum(frame.sentences for frame in frames[:number]) for number in range(len(frames))]
    found = [outline_document(frames, ENGLISH)]
    found += paragraph_documents([held_in_paragraphs(each, names) for each in counted], names)
    for bucket in range(buckets):
        found += bucket_documents(names, offsets, [share[bucket] for share in shares])
    return found


def counter_of(notes: Sequence[PassageNotes], block: int) -> NameCounter:
    """The counts of passages that come so many at a time."""
    counter = NameCounter()
    for passages in batches(notes, block):
        counter.see(passages)
    return counter


@given(
    book=st.lists(st.tuples(st.sampled_from(["", "Rome", "India"]), st.integers(0, len(TEXTS) - 1)), min_size=1),
    cuts=st.lists(st.integers(0, 40), max_size=4),
    buckets=st.integers(1, 5),
    room=st.integers(1, 40),
)
def test_pieces_in_memory_give_the_documents_of_the_whole_in_files(
    book: list[tuple[str, int]], cuts: list[int], buckets: int, room: int
) -> None:
    notes = notes_of(book)
    ends = sorted({0, len(notes), *(cut for cut in cuts if cut < len(notes))})
    pieces = [notes[start:end] for start, end in pairwise(ends)]
    with (
        patch.object(counts, "_NUMBERS", room),
        patch.multiple(spilled, IN_MEMORY=1, _TOGETHER=room, _ROWS=room),
    ):
        whole = list(encode_book(book_of(counter_of(notes, 1 + room // 8), NAMES, ANALYSER), ENGLISH))
    by_id = {document.doc_id: document for document in in_pieces(pieces, buckets)}
    assert by_id == {document.doc_id: document for document in whole}
    assert len(by_id) == len(whole)


def test_a_section_of_equal_titles_goes_on_over_pieces_up_to_fifteen_paragraphs() -> None:
    notes = notes_of([("Rome", 0)] * 20)
    (layout,) = [each for each in in_pieces([notes[:9], notes[9:]], 1) if each.doc_id == "layout"]
    (whole,) = [
        each
        for each in encode_book(book_of(counter_of(notes, 20), NAMES, ANALYSER), ENGLISH)
        if each.doc_id == "layout"
    ]
    assert layout == whole
