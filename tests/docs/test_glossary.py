"""Every feature in the traces of the samples is described in plain words, which the glossary links
to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from answerer.page.drawn import parts
from answerer.registry import tasks
from tests.places import SAMPLES
from tests.programs import done


def features(value: Any) -> Iterator[str]:
    """The names of all features inside a part of a trace: keys whose values are numbers, under
    `features` or below it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _names(inner) if key == "features" else features(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from features(inner)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "names" and isinstance(inner, dict):
                for of_name in inner.values():
                    yield from of_name
            elif isinstance(inner, int | float):
                yield key
            elif key not in ("events", "pairs"):
                yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


def undescribed(task: str, names: set[str]) -> list[str]:
    """The features that are described by nothing but their own name."""
    words = {name: parts(tasks()[task], {name: 1.0})[0].words for name in names}
    return sorted(name for name in names if words[name] == name)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexes") / "textbook"
    terms = ["--terms", str(SAMPLES / "glossary-en.csv")]
    done("indexer", "textbook", SAMPLES / "textbook-en.jsonl", *terms, "--index", folder)
    return folder


@pytest.mark.process
@pytest.mark.parametrize(
    ("task", "file"),
    [
        ("ntcir-mc", "sample-exam-en.xml"),
        ("ntcir-essay", "essay-en.xml"),
        ("selqa", "selqa.dev.json"),
        ("nlpcc-dbqa", "dbqa.dev.txt"),
        ("nlpcc-tbqa", "tbqa.dev.txt"),
    ],
)
def test_every_feature_of_a_trace_is_described(
    task: str, file: str, index: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    asked = ["--index", str(index)] if task.startswith("ntcir") else []
    out = ["-o", str(tmp_path / "o"), "--trace", str(trace)]
    done("answerer", task, SAMPLES / file, *asked, *out)
    lines = trace.read_text("utf-8").splitlines()
    names = {name for line in lines for name in features(json.loads(line))}
    assert names
    assert undescribed(task, names) == []


def test_a_feature_without_words_is_named() -> None:
    assert undescribed("ntcir-mc", {"bm25_sentence", "bm_25"}) == ["bm_25"]
