"""Traces: what is written comes back, damaged ones are refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.trace import open_trace, read_trace
from indexer.files.errors import UserError
from retriever.explain import Evidence


def test_a_trace_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    with open_trace(path) as trace:
        trace.run("ntcir-mc", "slqal", {"k": 5}, language="en")
        trace.question({"question_id": "A1", "evidence": [Evidence("d", "t", 1 / 3, {"war": 2.0})]})
    run, questions = read_trace(path)
    assert (run["task"], run["method"], run["parameters"], run["engine"]) == ("ntcir-mc", "slqal", {"k": 5}, None)
    evidence = [{"doc_id": "d", "text": "t", "score": 0.3333333, "terms": {"war": 2.0}}]
    assert questions == [{"question_id": "A1", "evidence": evidence}]


def test_no_trace_is_written_where_none_is_wanted() -> None:
    with open_trace(None) as trace:
        trace.question({"question_id": "A1"})
        assert not trace.wanted


@pytest.mark.parametrize("content", ["no json\n", "[1]\n", '{"a": 1}\n'])
def test_a_file_that_is_no_trace_is_refused_by_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text('{"run": {}}\n' + content)
    with pytest.raises(UserError, match=r"trace\.jsonl:2: "):
        read_trace(path)
