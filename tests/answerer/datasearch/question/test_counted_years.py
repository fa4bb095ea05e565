"""Years that a question counts from another."""

from __future__ import annotations

import pytest

from answerer.datasearch.question.counted_years import with_counted_years


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("How many births two years before 2021?", "How many births in 2019?"),
        ("How many in the year after 2018-19?", "How many in 2019-20?"),
        ("平成30年の翌年の出生数は？", "2019年の出生数は?"),
        ("2020年度の3年前", "2017年度"),
        ("How many births in 2018?", "How many births in 2018?"),
        ("出生数は？", "出生数は？"),
    ],
)
def test_years_are_counted(text: str, counted: str) -> None:
    assert with_counted_years(text) == counted
