"""Ranks that the cells of the first rows lack."""

from __future__ import annotations

import pytest

from tests.answerer.datasearch.tables import best, view


@pytest.mark.parametrize(
    ("places", "read"),
    [
        (["", "", "", "4", "5"], [1, 2, 3, 4, 5]),
        (["", "2", "3"], [1, 2, 3]),
        (["", "", "4", "5"], [None, None, 4, 5]),
        (["", "", "", "", "5", "6"], [None, None, None, None, 5, 6]),
        (["1", "", "3"], [1, None, 3]),
    ],
)
def test_places_that_the_first_rows_lack(places: list[str], read: list[float | None]) -> None:
    rows = "\n".join(f"{place}|Runner {number}" for number, place in enumerate(places))
    ranks = view(f"Rank|Athlete\n{rows}").columns[0]
    assert [value.number for value in ranks.values] == read


def test_the_first_place_of_pictures_answers() -> None:
    assert (
        best("who had the best rank?", "Rank|Athlete\n|Ben Dow\n|Cal Eck\n|Dan Fox\n4|Abe Cole")
        == "Ben Dow"
    )


@pytest.mark.parametrize("mark", ["…", "-", "－", "#N/A", "x", "n/a"])
def test_a_mark_of_a_missing_value_is_the_answer(mark: str) -> None:
    """Of a list and of statistics, and never the figure of another row or column."""
    towns = f"Town|Country|Population\nAlder|Norland|1,464\nBirch|Norland|{mark}\nCedar|Sudland|522"
    farms = f"|Farms||Area|\n|2019|2020|2019|2020\nGoat|{mark}|60|716|900\nSheep|86|90|4,557|4,100"
    assert best("how many people live in Birch?", towns) == mark
    assert best("How many goat farms were there in 2019?", farms) == mark
