"""The words beside names: counted by hand, and read as they were written."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from indexer.entities import KINDS, Kind
from indexer.statistics.counting import count_neighbours, encode_neighbours, neighbours_by_kind
from indexer.statistics.forms import EVERY
from indexer.statistics.part import NeighbourCounts, decode_neighbours

NAMES, WORDS = ["cyrus", "rome"], ["in", "king", "met"]
PLACE, PERSON = KINDS.index("place"), KINDS.index("person")
KIND_OF: dict[str, Kind] = {"cyrus": "person", "rome": "place"}
Mentions = list[tuple[int, int, int]]


def counted(mentions: Mentions) -> list[csr_array]:
    """Mentions: the number of a name, −1 for none, and those of the words before and after it."""
    rows = np.array(mentions, np.int32).reshape(-1, 3)
    shape = (len(NAMES), len(WORDS))
    return [count_neighbours(rows[:, 0], rows[:, side], shape) for side in (1, 2)]


def read(beside: list[csr_array]) -> dict[str, NeighbourCounts]:
    return {
        name: decode_neighbours(encode_neighbours(WORDS, beside, row))
        for row, name in enumerate(NAMES)
    }


def test_words_are_counted_before_and_after() -> None:
    found = read(counted([(0, 1, 2), (0, 1, 0), (1, 0, 0), (-1, 2, 2)]))
    assert found == {
        "cyrus": NeighbourCounts(2, {"king": 2}, {"in": 1, "met": 1}),
        "rome": NeighbourCounts(1, {"in": 1}, {"in": 1}),
    }


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


MENTIONS = st.lists(
    st.tuples(st.integers(-1, 1), st.integers(0, 2), st.integers(0, 2)), max_size=30
)


@given(MENTIONS)
def test_what_is_read_is_what_was_counted(mentions: Mentions) -> None:
    for number, found in enumerate(read(counted(mentions)).values()):
        own = [mention for mention in mentions if mention[0] == number]
        before, after = (Counter(WORDS[mention[side]] for mention in own) for side in (1, 2))
        assert found == NeighbourCounts(len(own), dict(before), dict(after))
