"""JSON-stat: figures in one list, told apart by dimensions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from indexer.languages.english import ENGLISH
from indexer.tables.grids.cubes import Dimension, cube_grid
from indexer.tables.grids.files import read_grids
from indexer.tables.grids.workbook import UnreadableTableError

SEX = {"label": "Sex", "category": {"index": ["F", "M"], "label": {"M": "Men", "F": "Women"}}}
LAND = {"category": {"index": {"BE": 1, "AT": 0}, "label": {"AT": "Austria"}}}
OLD = {"id": ["sex", "land"], "sex": SEX, "land": LAND}
ROWS = [["Women", "Austria", "1.10"], ["Women", "BE", "2"], ["Men", "BE", "4"]]


def dataset(value: Any, **more: Any) -> dict[str, Any]:
    return {"label": "Work", "id": ["sex", "land"], "dimension": {"sex": SEX, "land": LAND}, "value": value, **more}


def rows(value: object) -> list[list[str]]:
    (grid,) = read_grids(json.dumps(value).replace('"1.10"', "1.10").encode(), ENGLISH)
    return grid.rows


@pytest.mark.parametrize(
    "value",
    [
        dataset(["1.10", 2, None, 4]),
        dataset({"3": 4, "0": "1.10", "1": 2}),
        {"work": {"label": "Work", "dimension": OLD, "value": ["1.10", 2, None, 4]}},
    ],
    ids=["2.0", "2.0, sparse", "1.x"],
)
def test_a_row_for_every_figure_with_the_names_of_its_categories(value: object) -> None:
    assert rows(value) == [["Work", "", ""], ["Sex", "land", "value"], *ROWS]


@pytest.mark.parametrize(
    "value",
    [
        dataset(["5"]) | {"id": ["sex", "town"]},
        dataset(["5"]) | {"dimension": {"sex": SEX, "land": 5}},
        dataset({"first": "5"}),
        dataset(["5"]) | {"dimension": {"sex": SEX, "land": {"category": {"index": {"AT": "x"}}}}},
    ],
    ids=["a dimension that is not described", "no dimension", "no place", "no order"],
)
def test_what_only_looks_like_it_is_read_as_other_json(value: object) -> None:
    assert "value" not in rows(value)[0][:1]


def test_more_figures_than_places_are_refused() -> None:
    with pytest.raises(UnreadableTableError, match=r"more figures than its dimensions have places \(2\)"):
        cube_grid("", [Dimension("a", ["x"]), Dimension("b", ["y", "z"])], [(2, "5")])
