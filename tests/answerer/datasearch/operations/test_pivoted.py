"""Lists of statistics: what a question of two or three conditions gets of them, with and without
totals."""

from __future__ import annotations

from itertools import product

import pytest

from answerer.datasearch.tables.view import key_columns
from answerer.datasearch.task import derive, load_weights, rank, score_all
from tests.answerer.datasearch.tables import RACES, best, view

REGIONS, AGES, SEXES = (
    ("Kent", "Moray"),
    ("All ages", "0-14", "65 and over"),
    ("Both sexes", "Male", "Female"),
)
PARTS = {
    ("Kent", "0-14", "Male"): (310, 320), ("Kent", "0-14", "Female"): (305, 290),
    ("Kent", "65 and over", "Male"): (150, 160), ("Kent", "65 and over", "Female"): (210, 230),
    ("Moray", "0-14", "Male"): (90, 80), ("Moray", "0-14", "Female"): (95, 85),
    ("Moray", "65 and over", "Male"): (70, 75), ("Moray", "65 and over", "Female"): (99, 240),
}  # fmt: skip


def figure(region: str, age: str, sex: str, year: int) -> int:
    """A figure, or the sum of those that a total stands for."""
    return sum(
        parts[year - 2020]
        for (place, own_age, own_sex), parts in PARTS.items()
        if place == region and age in (own_age, AGES[0]) and sex in (own_sex, SEXES[0])
    )


PEOPLE = "Year|Region|Unit|Age group|Sex|Value\n" + "\n".join(
    f"{year}|{region}|Persons|{age}|{sex}|{figure(region, age, sex, year)}"
    for year, region, age, sex in product((2020, 2021), REGIONS, AGES, SEXES)
)
QUESTIONS = [
    ("How many women aged 65 or over lived in Kent in 2021?", "230"),
    ("How many people lived in Moray in 2020?", "354"),  # 90 + 95 + 70 + 99
    ("How many males were there in Kent in 2021?", "480"),  # 320 + 160
    (
        "What was the full-time population of both sexes aged 0-14 in Moray in 2021?",
        "165",
    ),  # 80 + 85
    ("Which region had the most females 65 and over in 2021?", "Moray"),
    ("In which year did Kent have the fewest females aged 0-14?", "2021"),
]


@pytest.mark.parametrize(("question", "answer"), QUESTIONS)
@pytest.mark.parametrize("model", ["none", None], ids=["hand weights", "the program's own"])
def test_two_and_three_conditions(question: str, answer: str, model: str | None) -> None:
    found = derive(question, [view(PEOPLE)])
    assert rank(found, score_all(found, load_weights(model)[0]))[0].answer == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which province has the highest per cent of rented homes?", "Yukon"),
        ("What was the value of Italy in 2020?", "7"),
        ("What was the value of Austria in 2020?", "5"),
    ],
)
def test_words_of_statistics_offices(question: str, answer: str) -> None:
    homes = "|Rented|\nProvince|Number|Percent\nOntario|900|30.5\nYukon|12|41.0\nAlberta|400|28.9"
    codes = "geo|2018|2019|2020\nAT|3|4|5\nIT|8|6|7\nNote: it is at work|1|1|1"
    assert best(question, homes if "homes" in question else codes) == answer


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ([list("aaaabbbb"), list("xyxyxyxy"), list("ppqqppqq")], (0, 1, 2)),
        ([list("aaaabbbb"), list("wxyzwxyz"), list("ppppqqqq")], (0, 1)),
        ([["unit"] * 8, list("aaaabbbb"), list("wxyzwxyz")], (1, 2)),
        ([list("aaaabbbb"), list("wxyzwxyy")], ()),
        ([list("aaaabbbb"), list("wxyzwxyz"), list("12345678")], ()),
        ([list("aabbccdd"), list("wxxyyzzw")], (0, 1)),
        ([list("aabbccddee"), list("vwwxxyyzzv")], ()),
        ([list("aaabbb"), list("xyzxyz")], ()),
        ([], ()),
    ],
    ids=[
        "three",
        "two are enough",
        "always the same",
        "twice",
        "names",
        "half",
        "fewer",
        "few rows",
        "none",
    ],
)
def test_columns_whose_combinations_are_the_rows(
    columns: list[list[str]], found: tuple[int, ...]
) -> None:
    assert key_columns(columns) == found


def test_other_lists_are_none() -> None:
    assert view(RACES).keys == ()
    assert view(PEOPLE).keys == (0, 1, 3, 4)
