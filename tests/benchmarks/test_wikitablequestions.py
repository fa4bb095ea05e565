"""WikiTableQuestions as released: which questions are a cell's, and that all of them are
counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import wikitablequestions as wtq

pytestmark = pytest.mark.process

TABLE = '"Year","Winner"\n"1990","Ada \\"Ace\\" Brand"\n"1991","Ben Carr"\n"1992","Cyd Dole"\n'
QUESTIONS = """id	utterance	context	targetValue
nu-0	who won in 1991?	csv/1-csv/0.csv	Ben Carr
nu-1	how many times did someone win?	csv/1-csv/0.csv	7
nu-2	who won in 1990?	csv/1-csv/0.csv	Ada "Ace" Brand
nu-3	who won in 1990 and 1992?	csv/1-csv/0.csv	Ada "Ace" Brand|Cyd Dole
"""


@pytest.fixture
def release(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "csv" / "1-csv").mkdir(parents=True)
    (tmp_path / "csv" / "1-csv" / "0.csv").write_text(TABLE, "utf-8")
    (tmp_path / "data" / "pristine-unseen-tables.tsv").write_text(QUESTIONS, "utf-8")
    return tmp_path


def answered(release: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "wikitablequestions.py"), str(release)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_fields_are_unescaped() -> None:
    assert wtq.unescaped(r"a\nb\pc\\n") == "a\nb|c\\n"


def test_tables_escape_quotes_by_a_backslash(release: Path) -> None:
    assert wtq.read_table(release / "csv" / "1-csv" / "0.csv")[1] == ["1990", 'Ada "Ace" Brand']


def test_a_question_is_a_cells_where_its_one_answer_stands_below_the_headings(
    release: Path,
) -> None:
    table = wtq.read_table(release / "csv" / "1-csv" / "0.csv")
    asked = wtq.read_questions(release / "data" / "pristine-unseen-tables.tsv")
    assert [wtq.is_of_a_cell(one, table) for one in asked] == [True, False, True, False]
    assert asked[3].answers == ('Ada "Ace" Brand', "Cyd Dole")
    assert not wtq.is_of_a_cell(asked[0]._replace(answers=("Winner",)), table)


def test_questions_that_are_no_cells_count_as_wrong(release: Path) -> None:
    done = answered(release)
    assert done.returncode == 0, done.stderr
    assert [line.split("\t")[:3] for line in done.stdout.splitlines()] == [
        ["asked", "questions", "exact match"],
        ["answer is a cell", "2", "1.0000"],
        ["all", "4", f"{2 / 4:.4f}"],
    ]


def test_another_file_is_one_line(release: Path) -> None:
    path = release / "data" / "pristine-unseen-tables.tsv"
    path.write_text("a\tb\n", "utf-8")
    done = answered(release)
    assert (done.returncode, done.stderr) == (
        2,
        f"error: {path}:1: expected the columns id, utterance, context, targetValue\n",
    )
