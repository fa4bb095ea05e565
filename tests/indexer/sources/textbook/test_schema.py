"""Where a text stands goes into a document's keys and comes back; sentences know their number."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.engines.contract import Document
from indexer.sources.textbook.schema import (
    Place,
    decode_place,
    encode_place,
    paragraph_id,
    sentence_id,
    sentence_number,
    without_number,
)


@given(st.builds(Place, st.text(), st.text(), st.text(), st.text()))
def test_a_place_comes_back(place: Place) -> None:
    assert decode_place(Document("d", "", {}, encode_place(*place[:3]), place.page)) == place


@given(st.text(), st.integers(1, 10**9), st.integers(1, 10**6))
def test_a_sentence_knows_its_number(label: str, paragraph: int, sentence: int) -> None:
    assert sentence_number(sentence_id(paragraph_id(label, paragraph), sentence)) == sentence


def test_the_number_of_a_section_is_no_part_of_its_heading() -> None:
    assert without_number("3.2 The mill") == "The mill"
    assert without_number("3. Rivers: 3.2.1. The mill") == "Rivers: The mill"
    assert without_number("13 mills: 1848") == "13 mills: 1848"
    assert without_number("3.5") == ""


def test_the_layout_of_existing_indexes() -> None:
    assert sentence_id(paragraph_id("book", 12), 3) == "book-0000012-003"
    assert encode_place("book-0000012", "", "A-1") == {
        "paragraph": ("book-0000012",),
        "source_id": ("A-1",),
    }
