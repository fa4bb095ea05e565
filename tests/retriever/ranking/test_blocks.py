"""A file ranked block by block: the same features as all at once, with what is counted over the
whole file."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from indexer.files.arrays import Float64Array
from indexer.formats.labels import CandidateList
from retriever.ranking import overlap
from retriever.ranking.chinese import chinese_ranking
from retriever.ranking.english import english_ranking, english_texts
from retriever.ranking.overlap import Tokens, blocks, distinct, overlap_of, text_range
from retriever.ranking.ranker import Ranking, concatenate_blocks, score_untrained

ENGLISH = [
    CandidateList(
        "Who built the old bridge?",
        ("Smith built it in 1801.", "The bridge is old.", ""),
        topic="Bridge",
    ),
    CandidateList(
        "When did the river rise?", ("The river rose in 1920.", "A bridge fell."), topic="River"
    ),
    CandidateList(
        "Where is the bridge?",
        ("It stands in York.", "The old town lies near a river."),
        topic="Bridge",
    ),
]
CHINESE = [
    CandidateList("学校何时创办？", ("1921年成立。", "有学生百人。", "")),
    CandidateList("学校在哪里？", ("位于北京。", "学校有三个校区。")),
    CandidateList("谁创办了学校？", ("由王先生于1921年创办。", "1988年停办。")),
]


def features_of(ranking: Ranking) -> tuple[dict[str, Float64Array], list[int]]:
    """All features of the rows by name, and the types of the lists."""
    features = [
        {name: values for compute in block.features.values() for name, values in compute().items()}
        for block in ranking.blocks()
    ]
    return concatenate_blocks(features), [
        kind for block in ranking.blocks() for kind in block.type_of_list.tolist()
    ]


@pytest.mark.parametrize(
    ("made", "lists"), [(english_ranking, ENGLISH), (chinese_ranking, CHINESE)]
)
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
    learned, types = features_of(whole)
    matched = [row for block in whole.blocks() for row in block.matched()]
    scores = {method: score_untrained(whole, method) for method in methods}
    monkeypatch.setattr(overlap, "BLOCK", rows)
    parts = made(lists)
    assert [block.lists.sizes.tolist() for block in parts.blocks()] == (
        [[3], [2], [2]] if rows == 1 else [[3], [2, 2]]
    )
    of_parts, types_of_parts = features_of(parts)
    for name, values in learned.items():
        np.testing.assert_allclose(of_parts[name], values, atol=1e-12, err_msg=name)
    for method in methods:
        np.testing.assert_allclose(score_untrained(parts, method), scores[method], atol=1e-9)
    assert types_of_parts == types
    assert [row for block in parts.blocks() for row in block.matched()] == matched


def test_a_term_is_as_common_as_in_the_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stem of "bridge" stands in 2 of the 7 rows, none of the last list: idf = log(1 + (7 − 2 +
    .5) / 2.5)."""
    monkeypatch.setattr(overlap, "BLOCK", 1)
    last = list(blocks(english_texts(ENGLISH)[0]))[2]
    assert overlap_of(last, "content").file_idf.tolist() == pytest.approx([log(1 + 5.5 / 2.5)])


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([2, 2, 2], [[2, 2], [2]]),
        ([9, 1, 1], [[9], [1, 1]]),
        ([1, 9], [[1], [9]]),
        ([3], [[3]]),
    ],
)
def test_a_block_holds_as_many_lists_as_fit_into_4_rows(
    sizes: list[int], expected: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlap, "BLOCK", 4)
    texts, _ = english_texts(
        [CandidateList("Who?", tuple(f"row {n}" for n in range(size))) for size in sizes]
    )
    cut_at = list(blocks(texts))
    assert [block.lists.sizes.tolist() for block in cut_at] == expected
    assert [row for block in cut_at for row in block.candidate_texts] == texts.candidate_texts


def test_terms_between_two_texts_are_counted_from_0() -> None:
    part = text_range(Tokens(np.array([5, 6, 7, 8]), np.array([0, 2, 2, 3]), 5), 1, 3)
    assert (part.ids.tolist(), part.rows.tolist(), part.texts) == ([6, 7], [1, 1], 2)


@pytest.mark.parametrize(("values", "expected"), [([], []), ([3, 1, 3, -1, 1], [-1, 1, 3])])
def test_distinct_values_rise(values: list[int], expected: list[int]) -> None:
    assert distinct(np.array(values, np.int64)).tolist() == expected
