"""Pools for assessors: each answer once, by priority, without names."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.overview import SystemRun
from evaluation.pool import Pooled, pool, priority_of
from tests.evaluation.overview.test_overview import gold, table
from tests.programs import figures

GIVEN = [(2, "Rome"), (1, "paris "), (1, "Paris"), (2, "Bonn"), (3, "Oslo"), (1, "")]


def test_an_answer_comes_once_with_its_runs_and_best_priority() -> None:
    assert pool(GIVEN) == [
        Pooled("paris ", 2, 1),
        Pooled("Rome", 1, 2),
        Pooled("Bonn", 1, 2),
        Pooled("Oslo", 1, 3),
    ]


@pytest.mark.parametrize(
    ("name", "priority"), [("X_T_EN_03.xml", 3), ("X.xml", 1), ("X-1997.xml", 1)]
)
def test_a_run_s_priority_is_that_of_its_run_id(name: str, priority: int) -> None:
    assert priority_of(SystemRun("r", {"X": Path(name)})) == priority


def test_a_tree_is_pooled_by_question(tmp_path: Path) -> None:
    key = gold(tmp_path, "X", A1="1", A2="2")
    for team, number, first, second in (("P", 1, "1", "2"), ("P", 2, "4", "4"), ("Q", 1, "3", "2")):
        table(
            tmp_path / "tree" / team / f"run{number}" / f"X_{team}_EN_0{number}.xml",
            "X",
            A1=first,
            A2=second,
        )
    words = ("pool", "ntcir-mc", key, tmp_path / "tree")
    assert figures(*words, "--priority", "1") == [
        {"question": "A1", "answer": "1", "runs": 1, "priority": 1},
        {"question": "A1", "answer": "3", "runs": 1, "priority": 1},
        {"question": "A2", "answer": "2", "runs": 2, "priority": 1},
    ]
    assert len(figures(*words)) == 5
