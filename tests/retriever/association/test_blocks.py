"""The blocks of a book by its sources: one each, gaps in their numbers or not; long ones in equal
parts."""

from __future__ import annotations

from itertools import groupby

import pytest

from indexer.statistics.forms import IdRun
from retriever.association.counts import block_of_each


@pytest.mark.parametrize(
    ("doc_ids", "sizes"),
    [
        ([], []),
        ([IdRun("a-", 7, 1, 12)], [12]),
        ([IdRun("a-", 7, 1, 5_000)], [5_000]),
        ([IdRun("a-", 7, 1, 2_500), IdRun("b-", 7, 1, 2_500)], [2_500, 2_500]),
        (
            [IdRun("a-", 7, 1, 2_000), IdRun("a-", 7, 2_005, 500), IdRun("b-", 7, 1, 4_000)],
            [2_500, 4_000],
        ),  # 4 are left out
        (
            [IdRun("a-", 7, 1, 5_001), IdRun("b-", 7, 1, 10_001)],
            [2_501, 2_500, 3_334, 3_334, 3_333],
        ),
    ],
)
def test_a_source_is_a_block_and_a_long_one_several(doc_ids: list[IdRun], sizes: list[int]) -> None:
    assert _sizes(doc_ids) == sizes


@pytest.mark.parametrize(
    ("doc_ids", "sizes"),
    [
        ([IdRun("a-", 7, 1, 2_499), IdRun("b-", 7, 1, 2_500)], [4_999]),
        ([IdRun("a-", 7, 1, 4_700), IdRun("b-", 7, 1, 1_400)], [6_100]),
        (
            [IdRun("a-", 7, 1, 4_700), IdRun("b-", 7, 1, 1_400), IdRun("c-", 7, 1, 2_600)],
            [4_700, 4_000],
        ),
        ([IdRun(f"{letter}-", 7, 1, 1_000) for letter in "abcdefg"], [3_000, 4_000]),
    ],
)
def test_small_sources_share_a_block(doc_ids: list[IdRun], sizes: list[int]) -> None:
    assert _sizes(doc_ids) == sizes


def _sizes(doc_ids: list[IdRun]) -> list[int]:
    found = [(number, len(list(own))) for number, own in groupby(block_of_each(doc_ids).tolist())]
    assert [number for number, _ in found] == list(range(len(found)))
    return [size for _, size in found]
