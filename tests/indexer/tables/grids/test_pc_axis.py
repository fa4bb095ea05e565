"""PC-Axis files: keywords, then figures in the order of the dimensions."""

from __future__ import annotations

import pytest

from indexer.languages.english import ENGLISH
from indexer.tables.grids.files import read_grids
from indexer.tables.grids.workbook import UnreadableTableError

PX = (
    'CHARSET="ANSI";\nAXIS-VERSION="2000";\nLANGUAGES="en","sv";\nDECIMALS=1;\n'
    'TITLE="Population by "\n"region and year";\n'
    'TITLE[sv]="Folkmängd";\nSTUB="region (old)";\nHEADING="year";\nVALUES("region (old)")="Växjö",\n"Lund; town";\n'
    'VALUES[sv]("region (old)")="A","B";\nVALUES("year")="2018","2019";\n'
    'NOTE="DATA=1; no figures";\nDATA=\n1 2.5 \n".." 4 ;\n'
)


def test_a_row_for_every_figure_in_the_first_language() -> None:
    (grid,) = read_grids(PX.encode("cp1252"), ENGLISH)
    assert grid.rows == [
        ["Population by region and year", "", ""],
        ["region (old)", "year", "value"],
        ["Växjö", "2018", "1"],
        ["Växjö", "2019", "2.5"],
        ["Lund; town", "2018", ".."],
        ["Lund; town", "2019", "4"],
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("2.5 ", "", "with 3 figures for 4 places"),
        ("DECIMALS=1;", 'KEYS("year")=VALUES;', "with keys beside its figures"),
        ("DATA=", "FIGURES=", "without figures"),
        ('HEADING="year"', 'HEADING="town"', "with 4 figures for 0 places"),
    ],
)
def test_what_cannot_be_read_has_a_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(UnreadableTableError, match=reason):
        list(read_grids(PX.replace(old, new).encode(), ENGLISH))
