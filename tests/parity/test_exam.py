"""The main job on both engines: the answered sample exams are the same bytes, their traces agree within 1e-5."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from answerer.ntcir.multiple_choice.methods import METHODS
from answerer.ntcir.multiple_choice.task import command as answer
from indexer.sources.textbook import command as index_textbook

SAMPLES = Path(__file__).parents[2] / "samples"


def answered(address: str, exam: Path, method: str, folder: Path, name: str) -> tuple[bytes, list[dict[str, Any]]]:
    """The run and the questions of its trace."""
    run, trace = folder / f"{name}.xml", folder / f"{name}.jsonl"
    arguments = [str(exam), "--index", address, "--method", method, "-o", str(run), "--trace", str(trace)]
    assert CliRunner().invoke(answer, arguments).exception is None
    rows = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    assert rows[0]["run"]["engine"] == name
    return run.read_bytes(), rows[1:]


def assert_near(left: Any, right: Any) -> None:
    """Equal but for numbers, which agree within 1e-5 of themselves."""
    if isinstance(left, float) and isinstance(right, float):
        assert left == pytest.approx(right, rel=1e-5, abs=1e-9)
    elif isinstance(left, dict):
        assert set(left) == set(right)
        for key in left:
            assert_near(left[key], right[key])
    elif isinstance(left, list):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert_near(one, other)
    else:
        assert left == right


@pytest.mark.parametrize("language", ["ja", "en"])
def test_an_answered_exam_is_the_same_on_both_engines(
    elasticsearch_url: str, new_name: Callable[[], str], tmp_path: Path, language: str
) -> None:
    addresses = {"embedded": f"{tmp_path}/index", "elasticsearch": f"{elasticsearch_url}/{new_name()}"}
    for address in addresses.values():
        arguments = [str(SAMPLES / f"textbook-{language}.jsonl"), "--index", address, "--shards", "2"]
        assert CliRunner().invoke(index_textbook, arguments).exception is None
    exam = SAMPLES / f"sample-exam-{language}.xml"
    for method in METHODS:
        made = [answered(address, exam, method, tmp_path, name) for name, address in addresses.items()]
        assert made[0][0] == made[1][0]
        assert_near(made[0][1], made[1][1])
