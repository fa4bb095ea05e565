"""The SelQA challenge's deliverables: what they hold, and that the program gives the very
result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest

from answerer.__main__ import main
from answerer.selqa.submission import escape, latex
from indexer.formats.labels import CandidateList
from retriever.learning.model import Model
from retriever.ranking.english import UNTRAINED, english_ranking
from tests.places import ROOT
from tests.programs import invoked, refusal

pytestmark = pytest.mark.process

SAMPLES = ROOT / "samples"


run = partial(invoked, main)


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
        "requirements.txt",
        "source",
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
    assert float((submission / "mrr.txt").read_text()) == pytest.approx(
        sum(reciprocal) / len(reciprocal), abs=1e-6
    )


def bare_python(requirements: Path, folder: Path) -> dict[str, str]:
    """An environment in which `python -S` finds what a requirements file names, and nothing else
    that is installed."""
    folder.mkdir()
    for line in requirements.read_text().splitlines():
        for file in distribution(line.partition("==")[0]).files or ():
            top = file.parts[0]
            if top != ".." and not (folder / top).exists():
                (folder / top).symlink_to(
                    Path(str(file.locate())).parents[len(file.parts) - 1] / top
                )
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.mark.parametrize("method", ["model", "sum", "rank-bm25"])
def test_the_folder_runs_by_itself_on_a_bare_python(
    submission: Path, tmp_path: Path, method: str
) -> None:
    folder = submission
    if method != "model":
        folder = tmp_path / "untrained"
        run("submit", "selqa", SAMPLES / "selqa.dev.json", "--method", method, "-o", folder)
    (tmp_path / "SelQA-ass-test.json").write_bytes((SAMPLES / "selqa.dev.json").read_bytes())
    environment = bare_python(folder / "requirements.txt", tmp_path / "installed")
    subprocess.run(
        [sys.executable, "-S", folder / "answer.py"], cwd=tmp_path, env=environment, check=True
    )
    result = (tmp_path / "SelQA-ass-result.json").read_bytes()
    assert result == (folder / "SelQA-ass-result.json").read_bytes()


def test_the_program_says_in_one_line_what_is_wrong(submission: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, submission / "answer.py", "none.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: none.json")


def test_the_program_does_not_write_to_the_file_that_it_reads(
    submission: Path, tmp_path: Path
) -> None:
    test = tmp_path / "SelQA-ass-test.json"
    test.write_bytes((SAMPLES / "selqa.dev.json").read_bytes())
    (tmp_path / "link.json").symlink_to(test)
    done = subprocess.run(
        [sys.executable, submission / "answer.py", test, "link.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert test.read_bytes() == (SAMPLES / "selqa.dev.json").read_bytes()


def test_modules_and_word_lists_are_shipped_and_no_models(submission: Path) -> None:
    files = {
        path.relative_to(submission / "source").as_posix()
        for path in (submission / "source").rglob("*.*")
    }
    assert {
        "answerer/__init__.py",
        "answerer/selqa/task.py",
        "retriever/learning/model.py",
    } <= files
    assert "retriever/ranking/wordlists/english_stop_words.txt" in files
    assert [name for name in files if name.endswith(".json") or "pycache" in name] == []


def test_the_description_has_the_formula_and_every_weight(submission: Path) -> None:
    text = (submission / "description.tex").read_text("utf-8")
    assert r"$s_i = \sum_c w_c (x_{ci} - m_c) / \sigma_c$" in text
    model = json.loads((submission / "model.json").read_text())
    rows = model["features: name, weight, mean, scale"]
    told = [
        f"{escape(name)} & {weight:.6g} & {mean:.6g} & {scale:.6g} "
        for name, weight, mean, scale in rows
    ]
    assert len(told) > 100
    assert [row for row in told if row not in text] == []


def test_the_description_of_the_fixed_sum_has_its_weights(tmp_path: Path) -> None:
    run("submit", "selqa", SAMPLES / "selqa.test.json", "--model", "none", "-o", tmp_path / "out")
    text = (tmp_path / "out" / "description.tex").read_text("utf-8")
    assert r"$s_i = \sum_f w_f\, z_f(i)$" in text
    for family in UNTRAINED.values():
        for name, weight in family.items():
            assert f"{escape(name)} & {weight:g} " in text


def test_every_family_of_features_is_described(submission: Path) -> None:
    text = (submission / "description.tex").read_text("utf-8")
    families = next(english_ranking([CandidateList("q", ["a"], None, "g")]).blocks()).features
    assert [family for family in families if rf"\item {family}: " not in text] == []


def test_the_description_tells_what_ran(submission: Path) -> None:
    text = (submission / "description.tex").read_text("utf-8")
    assert text.startswith(r"\documentclass{article}")
    assert text.rstrip().endswith(r"\end{document}")
    for told in (
        r"R\&D\_1",
        "list-wise conditional logit",
        "7 questions with 28 sentences",
        "selqa.dev.json",
        "scipy",
    ):
        assert told in text


def test_a_model_of_anybody_puts_no_commands_into_the_description() -> None:
    one = np.ones(1)
    data = {"file": r"\end{verbatim}\input{x}", "bytes": 1, "sha256": "ab"}
    model = Model(
        "selqa",
        "listwise",
        ("f",),
        one,
        one,
        one,
        (data,),
        {"cross-validated": {"MRR, average ties": "x"}},
    )
    text = latex(
        model, {}, team="T", file="f.json", questions=1, sentences=2, method="listwise", requirements=[], mrr=None
    )  # fmt: skip
    assert r"\textbackslash{}end\{verbatim\}\textbackslash{}input\{x\}" in text
    assert r"\input" not in text
    assert "Cross-validated" not in text


def test_without_gold_there_is_no_mrr(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(
        '{"question": "Who won?", "sentences": ["Ann won.", "It rained."]}\n'
    )
    run("submit", "selqa", tmp_path / "t.json", "-o", tmp_path / "out", "--method", "bm25")
    assert not (tmp_path / "out" / "mrr.txt").exists()
    assert '"--method", "bm25"' in (tmp_path / "out" / "answer.py").read_text()


def test_a_folder_that_holds_something_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    asked = (
        "submit",
        "selqa",
        SAMPLES / "selqa.dev.json",
        "--method",
        "bm25",
        "-o",
        tmp_path / "out",
    )
    assert refusal(main, *asked).endswith(
        "out exists and is not empty: choose another place with -o"
    )
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_latex_prints_every_character() -> None:
    assert escape("50% of a_b\\ & {c}") == r"50\% of a\_b\textbackslash{} \& \{c\}"
