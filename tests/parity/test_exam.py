"""The sample exams answered on either engine: the same bytes, the same trace within 1e-5."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answerer.__main__ import main as answer
from answerer.ntcir.multiple_choice.methods import METHODS
from indexer.__main__ import main as index
from tests.places import SAMPLES
from tests.programs import json_lines

ENGINES = {"embedded": "tantivy", "elasticsearch": "elasticsearch"}  # and the package of each


@pytest.fixture(scope="module", params=["en", "ja"])
def addresses(
    request: pytest.FixtureRequest,
    elasticsearch_url: str,
    new_name: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, str, str]:
    """The language, and the sample textbook in the embedded engine and on three shards of
    Elasticsearch."""
    embedded = str(tmp_path_factory.mktemp("exam") / "index")
    elasticsearch = f"{elasticsearch_url}/{new_name()}"
    textbook = str(SAMPLES / f"textbook-{request.param}.jsonl")
    for address in (embedded, elasticsearch):
        index.main(
            ["textbook", textbook, "--index", address, "--shards", "3"], standalone_mode=False
        )
    return request.param, embedded, elasticsearch


@pytest.mark.parametrize("method", METHODS)
def test_both_engines_answer_the_exam_alike(
    addresses: tuple[str, str, str], method: str, tmp_path: Path
) -> None:
    language, *engines = addresses
    exam = str(SAMPLES / f"sample-exam-{language}.xml")
    runs, traces = [], []
    for number, address in enumerate(engines):
        out, steps = tmp_path / f"{number}.xml", tmp_path / f"{number}.jsonl"
        options = ["--index", address, "--method", method, "-o", str(out), "--trace", str(steps)]
        answer.main(["ntcir-mc", exam, *options], standalone_mode=False)
        runs.append(out.read_bytes())
        traces.append(json_lines(steps))
    assert runs[0] == runs[1]
    for trace, (engine, package) in zip(traces, ENGINES.items(), strict=True):
        assert trace[0]["run"].pop("engine") == engine
        assert trace[0]["run"]["versions"].pop(package)
        del trace[0]["run"]["index"]
    assert_alike(*traces)


def assert_alike(one: Any, other: Any) -> None:
    """Equal in all but numbers, which agree within 1e-5 of themselves."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_alike(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_alike(left, right)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-5)
    else:
        assert one == other
