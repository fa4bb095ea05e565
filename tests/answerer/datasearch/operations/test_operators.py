"""What rows are ordered by that no cell says: how long spans and terms lasted, and the places of the first rows."""

from __future__ import annotations

import pytest

from tests.answerer.datasearch.tables import best, view

COACHES = """Coach|Years
Abe Cole|1919–1924, 1931–37
Ben Dow|1925–1930
Cal Eck|1938
Dan Fox|1939–1949"""

MINISTERS = """Minister|Took office|Left office
Abe Cole|19 February 1996|19 February 1999
Ben Dow|19 February 1999|19 August 2000
Cal Eck|19 August 2000|19 October 2004"""


def test_years_of_several_spans_are_added() -> None:
    (spans,) = [series for series in view(COACHES).columns[1].series if series.made == "span"]
    assert spans.numbers == ((1924 - 1919) + (1937 - 1931), 1930 - 1925, None, 1949 - 1939)


def test_numbers_too_large_to_hold_have_no_difference() -> None:
    scores = f"Match|Score\nHome|3–1\nAway|5–1\nCup|{'9' * 400}–{'8' * 400}"
    (differences,) = [series for series in view(scores).columns[1].series if series.made == "difference"]
    assert differences.numbers == (3 - 1, 5 - 1, None)


def test_terms_last_from_one_date_to_the_next() -> None:
    (terms,) = view(MINISTERS).terms
    assert [round(number or 0, 1) for number in terms.numbers] == [3.0, 1.5, round(4 + 2 / 12, 1)]


def test_dates_that_go_back_end_no_term() -> None:
    assert not view(MINISTERS.replace("19 February 1999\n", "19 February 1990\n")).terms


def test_who_held_it_longest() -> None:
    assert best("who was coach the longest?", COACHES) == "Abe Cole"
    assert best("which minister held office the longest?", MINISTERS) == "Cal Eck"
    assert best("which minister held office the shortest?", MINISTERS) == "Ben Dow"


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
    assert best("who had the best rank?", "Rank|Athlete\n|Ben Dow\n|Cal Eck\n|Dan Fox\n4|Abe Cole") == "Ben Dow"
