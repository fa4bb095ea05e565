"""Indexes are listed, described, removed and added to; those of another analysis, and wrong names,
are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.location import SERVER_VARIABLE
from tests.places import SAMPLES
from tests.programs import done, refused

BOOKS = [SAMPLES / "textbook-en.jsonl", SAMPLES / "selqa.dev.json"]


@pytest.fixture(params=["embedded", "elasticsearch"])
def here(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with an index `book` of the sample's paragraphs on one of the
    engines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLASSICAL_QA_INDEXES", str(tmp_path / "kept"))
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    if request.param == "elasticsearch":
        server = request.getfixturevalue("elasticsearch_address").rpartition("/")[0]
        monkeypatch.setenv(SERVER_VARIABLE, server)
    done(
        "indexer",
        "textbook",
        BOOKS[0],
        "--index",
        "listed-book",
        "--unit",
        "paragraph",
        "--no-names",
        "--replace",
    )
    return tmp_path


def listed() -> dict[str, str]:
    """The line of each index."""
    return {line.partition(" ")[0]: line for line in done("indexer", "list").out.splitlines()}


def test_an_index_is_listed_described_and_removed(here: Path) -> None:
    assert listed()["listed-book"].split()[1:4] == ["textbook", "en", "41"]
    about = json.loads(done("indexer", "info", "listed-book").out)
    assert (about["settings"]["unit"], about["sources"][0][0]) == ("paragraph", str(BOOKS[0]))
    assert "listed-book" in refused("retriever", "no-such-book", "Rome")
    done("indexer", "remove", "listed-book")
    assert "listed-book" not in listed()
    assert "listed-book" in refused("indexer", "remove", "listed-book")


def test_an_index_of_another_analysis_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    done("indexer", "textbook", BOOKS[0], "--index", "old", "--no-names")
    path = tmp_path / "indexes" / "old" / "metadata.json"
    stored = json.loads(path.read_text())
    stored["settings"]["analysis"] -= 1
    path.write_text(json.dumps(stored))
    assert "another version of the analysis of textbook" in refused("retriever", "old", "Rome")
    assert listed()["old"].endswith("of another version: build it again")
