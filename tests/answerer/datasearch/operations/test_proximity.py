"""Features of where a derivation's words stand in the question, and of the question's form."""

from __future__ import annotations

import pytest

from answerer.datasearch.operations.records import MACRO, filter_proximity
from answerer.datasearch.operations.selection import row_filters
from answerer.datasearch.question.analysis import read_question
from answerer.datasearch.task import derive
from tests.answerer.datasearch.tables import FARMS, RACES, match, view

PRIZES = """Film|Prize
Red Tide|Film of the year, Oslo
Sea Wall|Best actor
Long Film|Best script"""


def best_filter(question: str, table: str) -> dict[str, float]:
    found = match(question, table)
    (chosen,) = (item for item in row_filters(found) if item.kind == "best")
    return dict(filter_proximity(found, chosen))


def test_words_side_by_side() -> None:
    found = best_filter("in which month was the Harbour Run held?", RACES)
    assert found["filter run"] == 1.0


def test_scattered_words() -> None:
    found = best_filter("when did Lee drive in the Last of them, on the Lap of July?", RACES)
    # "lee", "lap" and "july" (last is a word of order) stand apart: no run is longer than one of
    # the three
    assert found["filter run"] == pytest.approx(1 / 3)


def test_the_kind_of_thing_that_is_asked_for_is_weak_evidence_for_rows() -> None:
    assert (
        best_filter("what prize had the film from Oslo of that year?", PRIZES)[
            "filter of focus alone"
        ]
        == 0.0
    )
    assert best_filter("what script was the last?", PRIZES)["filter of focus alone"] == 1.0
    assert best_filter("what script was best, the Long one?", PRIZES)["filter of focus too"] == 1.0


def test_a_filter_of_no_words_has_no_place() -> None:
    found = match("which race had the most points?", RACES)
    (everything,) = (item for item in row_filters(found) if item.kind == "all")
    assert filter_proximity(found, everything) == []


@pytest.mark.parametrize(
    ("cells", "course"),
    [
        ("1|2|2|5", "rising"),
        ("9|4|4|1", "falling"),
        ("3|3|3", "level"),
        ("1|5|2", "up and down"),
        ("1|-|2", "few"),
    ],
)
def test_the_course_of_a_column(cells: str, course: str) -> None:
    rows = "\n".join(f"row {number}x|{cell}" for number, cell in enumerate(cells.split("|")))
    assert view(f"Name|Count\n{rows}").columns[1].course == course


def test_the_form_of_a_question() -> None:
    assert read_question("which race had the most points?").forms == (
        "which",
        "most",
        "which most whole",
    )
    assert read_question("Points of the Harbour Run").forms == ("", " whole")


def test_derivations_over_records_have_the_forms_of_the_question() -> None:
    def forms(question: str, table: str) -> set[str]:
        blocks = (
            block for derivation in derive(question, [view(table)]) for block in derivation.blocks
        )
        return {name for block in blocks for name, _ in block if MACRO in name}

    found = forms("which race had the most points?", RACES)
    assert "form all rows, max, named text @ which most whole" in found
    assert "form all rows, max, ordered by number @ most" in found
    assert not forms("Which animal had the most farms in 2020?", FARMS)
