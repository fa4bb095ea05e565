"""The SelQA challenge's deliverables: what they hold, and that the program gives the very result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.__main__ import main
from answerer.selqa.description import escape

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "samples"


def run(*arguments: object) -> None:
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    if result.exception:
        raise result.exception


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("selqa")
    run("train", "selqa", SAMPLES / "selqa.dev.json", "-o", folder / "trained.json", "--folds", 3)
    run("submit", "selqa", SAMPLES / "selqa.dev.json", "--model", folder / "trained.json", "-o", folder / "out",
        "--team", "R&D_1")  # fmt: skip
    return folder / "out"


def test_the_deliverables_are_there(submission: Path) -> None:
    assert sorted(path.name for path in submission.iterdir()) == [
        "SelQA-ass-result.json",
        "answer.py",
        "description.tex",
        "model.json",
        "mrr.txt",
    ]


def test_mrr_is_that_of_the_result_file(submission: Path) -> None:
    """Average rank of the best gold sentence, question by question."""
    reciprocal = []
    for line in (submission / "SelQA-ass-result.json").read_text().splitlines():
        row = json.loads(line)
        best = max(row["results"][place] for place in row["candidates"])
        above = sum(score > best for score in row["results"])
        tied = sum(score == best for score in row["results"])
        reciprocal.append(1 / (above + (tied + 1) / 2))
    assert float((submission / "mrr.txt").read_text()) == pytest.approx(sum(reciprocal) / len(reciprocal), abs=1e-6)


def test_the_program_writes_the_same_result(submission: Path, tmp_path: Path) -> None:
    (tmp_path / "SelQA-ass-test.json").write_bytes((SAMPLES / "selqa.dev.json").read_bytes())
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, submission / "answer.py"], cwd=tmp_path, env=environment, check=True)
    result = (tmp_path / "SelQA-ass-result.json").read_bytes()
    assert result == (submission / "SelQA-ass-result.json").read_bytes()


def test_the_description_tells_what_ran(submission: Path) -> None:
    text = (submission / "description.tex").read_text("utf-8")
    assert text.startswith(r"\documentclass{article}")
    assert text.rstrip().endswith(r"\end{document}")
    for told in (r"R\&D\_1", "list-wise conditional logit", "7 questions with 28 sentences", "selqa.dev.json", "scipy"):
        assert told in text


def test_without_gold_there_is_no_mrr(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"question": "Who won?", "sentences": ["Ann won.", "It rained."]}\n')
    run("submit", "selqa", tmp_path / "t.json", "-o", tmp_path / "out", "--method", "bm25")
    assert not (tmp_path / "out" / "mrr.txt").exists()
    assert '"--method", "bm25"' in (tmp_path / "out" / "answer.py").read_text()


def test_latex_prints_every_character() -> None:
    assert escape("50% of a_b\\ & {c}") == r"50\% of a\_b\textbackslash{} \& \{c\}"
