"""Rows of a country under another of its names, and rows with nothing or something in a column."""

from __future__ import annotations

import pytest

from answerer.datasearch.operations.selection import row_filters
from tests.answerer.datasearch.tables import match, ranked

SWIMMERS = """Swimmer|Nation|Time|Record
Ana Paz|Cuba|58.67|
Jo Hill|United States|57.43|OR
Liv Dahl|Norway|59.01|-
Mia Roy|Canada|59.40|
Eva Lund|Norway|60.02|"""

CODES = """Rower|Nation|Time
Ana Paz|CUB|6:58
Jo Hill|USA|6:41
Liv Dahl|NOR|7:02"""


@pytest.mark.parametrize(
    ("question", "rows", "table"),
    [
        ("who was the only Cuban?", (0,), SWIMMERS),
        ("the time of the American swimmer", (1,), SWIMMERS),
        ("the fastest swimmer from the U.S.", (1,), SWIMMERS),
        ("which Norwegian was faster?", (2, 4), SWIMMERS),
        ("who rowed for the United States?", (1,), CODES),
        ("the Norwegian rower", (2,), CODES),
    ],
)
def test_a_country_under_another_name(question: str, rows: tuple[int, ...], table: str) -> None:
    assert {item.kind: item.rows for item in row_filters(match(question, table))}["best"] == rows


def test_a_country_that_the_table_names_as_the_question_does_is_no_other() -> None:
    found = match("the norway swimmer", SWIMMERS.replace("Cuba", "NOR"))
    assert {row for row, _ in found.cell_masks} == {2, 4}


def test_rows_with_nothing_in_a_column_that_is_named() -> None:
    found = {
        item.kind: item for item in row_filters(match("which swimmer has no record?", SWIMMERS))
    }
    assert found["blank"].rows == (0, 2, 3, 4)
    assert "filled" not in found


def test_the_few_rows_with_something_in_a_column_that_is_named() -> None:
    found = {
        item.kind: item for item in row_filters(match("which swimmer set a record?", SWIMMERS))
    }
    assert found["filled"].rows == (1,)
    assert "blank" not in found


def test_a_column_without_gaps_has_neither() -> None:
    kinds = {item.kind for item in row_filters(match("which swimmer has no time?", SWIMMERS))}
    assert not kinds & {"blank", "filled"}


def test_what_has_nothing_answers() -> None:
    answers = [candidate.answer for candidate in ranked("which Canadian has no record?", SWIMMERS)]
    assert answers[0] == "Mia Roy"
