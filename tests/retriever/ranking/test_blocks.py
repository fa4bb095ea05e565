"""A file ranked block by block: the same features as all at once, with what is counted over the whole file."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from indexer.formats.labels import CandidateList
from retriever.learning.conditional_logit import layout
from retriever.ranking import overlap
from retriever.ranking.chinese import chinese_ranking
from retriever.ranking.english import english_ranking, english_texts
from retriever.ranking.overlap import Tokens, distinct
from retriever.ranking.ranker import Ranking

ENGLISH = [
    CandidateList("Who built the old bridge?", ("Smith built it in 1801.", "The bridge is old.", ""), topic="Bridge"),
    CandidateList("When did the river rise?", ("The river rose in 1920.", "A bridge fell."), topic="River"),
    CandidateList("Where is the bridge?", ("It stands in York.", "The old town lies near a river."), topic="Bridge"),
]
CHINESE = [
    CandidateList("学校何时创办？", ("1921年成立。", "有学生百人。", "")),
    CandidateList("学校在哪里？", ("位于北京。", "学校有三个校区。")),
    CandidateList("谁创办了学校？", ("由王先生于1921年创办。", "1988年停办。")),
]


@pytest.mark.parametrize(("made", "lists"), [(english_ranking, ENGLISH), (chinese_ranking, CHINESE)])
@pytest.mark.parametrize("rows", [1, 4])
def test_blocks_give_the_features_of_the_whole(
    made: Callable[[list[CandidateList]], Ranking],
    lists: list[CandidateList],
    rows: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    methods = ("sum", "bm25", "overlap")
    whole = made(lists)
    assert len(list(whole.blocks())) == 1
    families, types, matched = whole.families, whole.types.of_list.tolist(), whole.matched_terms()
    scores = {method: whole.by_method(method) for method in methods}
    monkeypatch.setattr(overlap, "BLOCK", rows)
    cut = made(lists)
    assert [block.lists.sizes.tolist() for block in cut.blocks()] == ([[3], [2], [2]] if rows == 1 else [[3], [2, 2]])
    for family, features in families.items():
        for name, values in features.items():
            np.testing.assert_allclose(cut.families[family][name], values, atol=1e-12, err_msg=name)
    for method in methods:
        np.testing.assert_allclose(cut.by_method(method), scores[method], atol=1e-9)
    assert cut.types.of_list.tolist() == types
    assert cut.matched_terms() == matched


def test_a_term_is_as_common_as_in_the_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stem of "bridge" stands in 2 of the 7 rows, none of the last list: idf = log(1 + (7 − 2 + .5) / 2.5)."""
    monkeypatch.setattr(overlap, "BLOCK", 1)
    last = list(english_texts(ENGLISH)[0].blocks())[2].overlap("content")
    assert last.file_idf().tolist() == pytest.approx([log(1 + 5.5 / 2.5)])


@pytest.mark.parametrize(
    ("sizes", "most", "expected"),
    [
        ([2, 2, 2], 4, [(0, 2), (2, 3)]),
        ([9, 1, 1], 4, [(0, 1), (1, 3)]),
        ([1, 9], 4, [(0, 1), (1, 2)]),
        ([3], 4, [(0, 1)]),
        ([], 4, []),
    ],
)
def test_a_block_holds_as_many_lists_as_fit(sizes: list[int], most: int, expected: list[tuple[int, int]]) -> None:
    assert [(block.start, block.stop) for block in layout(sizes).blocks(most)] == expected


def test_rows_of_a_block() -> None:
    assert layout([2, 3, 4]).rows_of(range(1, 3)) == range(2, 9)


def test_terms_between_two_texts_are_counted_from_0() -> None:
    cut = Tokens(np.array([5, 6, 7, 8]), np.array([0, 2, 2, 3]), 5).text_range(1, 3)
    assert (cut.ids.tolist(), cut.rows.tolist(), cut.texts) == ([6, 7], [1, 1], 2)


@pytest.mark.parametrize(("values", "expected"), [([], []), ([3, 1, 3, -1, 1], [-1, 1, 3])])
def test_distinct_values_rise(values: list[int], expected: list[int]) -> None:
    assert distinct(np.array(values, np.int64)).tolist() == expected
