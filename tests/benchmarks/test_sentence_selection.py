"""Which questions count where others' figures of answer sentence selection stand beside ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.tasks.results import ReportedQuestion
from tests.places import ROOT, SAMPLES

sys.path.insert(0, str(ROOT / "benchmarks"))

import sentence_selection

pytestmark = pytest.mark.process

LISTS = [
    ReportedQuestion("second is right", scores=(3.0, 2.0, 1.0), labels=(False, True, False)),
    ReportedQuestion("none is right", scores=(1.0, 2.0), labels=(False, False)),
    ReportedQuestion("all are right", scores=(1.0, 2.0), labels=(True, True)),
]


@pytest.mark.parametrize(
    ("questions", "count", "mrr", "mean"),
    [
        ("all", 3, (1 / 2 + 0 + 1) / 3, (1 / 2 + 0 + 1) / 3),
        ("answered", 2, (1 / 2 + 1) / 2, (1 / 2 + 1) / 2),
        ("two-sided", 1, 1 / 2, 1 / 2),
    ],
)
def test_questions_are_left_out_by_the_rule(
    questions: str, count: int, mrr: float, mean: float
) -> None:
    row = sentence_selection.row("ours", LISTS, questions)
    assert (row["questions"], row["MRR"], row["MAP"]) == (count, f"{mrr:.4f}", f"{mean:.4f}")


def test_a_file_is_ranked_by_the_commands(tmp_path: Path) -> None:
    command = [
        sys.executable,
        str(ROOT / "benchmarks" / "sentence_selection.py"),
        "--task",
        "nlpcc-dbqa",
    ]
    done = subprocess.run(
        [*command, "--on", str(SAMPLES / "dbqa.dev.txt")],
        capture_output=True,
        text=True,
        check=True,
    )
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["ranker", "questions", "MRR", "standard error", "MAP"]
    assert [row[0] for row in rows] == ["bm25, untrained", "sum, untrained"]
    assert all(0 < float(row[2]) <= 1 for row in rows)


def test_an_error_of_a_command_is_its_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("no columns\n", "utf-8")
    command = [
        sys.executable,
        str(ROOT / "benchmarks" / "sentence_selection.py"),
        "--on",
        str(broken),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"error: {broken}:1: ")
