"""Anybody's TREC runs against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation import compare
from evaluation.__main__ import main as evaluation
from evaluation.comparison import comparison_rows
from indexer.files.errors import UserError
from tests.programs import invoked


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\n")
    (tmp_path / "one").write_text("q1 Q0 b 1 2 x\nq1 Q0 a 2 1 x\nq2 Q0 b 1 1 x\n")
    (tmp_path / "two").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\nq2 Q0 b 1 1 x\n")
    return tmp_path


def test_runs_are_compared_query_by_query(folder: Path) -> None:
    arguments = (
        "compare",
        "trec",
        folder / "qrels",
        folder / "one",
        folder / "two",
        "--format",
        "jsonl",
    )
    lines = invoked(evaluation, *arguments).stdout.splitlines()
    assert '"questions": 2, "mean": 0.75' in lines[0]
    assert '"win": 1, "tie": 1, "loss": 0, "difference": 0.25' in lines[1]


def test_a_measure_is_of_trec_runs_alone(folder: Path) -> None:
    with pytest.raises(UserError, match="selqa has a measure of its own"):
        comparison_rows(
            "selqa", folder / "qrels", [folder / "one", folder / "two"], ["1", "2"], 0, "AP"
        )


def test_a_measure_is_given_once(folder: Path) -> None:
    with pytest.raises(UserError, match="one option"):
        compare("trec", folder / "qrels", folder / "one", measures="AP", measure="RR")
