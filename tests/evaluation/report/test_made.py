"""How a run was made, as a report says it: the commands, and what its metadata hold, whoever wrote them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluation.report.command import beside, describe_run
from evaluation.report.data import ReportRun
from tests.places import SAMPLES
from tests.programs import run

TRACED = ReportRun(
    "names", "my runs/a.xml", "a.jsonl", {"task": "ntcir-mc", "index": "books/en", "parameters": {"k": 5}}
)
BEFORE = "answered by, as far as the trace tells"


def test_without_metadata_the_command_is_what_the_trace_tells() -> None:
    found = dict(describe_run(TRACED, "ntcir-mc", "gold.xml", None))
    assert found[BEFORE] == "python -m answerer ntcir-mc … --index books/en -o 'my runs/a.xml' --trace a.jsonl"
    assert found["scored by"] == "python -m evaluation ntcir-mc gold.xml 'my runs/a.xml' --trace a.jsonl"
    assert found["k"] == "5"


def test_several_indexes_are_named_each_with_the_rule() -> None:
    header = {"index": "a + b", "sources": [{"index": "a"}, {"index": "b"}]}
    found = dict(describe_run(TRACED._replace(header=header), "ntcir-mc", "gold.xml", None))
    assert "… --index a --index b -o" in found[BEFORE]


def test_metadata_say_the_command_as_it_was_given() -> None:
    metadata = {"implementation": {"executable": {"cmd": "python -m answerer ntcir-mc e.xml"}}}
    found = dict(describe_run(TRACED, "ntcir-mc", "gold.xml", metadata))
    assert found["answered by"] == "python -m answerer ntcir-mc e.xml"
    assert BEFORE not in found


def test_a_run_without_trace_and_metadata_says_only_how_it_is_scored() -> None:
    found = describe_run(ReportRun("a", "a.xml", "", {}), "ntcir-mc", "gold.xml", None)
    assert found == [("run", "a.xml"), ("scored by", "python -m evaluation ntcir-mc gold.xml a.xml")]


def test_metadata_are_shown_as_yaml_without_what_the_page_says_already() -> None:
    metadata = {"tag": "a", "data": {"topics": [{"file": "e.xml"}]}, "method": {"automatic": "true"}, "submission": []}
    assert beside(metadata, True) == "tag: a\ndata:\n  topics:\n  - file: e.xml"
    assert beside(metadata, False).endswith("method:\n  automatic: 'true'")
    assert beside(None, True) == ""


def test_metadata_without_end_are_short_all_the_same() -> None:
    found = beside({str(n): "x" * 5_000 for n in range(5_000)}, True).splitlines()
    assert (len(found), max(map(len, found))) == (60, 1_000)


def test_the_report_of_a_run_shows_the_metadata_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    dev = shutil.copy(SAMPLES / "tbqa.dev.txt", "dev.txt")
    assert run("answerer", "nlpcc-tbqa", dev, "-o", "told.txt", "--method", "bm25", "--metadata").status == 0
    assert run("evaluation", "report", "nlpcc-tbqa", dev, "told.txt", "-o", "report.html").status == 0
    page = Path("report.html").read_text("utf-8")
    assert f"python -m answerer nlpcc-tbqa {dev} -o told.txt --method bm25 --metadata" in page
    assert "\n  operating system:\n" in page
