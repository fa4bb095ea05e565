"""What the live page says while its Elasticsearch is away, and that it answers again afterwards."""

from __future__ import annotations

import pytest

from answerer.serve.pool import ServerLimits
from answerer.serve.worker import AWAY
from indexer.__main__ import main as indexer
from indexer.cli.program import status_of
from tests.answerer.serve.server import post, request, serving
from tests.answerer.serve.test_openapi import fits
from tests.faults.proxy import away, proxy
from tests.places import SAMPLES

pytestmark = pytest.mark.process

QUESTION = {"question": "Who built the Taj Mahal?"}


def test_a_page_whose_server_is_away_says_so_until_it_is_back(elasticsearch_address: str) -> None:
    book = str(SAMPLES / "textbook-en.jsonl")
    assert status_of(indexer, "indexer", ["textbook", book, "--index", elasticsearch_address]) == 0
    url, _, name = elasticsearch_address.rpartition("/")
    with proxy(url) as between, serving([f"{between.url}/{name}"]) as port:
        assert request(port, "GET", "/health").status == 200
        between.where, between.harms = "", [away] * 1_000
        health, reply = request(port, "GET", "/health"), post(port, QUESTION)
        between.harms = []
        assert health.status == 503
        assert health.value["status"] == "away"
        assert fits(health.value, "Health")
        assert health.value["faults"][0].startswith("no Elasticsearch answers at")
        assert (reply.status, reply.value) == (503, {"error": AWAY})
        assert request(port, "GET", "/health").value["status"] == "ok"
        assert post(port, QUESTION).value["answers"][0]["text"] == "Shah Jahan"
    limits = ServerLimits(question_seconds=5.0)
    with proxy(url) as between, serving([f"{between.url}/{name}"], limits) as port:
        # gone once the index is opened: the search is tried again for longer than a question may take
        between.where, between.harms = "", [lambda _, ask: ask(), *[away] * 1_000]
        reply = post(port, QUESTION)
        assert (reply.status, reply.value) == (503, {"error": AWAY})
