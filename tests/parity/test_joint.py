"""Two sources asked as one, both embedded, both on Elasticsearch, or one each: the same bytes, the
same trace."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from answerer.__main__ import main as answer
from indexer.__main__ import main as index
from tests.parity.test_exam import assert_alike
from tests.places import SAMPLES

BOOKS = ("textbook-en.jsonl", "selqa.dev.json")
TASKS = {
    "ntcir-mc": "sample-exam-en.xml",
    "ntcir-sheet": "sheet-en.xml",
    "ntcir-extraction": "essay-en.xml",
}


@pytest.fixture(scope="module")
def places(
    elasticsearch_url: str, new_name: Callable[[], str], tmp_path_factory: pytest.TempPathFactory
) -> list[list[str]]:
    """The addresses of both books: embedded; on Elasticsearch; the first embedded, the second on
    Elasticsearch."""
    folder = tmp_path_factory.mktemp("joint")
    embedded = [str(folder / book.partition(".")[0]) for book in BOOKS]
    elastic = [f"{elasticsearch_url}/{new_name()}" for _ in BOOKS]
    for book, *addresses in zip(BOOKS, embedded, elastic, strict=True):
        for address in addresses:
            index.main(["textbook", str(SAMPLES / book), "--index", address], standalone_mode=False)
    return [embedded, elastic, [embedded[0], elastic[1]]]


@pytest.mark.parametrize("task", TASKS)
def test_sources_may_stand_on_either_engine(
    places: list[list[str]], task: str, tmp_path: Path
) -> None:
    runs, traces = [], []
    for number, addresses in enumerate(places):
        out, steps = tmp_path / f"{number}.xml", tmp_path / f"{number}.jsonl"
        asked = [word for address in addresses for word in ("--index", address)]
        options = [*asked, "-o", str(out), "--trace", str(steps)]
        answer.main([task, str(SAMPLES / TASKS[task]), *options], standalone_mode=False)
        runs.append(out.read_bytes())
        text = steps.read_text("utf-8")
        for place, address in enumerate(addresses):
            text = text.replace(address, f"source {place}")
        header, *rows = map(json.loads, text.splitlines())
        assert [one["engine"] for one in header["run"]["sources"]] == [
            "elasticsearch" if "://" in address else "embedded" for address in addresses
        ]
        traces.append(rows)
    assert runs[0] == runs[1] == runs[2]
    assert_alike(traces[0], traces[1])
    assert_alike(traces[0], traces[2])
