"""Where a candidate stands in its list, and how long it is."""

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
