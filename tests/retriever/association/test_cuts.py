"""Cuts of a book of seven sentences in three paragraphs: which passages hold what stands in given
sentences."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from retriever.association.counts import groups, passages_of, windows

PARAGRAPH_OF = np.array([0, 0, 0, 1, 2, 2, 2])


def held(cut: csr_array, *sentences: list[int]) -> list[list[int]]:
    """The passages of each row, from its sentences."""
    ends = np.cumsum([0, *map(len, sentences)])
    columns = np.array([one for row in sentences for one in row], np.int64)
    found = passages_of(
        csr_array((np.ones(len(columns)), columns, ends), (len(sentences), len(PARAGRAPH_OF))), cut
    )
    assert np.all(found.data == 1)
    return [row.tolist() for row in np.split(found.indices, found.indptr[1:-1])]


def test_a_window_is_a_sentence_with_those_beside_it_in_its_paragraph() -> None:
    assert held(windows(PARAGRAPH_OF), [0], [], [1, 2], [3], [4, 6]) == [
        [0, 1],
        [],
        [0, 1, 2],
        [3],
        [4, 5, 6],
    ]
    assert windows(PARAGRAPH_OF).sum(axis=0).tolist() == [2, 3, 2, 1, 2, 3, 2]


def test_a_paragraph_holds_what_any_of_its_sentences_holds_once() -> None:
    assert held(groups(PARAGRAPH_OF), [0, 2, 3], [], [3, 4, 6], [6]) == [[0, 1], [], [1, 2], [2]]
    assert groups(PARAGRAPH_OF).sum(axis=0).tolist() == [3, 1, 3]


def test_a_book_without_sentences_has_no_passages() -> None:
    nothing = csr_array((2, 0))
    for cut in (windows(np.zeros(0, np.int64)), groups(np.zeros(0, np.int64))):
        assert passages_of(nothing, cut).shape == (2, 0)


@given(st.lists(st.sets(st.integers(0, 6)), min_size=1, max_size=5))
def test_windows_are_the_sentences_beside_by_the_definition(sentences: list[set[int]]) -> None:
    def beside(one: int) -> set[int]:
        return {
            each
            for each in range(7)
            if abs(each - one) < 2 and PARAGRAPH_OF[each] == PARAGRAPH_OF[one]
        }

    expected = [sorted(set().union(*map(beside, row))) for row in sentences]
    assert held(windows(PARAGRAPH_OF), *map(sorted, sentences)) == expected
