"""A light start: `--help` loads no heavy module, a command none of another task, corpus kind or
language, and Python no command line; told by module names, not by the clock."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from answerer.registry import tasks
from evaluation.registry import BUILT_IN
from evaluation.registry import tasks as scored_tasks
from indexer.registry import SOURCES
from tests.places import SAMPLES
from tests.programs import run

pytestmark = pytest.mark.process

HEAVY = {
    "numpy",
    "scipy",
    "lxml",
    "elasticsearch",
    "jieba",
    "rjieba",
    "python_calamine",
    "rank_bm25",
}
SCRIPT = """import sys, runpy
sys.argv = sys.argv[1:]
try:
    runpy.run_module(sys.argv[0], run_name='__main__')
except SystemExit as end:
    assert not end.code
"""
READERS = {
    f"indexer.sources.textbook.{name}" for name in ("passages", "markup", "pages", "wikipedia")
}


def loaded(folder: Path, *words: object) -> set[str]:
    """The modules that `python -m WORDS...` has loaded at its end, without what the environment
    loads into every program."""
    return _loaded(folder, SCRIPT, *map(str, words))


def _loaded(folder: Path, script: str, *words: str) -> set[str]:
    command = [
        sys.executable,
        "-c",
        f"import sys; before = set(sys.modules); {script}\n"
        "print(*set(sys.modules) - before, file=open('loaded', 'w'))",
        *words,
    ]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return set((folder / "loaded").read_text("utf-8").split())


def within(modules: set[str], *packages: str) -> set[str]:
    return {one for one in modules for package in packages if f"{one}.".startswith(f"{package}.")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    loaded(folder, "indexer", "textbook", SAMPLES / "textbook-en.jsonl", "--index", "./ix")
    return folder


@pytest.mark.parametrize("module", ["indexer", "retriever", "answerer", "evaluation"])
def test_help_loads_no_heavy_module(tmp_path: Path, module: str) -> None:
    modules = loaded(tmp_path, module, "--help")
    assert module in modules
    assert not {name.split(".")[0] for name in modules} & HEAVY


@pytest.mark.parametrize(
    ("module", "registry"),
    [("indexer", SOURCES), ("answerer", tasks()), ("evaluation", scored_tasks())],
)
def test_help_lists_every_registered_command(module: str, registry: Iterable[str]) -> None:
    said = run(module, "--help").out
    assert all(name in said for name in registry)


def test_a_search_loads_no_reader_of_textbooks(folder: Path) -> None:
    modules = loaded(folder, "retriever", "./ix", "Who built the Taj Mahal?")
    assert not within(modules, "indexer.sources")
    assert not modules & {
        *READERS,
        "indexer.ingest_report",
        "indexer.analysis.japanese",
        "indexer.analysis.chinese",
    }


def test_a_search_from_python_loads_no_command_line(folder: Path) -> None:
    script = "from retriever import open_index; open_index('./ix').search('Who built it?')"
    modules = _loaded(folder, script)
    assert not within(modules, "click", "indexer.cli", *READERS)


def test_a_build_from_python_loads_no_command_line(folder: Path) -> None:
    script = "from indexer import build_textbook; build_textbook([{'text': 'Rome fell.'}], './py', language='en')"
    modules = _loaded(folder, script)
    assert not within(modules, "indexer.cli.program", "indexer.cli.groups")


@pytest.mark.parametrize("face", ["indexer", "retriever", "answerer", "evaluation"])
def test_no_face_loads_click(folder: Path, face: str) -> None:
    assert "click" not in _loaded(folder, f"import {face}")


def test_slqal_loads_no_other_task_and_no_other_method(folder: Path) -> None:
    exam = SAMPLES / "sample-exam-en.xml"
    modules = loaded(
        folder,
        "answerer",
        "ntcir-mc",
        exam,
        "--method",
        "slqal",
        "--index",
        "./ix",
        "-o",
        "run.xml",
    )
    others = [
        f"answerer.{name}"
        for name in ("nlpcc", "selqa", "datasearch", "ntcir.term", "ntcir.essay", "page")
    ]
    methods = [
        f"answerer.ntcir.multiple_choice.{name}"
        for name in ("names.judgement", "names.method", "validation.features", "validation.method")
    ]
    assert (
        within(modules, *others, *methods, *READERS, "evaluation", "indexer.analysis.japanese")
        == set()
    )


def test_scoring_loads_no_other_task(folder: Path) -> None:
    gold = SAMPLES / "selqa.dev.json"
    loaded(folder, "answerer", "selqa", gold, "-o", "out.json")
    modules = loaded(folder, "evaluation", "selqa", gold, "out.json")
    scored = {one.rpartition(".")[2] for one in within(modules, "evaluation.tasks")}
    assert "selqa" in scored
    assert not scored & {name.replace("-", "_") for name in BUILT_IN if name != "selqa"}
    assert (
        within(modules, "answerer.ntcir", "answerer.nlpcc", "answerer.datasearch", "answerer.page")
        == set()
    )


def test_ranking_english_loads_no_index_and_no_other_language(folder: Path) -> None:
    modules = loaded(folder, "answerer", "selqa", SAMPLES / "selqa.test.json", "-o", "out.json")
    assert (
        within(
            modules,
            "answerer.ntcir",
            "answerer.nlpcc",
            "answerer.datasearch",
            "answerer.page",
            *READERS,
        )
        == set()
    )
    assert not modules & {
        "indexer.engines.elasticsearch",
        "indexer.analysis.japanese",
        "indexer.analysis.chinese",
    }
