"""A server of the fault tests' own, with security on: it may be stopped, filled up and locked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import no_elasticsearch
from tests.container import Container
from tests.distribution import UnavailableError
from tests.node import Node
from tests.server import started_server

PASSWORD = "open-sesame"  # noqa: S105
LONG = "CLASSICAL_QA_LONG_TESTS"


@pytest.fixture(scope="session")
def secured_server() -> Iterator[Node | Container]:
    """One running server for all fault tests of a worker; a test that stops it starts it again."""
    try:
        server = started_server(PASSWORD)
    except UnavailableError as error:
        no_elasticsearch(error)
    yield server
    server.remove()


@pytest.fixture
def server(secured_server: Node | Container, monkeypatch: pytest.MonkeyPatch) -> Node | Container:
    """The server, and the environment that lets the programs in."""
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", PASSWORD)
    return secured_server
