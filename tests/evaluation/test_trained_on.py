"""Scoring says where a run's model has seen what the run is scored on, as far as its metadata tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.places import SAMPLES
from tests.programs import run

DEV = SAMPLES / "dbqa.dev.txt"
SAID = "made by a model that was trained on dbqa.dev.txt"


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs on the training file: with a model and metadata, with a model, without a model."""
    monkeypatch.chdir(tmp_path)
    assert run("answerer", "train", "nlpcc-dbqa", str(DEV), "-o", "model.json", "--folds", "2").status == 0
    for name, words in (
        ("told", ("--model", "model.json", "--metadata")),
        ("untold", ("--model", "model.json")),
        ("untrained", ("--metadata",)),
    ):
        assert run("answerer", "nlpcc-dbqa", str(DEV), "-o", f"runs/{name}.txt", *words).status == 0
    return tmp_path


def test_a_run_on_the_training_file_is_said_where_its_metadata_tell_it(trained: Path) -> None:
    for name, said in (("told", True), ("untold", False), ("untrained", False)):
        assert (SAID in run("evaluation", "nlpcc-dbqa", str(DEV), f"runs/{name}.txt").err) is said


def test_so_it_is_in_a_tree_of_runs_and_beside_others(trained: Path) -> None:
    assert f"told.txt, dbqa: runs/told.txt: {SAID}" in run("evaluation", "nlpcc-dbqa", str(DEV), "runs").err
    compared = run("evaluation", "compare", "nlpcc-dbqa", str(DEV), "runs/told.txt", "runs/untrained.txt")
    assert compared.err.count(SAID) == 1
    for program, output in (("report", "report.html"), ("plot", "figure.svg")):
        drawn = run("evaluation", program, "nlpcc-dbqa", str(DEV), "runs/told.txt", "-o", output)
        assert (drawn.status, drawn.err.count(SAID)) == (0, 1)


def test_a_copy_of_the_training_file_is_known_by_its_bytes(trained: Path) -> None:
    Path("gold.txt").write_bytes(DEV.read_bytes())
    assert SAID in run("evaluation", "nlpcc-dbqa", "gold.txt", "runs/told.txt").err


def test_metadata_of_an_older_run_of_that_name_do_not_count(trained: Path) -> None:
    Path("runs/told.txt").write_bytes(Path("runs/untrained.txt").read_bytes())
    err = run("evaluation", "nlpcc-dbqa", str(DEV), "runs/told.txt").err
    assert SAID not in err
    assert "made with another told.txt" in err
