"""The indexes of a server as its page calls them."""

from __future__ import annotations

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
