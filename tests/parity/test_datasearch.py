"""The sample's Data Search questions answered on either engine: the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from answerer.__main__ import main as answer
from indexer.__main__ import main as index
from tests.places import SAMPLES
from tests.programs import json_lines


def test_both_engines_answer_alike(
    elasticsearch_url: str, new_name: Callable[[], str], tmp_path: Path
) -> None:
    files = [
        str(SAMPLES / f"datasearch-{name}") for name in ("collection.jsonl.bz2", "data.tar.bz2")
    ]
    runs, traces = [], []
    for number, address in enumerate(
        (str(tmp_path / "index"), f"{elasticsearch_url}/{new_name()}")
    ):
        index.main(["datasets", *files, "--index", address], standalone_mode=False)
        run, trace = tmp_path / f"{number}.tsv", tmp_path / f"{number}.jsonl"
        options = ["--index", address, "-o", str(run), "--trace", str(trace)]
        answer.main(
            ["datasearch-qa", str(SAMPLES / "datasearch-questions.tsv"), *options],
            standalone_mode=False,
        )
        runs.append(run.read_bytes())
        traces.append(json_lines(trace)[1:])
    assert runs[0] == runs[1]
    assert traces[0] == traces[1]
