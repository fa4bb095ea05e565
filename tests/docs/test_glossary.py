"""Every feature in the traces of the samples is in the glossary, and every ranking feature of the
glossary exists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from answerer.models import MODELS
from answerer.ranked import METHODS
from retriever.learning.model import read_model
from tests.docs.pages import text_of
from tests.places import SAMPLES
from tests.programs import run

ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def entries(heading: str) -> list[str]:
    """The names in code in the first cells of a section's tables, as patterns."""
    section = text_of("docs/glossary.md").split(f"## Features: {heading}\n")[1].split("\n## ")[0]
    return [
        name.replace("…", "*")
        for cell in ROW.findall(section)
        for name in re.findall(r"`([^`]+)`", cell)
    ]


def signals(value: Any) -> Iterator[str]:
    """The names of all signals inside a part of a trace: keys whose values are numbers, under
    `signals` or below it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _names(inner) if key == "features" else signals(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from signals(inner)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "names" and isinstance(inner, dict):
                for own in inner.values():
                    yield from own
            elif key == "events" or isinstance(inner, int | float):
                yield key
            else:
                yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


def of_trace(path: Path) -> set[str]:
    found = {
        name for line in path.read_text("utf-8").splitlines() for name in signals(json.loads(line))
    }
    assert found, f"{path} shows no signal"
    return found


def explained(name: str, known: list[str]) -> bool:
    base = name.split(" & ")[0].removeprefix("matrix ").removeprefix("crossed ")
    return base in ("score", "sum", "rest", "weight") or any(
        fnmatchcase(base, pattern) for pattern in known
    )


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One index of each kind that a task asks."""
    folder = tmp_path_factory.mktemp("indexes")
    for kind, *files in (
        ("textbook", "textbook-en.jsonl", "--terms", str(SAMPLES / "glossary-en.csv")),
        ("triples", "triples-zh.kb"),
        ("datasets", "datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"),
    ):
        names = [str(SAMPLES / name) if (SAMPLES / name).exists() else name for name in files]
        assert run("indexer", kind, *names, "--index", str(folder / kind)).status == 0
    return folder


@pytest.mark.process
@pytest.mark.parametrize(
    ("heading", "task", "file", "kind"),
    [
        ("multiple choice", "ntcir-mc", "sample-exam-en.xml", "textbook"),
        ("term questions", "ntcir-term", "term-en.xml", "textbook"),
        ("essays", "ntcir-essay", "essay-en.xml", "textbook"),
        ("essays", "ntcir-extraction", "essay-en.xml", "textbook"),
        ("ranking", "selqa", "selqa.dev.json", ""),
        ("ranking", "nlpcc-dbqa", "dbqa.dev.txt", ""),
        ("ranking", "nlpcc-tbqa", "tbqa.dev.txt", ""),
        ("knowledge base", "nlpcc-kbqa", "kbqa-zh.txt", "triples"),
        ("Data Search", "datasearch-qa", "datasearch-questions.tsv", "datasets"),
    ],
)
def test_every_signal_of_a_trace_is_explained(
    heading: str, task: str, file: str, kind: str, indexes: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    index = ["--index", str(indexes / kind)] if kind else []
    ended = run(
        "answerer",
        task,
        str(SAMPLES / file),
        *index,
        "-o",
        str(tmp_path / "o"),
        "--trace",
        str(trace),
    )
    assert ended.status == 0, ended.err
    known = entries(heading)
    assert sorted(name for name in of_trace(trace) if not explained(name, known)) == []


def test_every_signal_of_ranking_that_the_glossary_explains_is_one() -> None:
    models = [
        read_model(MODELS / f"{task}.json", task) for task in ("selqa", "nlpcc-dbqa", "nlpcc-tbqa")
    ]
    names = [name.split(" | ")[0] for model in models for name in model.feature_names]
    listed = [name for name in entries("ranking") if name not in METHODS]
    assert [
        pattern for pattern in listed if not any(fnmatchcase(name, pattern) for name in names)
    ] == []


def test_a_name_that_the_glossary_lacks_is_told() -> None:
    assert explained("op max & highest", ["op *"])
    assert not explained("opmax", ["op *"])
