"""One string addresses an index: a name, a folder or a URL."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from indexer.address import locate, nothing_there
from indexer.engines import bulk, embedded_build
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError


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


def test_a_folder_has_a_slash_even_when_the_variable_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", "http://localhost:9200")
    assert locate("./triples").folder == Path("triples")


def test_a_url_ends_with_the_name_and_its_password_is_never_shown() -> None:
    location = locate("https://me:secret@search.example.org:9243/books/")
    assert location.servers == ("https://me:secret@search.example.org:9243",)
    assert location.name == "books"
    assert location.shown == "https://search.example.org:9243/books"


@pytest.mark.parametrize("password", ["sec#ret", "sec?r@et"])
def test_a_password_of_odd_characters_is_taken(password: str) -> None:
    location = locate(f"http://me:{password}@localhost:9200/books")
    assert location.servers == (f"http://me:{password}@localhost:9200",)
    assert location.shown == "http://localhost:9200/books"


@pytest.mark.parametrize("password", ["sec/ret", "sec,ret"])
def test_a_password_that_a_url_cannot_hold_is_refused_and_not_shown(password: str) -> None:
    with pytest.raises(UserError) as refused:
        locate(f"http://me:{password}@localhost:9200/books")
    assert str(refused.value).startswith(
        "not the address of an Elasticsearch server: 'localhost:9200'; expected"
    )


@pytest.mark.parametrize(
    "server",
    [
        "http://localhost:",
        "http://a..b:9200",
        "http://%:9200",
        "http://a:99999",
        "http://a:9200?x=1",
        "HTTP://a",
    ],
)
def test_a_url_that_no_request_can_be_sent_to_is_refused(server: str) -> None:
    with pytest.raises(UserError, match=re.escape(server)):
        locate(f"{server}/books")


def test_a_password_goes_to_no_server_without_tls_beside_one_with_it() -> None:
    with pytest.raises(UserError, match="https"):
        locate("https://me:secret@a:9200,http://b:9200/books")


@pytest.mark.parametrize(
    "address",
    ["", "a" * 201, "Textbook", "1st", "a.b", "http://localhost:9200", "http://localhost:9200/A"],
)
def test_what_addresses_nothing_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="is not an index address"):
        locate(address)


@pytest.mark.parametrize("servers", ["localhost:9200", "ftp://localhost", "http://"])
def test_a_variable_that_is_no_url_is_refused(
    monkeypatch: pytest.MonkeyPatch, servers: str
) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", servers)
    with pytest.raises(UserError, match=servers):
        locate("triples")


@pytest.mark.parametrize(
    ("address", "command"),
    [
        ("textbook-ja", "`classical-qa index textbook FILE... --index textbook-ja`"),
        ("triples", "`classical-qa index triples FILE... --index triples`"),
        ("./mine", "`classical-qa index KIND FILE... --index ./mine`"),
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
    assert builder_for("./x") is embedded_build
    assert builder_for("http://localhost:9200/x") is bulk


@pytest.mark.parametrize(
    ("variable", "address", "message"),
    [
        (
            "http://a:9200",
            "http://a:9200/book",
            "--index book`, or unset ELASTICSEARCH_URL to use the embedded index",
        ),
        (
            "http://a:9200",
            "http://b:9200/book",
            "--index http://b:9200/book`, or name the place that has it",
        ),
        ("", "http://b:9200/book", "--index http://b:9200/book`, or name the place that has it"),
        ("", "book", "--index book`, or set ELASTICSEARCH_URL to the server that has it"),
    ],
)
def test_the_way_out_where_no_index_is_leads_to_the_place_that_was_meant(
    monkeypatch: pytest.MonkeyPatch, variable: str, address: str, message: str
) -> None:
    monkeypatch.setenv("ELASTICSEARCH_URL", variable)
    monkeypatch.setattr("indexer.address.LOCAL_SERVER", ("localhost", 1))  # none answers there
    assert str(nothing_there(locate(address))).endswith(message)


@pytest.mark.parametrize("address", ["chapter.pdf", "./chapter.pdf"])
def test_a_book_in_the_place_of_its_index_is_to_be_indexed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chapter.pdf").touch()
    with pytest.raises(UserError) as refused:
        locate(address)
    assert str(refused.value) == (
        f"{address} is a file: index it first: `classical-qa index textbook {address} "
        "--index NAME`, and give NAME"
    )


def test_the_indexes_that_there_are_come_before_building_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("indexer.address.LOCAL_SERVER", ("localhost", 1))  # none answers there
    message = str(nothing_there(locate("textbook-en"), ["my-book", "other"]))
    assert "(there are: my-book, other): name one of these (--index NAME), or build it" in message


def test_a_title_is_refused_with_a_name_that_would_do() -> None:
    with pytest.raises(UserError, match="200 bytes\\) such as vulkane-für-schüler, a folder"):
        locate("Vulkane für Schüler")
