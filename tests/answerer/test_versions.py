"""A trace names the packages that were loaded to answer, and no others but those of the
language."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.trace import read_trace
from indexer.__main__ import main as indexer
from indexer.languages.registry import LANGUAGES
from tests.places import SAMPLES

pytestmark = pytest.mark.process

LOADED = """
import json, runpy, sys
before = {name.partition(".")[0] for name in sys.modules}
sys.argv = ["answerer", *sys.argv[1:]]
try:
    runpy.run_module("answerer", run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
after = {name.partition(".")[0] for name in sys.modules}
print(json.dumps([sorted(after - before), sorted(after)]))
"""
# The command line, a search for whole names, how many threads compute: no version answers
# otherwise.
NOT_NAMED = {"click", "pyahocorasick", "threadpoolctl"}

RUNS = {
    "exam": ["ntcir-mc", "sample-exam-en.xml", "--index", "book/"],
    "exam, slqal": ["ntcir-mc", "sample-exam-en.xml", "--method", "slqal", "--index", "book/"],
    "exam, rank-bm25": [
        "ntcir-mc",
        "sample-exam-en.xml",
        "--method",
        "rank-bm25",
        "--index",
        "book/",
    ],
    "sheet": ["ntcir-sheet", "sheet-en.xml", "--index", "book/"],
    "terms": ["ntcir-term", "term-en.xml", "--index", "book/"],
    "extraction": ["ntcir-extraction", "essay-en.xml", "--index", "book/"],
    "essays without the program": [
        "ntcir-essay",
        "essay-en.xml",
        "--method",
        "keywords-first",
        "--index",
        "book/",
    ],
    "sentences": ["nlpcc-dbqa", "dbqa.test.txt"],
    "tables": ["nlpcc-tbqa", "tbqa.test.txt"],
    "facts": ["nlpcc-kbqa", "kbqa-zh.txt", "--index", "facts/"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample textbook and one of the sample facts."""
    folder = tmp_path_factory.mktemp("versions")
    for kind, corpus, name in (
        ("textbook", "textbook-en.jsonl", "book"),
        ("triples", "triples-zh.kb", "facts"),
    ):
        done = CliRunner().invoke(
            indexer, [kind, str(SAMPLES / corpus), "--index", f"{folder / name}/"]
        )
        assert done.exception is None, done.exception
    return folder


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_the_packages_loaded_are_named(folder: Path, tmp_path: Path, words: list[str]) -> None:
    task, file, *rest = words
    command = [sys.executable, "-c", LOADED, task, str(SAMPLES / file), *rest]
    outputs = ["-o", str(tmp_path / "run"), "--trace", str(tmp_path / "trace")]
    done = subprocess.run(
        [*command, *outputs],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    of_module = packages_distributions()
    depended = {re.match(r"[\w.-]+", one)[0] for one in requires("classical-qa") or ()}  # type: ignore[index]
    written = {
        name.lower(): name for name in depended
    }  # some are installed in other letters, as PyYAML
    ours, all_loaded = (
        {
            written[name.lower()]
            for module in modules
            for name in of_module.get(module, ())
            if name.lower() in written
        }
        for modules in json.loads(done.stdout)
    )
    header, _ = read_trace(tmp_path / "trace")
    named = header["versions"].keys() - {"classical-qa", "python"}
    assert ours - NOT_NAMED <= named
    assert named - all_loaded <= set(LANGUAGES[header["language"]].packages)
