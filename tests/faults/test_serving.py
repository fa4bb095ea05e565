"""What the live page says while its Elasticsearch is away, and that it answers again afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from answerer.serve.worker import AWAY
from indexer.__main__ import main as indexer
from indexer.cli.program import status_of
from tests.answerer.serve.server import post, request, serving
from tests.answerer.serve.test_openapi import fits
from tests.conftest import no_elasticsearch
from tests.container import Container
from tests.distribution import UnavailableError
from tests.node import Node
from tests.places import SAMPLES
from tests.server import started_server

pytestmark = [pytest.mark.process, pytest.mark.server]

QUESTION = {"question": "Who built the Taj Mahal?"}


@pytest.fixture
def server() -> Iterator[Node | Container]:
    """A server without security: workers have the environment of the first test that started some,
    and so perhaps no password."""
    try:
        server = started_server()
    except UnavailableError as error:
        no_elasticsearch(error)
    yield server
    server.remove()


def test_a_page_whose_server_is_away_says_so_until_it_is_back(
    server: Node | Container, unique_name: str
) -> None:
    address = f"{server.url}/{unique_name}"
    book = str(SAMPLES / "textbook-en.jsonl")
    assert status_of(indexer, "indexer", ["textbook", book, "--index", address]) == 0
    with serving([address]) as port:
        assert request(port, "GET", "/health").status == 200
        server.stop()
        try:
            health, reply = request(port, "GET", "/health"), post(port, QUESTION)
        finally:
            server.start()
        assert health.status == 503
        assert health.value["status"] == "away"
        assert fits(health.value, "Health")
        assert health.value["faults"][0].startswith("no Elasticsearch answers at")
        assert (reply.status, reply.value) == (503, {"error": AWAY})
        assert request(port, "GET", "/health").value["status"] == "ok"
        assert post(port, QUESTION).value["answers"][0]["text"] == "Shah Jahan"
