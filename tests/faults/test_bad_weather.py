"""What a user meets when a server is down, locked, full or restarted, or a build is killed: one
line, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from indexer.address import locate
from indexer.engines import connection
from indexer.engines.contract import Document, Metadata, Part
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from tests.conftest import no_elasticsearch
from tests.container import Container
from tests.distribution import UnavailableError
from tests.faults.conftest import LONG, PASSWORD
from tests.node import Node, free_port

pytestmark = pytest.mark.process

PART = Part("sentences", ("text",))
METADATA = Metadata("textbook", (PART,), ENGLISH, {}, (("a", 1), ("b", 2)))
DISK = {
    "cluster.routing.allocation.disk.threshold_enabled": "true",
    "cluster.info.update.interval": "10s",
}
KILLED_BUILD = """
import sys
from indexer.engines.opening import builder_for
from tests.faults.test_bad_weather import METADATA, documents
writer = builder_for(sys.argv[1]).build(sys.argv[1], METADATA)
writer.add("sentences", documents("a", 5_100))
writer.add("sentences", documents("b", 10))
if sys.argv[1].startswith("http"):
    writer.searcher("sentences")
print("half way", flush=True)
sys.stdin.read()
"""


def documents(source: str, count: int) -> list[Document]:
    return [
        Document(f"{source}-{number:05d}", f"text {number}", {"text": ["word", f"n{number}"]})
        for number in range(count)
    ]


def publish(address: str, *sources: str) -> None:
    writer = builder_for(address).build(address, METADATA)
    try:
        for source in sources:
            writer.add("sentences", documents(source, 20))
        writer.publish()
    except BaseException:
        writer.discard()
        raise


def ids(address: str) -> list[str]:
    index = open_index(address)
    found = [document.doc_id for document in index.part().scan()]
    index.close()
    return found


def ask(address: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "retriever", address, "word"],
        capture_output=True,
        text=True,
        check=False,
    )


def assert_one_line(answer: subprocess.CompletedProcess[str], *said: str) -> None:
    assert answer.returncode == 2, answer.stderr
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1, answer.stderr
    for words in said:
        assert words in answer.stderr
    assert PASSWORD not in answer.stderr


def test_no_server_is_one_line_with_both_remedies() -> None:
    answer = ask(f"http://localhost:{free_port()}/textbook-en")
    assert_one_line(
        answer,
        "no Elasticsearch answers at",
        "docker compose up -d --wait",
        "to use the embedded index",
    )


def test_something_else_on_the_port_is_told(tmp_path: Path) -> None:
    port = free_port()
    web = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert web.stdout is not None
    try:
        web.stdout.readline()
        answer = ask(f"http://localhost:{port}/textbook-en")
    finally:
        web.kill()
        web.communicate()
    assert_one_line(answer, "is not Elasticsearch")


@pytest.mark.parametrize("password", [None, "wrong"])
def test_a_wrong_password_is_one_line(
    server: Node | Container, monkeypatch: pytest.MonkeyPatch, password: str | None
) -> None:
    if password is None:
        monkeypatch.delenv("ELASTICSEARCH_PASSWORD")
    else:
        monkeypatch.setenv("ELASTICSEARCH_PASSWORD", password)
    assert_one_line(ask(f"{server.url}/textbook-en"), "status 401", "ELASTICSEARCH_PASSWORD")


def test_a_password_may_stand_in_the_url_and_is_never_shown(
    server: Node | Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ELASTICSEARCH_PASSWORD")
    with_password = server.url.replace("//", f"//elastic:{PASSWORD}@")
    assert_one_line(ask(f"{with_password}/absent-en"), f"no index at {server.url}/absent-en")


def test_a_missing_index_is_one_line_with_the_command_that_builds_it(
    server: Node | Container,
) -> None:
    address = f"{server.url}/textbook-en"
    assert_one_line(ask(address), f"classical-qa index textbook FILE... --index {address}")


def test_an_index_for_another_use_is_one_line(server: Node | Container) -> None:
    address = f"{server.url}/other-use"
    publish(address, "a", "b")
    with pytest.raises(UserError, match=r"'en'.*'ja'"):
        open_index(address, "textbook", JAPANESE)
    with pytest.raises(UserError, match=r"'textbook'.*'triples'"):
        open_index(address, "triples")


def test_a_server_that_restarts_during_loading_loses_and_doubles_nothing(
    server: Node | Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "RETRY_SECONDS", 300)
    address = f"{server.url}/restarted"
    publish(address, "a")
    writer = builder_for(address).build(address, METADATA._replace(sources=(("c", 3),)))
    made = documents("c", 9_000)
    writer.add("sentences", made[:3_000])
    server.stop()
    writer.add("sentences", made[3_000:6_000])
    server.start()
    writer.add("sentences", made[6_000:])
    assert writer.publish().documents == {"sentences": 9_000}
    assert ids(address) == [document.doc_id for document in made]


def test_refused_writes_end_the_build_and_the_same_command_completes_later(
    server: Node | Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writes are refused with 429, as by a full disk; later there is room again."""
    monkeypatch.setattr(connection, "RETRY_SECONDS", 0.1)
    address = f"{server.url}/full"
    publish(address, "a")
    writer = builder_for(address).build(address, METADATA)
    with Elasticsearch(server.url, basic_auth=("elastic", PASSWORD)) as client:
        client.indices.put_settings(
            index="full.*", settings={"index.blocks.read_only_allow_delete": True}
        )
        writer.add("sentences", documents("b", 10))
        with pytest.raises(
            UserError,
            match=r"refused to write 10 documents \(b-00000, .*\): status 429, "
            r".*give the same command again",
        ):
            writer.publish()
        writer.discard()
        assert ids(address) == [f"a-{number:05d}" for number in range(20)]
        client.indices.put_settings(
            index="full.*", settings={"index.blocks.read_only_allow_delete": None}
        )
    publish(address, "a", "b")
    assert len(ids(address)) == 40


def test_documents_refused_for_a_moment_are_sent_again(
    server: Node | Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room is made while the build waits: nothing is lost or doubled."""
    address = f"{server.url}/busy"
    writer = builder_for(address).build(address, METADATA)
    with Elasticsearch(server.url, basic_auth=("elastic", PASSWORD)) as client:
        blocked = {"index.blocks.read_only_allow_delete": True}
        client.indices.put_settings(index="busy.*", settings=blocked)
        writer.add("sentences", documents("b", 10))
        freed = {"index.blocks.read_only_allow_delete": None}
        free = partial(client.indices.put_settings, index="busy.*", settings=freed)
        timer = threading.Timer(1.0, free)
        timer.start()
        assert writer.publish().documents == {"sentences": 10}
        timer.join()


@pytest.fixture
def nearly_full() -> Iterator[tuple[Node, Path]]:
    """A server whose disk is a file system of its own, over its high watermark (90 %), and the file
    that fills it."""
    try:
        node = Node(settings=DISK)
    except UnavailableError as error:
        no_elasticsearch(error)
    data = node.folder / "data"
    told = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=100m,mode=777", "tmpfs", data],
        capture_output=True,
        text=True,
        check=False,
    )
    if os.geteuid() != 0 or told.returncode:
        node.remove()
        pytest.skip(f"a file system of one's own needs root: {told.stderr.strip()}")
    try:
        filling = data / "filling"
        filling.write_bytes(bytes(97_000_000))
        node.start()
        yield node, filling
    finally:
        node.stop()
        subprocess.run(["umount", "-l", data], check=True)
        node.remove()


@pytest.mark.skipif(LONG not in os.environ, reason=f"takes a minute; {LONG}=1 runs it")
def test_a_disk_over_its_high_watermark_is_told_and_the_same_command_completes_when_there_is_room(
    nearly_full: tuple[Node, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elasticsearch then gives a new index no place, and takes nothing for it."""
    node, filling = nearly_full
    address = f"{node.url}/watermark"
    monkeypatch.setattr(connection, "RETRY_SECONDS", 0.1)
    said = r"the index is red: shard 0 of 1 .* hold data: 1 .* above the high watermark .* actual used: \[9\d"
    with pytest.raises(UserError, match=said):
        publish(address, "a")
    filling.unlink()
    monkeypatch.setattr(connection, "RETRY_SECONDS", 120)
    publish(address, "a", "b")
    assert ids(address) == [
        document.doc_id for source in "ab" for document in documents(source, 20)
    ]


@pytest.mark.parametrize("engine", ["embedded", "elasticsearch"])
def test_a_killed_build_leaves_the_old_index_and_nothing_after_the_next(
    request: pytest.FixtureRequest, tmp_path: Path, engine: str
) -> None:
    place = tmp_path if engine == "embedded" else request.getfixturevalue("server").url
    address = f"{place}/killed"
    publish(address, "a", "b")
    old = ids(address)
    build = subprocess.Popen(
        [sys.executable, "-c", KILLED_BUILD, address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert build.stdout is not None
    assert build.stdout.readline() == "half way\n"
    build.kill()
    build.communicate()
    assert ids(address) == old
    builder, location = builder_for(address), locate(address)
    assert "killed" in builder.unfinished_builds(location)
    publish(address, "b")
    assert ids(address) == [document.doc_id for document in documents("b", 20)]
    assert "killed" not in builder.unfinished_builds(location)
