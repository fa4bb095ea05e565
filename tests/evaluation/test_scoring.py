"""Scoring from Python: the rows that the commands print, of files and of runs that were just
answered."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer import Run, answer
from evaluation.__main__ import main
from evaluation.comparison import compare
from evaluation.scoring import score
from indexer.files.errors import UserError
from tests.places import SAMPLES
from tests.programs import figures, refused

GOLDS = {
    "nlpcc-dbqa": "dbqa.dev.txt",
    "nlpcc-tbqa": "tbqa.dev.txt",
    "selqa": "selqa.dev.json",
    "ntcir-mc": "sample-exam-en.gold.xml",
    "ntcir-term": "term-en.gold.xml",
    "ntcir-essay": "essay-en.gold.xml",
}
QUESTIONS = {
    "ntcir-mc": "sample-exam-en.xml",
    "ntcir-term": "term-en.xml",
    "ntcir-essay": "essay-en.xml",
}


@pytest.fixture(scope="module")
def runs(sample_book: str) -> dict[str, Run]:
    return {
        task: answer(
            task,
            SAMPLES / QUESTIONS.get(task, gold),
            **({"index": sample_book} if task in QUESTIONS else {}),
        )  # type: ignore[arg-type]
        for task, gold in GOLDS.items()
    }


def plain(rows: object) -> object:
    """Rows as JSON would give them."""
    return json.loads(json.dumps(rows))


@pytest.mark.parametrize("task", GOLDS)
def test_figures_are_what_the_command_prints(
    task: str, runs: dict[str, Run], tmp_path: Path
) -> None:
    gold, run = str(SAMPLES / GOLDS[task]), str(tmp_path / "run")
    runs[task].save(run)
    found = score(task, gold, run)
    assert plain(found.rows) == figures(task, gold, run)
    assert plain(found.by_question) == figures(task, gold, run, "-q")
    assert refused("evaluation", task, gold, run, "-q", "--interval").startswith(
        "-q and --interval"
    )


def test_a_run_is_scored_with_its_evidence(runs: dict[str, Run], tmp_path: Path) -> None:
    gold, run, trace = SAMPLES / GOLDS["ntcir-mc"], tmp_path / "run.xml", tmp_path / "trace.jsonl"
    runs["ntcir-mc"].save(run, trace)
    assert score("ntcir-mc", gold, runs["ntcir-mc"]) == score("ntcir-mc", gold, run, trace=trace)


def test_options_are_the_commands(runs: dict[str, Run], tmp_path: Path) -> None:
    gold, run = str(SAMPLES / GOLDS["nlpcc-dbqa"]), str(tmp_path / "run")
    runs["nlpcc-dbqa"].save(run)
    found = score("nlpcc-dbqa", gold, runs["nlpcc-dbqa"], ties="average", interval=True)
    assert plain(found.rows) == figures("nlpcc-dbqa", gold, run, "--ties", "average", "--interval")


def test_runs_are_compared_as_the_command_does(
    runs: dict[str, Run], sample_book: str, tmp_path: Path
) -> None:
    gold = str(SAMPLES / GOLDS["ntcir-mc"])
    other = answer(
        "ntcir-mc",
        SAMPLES / QUESTIONS["ntcir-mc"],
        index=sample_book,
        method="slqal",
        evidence=False,
    )
    paths = [str(tmp_path / name) for name in ("names.xml", "slqal.xml")]
    for run, path in zip((runs["ntcir-mc"], other), paths, strict=True):
        run.save(path)
    assert plain(compare("ntcir-mc", gold, *paths).rows) == figures(
        "compare", "ntcir-mc", gold, *paths
    )
    found = compare("ntcir-mc", gold, runs["ntcir-mc"], other, runs["ntcir-mc"])
    assert [row["run"] for row in found.rows] == ["validation", "slqal", "validation (2)"]
    assert found.rows[1]["difference"] == compare("ntcir-mc", gold, *paths).rows[1]["difference"]


def test_figures_read_as_the_table_that_is_figures(runs: dict[str, Run], tmp_path: Path) -> None:
    gold, run = str(SAMPLES / GOLDS["selqa"]), str(tmp_path / "run")
    runs["selqa"].save(run)
    found = score("selqa", gold, run)
    groups = [f"--by={group}" for group in ("ties", "type", "paraphrase", "asks-for")]
    assert f"{found}\n" == CliRunner().invoke(main, ["selqa", gold, run, *groups]).stdout
    assert (
        repr(found)
        == f"<Figures selqa: {len(found.rows)} rows, {len(found.by_question)} questions>"
    )


def test_nothing_but_a_comparison_is_written(runs: dict[str, Run], tmp_path: Path) -> None:
    runs["selqa"].save(tmp_path / "run")
    score("selqa", SAMPLES / GOLDS["selqa"], tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


GOLD = SAMPLES / "sample-exam-en.gold.xml"
REFUSED: dict[str, Callable[[], object]] = {
    "nothing: ": lambda: score("nothing", GOLD, GOLD),
    "run must be a file": lambda: score("ntcir-mc", GOLD, "missing"),
    "gold must be a file": lambda: score("ntcir-mc", "missing", GOLD),
    "is a folder; selqa scores one file against another": lambda: score("selqa", GOLD, SAMPLES),
    "best: no such align; expected one of anscolumn_ID, answer_column": lambda: score(
        "ntcir-mc", GOLD, GOLD, align="best"
    ),
    "one run: expected at least two to compare": lambda: compare("ntcir-mc", GOLD, GOLD),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_the_command_would_refuse_is_a_users_error(line: str) -> None:
    with pytest.raises(UserError) as refused:
        REFUSED[line]()
    assert line in str(refused.value)


def test_an_error_calls_a_run_that_is_in_no_file_by_its_name() -> None:
    run = answer("selqa", [("Who?", ["Ann."])])
    with pytest.raises(UserError, match=r"^listwise: "):
        score("selqa", SAMPLES / GOLDS["selqa"], run)


def test_without_pandas_a_frame_says_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    copy = tmp_path / GOLD.name
    copy.write_text(GOLD.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(UserError, match="pandas"):
        score("ntcir-mc", GOLD, copy).to_frame()


def test_a_frame_has_the_rows(runs: dict[str, Run]) -> None:
    pytest.importorskip("pandas")
    found = score("selqa", SAMPLES / GOLDS["selqa"], runs["selqa"])
    assert list(found.to_frame()["MRR"]) == [row["MRR"] for row in found.rows]
    assert len(found.to_frame(by_question=True)) == len(found.by_question)


def test_a_run_in_memory_is_scored_without_a_word_of_files(
    runs: dict[str, Run], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "classical_qa"):
        score("selqa", SAMPLES / GOLDS["selqa"], runs["selqa"])
    assert [one for one in caplog.messages if one.startswith("wrote")] == []
