"""Data Search questions answered on either engine: the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from answerer.__main__ import main as answer
from indexer.__main__ import main as index
from tests.indexer.sources.open_data import CENSUS, CITIES, MILK, sample_collection

QUESTIONS = [
    ("DS2-QA-E-1", "How many litres of skim milk were delivered in 2020?", MILK),
    ("DS2-QA-E-2", "which city has the largest population?", CITIES),
    ("DS2-QA-J-3", "札幌市の男の人口はいくつですか", CENSUS),
]


def test_both_engines_answer_alike(elasticsearch_url: str, new_name: Callable[[], str], tmp_path: Path) -> None:
    questions = tmp_path / "q.tsv"
    questions.write_text("".join("\t".join(row) + "\n" for row in QUESTIONS), "utf-8")
    files = sample_collection(tmp_path)
    runs, traces = [], []
    for number, address in enumerate((str(tmp_path / "index"), f"{elasticsearch_url}/{new_name()}")):
        index.main(["datasets", *files, "--index", address], standalone_mode=False)
        run, trace = tmp_path / f"{number}.tsv", tmp_path / f"{number}.jsonl"
        options = ["--index", address, "-o", str(run), "--trace", str(trace)]
        answer.main(["datasearch-qa", str(questions), *options], standalone_mode=False)
        runs.append(run.read_bytes())
        traces.append([json.loads(line) for line in trace.read_text("utf-8").splitlines()][1:])
    assert runs[0] == runs[1]
    assert traces[0] == traces[1]
