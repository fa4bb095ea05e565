"""The sample term sheets answered on either engine: the same bytes, the same trace within 1e-5."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerer.__main__ import main as answer
from indexer.__main__ import main as index
from tests.parity.test_exam import ENGINES, assert_alike
from tests.places import SAMPLES
from tests.programs import json_lines


@pytest.mark.parametrize("language", ["en", "ja"])
def test_both_engines_fill_the_sheet_alike(
    language: str, elasticsearch_url: str, new_name: Callable[[], str], tmp_path: Path
) -> None:
    addresses = {
        "embedded": f"{tmp_path}/index",
        "elasticsearch": f"{elasticsearch_url}/{new_name()}",
    }
    book, glossary = (
        str(SAMPLES / f"textbook-{language}.jsonl"),
        str(SAMPLES / f"glossary-{language}.csv"),
    )
    runs, traces = [], []
    for engine, address in addresses.items():
        index.main(
            ["textbook", book, "--terms", glossary, "--index", address], standalone_mode=False
        )
        out, steps = tmp_path / f"{engine}.xml", tmp_path / f"{engine}.jsonl"
        options = ["--index", address, "-o", str(out), "--trace", str(steps)]
        answer.main(
            ["ntcir-term", str(SAMPLES / f"term-{language}.xml"), *options], standalone_mode=False
        )
        runs.append(out.read_bytes())
        traces.append(json_lines(steps))
        header = traces[-1][0]["run"]
        assert header.pop("engine") == engine
        assert header["versions"].pop(ENGINES[engine])
        del header["index"]
    assert runs[0] == runs[1]
    assert_alike(*traces)
