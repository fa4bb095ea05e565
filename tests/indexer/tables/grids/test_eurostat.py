"""Eurostat's TSV: keys joined by commas in the first column, flags behind figures."""

from __future__ import annotations

import pytest

from indexer.languages.english import ENGLISH
from indexer.tables.grids.files import read_grids
from indexer.tables.table import read_tables

SERIES = (
    "freq,unit,sex,geo\\TIME_PERIOD\t2018 \t2019 \t2020 \n"
    "A,PC,F,AT\t12.3 \t12.9 p\t: \nA,PC,F,BE\t10.1 b\t: c\t-1.5e3 ep\nA,PC,M\t14 \t15 \t16 \n"
)


def test_every_key_is_a_column_and_flags_are_no_part_of_figures() -> None:
    (grid,) = read_grids(SERIES.encode(), ENGLISH)
    assert grid.rows == [
        ["freq", "unit", "sex", "geo", "2018", "2019", "2020"],
        ["A", "PC", "F", "AT", "12.3", "12.9", ":"],
        ["A", "PC", "F", "BE", "10.1", ": c", "-1.5e3"],
        ["A,PC,M", "", "", "", "14", "15", "16"],
    ]
    (table,) = read_tables(grid)
    assert (table.labels, table.matrix) == (4, True)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("geo\\time\t2018\nAT\t5\n", ["geo", "2018"]),
        ("a,b\\c,d\n1,2,3\n", ["a", "b\\c", "d"]),
        ("and\\or\tlength\nx\t12 km\n", ["and\\or", "length"]),
    ],
    ids=["one key", "no tab behind the time", "no time"],
)
def test_what_begins_as_such_a_file_does(text: str, first: list[str]) -> None:
    (grid,) = read_grids(text.encode(), ENGLISH)
    assert grid.rows[0] == first
