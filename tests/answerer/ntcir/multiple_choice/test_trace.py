"""The trace of the default method explains every score: names, signals, events, claims,
settings."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from answerer.ntcir.multiple_choice.names.judgement import NAMES, WEIGHTS
from answerer.ntcir.multiple_choice.task import command as answer_exam
from indexer.files.hashes import fingerprint
from indexer.sources.textbook.build import command as index_textbook
from tests.answerer.formats.exam.exams import choices, question, section, written
from tests.programs import json_lines

BOOK = """In 1492 the sailor Columbus left Spain for America. Spain ruled America for long.

In 1789 the people of Paris rose. The revolution changed France, and Paris led it.
"""
LABELLED = (
    '<data id="D1" type="text"><lText id="L1"><label>a</label> Paris is in France.</lText><br/>'
    '<lText id="L2"><label>b</label> Columbus left Spain.</lText></data>'
)


def indexed(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.txt").write_text(text, "utf-8")
    done = CliRunner().invoke(
        index_textbook, [str(folder / f"{name}.txt"), "--index", str(folder / name)]
    )
    assert done.exception is None
    return str(folder / name)


def traced(folder: Path, asked: str, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first line of the trace, and its question's."""
    exam, trace = written(folder, section(asked)), folder / "trace.jsonl"
    index = indexed(folder, "book", BOOK)
    asking = ["--index", index, "--trace", str(trace), "--method", "names", *options]
    done = CliRunner().invoke(answer_exam, [str(exam), *asking])
    assert done.exception is None
    run, row = json_lines(trace)
    return run["run"], row


def test_every_judged_name_is_explained_and_its_signals_add_up(tmp_path: Path) -> None:
    _, row = traced(
        tmp_path, question("Choose the correct one.", choices("Paris is in France.", "Spain fell."))
    )
    assert row["answered_as"] == "statements"
    assert "note" not in row
    (statement,) = row["candidates"][0]["statements"]
    assert {"paris", "france"} <= set(statement["names"])
    for signals in statement["names"].values():
        added = sum(value for name, value in signals.items() if name != "sum")
        assert added == pytest.approx(signals["sum"], abs=1e-4)
    sums = [signals["sum"] for signals in statement["names"].values()]
    pooled = -math.log(sum(math.exp(-each) for each in sums) / len(sums))
    assert row["candidates"][0]["score"] == pytest.approx(pooled, abs=1e-4)
    assert row["candidates"][0]["evidence"]


def test_the_first_line_names_the_weights(tmp_path: Path) -> None:
    run, _ = traced(
        tmp_path, question("Choose the correct one.", choices("Paris fell.", "Spain fell."))
    )
    assert run["parameters"]["model"] == fingerprint(WEIGHTS)
    assert list(run["parameters"]["weights"]) == list(NAMES)


def test_an_order_is_explained_by_the_times_of_its_events(tmp_path: Path) -> None:
    rows = (
        '<ref target="L1">a</ref>→<ref target="L2">b</ref>',
        '<ref target="L2">b</ref>→<ref target="L1">a</ref>',
    )
    _, row = traced(
        tmp_path, question("Choose the order.", LABELLED + choices(*rows), "o(symbol-symbol)")
    )
    candidate = row["candidates"][1]
    assert [event["event"] for event in candidate["events"]] == [
        "Columbus left Spain.",
        "Paris is in France.",
    ]
    assert (
        max(candidate["events"][0]["times"], key=candidate["events"][0]["times"].get) == "1450–1499"
    )
    assert candidate["pairs"] == {"1 before 2": pytest.approx(candidate["score"], abs=1e-5)}


def test_a_combination_is_explained_by_what_it_claims(tmp_path: Path) -> None:
    rows = [
        f'<ref target="L1">a</ref>- {a}<ref target="L2">b</ref>- {b}'
        for a in ("Correct", "Incorrect")
        for b in ("Correct",)
    ]
    _, row = traced(
        tmp_path, question("Choose the combination.", LABELLED + choices(*rows), "(symbol-TF)*2")
    )
    candidate = row["candidates"][1]
    assert [each["claimed"] for each in candidate["statements"]] == [False, True]
    first = candidate["statements"][0]
    odds = candidate["truth"]["slope"] * first["score"] + candidate["truth"]["middle"]
    assert first["log_probability"] == pytest.approx(-math.log(1 + math.exp(odds)), abs=1e-4)
    total = sum(each["log_probability"] for each in candidate["statements"])
    assert row["candidates"][1]["score"] == pytest.approx(total, abs=1e-4)


def test_an_unknown_shape_is_noted(tmp_path: Path) -> None:
    _, row = traced(tmp_path, question("Choose.", choices("Paris fell.", "Spain fell."), "zzz(%%"))
    assert "'zzz(%%'" in row["note"]
