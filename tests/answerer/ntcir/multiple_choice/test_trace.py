"""The trace of the default method explains every score: names, signals, events, claims, settings,
several indexes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from answerer.ntcir.multiple_choice.names.judgement import NAMES, WEIGHTS
from answerer.ntcir.multiple_choice.task import command as answer_exam
from indexer.cli.commands import click_command
from indexer.files.hashes import fingerprint
from indexer.sources.textbook.build import command as index_textbook
from tests.answerer.formats.exam.exams import choices, question, section, written
from tests.programs import invoked

BOOK = """In 1492 the sailor Columbus left Spain for America. Spain ruled America for long.

In 1789 the people of Paris rose. The revolution changed France, and Paris led it.
"""
OTHER = BOOK + "\nThe emperor Ashoka of India spread Buddhism. India and Buddhism met Ceylon.\n"
LABELLED = (
    '<data id="D1" type="text"><lText id="L1"><label>a</label> Paris is in France.</lText><br/>'
    '<lText id="L2"><label>b</label> Columbus left Spain.</lText></data>'
)


def indexed(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.txt").write_text(text, "utf-8")
    done = CliRunner().invoke(
        click_command(index_textbook), [str(folder / f"{name}.txt"), "--index", str(folder / name)]
    )
    assert done.exception is None
    return str(folder / name)


def traced(folder: Path, asked: str, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first line of the trace, and its question's."""
    exam, trace = written(folder, section(asked)), folder / "trace.jsonl"
    index = indexed(folder, "book", BOOK)
    asking = ["--index", index, "--trace", str(trace), "--method", "names", *options]
    done = CliRunner().invoke(click_command(answer_exam), [str(exam), *asking])
    assert done.exception is None
    run, row = map(json.loads, trace.read_text("utf-8").splitlines())
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


def test_what_each_source_added_makes_the_score(tmp_path: Path) -> None:
    other = indexed(tmp_path, "other", OTHER)
    asked = question(
        "Choose the correct one.",
        choices("Ashoka spread Buddhism.", "Paris is in France.", "Spain fell."),
    )
    run, row = traced(tmp_path, asked, "--index", other)
    book = str(tmp_path / "book")
    assert run["index"] == f"{book} + {other}"
    assert [(one["index"], one["kind"], one["language"]) for one in run["sources"]] == [
        (book, "textbook", "en"),
        (other, "textbook", "en"),
    ]
    assert run["sources"][0]["corpus"]["sha256"] != run["sources"][1]["corpus"]["sha256"]
    for candidate in row["candidates"]:
        assert list(candidate["features"]) == [f"from {book}", f"from {other}"]
        assert sum(candidate["features"].values()) == pytest.approx(candidate["score"], abs=1e-5)
        assert [one["index"] for one in candidate["sources"]] == [book, other]
        assert all(one["statements"][0]["score"] == one["score"] for one in candidate["sources"])
        assert {one["source"] for one in candidate["evidence"]} <= {book, other}
    known = row["candidates"][0]["sources"][1]
    assert "ashoka" in known["statements"][0]["names"]


@pytest.mark.parametrize("method", ["slqal", "rank-bm25", "slqal-proximity", "names", "validation"])
def test_each_source_says_what_it_says_alone(tmp_path: Path, method: str) -> None:
    """The scores by source are those of two runs, and the highest of them is the combined one."""
    other = indexed(tmp_path, "other", OTHER)
    exam = written(
        tmp_path,
        section(question("Choose the correct one.", choices("Ashoka ruled.", "Paris fell."))),
    )
    index = indexed(tmp_path, "book", BOOK)
    found = {}
    for name, addresses in (("one", [index]), ("other", [other]), ("both", [index, other])):
        trace = tmp_path / f"{name}.jsonl"
        asking = [word for address in addresses for word in ("--index", address)]
        options = [
            *asking,
            "--method",
            method,
            "--trace",
            str(trace),
        ]
        invoked(answer_exam, str(exam), *options)
        found[name] = json.loads(trace.read_text("utf-8").splitlines()[1])["candidates"]
    for one, two, both in zip(found["one"], found["other"], found["both"], strict=True):
        assert [each["score"] for each in both["sources"]] == [one["score"], two["score"]]
        assert [each["features"] for each in both["sources"]] == [one["features"], two["features"]]
        assert both["score"] == max(one["score"], two["score"])
        assert len(both["evidence"]) == len(one["evidence"]) + len(two["evidence"])


def test_an_unknown_shape_is_noted(tmp_path: Path) -> None:
    _, row = traced(tmp_path, question("Choose.", choices("Paris fell.", "Spain fell."), "zzz(%%"))
    assert "'zzz(%%'" in row["note"]
