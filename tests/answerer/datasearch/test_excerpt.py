"""The part of a table that a trace shows: the answer, the cells that led to it, and what is
near."""

from __future__ import annotations

from answerer.datasearch.tables.view import View
from answerer.datasearch.task import table_excerpt as excerpt
from indexer.tables.table import read_table
from indexer.tables.workbook import Grid
from tests.answerer.datasearch.tables import FARMS, RACES, ranked, view


def test_the_answer_stands_in_its_row_and_column() -> None:
    best = ranked("How many goat farms were there in 2020?", FARMS)[0]
    found = excerpt(best.derivation, [view(FARMS)])
    assert found is not None
    assert found.answer
    row, column = found.answer
    assert (best.answer, found.rows[row], found.columns[column]) == (
        "60",
        (0, ("Goat", "46", "60", "716", "900")),
        ("Farms", "2020"),
    )
    assert (found.size, found.labels, found.used) == ((3, 5), 1, ())


def test_one_of_several_tables_without_titles_goes_by_its_file() -> None:
    files = [
        View(read_table(Grid("", [["Line", "Stops"], ["A", "12"], ["B", "19"]])), file="stops 2020")
    ]
    (best, *_) = ranked("How many stops has line A?", "Line|Stops\nA|12\nB|19")
    assert [
        found.title
        for several in (files, files * 2)
        if (found := excerpt(best.derivation, several))
    ] == [
        "",
        "stops 2020",
    ]


def test_the_cells_that_were_compared_are_marked() -> None:
    best = ranked("Which race had the most points?", RACES)[0]
    found = excerpt(best.derivation, [view(RACES)])
    assert found is not None
    assert best.answer == "Night Sprint"
    assert found.answer == (3, 0)
    assert found.used == tuple((row, 4) for row in range(5))


def test_of_a_large_table_only_what_is_near_is_shown() -> None:
    letters = "abcdefghijklmnopqrst"
    lines = [
        f"{x}{x}burg|" + "|".join(f"{n * 100 + m}" for m in range(20))
        for n, x in enumerate(letters)
    ]
    text = "Town|" + "|".join(f"{x}{x}fish" for x in letters) + "\n" + "\n".join(lines)
    best = ranked("How many llfish are there in ssburg?", text)[0]
    found = excerpt(best.derivation, [view(text)])
    assert found is not None
    assert (found.size, len(found.rows), len(found.columns)) == ((20, 21), 7, 7)
    assert found.columns[0] == ("Town",)
    assert found.answer
    row, column = found.answer
    assert (found.rows[row][0], found.columns[column]) == (18, ("llfish",))


def test_a_heading_that_answers_is_told_by_its_level() -> None:
    best = ranked("In which year did goat farms have more area?", FARMS)[0]
    row, _ = best.derivation.position
    found = excerpt(best.derivation, [view(FARMS)])
    assert found is not None
    assert found.answer
    assert (best.answer, row, found.answer[0]) == ("2020", -2, -2)


def test_the_second_table_of_a_dataset_is_shown_for_its_answers() -> None:
    best = ranked("How many goat farms were there in 2020?", RACES, FARMS)[0]
    found = excerpt(best.derivation, [view(RACES), view(FARMS)])
    assert found is not None
    assert found.answer
    assert found.columns[found.answer[1]] == ("Farms", "2020")
