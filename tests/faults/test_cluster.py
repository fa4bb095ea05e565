"""Three nodes with security and TLS: who is let in, and what a run sees of nodes that are killed or
started anew."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from answerer.__main__ import main as answerer
from evaluation.__main__ import main as evaluation
from indexer.__main__ import main as indexer
from indexer.cli.program import status_of
from indexer.engines import connection
from indexer.engines.contract import Document, Metadata, Part, Query, QueryTerm, ScoredDocument
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from retriever.__main__ import main as retriever
from tests.authority import Authority
from tests.cluster import READER, READERS_PASSWORD, Cluster, cluster
from tests.conftest import no_elasticsearch
from tests.distribution import UnavailableError
from tests.faults.conftest import LONG
from tests.node import Node
from tests.places import SAMPLES

pytestmark = pytest.mark.process

PASSWORD = "open-sesame-1"  # noqa: S105
SECRETS = (PASSWORD, READERS_PASSWORD, "VnVhQ2ZHY0JDZGJr")
METADATA = Metadata("textbook", (Part("sentences", ("text",)),), ENGLISH, {}, (("a", 1), ("b", 2)))
Build = Callable[[str], str]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    """The cluster, running; a test that kills a node starts it again."""
    try:
        with cluster(PASSWORD) as made:
            yield made
    except UnavailableError as error:
        no_elasticsearch(error)


@pytest.fixture
def three(nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The cluster, all nodes there, and the environment as `docs/engines.md` says it."""
    for node in nodes.nodes:
        if not node.running():
            node.launch()
    nodes.heal()
    monkeypatch.setenv("ELASTICSEARCH_URL", nodes.url)
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", PASSWORD)
    monkeypatch.setenv("ELASTICSEARCH_CA_CERTS", str(nodes.authority.certificate))
    return nodes


def documents(source: str, count: int) -> list[Document]:
    """Texts of some words each, so that scores differ."""
    return [
        Document(
            f"{source}-{n:05d}",
            f"text {n}",
            {"text": [f"w{n % 7}", f"w{n % 31}", f"w{n % 97}"] * (1 + n % 3)},
        )
        for n in range(count)
    ]


def build(
    address: str,
    between: Callable[[], object] = lambda: None,
    shards: int = 3,
    replicas: int | None = None,
) -> Metadata:
    """12,000 documents, something happening when a third of them is on its way."""
    writer = builder_for(address).build(address, METADATA, shards, replicas)
    writer.add("sentences", documents("a", 6_000))
    between()
    try:
        writer.add("sentences", documents("b", 6_000))
        return writer.publish()
    except BaseException:
        writer.discard()
        raise


def found(address: str) -> tuple[list[list[ScoredDocument]], list[str]]:
    """What an index answers, and all that it holds."""
    index = open_index(address)
    part = index.part()
    hits = part.search(
        [Query((QueryTerm("text", f"w{n}"), QueryTerm("text", f"w{n + 40}"))) for n in range(60)],
        20,
    )
    held = [document.doc_id for document in part.scan()]
    index.close()
    return [[hit._replace(score=round(hit.score, 4)) for hit in one] for one in hits], held


def exam(index: str, place: Path) -> bytes:
    """The sample exam answered from an index."""
    options = ["--index", index, "-o", str(place), "--trace", str(place.with_suffix(".jsonl"))]
    assert (
        status_of(answerer, "answerer", ["ntcir-mc", str(SAMPLES / "sample-exam-en.xml"), *options])
        == 0
    )
    return place.read_bytes()


def book(index: str) -> int:
    arguments = ["textbook", str(SAMPLES / "textbook-en.jsonl"), "--index", index, "--shards", "3"]
    return status_of(indexer, "indexer", arguments)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (
            {"ELASTICSEARCH_CA_CERTS": ""},
            "set ELASTICSEARCH_CA_CERTS to the file of the authority that signed",
        ),
        (
            {"ELASTICSEARCH_CA_CERTS": "OTHER"},
            "set ELASTICSEARCH_CA_CERTS to the file of the authority that signed",
        ),
        ({"ELASTICSEARCH_CA_CERTS": "README.md"}, "README.md"),
        ({"ELASTICSEARCH_PASSWORD": ""}, "(status 401"),
        ({"ELASTICSEARCH_PASSWORD": f"{PASSWORD}x"}, "(status 401"),
        (
            {"ELASTICSEARCH_API_KEY": f"{SECRETS[2]}UW0tZTVhT3g6dWkybHAyYXhU"},
            "an API key (ELASTICSEARCH_API_KEY)",
        ),
    ],
    ids=[
        "no authority",
        "wrong authority",
        "no certificate",
        "no password",
        "wrong password",
        "dead key",
    ],
)
def test_who_is_not_let_in_reads_one_line(
    three: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    environment: dict[str, str],
    said: str,
) -> None:
    Authority(tmp_path)
    for name, value in environment.items():
        monkeypatch.setenv(name, value.replace("OTHER", str(tmp_path / "ca.crt")))
    assert status_of(retriever, "retriever", ["sample-en", "Taj"]) == 2
    assert_one_line(capfd, said)


def test_a_user_who_may_only_read_reads_and_is_told_what_is_not_allowed(
    three: Cluster, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert book("reader-en") == 0
    monkeypatch.setenv("ELASTICSEARCH_USER", READER)
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", READERS_PASSWORD)
    assert status_of(retriever, "retriever", ["reader-en", "Taj Mahal", "-k", "1"]) == 0
    assert "Shah Jahan built the Taj Mahal" in capfd.readouterr().out
    assert book("reader-en") == 2
    assert_one_line(
        capfd, "does not allow this", "[indices:admin/create] is unauthorized", "reader-en.*"
    )


def test_a_read_only_cluster_is_told_as_that(
    three: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    blocked = "cluster.blocks.read_only"
    with three.client() as client:
        client.cluster.put_settings(persistent={blocked: True})
        try:
            assert book("blocked-en") == 2
        finally:
            client.cluster.put_settings(persistent={blocked: None})
    assert_one_line(capfd, "status 403", "cluster read-only")


def test_no_secret_is_in_anything_that_is_written(
    three: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """The password stands in the URL; what is shown and kept is the URL without it."""
    monkeypatch.delenv("ELASTICSEARCH_PASSWORD")
    monkeypatch.setenv("ELASTICSEARCH_URL", three.url.replace("//", f"//elastic:{PASSWORD}@", 1))
    assert book("secret-en") == 0
    run, gold = tmp_path / "run.xml", str(SAMPLES / "sample-exam-en.gold.xml")
    exam("secret-en", run)
    report = ["report", "ntcir-mc", gold, str(run), "--trace", str(run.with_suffix(".jsonl"))]
    assert status_of(evaluation, "evaluation", [*report, "-o", str(tmp_path / "report.html")]) == 0
    written = [path.read_text("utf-8") for path in tmp_path.iterdir()] + list(capfd.readouterr())
    assert len(written) >= 5
    assert "localhost" in run.with_suffix(".jsonl").read_text("utf-8")
    assert not any(secret in text for text in written for secret in SECRETS)


def test_a_node_killed_while_loading_costs_nothing(three: Cluster, tmp_path: Path) -> None:
    assert build(f"{tmp_path}/embedded").documents == {"sentences": 12_000}
    assert build("killed-loading", three.nodes[0].kill).documents == {"sentences": 12_000}
    assert found("killed-loading") == found(f"{tmp_path}/embedded")


def test_an_index_without_copies_that_turns_red_is_told_and_waited_for(
    three: Cluster, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(connection, "RETRY_SECONDS", 3.0)
        with pytest.raises(
            UserError,
            match=r"status 503.*; the index is red: shard .*, nodes that hold data: 2; waited for",
        ):
            build("turned-red", three.nodes[1].kill, replicas=0)
    assert "waiting, at most 3 seconds: the Elasticsearch of" in capfd.readouterr().err
    three.nodes[1].start()
    three.heal()
    assert build("turned-red", replicas=0).documents == {"sentences": 12_000}
    assert len(found("turned-red")[1]) == 12_000


def test_a_node_killed_while_answering_changes_no_byte(three: Cluster, tmp_path: Path) -> None:
    assert [book(place) for place in (f"{tmp_path}/embedded", "killed-answering")] == [0, 0]
    expected = exam(f"{tmp_path}/embedded", tmp_path / "expected.xml")
    killer = threading.Timer(0.2, three.nodes[2].kill)
    killer.start()
    runs = []
    while killer.is_alive() or len(runs) < 3:
        runs.append(exam("killed-answering", tmp_path / "run.xml"))
    assert not three.nodes[2].running()
    assert runs == [expected] * len(runs)


@pytest.mark.skipif(LONG not in os.environ, reason=f"takes minutes; {LONG}=1 runs it")
def test_a_rolling_restart_during_a_long_run_only_slows_it(three: Cluster, tmp_path: Path) -> None:
    """Building and answering go on while one node after another is restarted."""
    assert [book(place) for place in (f"{tmp_path}/embedded", "rolling")] == [0, 0]
    expected, runs = exam(f"{tmp_path}/embedded", tmp_path / "expected.xml"), []

    def restart(node: Node) -> None:
        node.stop()
        node.start()
        three.heal()

    rolling = threading.Thread(target=lambda: [restart(node) for node in three.nodes])
    rolling.start()
    while rolling.is_alive():
        assert build("rolling-build").documents == {"sentences": 12_000}
        runs.append(exam("rolling", tmp_path / "run.xml"))
    assert runs == [expected] * len(runs)


def assert_one_line(capfd: pytest.CaptureFixture[str], *said: str) -> None:
    """Nothing on stdout, one line of error that says this and holds no secret."""
    out, err = capfd.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, err
    for words in said:
        assert words in lines[0]
    assert "Traceback" not in err
    assert not any(secret in err for secret in SECRETS)
