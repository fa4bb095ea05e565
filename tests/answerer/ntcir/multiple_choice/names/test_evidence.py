"""The passages whose counts decided, over a small book counted by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from answerer.ntcir.multiple_choice.names.evidence import Causes
from answerer.ntcir.multiple_choice.names.judgement import WEIGHTS, judge, load_weights
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from answerer.trace import TraceEvidence
from indexer.engines.contract import Index

BOOK = """It was in 1492. The sailor Columbus left Spain for America. Spain ruled America for long.

The sailor Columbus asked Spain and the queen Isabella for ships.

In 1789 the people of Paris rose. The tall tower of Paris is made of iron.

The emperor Ashoka of India spread Buddhism. The island of Ceylon heard of it.
"""


@pytest.fixture(scope="module", params=["sentence", "paragraph"])
def book(request: pytest.FixtureRequest, indexed: Callable[..., Index]) -> Index:
    return indexed(BOOK, "--unit", request.param)


def causes(text: str, book: Index) -> Causes:
    model = load_weights(WEIGHTS)
    return Causes(judge([ChoiceStatement(text)], book, model), model)


def passages(text: str, book: Index) -> list[TraceEvidence]:
    return causes(text, book).passages(book, 5)[0]


def test_names_that_stand_together_are_shown_where_they_do(book: Index) -> None:
    found = [
        one for one in passages("Columbus sailed for Spain.", book) if "stand together" in one.says
    ]
    assert found
    assert all("Columbus" in one.text and "Spain" in one.text for one in found)
    assert set(found[0].names) == {"columbus", "spain"}


def test_in_how_many_paragraphs_they_stand_together_is_counted(book: Index) -> None:
    counted = causes("Columbus sailed for Spain.", book).counts_of(0)["columbus"]
    [(other, paragraphs, times, sections)] = counted.beside
    # eight sentences with their neighbours in the paragraph: Columbus in 3 + 1, Spain in 3 + 1,
    # both in 4; k = .4
    assert (other, paragraphs, sections) == ("spain", 2, 1)
    assert times == pytest.approx((4 + 0.4) / (4 * 4 / 8 + 0.4))


def test_what_the_rest_leads_to_is_shown_with_what_led_there(book: Index) -> None:
    [found] = passages("The tall tower of Ceylon is made of iron.", book)
    assert "tall tower" in found.text
    assert found.says == "the rest of the statement leads here, where Ceylon does not stand"
    assert found.names == ()
    assert list(found.terms) == ["iron", "made", "tall", "tower"]
    assert sum(found.terms.values()) == pytest.approx(found.score)


def test_how_much_of_what_the_rest_leads_to_has_the_name_is_counted(book: Index) -> None:
    [counted] = causes("The tall tower of Ceylon is made of iron.", book).counts_of(0).values()
    assert (counted.beside, counted.led) == ((), (0.0, 1 / 4))


def test_a_statement_without_a_known_name_shows_nothing(book: Index) -> None:
    assert passages("It was tall.", book) == []
    assert causes("It was tall.", book).counts_of(0) == {}


def test_a_whole_paragraph_is_cut_where_its_first_sentence_is_shown(
    indexed: Callable[..., Index],
) -> None:
    more = "".join(f" Then the river number {n} rose over its banks." for n in range(20))
    index = indexed(f"The tall tower of Paris is made of iron.{more}\n", "--unit", "paragraph")
    [passage] = passages("The tall tower of Paris is made of iron.", index)
    assert passage.text.startswith("The tall tower of Paris")
    assert (len(passage.text), passage.text[-1]) == (400, "…")


def test_a_passage_has_its_place_in_the_index(book: Index) -> None:
    for one in passages("Columbus sailed for Spain.", book):
        [[document]] = book.part().lookup("doc_id", [one.doc_id])
        assert document.text[:20] in one.text
