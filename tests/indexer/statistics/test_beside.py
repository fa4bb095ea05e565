"""The words beside names, counted by hand."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from indexer.entities import KINDS, Kind
from indexer.statistics.counting import count_neighbours, neighbours_by_kind
from indexer.statistics.forms import EVERY

NAMES, WORDS = ["cyrus", "rome"], ["in", "king", "met"]
PLACE, PERSON = KINDS.index("place"), KINDS.index("person")
KIND_OF: dict[str, Kind] = {"cyrus": "person", "rome": "place"}
Mentions = list[tuple[int, int, int]]


def counted(mentions: Mentions) -> list[csr_array]:
    """Mentions: the number of a name, −1 for none, and those of the words before and after it."""
    rows = np.array(mentions, np.int32).reshape(-1, 3)
    shape = (len(NAMES), len(WORDS))
    return [count_neighbours(rows[:, 0], rows[:, side], shape) for side in (1, 2)]


def test_kinds_have_the_sums_of_their_names() -> None:
    found = neighbours_by_kind(
        NAMES, WORDS, counted([(0, 1, 2), (0, 1, 0), (1, 0, 0), (-1, 2, 2)]), KIND_OF
    )
    rows = {word: row.reshape(2, len(KINDS)) for word, row in found.items()}
    assert rows["king"][:, PERSON].tolist() == [2, 0]
    assert rows["in"][:, [PERSON, PLACE]].tolist() == [[0, 1], [1, 1]]
    assert rows[EVERY][:, [PERSON, PLACE]].tolist() == [[2, 1], [2, 1]]
    assert (
        sum(int(row.sum()) for row in rows.values()) == 2 * 2 * 3
    )  # three mentions, either side, and all words


def test_a_word_beside_no_name_is_left_out() -> None:
    assert list(neighbours_by_kind(NAMES, WORDS, counted([(-1, 0, 0), (0, 1, 1)]), KIND_OF)) == [
        "king",
        EVERY,
    ]
    assert list(neighbours_by_kind(NAMES, WORDS, counted([(-1, 0, 0)]), KIND_OF)) == []
