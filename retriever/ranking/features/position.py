"""Where a candidate stands in its list, how long it is, and its place in the order of another feature."""

from __future__ import annotations

import numpy as np

from retriever.ranking.lists import Layout
from retriever.ranking.listwise import FloatArray


def position(lists: Layout, lengths: FloatArray) -> dict[str, FloatArray]:
    """Place from the start and the end of the list, and the candidate's length."""
    place = lists.position()
    size = lists.of_rows(lists.sizes.astype(float))
    return {
        "1 / rank": 1 / (place + 1),
        "log rank": np.log(place + 1),
        "relative place": place / size,
        "first": (place == 0).astype(float),
        "second": (place == 1).astype(float),
        "last": (place == size - 1).astype(float),
        "log length": np.log(lengths + 2),
        "length": np.minimum(lengths, 60) / 60,
        "short": (lengths <= 5).astype(float),
    }


def place_by(values: FloatArray, lists: Layout) -> FloatArray:
    """1 / place of each row in its list, the greatest value first, equal ones in the order of the list.

    Differences under 1e-9 are none, so that rounding does not decide.
    """
    row = np.arange(lists.rows)
    order = np.lexsort((row, -np.round(values, 9), lists.list_of))
    places = np.empty(lists.rows)
    places[order] = 1 / (1 + row - lists.starts[lists.list_of[order]])
    return places
