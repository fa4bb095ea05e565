"""A run of 100,000 marks inside a question takes time in proportion to its length, in every
task."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.long_runs import ASKED, INDEXES, MARKS, file_of
from indexer.analysis.text import LONGEST, without_long_runs
from tests.places import SAMPLES

pytestmark = pytest.mark.process

SECONDS = 20  # of the processor; work with the square of the length took minutes
RUN = 100_000
WORST = [
    ("datasearch-qa", "digits"),
    ("nlpcc-kbqa", "commas"),
    ("ntcir-essay ja", "digits"),
    ("ntcir-essay en", "digits"),
    ("ntcir-mc names ja", "kana"),
    ("ntcir-mc slqal en", "digits"),
    ("ntcir-term ja", "digits"),
]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """One of our programs, ended where it takes more than its seconds."""
    limited = ["sh", "-c", f'ulimit -t {SECONDS}; exec "$@"', "sh", sys.executable, "-m", *command]
    return subprocess.run(limited, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The samples' indexes."""
    folder = tmp_path_factory.mktemp("indexes")
    for name, (kind, *files) in INDEXES.items():
        run(
            "indexer", kind, *(str(SAMPLES / file) for file in files), "--index", str(folder / name)
        )
    return {name: str(folder / name) for name in INDEXES}


@pytest.mark.parametrize(("task", "mark"), WORST)
def test_a_long_run_is_answered(
    tmp_path: Path, indexes: dict[str, str], task: str, mark: str
) -> None:
    command, file, shape = ASKED[task]
    path = tmp_path / file
    path.write_text(file_of(shape).replace("%", MARKS[mark] * RUN), "utf-8")
    words = [word.format(**indexes) for word in command.split()]
    # A mark that is no word of the index finds nothing, which is an error unless it is allowed.
    allowed = ["--allow-unanswered"] if "--index" in words else []
    done = run("answerer", *words, str(path), *allowed)
    assert (done.returncode, done.stderr.count(f" {LONGEST} ") > 0) == (0, True), done.stderr


def test_a_run_is_cut_and_told(caplog: pytest.LogCaptureFixture) -> None:
    assert without_long_runs("in " + "7" * 501 + " or " + "ア" * 600, "question 3") == (
        "in " + "7" * 500 + " or " + "ア" * 500
    )
    assert caplog.messages == [
        "question 3: a run of more than 500 marks of one kind; its first 500 are read"
    ]


@given(st.text(max_size=LONGEST))
def test_what_is_no_longer_stays_as_it_is(text: str) -> None:
    assert without_long_runs(text, "question 1") == text
