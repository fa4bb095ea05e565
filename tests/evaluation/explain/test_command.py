"""`evaluation explain` on traces of the samples: every task's gold is understood, and errors are
one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.places import SAMPLES
from tests.programs import done, refused, run
from tests.refusals import names


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace of a ranking task, which needs no index."""
    folder = tmp_path_factory.mktemp("explain")
    path = folder / "trace.jsonl"
    words = ("selqa", str(SAMPLES / "selqa.dev.json"), "-o", str(folder / "SelQA-ass-result.json"))
    done("answerer", *words, "--trace", path)
    return path


def written(folder: Path, task: str, *rows: dict[str, object]) -> Path:
    path = folder / "trace.jsonl"
    lines = [{"run": {"task": task, "method": "m", "index": "i"}}, *rows]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_all_questions_come_one_after_another_below_a_sum(trace: Path) -> None:
    shown = run("evaluation", "explain", str(trace), "--gold", str(SAMPLES / "selqa.dev.json")).out
    rows = trace.read_text("utf-8").splitlines()[1:]
    assert shown.splitlines()[0].startswith(f"selqa · listwise   {len(rows)} questions, ")
    assert shown.count("▸ our answer   ★ key") == len(rows)
    assert shown.count("─" * 100) == len(rows) - 1


def test_gold_of_other_questions_is_told(trace: Path, tmp_path: Path) -> None:
    """Of seven questions turned round only the fourth keeps its number."""
    dev = SAMPLES / "selqa.dev.json"
    gold = tmp_path / "gold.json"
    gold.write_text("\n".join(dev.read_text("utf-8").splitlines()[::-1]), "utf-8")
    said = f"warning: {trace}: asks 6 of 7 questions with another text than the gold (the first is 1)\n"
    assert run("evaluation", "explain", str(trace), "--gold", str(gold)).err == said
    assert run("evaluation", "explain", str(trace), "--gold", str(dev)).err == ""


def test_questions_come_in_the_order_asked(trace: Path) -> None:
    shown = run("evaluation", "explain", str(trace), "--question", "2", "--question", "1").out
    assert [line.split()[0] for line in shown.splitlines() if "margin" in line] == ["2", "1"]


def test_a_question_that_the_trace_lacks_is_one_line(trace: Path) -> None:
    line = refused("evaluation", "explain", str(trace), "--question", "A9")
    assert names(line, trace)
    assert "'A9'" in line


def test_control_characters_of_the_data_are_shown_as_codes(tmp_path: Path) -> None:
    row = {
        "question_id": "\x1b[2J1",
        "question": "\x1b]0;owned\x07",
        "system": "a",
        "candidates": [],
    }
    shown = run("evaluation", "explain", str(written(tmp_path, "ntcir-mc", row))).out
    assert "\x1b" not in shown
    assert "\\x1b[2J1" in shown


def test_the_gold_of_exams_in_a_folder_goes_by_their_names(tmp_path: Path) -> None:
    for exam, answer in (("one", "1"), ("two", "2")):
        data = f"<data><anscolumn_ID>A1</anscolumn_ID><answer>{answer}</answer></data>"
        (tmp_path / f"{exam}.gold.xml").write_text(f"<answerTable>{data}</answerTable>", "utf-8")
    candidates = [{"id": "1", "text": "x", "score": 1.0}, {"id": "2", "text": "y", "score": 0.0}]
    rows = [
        {
            "question_id": "A1",
            "exam": exam,
            "question": "?",
            "system": "1",
            "candidates": candidates,
        }
        for exam in ("one", "two")
    ]
    path = written(tmp_path, "ntcir-mc", *rows)
    shown = run("evaluation", "explain", str(path), "--gold", str(tmp_path)).out
    assert [line for line in shown.splitlines() if "margin" in line] == [
        "one A1  ✓ right  margin 1.00",
        "two A1  ✗ wrong  margin 1.00",
    ]


@pytest.mark.parametrize(
    ("task", "gold", "named"),
    [
        ("datasearch-qa", "datasearch-gold.tsv", "no row for any question of the gold"),
        (
            "ntcir-extraction",
            "selqa.dev.json",
            "--gold: answers of 'ntcir-extraction' have no gold",
        ),
        ("ntcir-mc", "selqa.dev.json", "selqa.dev.json"),
    ],
)
def test_a_gold_that_does_not_fit_is_one_line(
    task: str, gold: str, named: str, tmp_path: Path
) -> None:
    path = written(tmp_path, task, {"question_id": "1", "candidates": []})
    assert named in refused("evaluation", "explain", str(path), "--gold", str(SAMPLES / gold))


def test_what_is_no_trace_is_one_line(tmp_path: Path) -> None:
    path = written(
        tmp_path, "ntcir-mc", {"question_id": "1", "candidates": [{"id": "1", "features": [1]}]}
    )
    assert names(refused("evaluation", "explain", str(path)), path, 2)


def test_a_file_without_a_question_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    assert names(
        refused("evaluation", "explain", str(tmp_path / "empty.jsonl")), tmp_path / "empty.jsonl"
    )
