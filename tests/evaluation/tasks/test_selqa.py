"""Result files of SelQA's form, which hold the gold: what is left out, and comparisons of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation import UserError, compare, score
from evaluation.__main__ import main as evaluation
from tests.programs import figures, invoked, json_lines, refused, run


def write_result(path: Path, *questions: tuple[list[int], list[float]]) -> Path:
    """A result file: for each question the positions of the right sentences, and the scores."""
    rows = [
        {
            "question": f"Which mill grinds {number}?",
            "sentences": ["The rye mill.", "The oat mill."],
            "candidates": right,
            "results": scores,
        }
        for number, (right, scores) in enumerate(questions)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """Reciprocal ranks 1/2 and, without a right sentence, 0."""
    return write_result(tmp_path / "w.json", ([1], [0.9, 0.1]), ([], [0.9, 0.1]))


@pytest.mark.parametrize("at", [1, [], [0], ["1"], [1.5]])
def test_ranks_of_python_that_are_none_are_refused(result: Path, at: Any) -> None:
    gold = write_result(result.with_name("gold.json"), ([1], [0, 0]), ([], [0, 0]))
    with pytest.raises(UserError, match=r"^at\b"):
        score("selqa", gold, result, at=at)


def test_questions_without_a_right_candidate_are_left_out_as_asked(result: Path) -> None:
    assert figures("selqa", str(result))[0]["MRR"] == 0.25
    (row, *_) = figures("selqa", str(result), "--skip-unanswerable")
    assert (row["questions"], row["MRR"]) == (1, 0.5)
    gold = write_result(result.with_name("gold.json"), ([1], [0, 0]), ([], [0, 0]))
    python = score("selqa", gold, result, skip_unanswerable=True)
    assert python.rows[0]["MRR"] == 0.5
    err = run("evaluation", "selqa", str(result)).err
    assert "1 of 2 questions; published figures of WikiQA leave these out: --skip-unan" in err
    assert "counts 0" not in run("evaluation", "selqa", str(result), "--skip-unanswerable").err


def test_a_file_without_a_right_candidate_has_nothing_to_score(tmp_path: Path) -> None:
    path = write_result(tmp_path / "w.json", ([], [0.9, 0.1]))
    said = refused("evaluation", "selqa", str(path), "--skip-unanswerable")
    assert "no question has a right candidate" in said


def test_results_are_compared_without_another_gold(tmp_path: Path, result: Path) -> None:
    other = write_result(tmp_path / "w2.json", ([1], [0.1, 0.9]), ([], [0.9, 0.1]))
    ended = invoked(evaluation, "compare", "selqa", result, other, "--format", "jsonl")
    first, second = json_lines(ended.stdout)
    assert (first["run"], first["mean"]) == (str(result), 0.25)
    assert (second["run"], second["mean"], second["win"]) == (str(other), 0.5, 1)
    assert [row["mean"] for row in compare("selqa", result, other).rows] == [0.25, 0.5]
