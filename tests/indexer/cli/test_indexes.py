"""Indexes are listed, described, removed and added to; those of another analysis, and wrong names,
are refused."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import indexer.address
from indexer.address import SERVER_VARIABLE
from indexer.engines.contract import Document, Metadata, Part
from indexer.engines.opening import builder_for
from indexer.languages.english import ENGLISH
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


def interrupted(address: str, *, rebuild: bool = False) -> None:
    """A build that ended half way, as a killed one does."""
    settings = {"unit": "paragraph"} if rebuild else {}
    sentences = Part("sentences", ("text",))
    writer = builder_for(address).build(
        address, Metadata("textbook", (sentences,), ENGLISH, settings, (("a", 1), ("b", 1)))
    )
    writer.add("sentences", [Document("a-1", "word", {"text": ["word"]})])
    del writer  # with its lock, as when its process ends


def test_what_a_killed_first_build_left_is_listed_and_removed(here: Path) -> None:
    interrupted("listed-half")
    assert listed()["listed-half"].split()[1] == "unfinished"
    assert "its build was interrupted" in refused("indexer", "info", "listed-half")
    done("indexer", "remove", "listed-half")
    assert "listed-half" not in listed()
    assert not list(here.rglob("*listed-half*"))
    assert "listed-half" in refused("indexer", "remove", "listed-half")
    assert "listed-book" in listed()


def test_an_index_in_a_folder_of_any_name_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done("indexer", "textbook", BOOKS[0], "--index", "indexes/World-History", "--no-names")
    assert listed()["World-History"].split()[1:3] == ["textbook", "en"]


def test_an_index_that_cannot_be_read_is_listed_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "indexes" / "torn" / "metadata.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    reason = f"the index indexes/torn is damaged ({path.relative_to(tmp_path)} is not JSON)"
    assert listed()["torn"].split()[1] == "unreadable"
    assert listed()["torn"].endswith(f"{reason}: build it again")


def test_names_of_wide_characters_leave_the_columns_in_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("世界史", "torn"):
        (folder := tmp_path / "indexes" / name).mkdir(parents=True)
        (folder / "metadata.json").write_text("{")
    assert listed()["世界史"].startswith("世界史  unreadable")
    assert listed()["torn"].startswith("torn    unreadable")


def test_an_index_whose_next_build_was_killed_says_so(here: Path) -> None:
    interrupted("listed-book", rebuild=True)
    assert listed()["listed-book"].endswith("a build is not finished")
    done("indexer", "remove", "listed-book")
    assert not list(here.rglob("*listed-book*"))


def test_a_missing_index_is_told_by_its_whole_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"no index at {tmp_path}/indexes/missing: " in refused("retriever", "missing", "Rome")
    assert f"no index at {tmp_path}/x/missing: " in refused("retriever", "x/missing", "Rome")
    assert f"no index in {tmp_path}/indexes" in done("indexer", "list").err


def test_a_server_that_answers_is_mentioned_where_no_address_is_set(
    elasticsearch_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server = urlsplit(elasticsearch_url)
    monkeypatch.setattr(indexer.address, "LOCAL_SERVER", (server.hostname, server.port))
    address = f"ELASTICSEARCH_URL=http://{server.hostname}:{server.port}"
    assert address in refused("retriever", "missing", "Rome")
    assert address in done("indexer", "list").err
    # A folder was asked for, not a name.
    assert address not in refused("retriever", "x/missing", "Rome")


def test_what_hangs_or_is_no_elasticsearch_is_not_mentioned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(indexer.address, "LOCAL_SERVER", silent.getsockname())
        assert "an Elasticsearch answers" not in refused("retriever", "missing", "Rome")
    assert "an Elasticsearch answers" not in refused("retriever", "missing", "Rome")
