"""Three real Elasticsearch nodes on this machine, with security and TLS: killed and started one by
one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from elasticsearch import Elasticsearch

from indexer.engines.connection import trusting
from tests.authority import Authority
from tests.distribution import open_to_all
from tests.node import START_SECONDS, Node, free_port

NODES = 3
READER, READERS_PASSWORD = "reader", "reader-secret-1"  # one who may read, and do nothing else
READERS_HASH = "$2a$10$7nx2I6jvoIyVQtGm0GeFBuql42mJP/PVWo3TRTzmoYM4pkv6vLyo6"
ROLES = """
reader:
  indices:
    - names: ["*"]
      privileges: ["read", "view_index_metadata"]
"""


class Cluster:
    """The nodes, their addresses as `ELASTICSEARCH_URL` has them, and what a client needs to be let
    in."""

    def __init__(self, folder: Path, password: str) -> None:
        self.password = password
        self.authority = Authority(folder)
        names = [f"n{number}" for number in range(1, NODES + 1)]
        ports = [free_port() for _ in names]
        shared = {
            "cluster.name": folder.name,
            "discovery.seed_hosts": ",".join(f"127.0.0.1:{port}" for port in ports),
            "cluster.initial_master_nodes": ",".join(names),
            "cluster.routing.allocation.node_concurrent_recoveries": "8",
        }
        self.nodes = [
            Node(
                folder / name,
                password=password,
                authority=self.authority,
                settings={**shared, "node.name": name, "transport.port": str(port)},
            )
            for name, port in zip(names, ports, strict=True)
        ]
        for node in self.nodes:
            config = node.folder / "config"
            (config / "roles.yml").write_text(ROLES)
            (config / "users").write_text(f"{READER}:{READERS_HASH}\n")
            (config / "users_roles").write_text(f"{READER}:{READER}\n")
        self.url = ",".join(node.url for node in self.nodes)

    def start(self) -> None:
        """Start all nodes, side by side, and wait until they are one."""
        for node in self.nodes:
            node.launch()
        for node in self.nodes:
            node.wait()
        self.heal()

    def heal(self) -> None:
        """Wait until all nodes are there and every copy has its place."""
        with self.client() as client:
            client.cluster.health(
                wait_for_nodes=str(NODES), wait_for_status="green", timeout=f"{START_SECONDS}s"
            )

    def client(self) -> Elasticsearch:
        """A client of the tests' own, logged in as one who may do all."""
        return Elasticsearch(
            [node.url for node in self.nodes],
            basic_auth=("elastic", self.password),
            ssl_context=trusting(self.authority.certificate),
            request_timeout=START_SECONDS,
            retry_on_timeout=True,
        )

    def remove(self) -> None:
        """End all nodes."""
        for node in self.nodes:
            node.kill()


@contextmanager
def cluster(password: str) -> Iterator[Cluster]:
    """Three nodes that run as long as the block."""
    folder = Path(tempfile.mkdtemp(prefix="classical-qa-cluster-", dir=open_to_all()))
    folder.chmod(0o755)
    try:
        made = Cluster(folder, password)
        try:
            made.start()
            yield made
        finally:
            made.remove()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
