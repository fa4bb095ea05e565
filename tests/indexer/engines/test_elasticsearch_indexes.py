"""What stands on a server: aliases, concrete indexes, settings; what belongs to others is left
alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from indexer.address import locate
from indexer.api import build_textbook
from indexer.engines import bulk
from indexer.engines.bulk import usual_shards
from indexer.engines.contract import Document, Metadata, Part, Query, QueryTerm
from indexer.engines.errors import IndexGone
from indexer.engines.opening import builder_for, open_index
from indexer.engines.writing import Writer
from indexer.files.errors import UserError
from indexer.files.messages import to_stderr
from indexer.languages.english import ENGLISH
from tests.faults.proxy import proxy
from tests.places import SAMPLES

METADATA = Metadata(
    "textbook", (Part("sentences", ("text",)), Part("paragraphs", ("text",))), ENGLISH, {}
)
DOCUMENT = Document("a", "text", {"text": ["word"]})


@pytest.fixture
def client(elasticsearch_url: str) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch_url) as client:
        yield client


def start(address: str, shards: int = 1, replicas: int = 0) -> Writer:
    writer = builder_for(address).build(address, METADATA, shards, replicas)
    writer.add("sentences", [DOCUMENT])
    writer.add("paragraphs", [DOCUMENT])
    return writer


def indexes(client: Elasticsearch, name: str) -> dict[str, list[str]]:
    found = client.indices.get_alias(index=f"{name}*", expand_wildcards="all")
    return {index: sorted(about["aliases"]) for index, about in sorted(found.items())}


def test_a_name_has_letters_of_any_script(elasticsearch_address: str, unique_name: str) -> None:
    address = f"{elasticsearch_address}-für-世界"
    start(address).publish()
    assert f"{unique_name}-für-世界" in builder_for(address).names(locate(address))
    with closing(open_index(address)) as index:
        (hits,) = index.part().search([Query((QueryTerm("text", "word"),))], 1)
    assert [hit.doc_id for hit in hits] == ["a"]
    assert builder_for(address).standing(address) is not None


def test_every_part_has_an_alias_and_a_rebuild_moves_all_of_them(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    start(elasticsearch_address).publish()
    assert indexes(client, unique_name) == {
        f"{unique_name}.paragraphs.1": [f"{unique_name}.paragraphs"],
        f"{unique_name}.sentences.1": [unique_name],
    }
    start(elasticsearch_address).publish()
    assert indexes(client, unique_name) == {
        f"{unique_name}.paragraphs.2": [f"{unique_name}.paragraphs"],
        f"{unique_name}.sentences.2": [unique_name],
    }


def test_shards_and_replicas_are_those_asked_for(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    start(elasticsearch_address, shards=3, replicas=1).publish()
    (about,) = client.indices.get_settings(index=unique_name).values()
    settings = about["settings"]["index"]
    assert [settings["number_of_shards"], settings["number_of_replicas"]] == ["3", "1"]
    assert "refresh_interval" not in settings


def test_without_being_asked_one_node_holds_one_shard_and_no_copy(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    writer = builder_for(elasticsearch_address).build(elasticsearch_address, METADATA)
    writer.add("sentences", [DOCUMENT])
    writer.publish()
    (about,) = client.indices.get_settings(index=unique_name).values()
    settings = about["settings"]["index"]
    assert [settings["number_of_shards"], settings["number_of_replicas"]] == ["1", "0"]


@pytest.mark.parametrize(
    ("sources", "shards"),
    [
        ((), 1),
        ((("a.txt", 10_000_000_000),), 1),
        ((("a.txt", 10_000_000_000), ("b.txt", 1)), 2),
        ((("a.txt", 10**15),), 1024),
    ],
)
def test_the_usual_shards_grow_with_the_sources(
    sources: tuple[tuple[str, int], ...], shards: int
) -> None:
    assert usual_shards(METADATA._replace(sources=sources)) == shards


def test_copies_are_there_while_loading(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    """One node holds no copy, but is asked for one: a cluster would make it at once."""
    writer = start(elasticsearch_address, replicas=1)
    (about,) = client.indices.get_settings(index=f"{unique_name}.sentences.1").values()
    assert about["settings"]["index"]["number_of_replicas"] == "1"
    assert about["settings"]["index"]["refresh_interval"] == "-1"
    writer.discard()


@pytest.mark.parametrize("fate", ["deleted", "replaced"])
def test_an_index_that_goes_while_it_is_in_use_is_told(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str, fate: str
) -> None:
    start(elasticsearch_address).publish()
    query = [Query((QueryTerm("text", "word"),))]
    with closing(open_index(elasticsearch_address)) as index:
        assert [hit.doc_id for hit in index.part().search(query, 1)[0]] == ["a"]
        if fate == "deleted":
            client.indices.delete(index=f"{unique_name}.sentences.1")
        else:
            start(elasticsearch_address).publish()
        calls: list[Any] = [
            lambda: index.part().search(query, 1),
            lambda: list(index.part().scan()),
            lambda: len(index.part()),
            lambda: index.part().explain(query[0], ["a"]),
        ]
        for call in calls:
            with pytest.raises(IndexGone):
                call()


@pytest.mark.process
@pytest.mark.parametrize("machine", ["this", "another"])
def test_what_a_dead_build_of_this_machine_left_is_removed(
    client: Elasticsearch,
    elasticsearch_address: str,
    unique_name: str,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
) -> None:
    """Of another machine's program nobody knows whether it lives."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with monkeypatch.context() as patch:
        patch.setattr("os.getpid", lambda: ended.pid)
        if machine == "another":
            patch.setattr("socket.gethostname", lambda: "elsewhere")
        start(elasticsearch_address)
    start(elasticsearch_address).publish()
    left = {f"{unique_name}.{part}.1" for part in ("paragraphs", "sentences")}
    there = indexes(client, unique_name).keys()
    assert there - left == {f"{unique_name}.{part}.2" for part in ("paragraphs", "sentences")}
    assert there & left == (left if machine == "another" else set())
    builder_for(elasticsearch_address).remove(elasticsearch_address)
    assert indexes(client, unique_name) == {}


def test_a_concrete_index_of_that_name_is_refused_and_left_alone(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    client.index(index=unique_name, document={"years": "of work"}, refresh=True)
    with pytest.raises(UserError, match=unique_name):
        start(elasticsearch_address)
    with pytest.raises(UserError, match="was not built by this program"):
        open_index(elasticsearch_address)
    assert client.count(index=unique_name)["count"] == 1


def test_an_alias_and_indexes_of_others_under_the_name_are_left_alone(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    client.index(index=f"{unique_name}.sentences.7", document={"years": "of work"}, refresh=True)
    start(elasticsearch_address).publish()
    assert client.count(index=f"{unique_name}.sentences.7")["count"] == 1
    client.indices.create(index=f"{unique_name}x", aliases={f"{unique_name}y": {}})
    with pytest.raises(UserError, match=unique_name):
        start(f"{elasticsearch_address}y")


@pytest.mark.parametrize("alias", [False, True])
def test_a_name_of_a_part_that_is_taken_is_refused_before_the_build(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str, alias: bool
) -> None:
    part = f"{unique_name}.paragraphs"
    client.indices.create(
        **({"index": f"{unique_name}x", "aliases": {part: {}}} if alias else {"index": part})
    )
    with pytest.raises(UserError, match=unique_name):
        start(elasticsearch_address)
    assert list(indexes(client, unique_name)) == [f"{unique_name}x" if alias else part]


def test_an_alias_of_a_users_own_is_read_by_and_never_built_on(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    start(elasticsearch_address).publish()
    client.indices.put_alias(index=f"{unique_name}.sentences.1", name=f"{unique_name}-live")
    with closing(open_index(f"{elasticsearch_address}-live")) as index:
        assert [len(index.part(part)) for part in ("sentences", "paragraphs")] == [1, 1]
    with pytest.raises(UserError, match=unique_name):
        start(f"{elasticsearch_address}-live")


@pytest.mark.process
def test_how_many_documents_there_are_is_asked_once(
    elasticsearch_address: str, unique_name: str
) -> None:
    """Statistics ask for it with every candidate of every question."""
    start(elasticsearch_address).publish()
    with proxy(elasticsearch_address.rpartition("/")[0]) as server:
        with closing(open_index(f"{server.url}/{unique_name}")) as index:
            part = index.part("paragraphs")
            assert [len(part) for _ in range(3)] == [1, 1, 1]
        assert sum("_msearch" in path for path in server.asked) == 1


def test_a_name_that_stands_for_two_indexes_is_refused(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    for name in ("a", "b"):
        start(f"{elasticsearch_address}-{name}").publish()
        client.indices.put_alias(index=f"{unique_name}-{name}.sentences.1", name=unique_name)
    with pytest.raises(UserError, match=unique_name):
        open_index(elasticsearch_address)


def test_an_alias_that_a_template_gives_to_every_index_makes_none_of_them_one_that_answers(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    template = {"aliases": {"of-everybody": {}}}
    client.indices.put_index_template(
        name=unique_name, index_patterns=[f"{unique_name}.*"], priority=999, template=template
    )
    try:
        start(elasticsearch_address).publish()
        start(elasticsearch_address).publish()
    finally:
        client.indices.delete_index_template(name=unique_name)
    assert indexes(client, unique_name) == {
        f"{unique_name}.paragraphs.2": ["of-everybody", f"{unique_name}.paragraphs"],
        f"{unique_name}.sentences.2": ["of-everybody", unique_name],
    }


def test_a_number_that_somebody_has_taken_is_passed_over(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    """Two programs that begin at the same moment ask for the same number."""
    client.indices.create(index=f"{unique_name}.paragraphs.1")
    start(elasticsearch_address).publish()
    assert list(indexes(client, unique_name)) == [
        f"{unique_name}.paragraphs.1",
        f"{unique_name}.paragraphs.2",
        f"{unique_name}.sentences.2",
    ]


def test_a_build_tells_no_password_of_its_address(
    elasticsearch_address: str, unique_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    to_stderr()
    address = elasticsearch_address.replace("://", "://me:secret@")
    one = build_textbook(SAMPLES / "textbook-en.jsonl", address, unit="paragraph")
    with pytest.raises(UserError, match=unique_name) as refused:
        build_textbook(SAMPLES / "dbqa.dev.txt", address)
    said = capsys.readouterr().err
    assert f"index: {elasticsearch_address}" in said
    assert "secret" not in f"{said}{refused.value}{one!r}"


def test_an_index_deleted_during_its_build_is_an_error_and_not_made_anew(
    client: Elasticsearch, elasticsearch_address: str, unique_name: str
) -> None:
    writer = start(elasticsearch_address)
    for index in list(indexes(client, unique_name)):
        client.indices.delete(index=index)
    with pytest.raises(UserError, match=unique_name):
        writer.publish()
    writer.discard()
    assert indexes(client, unique_name) == {}


def test_long_and_strange_doc_ids_are_kept(elasticsearch_address: str) -> None:
    writer = builder_for(elasticsearch_address).build(elasticsearch_address, METADATA)
    doc_ids = ['"quoted" \\ id', "日本/史 #1?", "長" * 400]
    writer.add("sentences", [Document(doc_id, "text", {"text": ["word"]}) for doc_id in doc_ids])
    writer.publish()
    index = open_index(elasticsearch_address)
    assert [document.doc_id for document in index.part().scan()] == sorted(doc_ids)
    assert [len(found) for found in index.part().lookup("doc_id", doc_ids)] == [1, 1, 1]
    index.close()


def test_a_signal_right_after_the_index_was_put_in_place_leaves_it_readable(
    elasticsearch_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = start(elasticsearch_address)
    assert isinstance(writer, bulk.ElasticsearchWriter)
    swap = writer._swap

    def interrupted() -> None:
        swap()
        raise KeyboardInterrupt

    monkeypatch.setattr(writer, "_swap", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writer.publish()
    writer.discard()
    with closing(open_index(elasticsearch_address)) as index:
        assert [len(index.part(part)) for part in ("sentences", "paragraphs")] == [1, 1]
