"""Where a candidate stands in its list, and how long it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retriever.ranking.lists import Layout
from retriever.ranking.listwise import FloatArray, IntArray


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


def place_by_type(lists: Layout, types: IntArray, names: Sequence[str]) -> dict[str, FloatArray]:
    """1 / rank for each type of question, 0 for other types: definitions stand first, reasons do not."""
    kind = types[lists.list_of]
    reciprocal = 1 / (lists.position() + 1)
    return {f"place: {name}": np.where(kind == number, reciprocal, 0.0) for number, name in enumerate(names)}
