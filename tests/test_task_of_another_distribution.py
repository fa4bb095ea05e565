"""A task of another distribution, found by its entry point: every program knows it, and no line of
ours says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.process

DISTRIBUTION = ROOT / "tests/last_word"
LINES = "last word: who built it\nwhen was that\n"
SERVED = """
import base64, json, sys
from pathlib import Path
from answerer.serve.requests import api_description, read_request
from answerer.serve.worker import do_work
file = {"name": "lines.txt", "content": base64.b64encode(Path("lines.txt").read_bytes()).decode()}
asked = read_request(json.dumps({"file": file, "evidence": True}).encode(), [])
reply = do_work(asked, Path("own"))
enum = api_description()["components"]["schemas"]["File"]["properties"]["task"]["enum"]
print(enum[-1], reply["task"], base64.b64decode(reply["submission"]["content"]).decode())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lines.txt").write_text(LINES, "utf-8")
    (tmp_path / "gold.xml").write_text("<words>it when</words>", "utf-8")
    (tmp_path / "right.xml").write_text("<words>it when</words>\n", "utf-8")
    run(tmp_path, "answerer", "last-word", "lines.txt", "-o", "run.xml", "--trace", "run.jsonl")
    return tmp_path


def run(folder: Path, *words: str) -> str:
    """What `python -m WORDS...` prints with the distribution on the path; fails unless it ends
    well."""
    return python(folder, "-m", *words)


def python(folder: Path, *words: str, place: Path | None = None) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{DISTRIBUTION}{os.pathsep}{os.environ['PYTHONPATH']}",
    }
    command = [sys.executable, *words]
    done = subprocess.run(
        command, cwd=place or folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_programs_list_it(folder: Path) -> None:
    assert "The last word of a line." in run(folder, "answerer", "--help")
    assert "The share of right words." in run(folder, "evaluation", "--help")


def test_its_runs_are_checked(folder: Path) -> None:
    assert run(folder, "answerer", "check", "lines.txt", "run.xml") == ""


def test_its_runs_are_submitted(folder: Path) -> None:
    run(folder, "answerer", "submit", "run.xml", "--team", "T", "-o", "tree")
    assert (folder / "tree/phase1/words/run1/lines_T_words_01.xml").exists()


def test_its_runs_are_scored_and_compared(folder: Path) -> None:
    scored = run(folder, "evaluation", "last-word", "gold.xml", "run.xml", "--format", "jsonl")
    assert json.loads(scored) == {
        "measure": "right",
        "value": 1 / 2,
        "standard error": 0.5,
        "questions": 2,
    }
    compared = run(
        folder,
        "evaluation",
        "compare",
        "last-word",
        "gold.xml",
        "run.xml",
        "right.xml",
        "--format",
        "tsv",
    )
    assert [line.split("\t")[2] for line in compared.splitlines()] == ["mean", "0.5", "1.0"]


def test_its_traces_are_explained_in_its_words(folder: Path) -> None:
    said = run(folder, "evaluation", "explain", "run.jsonl", "--gold", "gold.xml")
    assert "1 of 2 right" in said
    assert "how late it comes in the line +4.00" in said


def test_its_runs_are_reported_in_its_words(folder: Path) -> None:
    run(
        folder,
        "evaluation",
        "report",
        "last-word",
        "gold.xml",
        "run.xml",
        "--trace",
        "run.jsonl",
        "-o",
        "page.html",
    )
    assert "how late it comes in the line" in (folder / "page.html").read_text("utf-8")


def test_the_live_page_recognises_and_answers_its_files(folder: Path) -> None:
    assert python(folder, "-c", SERVED) == "last-word last-word <words>it that</words>\n"


def test_python_answers_and_scores_it(folder: Path) -> None:
    script = "from answerer import answer; from evaluation import score; r = answer('last-word', 'lines.txt')"
    shown = python(
        folder, "-c", f"{script}; print(r.text, score('last-word', 'gold.xml', r).rows[0]['value'])"
    )
    assert shown == "<words>it that</words> 0.5\n"


def test_the_docs_test_reads_its_page(folder: Path) -> None:
    words = [
        "-m",
        "pytest",
        "-n0",
        "-p",
        "no:cacheprovider",
        "tests/docs/test_commands.py",
        "-k",
        "last-word",
    ]
    assert ".." in python(folder, *words, place=ROOT)
