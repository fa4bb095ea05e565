"""The eras, which have one table."""

from __future__ import annotations

import re

import pytest

from indexer.analysis.years import ERA_YEAR, ERAS, FIRST_YEARS, era_year


@pytest.mark.parametrize(
    ("era", "year", "common"),
    [
        ("平成", "27", 2015),
        ("令和", "元", 2019),
        ("昭和", "64", 1989),
        ("H", "27", 2015),
        ("M", "1", 1868),
    ],
)
def test_a_year_of_an_era_is_a_common_year(era: str, year: str, common: int) -> None:
    assert era_year(era, year) == common


def test_the_eras_in_use_stand_in_order_and_among_all_eras() -> None:
    assert [(era.name, era.letter) for era in ERAS] == [
        ("明治", "M"), ("大正", "T"), ("昭和", "S"), ("平成", "H"), ("令和", "R")
    ]  # fmt: skip
    assert list(FIRST_YEARS)[:2] == ["大化", "白雉"]
    assert all(FIRST_YEARS[era.name] == era.first.year for era in ERAS)
    assert list(ERAS) == sorted(ERAS)


def test_the_expression_has_the_era_and_its_year_as_groups() -> None:
    assert [re.findall(ERA_YEAR, text) for text in ("平成 27年", "令和元年", "大化元年")] == [
        [("平成", "27")], [("令和", "元")], []
    ]  # fmt: skip
