"""What goes wrong between a running answerer and its server: asked again, or told in one line;
nothing half written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from elasticsearch import Elasticsearch

from answerer.__main__ import main as answerer
from indexer.__main__ import main as indexer
from indexer.cli.program import status_of
from indexer.engines import connection
from tests.conftest import delete_indexes
from tests.faults.proxy import (
    Answer,
    Ask,
    Harm,
    Proxy,
    away,
    cut,
    lost,
    one_part_failed,
    proxy,
    refused,
    too_many,
)
from tests.places import SAMPLES

pytestmark = pytest.mark.process

BOOK = str(SAMPLES / "textbook-en.jsonl")
EXAM = str(SAMPLES / "sample-exam-en.xml")
WAYS = {"slqal": "_msearch", "names": ".names.1/_search"}  # methods, and how they ask
OLD = b"the submission of before"


class Sample(NamedTuple):
    """The sample textbook on the server, and what the embedded engine answers to the sample
    exam."""

    name: str
    expected: dict[str, bytes]


def build(address: str) -> None:
    assert status_of(indexer, "indexer", ["textbook", BOOK, "--index", address]) == 0


def answered(index: str, place: Path, method: str = "slqal") -> int:
    """The exit status of answering the exam to a file that holds an older submission."""
    place.write_bytes(OLD)
    options = ["--index", index, "--method", method, "-o", str(place)]
    return status_of(answerer, "answerer", ["ntcir-mc", EXAM, *options])


@pytest.fixture(scope="module")
def sample(
    elasticsearch_url: str, new_name: Callable[[], str], tmp_path_factory: pytest.TempPathFactory
) -> Sample:
    folder = tmp_path_factory.mktemp("sample")
    name = new_name()
    build(f"{elasticsearch_url}/{name}")
    build(f"{folder}/index")
    for method in WAYS:
        assert answered(f"{folder}/index", folder / method, method) == 0
    return Sample(name, {method: (folder / method).read_bytes() for method in WAYS})


@pytest.fixture
def harmful(elasticsearch_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    monkeypatch.setattr(connection, "FIRST_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(connection, "LONGEST_WAIT_SECONDS", 0.05)
    with proxy(elasticsearch_url) as made:
        yield made


@pytest.mark.parametrize(
    ("method", "harm"),
    [(method, harm) for method in WAYS for harm in (too_many, cut, lost, away)]
    + [("slqal", one_part_failed)],
)
def test_what_passes_is_asked_again(
    sample: Sample,
    harmful: Proxy,
    tmp_path: Path,
    method: str,
    harm: Harm,
    capfd: pytest.CaptureFixture[str],
) -> None:
    harmful.where, harmful.harms = WAYS[method], [harm] * 5
    assert answered(f"{harmful.url}/{sample.name}", tmp_path / "run.xml", method) == 0
    assert harmful.harms == []
    assert (tmp_path / "run.xml").read_bytes() == sample.expected[method]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("harm", [too_many, cut, one_part_failed])
def test_what_does_not_pass_ends_in_one_line(
    sample: Sample,
    harmful: Proxy,
    tmp_path: Path,
    harm: Harm,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "RETRY_SECONDS", 0.3)
    harmful.harms = [harm] * 1_000
    assert_one_line(harmful, sample, tmp_path, capfd, "; waited for ")


def test_what_cannot_pass_is_not_asked_again(
    sample: Sample, harmful: Proxy, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def expired(path: str, ask: Ask) -> Answer:
        return refused(401, {"type": "security_exception", "reason": "no"})

    harmful.harms = [expired]
    assert_one_line(
        harmful, sample, tmp_path, capfd, "refused the credentials (status 401; sent: none)"
    )
    assert len([path for path in harmful.asked if "_msearch" in path]) == 1


@pytest.mark.parametrize("fate", ["deleted", "replaced"])
def test_an_index_that_goes_under_a_running_answerer(
    elasticsearch_url: str,
    harmful: Proxy,
    unique_name: str,
    tmp_path: Path,
    fate: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    address = f"{elasticsearch_url}/{unique_name}"
    build(address)

    def goes(path: str, ask: Ask) -> Answer:
        if fate == "deleted":
            delete_indexes(elasticsearch_url, [unique_name])
        else:
            build(address)
        return ask()

    harmful.harms = [goes]
    capfd.readouterr()
    place = tmp_path / "run.xml"
    assert answered(f"{harmful.url}/{unique_name}", place) == 2
    (line,) = [line for line in capfd.readouterr().err.splitlines() if line.startswith("error")]
    assert "was deleted or replaced while it was in use: give the command again" in line
    assert [place.read_bytes(), [path.name for path in tmp_path.iterdir()]] == [OLD, ["run.xml"]]


def test_a_build_whose_last_answer_is_lost_is_in_place_once(
    elasticsearch_url: str, harmful: Proxy, unique_name: str, tmp_path: Path, sample: Sample
) -> None:
    """Every request of a build is lost once, that which swaps the index in too: nothing is doubled,
    nothing missing."""
    ways = ["_bulk", "_mapping", "_aliases", f"{unique_name}.sentences.4", f"{unique_name}.names.5"]
    for where in ways:
        harmful.where, harmful.harms = where, [lost]
        build(f"{harmful.url}/{unique_name}")
        assert harmful.harms == []
    assert answered(f"{elasticsearch_url}/{unique_name}", tmp_path / "run.xml") == 0
    assert (tmp_path / "run.xml").read_bytes() == sample.expected["slqal"]
    with Elasticsearch(elasticsearch_url) as client:
        indexes = client.indices.get(index=f"{unique_name}*", expand_wildcards="all")
    assert sorted(indexes) == [
        f"{unique_name}.{part}.5" for part in ("names", "paragraphs", "sentences")
    ]


def assert_one_line(
    harmful: Proxy, sample: Sample, folder: Path, capfd: pytest.CaptureFixture[str], said: str
) -> None:
    """The answerer ends with status 2 and one line of error; the submission of before stays as it
    was."""
    capfd.readouterr()
    place = folder / "run.xml"
    assert answered(f"{harmful.url}/{sample.name}", place) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert len([line for line in err.splitlines() if line.startswith("error")]) == 1
    assert said in err
    assert "Traceback" not in err
    assert [place.read_bytes(), [path.name for path in folder.iterdir()]] == [OLD, ["run.xml"]]
