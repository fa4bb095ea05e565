"""One string addresses an index: a name, a folder or a URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.address import engine_for, open_index
from indexer.files.errors import UserError
from indexer.location import locate, nothing_there


def test_a_bare_name_is_a_folder_under_indexes() -> None:
    assert locate("textbook-ja").folder == Path("indexes/textbook-ja")
    assert locate("textbook-ja").shown == "indexes/textbook-ja"


def test_a_bare_name_is_on_the_servers_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", "http://one:9200, http://two:9200/")
    location = locate("triples")
    assert location.folder is None
    assert location.servers == ("http://one:9200", "http://two:9200")
    assert location.name == "triples"
    assert location.shown == "http://one:9200,http://two:9200/triples"


def test_a_folder_has_a_slash_even_when_the_variable_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", "http://localhost:9200")
    assert locate("./triples").folder == Path("triples")


def test_a_url_ends_with_the_name_and_its_password_is_never_shown() -> None:
    location = locate("https://me:secret@search.example.org:9243/books/")
    assert location.servers == ("https://me:secret@search.example.org:9243",)
    assert location.name == "books"
    assert location.shown == "https://search.example.org:9243/books"


@pytest.mark.parametrize("address", ["", "Textbook", "1st", "a.b", "http://localhost:9200", "http://localhost:9200/A"])
def test_what_addresses_nothing_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="addresses no index"):
        locate(address)


@pytest.mark.parametrize("servers", ["localhost:9200", "ftp://localhost", "http://"])
def test_a_variable_that_is_no_url_is_refused(monkeypatch: pytest.MonkeyPatch, servers: str) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", servers)
    with pytest.raises(UserError, match="not the address of an Elasticsearch server"):
        locate("triples")


@pytest.mark.parametrize(
    ("address", "command"),
    [
        ("textbook-ja", "`python -m indexer textbook FILE... --index textbook-ja`"),
        ("triples", "`python -m indexer triples FILE... --index triples`"),
        ("./mine", "`python -m indexer KIND FILE... --index ./mine`"),
    ],
)
def test_where_nothing_is_the_error_names_both_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as refused:
        open_index(address)
    assert command in str(refused.value)
    assert "ELASTICSEARCH_URL" in str(refused.value)


def test_the_address_chooses_the_engine() -> None:
    assert type(engine_for("./x")).__name__ == "EmbeddedEngine"
    assert type(engine_for("http://localhost:9200/x", shards=3, replicas=1)).__name__ == "ElasticsearchEngine"


@pytest.mark.parametrize(
    ("variable", "address", "message"),
    [
        ("http://a:9200", "http://a:9200/book", "--index book`, or unset ELASTICSEARCH_URL to use the embedded index"),
        (
            "http://a:9200",
            "http://b:9200/book",
            "--index http://b:9200/book`, or name the server or the folder that has it",
        ),
        ("", "http://b:9200/book", "--index http://b:9200/book`, or name the server or the folder that has it"),
        ("", "book", "--index book`, or set ELASTICSEARCH_URL to the server that has it"),
    ],
)
def test_the_way_out_where_no_index_is_leads_to_the_place_that_was_meant(
    monkeypatch: pytest.MonkeyPatch, variable: str, address: str, message: str
) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", variable)
    assert str(nothing_there(locate(address))).endswith(message)
