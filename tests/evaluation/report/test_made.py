"""How a run was made, as a report says it: its trace and the commands."""

from __future__ import annotations

from evaluation.report.command import describe_run
from evaluation.report.data import ReportRun

TRACED = ReportRun(
    "names",
    "my runs/a.xml",
    "a.jsonl",
    {"task": "ntcir-mc", "index": "books/en", "parameters": {"k": 5}},
)
BEFORE = "answered by, as far as the trace tells"


def test_the_command_is_what_the_trace_tells() -> None:
    found = dict(describe_run(TRACED, "ntcir-mc", "gold.xml"))
    assert (
        found[BEFORE]
        == "classical-qa answer ntcir-mc … --index books/en -o 'my runs/a.xml' --trace a.jsonl"
    )
    assert (
        found["scored by"]
        == "classical-qa evaluate ntcir-mc gold.xml 'my runs/a.xml' --trace a.jsonl"
    )
    assert found["k"] == "5"


def test_a_run_without_trace_says_only_how_it_is_scored() -> None:
    found = describe_run(ReportRun("a", "a.xml", "", {}), "ntcir-mc", "gold.xml")
    assert found == [
        ("run", "a.xml"),
        ("scored by", "classical-qa evaluate ntcir-mc gold.xml a.xml"),
    ]
