"""Answers from what stands around a table: units, sources, titles."""

from __future__ import annotations

import pytest

from tests.answerer.datasearch.tables import best

CROPS = """表1 作物の作付面積（単位：ha）||
作物|作付面積（ha）|収穫量（t）
水稲|120|610
大豆|45|72
小麦|38|131
資料：若葉県農政課「作物統計」||"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("収穫量の単位は何ですか。", "t"),
        ("この統計の資料は何ですか。", "若葉県農政課「作物統計」"),
        ("大豆の収穫量は？", "72"),  # a question about figures is not one about notes
    ],
)
def test_what_stands_around_a_table_is_answered_where_it_is_asked_for(
    question: str, answer: str
) -> None:
    assert best(question, CROPS) == answer
