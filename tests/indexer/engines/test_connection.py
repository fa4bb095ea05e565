"""Who a server is, whether it may be trusted, and which of several is asked."""

from __future__ import annotations

import re
import socket
import ssl
import time
from contextlib import closing
from pathlib import Path

import pytest

from indexer.address import locate
from indexer.engines import bulk, elasticsearch
from indexer.engines.connection import API_KEY, PASSWORD, USER, connect, trusting
from indexer.engines.contract import Metadata, Part
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from tests.authority import Authority
from tests.faults.proxy import Answer, Proxy, proxy

pytestmark = pytest.mark.process

JSON, HTML = ("Content-Type", "application/json"), ("Content-Type", "text/html")
SIGNED = ("X-elastic-product", "Elasticsearch")
NO_INDEX = Answer(200, [JSON, SIGNED], b"{}")
NOWHERE = "http://localhost:1"


class Nothing:
    """A client of a server without indexes of ours: `books` is anybody's."""

    closed = 0

    def options(self, **_: object) -> Nothing:
        return self

    @property
    def indices(self) -> Nothing:
        return self

    def get_mapping(self, index: str, ignore_unavailable: bool) -> dict[str, object]:
        return {}

    def get(self, index: list[str], **_: object) -> dict[str, object]:
        return {"books": {"mappings": {}, "aliases": {}}}

    def close(self) -> None:
        self.closed += 1


def test_a_client_is_closed_where_no_index_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Nothing()
    monkeypatch.setattr(elasticsearch, "connect", lambda location: client)
    with pytest.raises(UserError, match="http://localhost:9/books"):
        elasticsearch.open_index(locate("http://localhost:9/books"))
    assert client.closed == 2  # once after it was asked which indexes there are


def test_a_client_is_closed_where_no_build_may_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Nothing()
    monkeypatch.setattr(bulk, "connect", lambda location: client)
    metadata = Metadata("textbook", (Part("sentences", ("text",)),), ENGLISH, {})
    with pytest.raises(UserError, match=r" books .* http://localhost:9/books "):
        bulk.build("http://localhost:9/books", metadata)
    assert client.closed == 1


def test_an_authority_that_does_not_say_what_its_key_is_for_is_trusted(tmp_path: Path) -> None:
    context = trusting(Authority(tmp_path).certificate)
    assert len(context.get_ca_certs()) == 1
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert not context.verify_flags & ssl.VERIFY_X509_STRICT  # which Python 3.13 sets


@pytest.mark.parametrize(
    ("text", "told"), [(None, "No such file"), ("nothing", "no readable certificate")]
)
def test_a_file_without_certificates_is_refused(
    text: str | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "ca.crt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=told):
        trusting(path)


def answer_always(server: Proxy, answer: Answer) -> None:
    server.where = ""
    server.harms = [lambda path, ask: answer] * 9


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(200, [HTML], b"<html>\nlog in"), "is not Elasticsearch"),
        (Answer(200, [JSON], b"{}"), "is not Elasticsearch"),
        (Answer(302, [("Location", "https://login")], b""), "is not Elasticsearch"),
        (Answer(413, [HTML], b"<h1>413</h1>"), "http.max_content_length of Elasticsearch)"),
        (Answer(503, [], b""), "refused: status 503"),
        (
            Answer(502, [HTML], b"<h1>502 Bad\nGateway</h1>\n<hr>proxy"),
            "refused: status 502, 502 Bad Gateway proxy",
        ),
    ],
)
def test_what_answers_and_is_no_elasticsearch_of_ours_is_one_line(
    answer: Answer, told: str
) -> None:
    with proxy(NOWHERE) as server:
        answer_always(server, answer)
        with pytest.raises(UserError) as refused:
            open_index(f"{server.url}/book")
    assert str(refused.value).endswith(told)


@pytest.mark.parametrize("host", ["[a:]", "-é"])
def test_a_host_that_the_client_cannot_read_is_one_line(host: str) -> None:
    with pytest.raises(UserError, match=re.escape(host)) as refused:
        connect(locate(f"http://me:secret@{host}:9200/book"))
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("key", ["secret\n", "secret\r\n", "sécret"])
def test_a_key_that_no_request_can_hold_is_refused_and_not_shown(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(API_KEY, key)
    with proxy(NOWHERE) as server, pytest.raises(UserError, match=API_KEY) as refused:
        open_index(f"{server.url}/book")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        ({}, "none"),
        ({PASSWORD: "secret"}, "user elastic with a password"),
        ({PASSWORD: "secret", USER: "ada"}, "user ada with a password"),
        ({API_KEY: "secret", PASSWORD: "secret"}, f"an API key ({API_KEY})"),
    ],
)
def test_refused_credentials_are_told_without_the_secret(
    variables: dict[str, str], sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (API_KEY, PASSWORD, USER):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with proxy(NOWHERE) as server:
        answer_always(server, Answer(401, [JSON, SIGNED], b"{}"))
        with pytest.raises(UserError, match=re.escape(f"(status 401; sent: {sent})")) as refused:
            open_index(f"{server.url}/book")
    assert "secret" not in str(refused.value)


def test_a_name_that_leads_nowhere_is_to_be_checked() -> None:
    with pytest.raises(UserError, match="check the name in the address") as refused:
        open_index("http://no-such-host.invalid:9200/book")
    assert "docker" not in str(refused.value)


def test_of_several_servers_a_silent_one_is_left_alone_for_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(connect(locate("http://one:9200,http://other:9200/book"))) as client:
        pool = client.transport.node_pool
        silent, now = pool.get(), time.time()
        pool.mark_dead(silent, _now=now)
        monkeypatch.setattr(time, "time", lambda: now + 59)
        assert silent not in [pool.get() for _ in range(3)]
        monkeypatch.setattr(time, "time", lambda: now + 61)
        assert silent in [pool.get() for _ in range(3)]


def test_of_several_servers_each_is_asked_until_one_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Five where nobody listens, and one that takes a connection and says nothing, before the one
    that answers."""
    monkeypatch.setattr(elasticsearch, "SECONDS_TO_GREET", 0.1)
    monkeypatch.setattr("random.shuffle", lambda nodes: None)
    with socket.socket() as silent, proxy(NOWHERE) as server:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        answer_always(server, NO_INDEX)
        dead = [f"http://localhost:{port}" for port in range(1, 6)]
        servers = [*dead, f"http://127.0.0.1:{silent.getsockname()[1]}", server.url]
        with pytest.raises(UserError, match=re.escape(server.url)):
            open_index(f"{','.join(servers)}/book")
