"""The tree that `answerer submit` writes of every NTCIR task, scored as a whole: each task finds
its own runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT, SAMPLES
from tests.programs import done, figures, json_lines

pytestmark = pytest.mark.process

TEAM = ("answerer", "submit", "--team", "T", "-o", "teams/T", "--replace")


@pytest.fixture(scope="module")
def teams(tmp_path_factory: pytest.TempPathFactory, sample_book: str) -> Path:
    """A team's tree: multiple choice by two methods, terms, essays, passages, a summary, essays
    judged."""
    folder = tmp_path_factory.mktemp("teams")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        made = [
            sys.executable,
            ROOT / "benchmarks/degraded_essays.py",
            SAMPLES / "essay-en.gold.xml",
            "worse",
        ]
        subprocess.run(made, check=True)
        essay = SAMPLES / "essay-en.xml"
        tasks: dict[str, tuple[str | Path, ...]] = {
            "slqal": ("ntcir-mc", SAMPLES / "sample-exam-en.xml", "--method", "slqal"),
            "names": ("ntcir-mc", SAMPLES / "sample-exam-en.xml"),
            "term": ("ntcir-term", SAMPLES / "term-en.xml"),
            "essay": ("ntcir-essay", essay),
            "extraction": ("ntcir-extraction", essay),
        }
        for name, words in tasks.items():
            done(
                "answerer",
                *words,
                "--index",
                sample_book,
                "-o",
                f"{name}.xml",
                "--trace",
                f"{name}.jsonl",
            )
        summary = ("ntcir-summarization", essay, "extraction.xml")
        done("answerer", *summary, "-o", "summary.xml", "--trace", "summary.jsonl")
        answers = [
            word
            for path in sorted(Path("worse/dropped").glob("*.xml"))
            for word in ("--answers", str(path))
        ]
        judged = ("ntcir-evaluation-method", SAMPLES / "essay-en.gold.xml", *answers)
        done("answerer", *judged, "-o", "judged.xml", "--trace", "judged.jsonl")
        done(*TEAM, *(f"{name}.xml" for name in (*tasks, "summary", "judged")))
    return folder


@pytest.mark.parametrize(
    ("task", "gold", "runs"),
    [
        ("ntcir-mc", "sample-exam-en.gold.xml", ["mutiple_choice/run2", "mutiple_choice/run1"]),
        ("ntcir-term", "term-en.gold.xml", ["term/run1"]),
        ("ntcir-essay", "essay-en.gold.xml", ["essay/e2e/run1", "essay/summarization/run1"]),
        ("ntcir-extraction", "essay-en.gold.xml", ["essay/extraction/run1"]),
        ("ntcir-evaluation-method", "worse/dropped/marks.tsv", ["essay/evaluation_method/run1"]),
    ],
)
def test_each_task_scores_its_own_runs_as_alone(
    teams: Path, monkeypatch: pytest.MonkeyPatch, task: str, gold: str, runs: list[str]
) -> None:
    monkeypatch.chdir(teams)
    given = Path(gold) if Path(gold).exists() else SAMPLES / gold
    ended = done("evaluation", task, given, "teams", "--format", "jsonl")
    rows = json_lines(ended.out)
    assert sorted(str(row["run"]) for row in rows) == sorted(f"T/phase1/{name}" for name in runs)
    assert {row["team"] for row in rows} == {"T"}
    # A file that is left out would not be counted.
    assert re.search(rf"^{8 - 1 - len(runs) + 7} files ignored", ended.err, re.MULTILINE)
    totals = [next(value for name, value in row.items() if name in MEASURES) for row in rows]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > 0


MEASURES = ("points", "right", "ROUGE-1", "F1", "Kendall's τ")


def test_a_cell_is_what_scoring_the_run_alone_gives(
    teams: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(teams)
    gold = str(SAMPLES / "essay-en.gold.xml")
    (row,) = figures("ntcir-extraction", gold, "teams")
    f1 = next(
        one["value"]
        for one in figures("ntcir-extraction", gold, "extraction.xml")
        if one["measure"] == "F1"
    )
    assert row["essay-en"] == row["F1"] == pytest.approx(f1)
