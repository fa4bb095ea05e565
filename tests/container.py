"""A real Elasticsearch in a container, where a Docker daemon answers; the same shape as
`tests.node.Node`."""

from __future__ import annotations

from typing import Any

from tests.distribution import VERSION, UnavailableError
from tests.node import START_SECONDS, STOP_SECONDS, free_port

IMAGE = f"elasticsearch:{VERSION}"


class Container:
    """The official image, bound to this machine only, on a port that stays the same when it starts
    again."""

    def __init__(self, password: str = "") -> None:
        self._daemon = connect()
        self.port = free_port()
        self.password = password
        self.url = f"http://localhost:{self.port}"
        self._container: Any = None

    def start(self) -> None:
        """Start and wait until it answers."""
        import docker

        try:
            if self._container is None:
                self._container = self._daemon.containers.run(IMAGE, **self._options())
            else:
                self._container.start()
            code, output = self._container.exec_run(["bash", "-c", self._until_healthy()])
        except docker.errors.DockerException as error:
            raise UnavailableError(f"Docker could not run {IMAGE}: {error}") from None
        if code:
            raise UnavailableError(
                f"{IMAGE} did not start: {output.decode(errors='replace')[-500:]}"
            )

    def stop(self) -> None:
        if self._container is not None:
            self._container.stop(timeout=STOP_SECONDS)

    def kill(self) -> None:
        if self._container is not None:
            self._container.kill()

    def running(self) -> bool:
        if self._container is None:
            return False
        self._container.reload()
        return bool(self._container.status == "running")

    def remove(self) -> None:
        """Remove it with its data."""
        if self._container is not None:
            self._container.remove(force=True, v=True)
            self._container = None

    def _options(self) -> dict[str, Any]:
        environment = {
            "discovery.type": "single-node",
            "xpack.security.enabled": "true" if self.password else "false",
            "xpack.security.http.ssl.enabled": "false",
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            "ES_JAVA_OPTS": "-Xms512m -Xmx512m",
        }
        if self.password:
            environment["ELASTIC_PASSWORD"] = self.password
        return {
            "detach": True,
            "environment": environment,
            "ports": {"9200/tcp": ("127.0.0.1", self.port)},
            "mem_limit": "1500m",
        }

    def _until_healthy(self) -> str:
        login = f"-u elastic:{self.password}" if self.password else ""
        health = "http://localhost:9200/_cluster/health?wait_for_status=yellow"
        return f"for i in $(seq {START_SECONDS}); do curl -sf {login} '{health}' && exit 0; sleep 1; done; exit 1"


def connect() -> Any:
    """The Docker daemon; UnavailableError where none answers."""
    try:
        import docker
    except ImportError:
        raise UnavailableError("the Docker SDK is not installed") from None
    try:
        daemon = docker.from_env(timeout=600)
        daemon.ping()
    except docker.errors.DockerException:
        raise UnavailableError("no Docker daemon answers") from None
    return daemon
