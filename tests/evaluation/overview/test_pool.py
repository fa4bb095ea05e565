"""Pools for assessors: each answer once, by priority, without names."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.contract import PoolItem
from evaluation.overview import SystemRun
from evaluation.pool import pool, priority_of
from tests.answerer.formats.sheets import section, sheet, write
from tests.evaluation.overview.test_overview import gold, table
from tests.programs import figures, refused

GIVEN = [(2, "Rome"), (1, "paris "), (1, "Paris"), (2, "Bonn"), (3, "Oslo"), (1, "")]


def test_an_answer_comes_once_with_its_runs_and_best_priority() -> None:
    pooled = pool([(priority, [PoolItem(answer)]) for priority, answer in GIVEN])
    assert [(one.item.answer, one.runs, one.priority) for one in pooled] == [
        ("paris ", 2, 1),
        ("Rome", 1, 2),
        ("Bonn", 1, 2),
        ("Oslo", 1, 3),
    ]


def test_what_a_run_gives_twice_counts_once() -> None:
    (one,) = pool([(1, [PoolItem("Rome"), PoolItem("rome")])])
    assert (one.item.answer, one.runs) == ("Rome", 1)


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


def extraction(folder: Path, name: str, *passages: tuple[str, str]) -> None:
    """An extraction file of the topic S, of (source, text) by rank."""
    listed = "".join(
        f'<PASSAGE RANK="{rank}" SOURCE_ID="{source}" SOURCE_ID_TYPE="WEB" SCORE="1" '
        f'NORMALIZED_SCORE="0.5">{text}</PASSAGE>'
        for rank, (source, text) in enumerate(passages, 1)
    )
    write(folder, f'<TOPIC ID="S"><PASSAGE_SET>{listed}</PASSAGE_SET></TOPIC>', name)


def test_of_extraction_the_passages_are_pooled(tmp_path: Path) -> None:
    sheet_file = write(tmp_path, sheet(section("S", expressions=("The canal opened trade.",))))
    (tree := tmp_path / "tree").mkdir()
    extraction(tree, "S_P_extraction_01.xml", ("b", "The canal opened."), ("a", "Trade grew."))
    extraction(tree, "S_Q_extraction_02.xml", ("b", "the canal  opened."), ("c", "War came."))
    words = ("pool", "ntcir-extraction", sheet_file, tree)
    said = {"question": "S", "source type": "WEB"}
    assert figures(*words) == [
        {**said, "source": "a", "answer": "Trade grew.", "runs": 1, "priority": 1},
        {**said, "source": "b", "answer": "The canal opened.", "runs": 2, "priority": 1},
        {**said, "source": "c", "answer": "War came.", "runs": 1, "priority": 2},
    ]
    assert [row["source"] for row in figures(*words, "--depth", "1")] == ["b"]


def test_of_ranked_lists_the_first_candidates_are_pooled(tmp_path: Path) -> None:
    rows = "1\t谁？\t甲\n0\t谁？\t乙\n0\t谁？\t丙\n0\t哪里？\t丁\n"
    gold_file = write(tmp_path, rows, "dbqa.txt")
    for name, scores in (("P", "3 2 1 0"), ("Q", "3 1 2 0")):
        (tmp_path / "tree" / name).mkdir(parents=True)
        write(tmp_path / "tree" / name, scores.replace(" ", "\n") + "\n", "scores.txt")
    pooled = figures("pool", "nlpcc-dbqa", gold_file, tmp_path / "tree", "--depth", "2")
    assert [(row["question"], row["candidate"], row["answer"], row["runs"]) for row in pooled] == [
        ("1", 1, "甲", 2),
        ("1", 2, "乙", 1),
        ("1", 3, "丙", 1),
        ("2", 1, "丁", 2),
    ]
    assert {row["asked"] for row in pooled} == {"谁？", "哪里？"}


def test_of_tables_the_whole_is_shown(tmp_path: Path) -> None:
    gold_file = write(tmp_path, "1\tWho?\tKings\tname_|_year\tAnn_|_1702_||_Bob_|_1714\n", "t.txt")
    (tmp_path / "tree" / "P").mkdir(parents=True)
    write(tmp_path / "tree" / "P", "1\n", "scores.txt")
    (row,) = figures("pool", "nlpcc-tbqa", gold_file, tmp_path / "tree")
    assert row["answer"] == "Kings; name | year; Ann | 1702; Bob | 1714"


def test_a_task_with_nothing_to_pool_is_refused(tmp_path: Path) -> None:
    said = refused("evaluation", "pool", "ntcir-evaluation-method", str(tmp_path), str(tmp_path))
    assert said.startswith("ntcir-evaluation-method has nothing to pool: ")


def test_runs_without_an_answer_have_nothing_to_pool(tmp_path: Path) -> None:
    key = gold(tmp_path, "X", A1="1")
    table(tmp_path / "tree/P/X_P_EN_02.xml", "X", A1="1")
    said = refused(
        "evaluation", "pool", "ntcir-mc", str(key), str(tmp_path / "tree"), "--priority", "1"
    )
    assert said == f"{tmp_path / 'tree'}: no run has an answer to pool"
