"""Which cells nobody searches for: whatever is told at a glance is told as the whole meaning tells
it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.datasets.build import is_unsearched
from indexer.tables.values import parse_value

UNSEARCHED = "7 -12.5 1,234 -1,234,567.89 12345.6 0.5 ５ 1２3 $5 12% - n.a. … x 2101".split()
SEARCHED = "1999 2020.0 01999.0 (1999) May平成12年 North12 Lakes Kobe May 12km 1999年".split()


@pytest.mark.parametrize("cell", UNSEARCHED)
def test_figures_and_signs_for_missing_ones_are_not_searched(cell: str) -> None:
    assert is_unsearched(cell)


@pytest.mark.parametrize("cell", SEARCHED)
def test_years_dates_and_words_are(cell: str) -> None:
    assert not is_unsearched(cell)


PIECES = "1 0 23 1999 , . - − $ US$ % ( ) abcde none n.a x e May 年 平成 人 世帯 約 第 該当 ﾞ ① Ⅳ １ 万".split()


@given(st.lists(st.sampled_from([*PIECES, " "]), max_size=8).map("".join))
def test_a_glance_tells_what_the_whole_meaning_does(cell: str) -> None:
    value = parse_value(cell)
    number = len(cell) != 4 and cell.isdigit()
    assert is_unsearched(cell) == (
        number or (value.kind in ("number", "missing") and value.year is None)
    )
