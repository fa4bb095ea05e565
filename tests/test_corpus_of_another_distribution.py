"""A kind of corpus of another distribution, found by its entry points: it is indexed, searched, asked
and served, and no line of ours says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ANSWERS = '''
"""The year of a proverb."""

from answerer.asking.replies import Answer, Reply, Source
from indexer.languages.english import ENGLISH
from retriever.queries import union_query


def ask_year(question, index, k, evidence):
    """The year of the proverb that a question quotes."""
    query = union_query(ENGLISH.analyser().terms(question))
    answers = []
    for hit in index.part().search([query], k)[0]:
        document = hit.document
        source = Source(document.doc_id, "", document.text)
        answers.append(Answer(document.keys["year"][0], hit.score, "", (source,)))
    return Reply(index.address, "proverbs", tuple(answers))
'''
ENTRY_POINTS = """[classical_qa.corpora]
proverbs = tests.indexer.sources.proverbs

[classical_qa.asking]
proverbs = year_of:ask_year
"""
PROVERBS = "1546\tTwo heads are better than one.\n1616\tThe early bird has the worm.\n"
SERVED = """
import json
from pathlib import Path
from answerer.serve.requests import api_description, read_request
from answerer.serve.worker import do_work
from answerer.serve.served import Served
index = Served("indexes/proverbs", "indexes/proverbs", "proverbs", "en")
asked = read_request(json.dumps({"question": "Who is the early bird?"}).encode(), [index])
reply = do_work(asked, Path("own"))
kinds = api_description()["components"]["schemas"]["Reply"]["properties"]["kind"]["enum"]
print(kinds[-1], reply["kind"], reply["answers"][0]["text"])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    metadata = tmp_path / "year_of-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: year-of\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "year_of.py").write_text(ANSWERS)
    (tmp_path / "p.tsv").write_text(PROVERBS)
    python(tmp_path, "-m", "indexer", "proverbs", "p.tsv")
    return tmp_path


def python(folder: Path, *words: str) -> str:
    """What a program prints with the distribution on the path; fails unless it ends well."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{os.environ['PYTHONPATH']}"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_corpus_kind_is_listed_searched_asked_and_served(folder: Path) -> None:
    assert "Index proverbs" in python(folder, "-m", "indexer", "proverbs", "--help")
    assert "proverbs" in python(folder, "-m", "indexer", "--help")
    hits = python(folder, "-m", "retriever", "proverbs", "early birds")
    assert hits.splitlines()[0].endswith("The early bird has the worm.")
    asked = ("-m", "answerer", "ask", "Who is the early bird?", "--index", "proverbs")
    reply = json.loads(python(folder, *asked, "--format", "jsonl"))
    assert (reply["kind"], reply["answers"][0]["text"]) == ("proverbs", "1616")
    assert python(folder, "-c", SERVED) == "proverbs proverbs 1616\n"
