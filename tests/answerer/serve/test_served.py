"""The indexes of a server as its page calls them."""

from __future__ import annotations

import socket

import pytest

from answerer.serve.served import Served, short_names
from tests.answerer.serve.server import request, serving


@pytest.mark.parametrize(
    ("addresses", "names"),
    [
        (["books/rivers", "http://host/lakes"], ["rivers", "lakes"]),
        (["a/rivers", "b/rivers/", "c/seas"], ["a/rivers", "b/rivers/", "seas"]),
    ],
)
def test_names_are_short_where_they_differ(addresses: list[str], names: list[str]) -> None:
    assert short_names([Served(each, each, "textbook", "en") for each in addresses]) == names


@pytest.mark.process
def test_the_page_offers_an_index_and_shows_no_password(book: str) -> None:
    shown = "http://localhost:9200/rivers"
    remote = Served("http://user:secret@localhost:9200/rivers", shown, "textbook", "en")
    with serving([book], more=[remote]) as port:
        page = request(port, "GET", "/").body.decode()
    assert f'value="{shown}"> rivers <' in page
    assert "secret" not in page


@pytest.mark.process
def test_health_does_not_wait_for_a_server_that_hangs(book: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/book"
        away = [Served(at, at, "textbook", "en") for at in (address, f"{address}-2")]
        with serving([book], more=away) as port:
            health = request(port, "GET", "/health")
    assert health.status == 503
    (fault,) = health.value["faults"]  # one server, one fault
    assert "accepts a connection and does not answer" in fault
